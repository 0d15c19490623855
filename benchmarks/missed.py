"""Which questions the ranking got wrong, each with what came first and why.

``python benchmarks/missed.py --drugmechdb FILE RUN...``: of finished runs (folders that ``fedrag
bench run`` wrote) every question outside the development split whose right answer is not first, as
Markdown.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import orjson

from fedrag.bench.model import Question, QuestionResult, RankedCandidate
from fedrag.bench.results import Run, read_run
from fedrag.bench.split import is_development

NO_CANDIDATE = "the right answer is no candidate"
FAR = "it comes after the ten candidates that are kept"
SAME_NAME = "the first is the right answer's name under another identifier"
SAME_RECORD = "the question's own record has the first on its path too"
TIE = "the first has the same score: ties go by name"
OTHERS = "other evidence gives the first a higher score"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--drugmechdb", type=Path, required=True)
    parser.add_argument("runs", type=Path, nargs="+")
    options = parser.parse_args()
    records = {r["graph"]["_id"]: r for r in orjson.loads(options.drugmechdb.read_bytes())}
    print("# What the ranking did not put first")
    for folder in options.runs:
        print("\n".join(told(read_run(folder), records)))


def told(run: Run, records: Mapping[str, Any]) -> Iterator[str]:
    """One run as Markdown: how often each reason, then every question."""
    asked = [q for q in run.questions if q.id in run.results and not is_development(q.drug_key)]
    failed = sum(run.results[q.id].error is not None for q in asked)
    asked = [q for q in asked if run.results[q.id].error is None]
    missed = [(q, r) for q in asked if first_right(r := run.results[q.id]) != 1]
    yield f"\n## {run.folder.name}: {len(missed)} of {len(asked)}\n"
    if failed:
        yield f"{failed} more could not be run.\n"
    if run.meta["leave_one_out"]:
        records = {}  # nothing was found by them
    counts = Counter(why(question, result, records) for question, result in missed)
    yield "| reason | questions |\n|---|---|"
    yield from (f"| {reason} | {count} |" for reason, count in counts.most_common())
    yield "\n| question | right answers | rank | score | first | its score | reason |"
    yield "|---|---|---|---|---|---|---|"
    for question, result in missed:
        right, first = found(result), result.candidates[0] if result.candidates else None
        things = filter(None, (question.drug, question.disease, question.process))
        cells = (
            ", ".join(thing.name for thing in things),
            "; ".join(gold.name for gold in question.golds[:5])
            + (f" and {len(question.golds) - 5} more" if len(question.golds) > 5 else ""),
            first_right(result) or "–",
            right.score if right else "–",
            first.name if first else "–",
            first.score if first else "–",
            why(question, result, records),
        )
        yield "| " + " | ".join(str(cell).replace("|", "\\|") for cell in cells) + " |"


def why(question: Question, result: QuestionResult, records: Mapping[str, Any]) -> str:
    """The first reason that holds."""
    if first_right(result) is None or not result.candidates:
        return NO_CANDIDATE
    first, right = result.candidates[0], found(result)
    names = {text.casefold() for gold in question.golds for text in (gold.name, *gold.synonyms)}
    if first.name.casefold() in names:
        return SAME_NAME
    paths = (records.get(record, {}).get("nodes", ()) for record in question.records)
    nodes = {(n.get("id"), str(n.get("name")).casefold()) for path in paths for n in path}
    if any(first.curie == id or first.name.casefold() == name for id, name in nodes):
        return SAME_RECORD
    if right is None:
        return FAR
    return TIE if right.score == first.score else OTHERS


def first_right(result: QuestionResult) -> int | None:
    """The rank of the best right answer."""
    return min((rank for rank in result.ranks.values() if rank), default=None)


def found(result: QuestionResult) -> RankedCandidate | None:
    """The best right answer, where it is among the candidates that are kept."""
    rank = first_right(result)
    return result.candidates[rank - 1] if rank and rank <= len(result.candidates) else None


if __name__ == "__main__":
    main()
