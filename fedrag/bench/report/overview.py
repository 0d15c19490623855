"""The head of the page: which runs, by what evidence, and which targets were reached."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from fedrag.bench.report.collect import Section
from fedrag.bench.report.failures import failures_told
from fedrag.bench.report.markup import Html, tag
from fedrag.bench.report.numbers import cell_html, verdict
from fedrag.bench.report.targets import verdicts
from fedrag.bench.report.words import arm_label, evidence_meaning

__all__ = ["facts", "goals_html", "model_of", "runs_html"]

_NOTE = (
    "Targets are set for the closed world with nothing left out, on questions outside the "
    "development split. Reached means that the measured value is, not its interval's end. A run is "
    "judged where it covers all questions of its set outside the split, or, where arms of a model "
    "are compared, at least 150 gene questions: a smaller one is a sample. An arm with more than "
    "5 % of errors measures nothing."
)


def runs_html(sections: Sequence[Section]) -> Html:
    """The runs, what figures of their evidence say, and how each was made."""
    return tag(
        "section",
        tag("h2", "Runs and their evidence"),
        *(_unfinished(section) for section in sections if section.unfinished),
        *(_failed(section) for section in sections if failures_told(section)),
        _runs(sections),
        *_statements(sections),
        *(_made(section) for section in sections),
        id="runs",
        aria_label="Runs",
    )


def _runs(sections: Sequence[Section]) -> Html:
    rows = (
        tag(
            "tr",
            tag("th", f"{s.letter}: {s.name}", scope="row"),
            tag("td", s.kind),
            tag("td", tag("span", s.evidence, class_="kind")),
            tag("td", s.progress, tag("small", s.part), class_="n"),
            tag("td", f"{s.scores['n']:,}"),
            tag("td", model_of(s)),
        )
        for s in sections
    )
    heads = ("run", "set", "evidence", "questions run", "outside development split", "model")
    return _table("Runs of this report; every headline figure is of the second count", heads, rows)


def _table(caption: str, heads: Sequence[str], rows: Iterable[Html]) -> Html:
    head = tag("thead", tag("tr", *(tag("th", name, scope="col") for name in heads)))
    table = tag("table", tag("caption", tag("span", caption)), head, tag("tbody", *rows))
    return tag("div", table, class_="wide", tabindex=0, role="region", aria_label=caption)


def _statements(sections: Sequence[Section]) -> list[Html]:
    """What each kind of evidence says and does not say, once, with the runs that it is true of."""
    said: dict[str, list[str]] = {}
    for section in sections:
        for sentence in evidence_meaning(section.meta, section.scores["retrieval"]):
            said.setdefault(sentence, []).append(section.letter)
    return [
        tag("div", tag("p", tag("b", f"{', '.join(letters)}: "), sentence), class_="box")
        for sentence, letters in said.items()
    ]


def _unfinished(section: Section) -> Html:
    words = f"Run {section.letter} is not finished: {section.unfinished}."
    return tag("div", tag("p", words), class_="box warn")


def _failed(section: Section) -> Html:
    told = (tag("p", f"Run {section.letter}, {one}.") for one in failures_told(section))
    return tag("div", *told, class_="box warn")


def model_of(section: Section) -> str:
    """The language model of a run, ``none`` without one."""
    model: Any = section.meta.get("llm") or {}
    return str(model.get("model", "?")) if model else "none"


def _made(section: Section) -> Html:
    rows = (
        tag("tr", tag("th", name, scope="row"), tag("td", value)) for name, value in facts(section)
    )
    title = f"How run {section.letter} was made"
    table = tag("table", tag("caption", tag("span", section.title)), tag("tbody", *rows))
    return tag("details", tag("summary", title), tag("div", table, class_="wide"))


def facts(section: Section) -> list[tuple[str, str]]:
    """How a run was made, name and value."""
    meta = section.meta
    model: Any = meta.get("llm") or {}
    digest = str(meta.get("questions_sha256", "?"))[:16]
    lines, tokens = meta.get("top_k", "?"), meta.get("max_tokens", "?")
    sample: Any = meta.get("sample") or {}
    part = f"{section.part}, seed {sample.get('seed')}" if sample else section.part
    split = section.scores["split"]
    told = {
        "evidence": section.evidence,
        "leave-one-out": "yes" if meta.get("leave_one_out") else "no",
        "services left out": ", ".join(map(str, meta.get("excluded") or ())) or "none",
        "services asked": ", ".join(map(str, meta.get("services") or ())),
        "questions": f"{meta.get('questions', '?')} (SHA-256 {digest})",
        "part of the set": part or "all of it",
        "corpus": _file(meta.get("corpus")),
        "cassette": _file(meta.get("cassette")),
        "development split": f"{len(section.development):,} of its questions, seed {split['seed']}",
        "language model": model_of(section),
        "its window": f"{model.get('context_tokens', '?')} tokens" if model else "–",
        "embedder": str(meta.get("embedder", "?")),
        "after pruning": f"at most {lines} lines, {tokens} tokens",
        "questions at a time": str(meta.get("concurrency", "")),
        "arms": ", ".join(arm_label(arm) for arm in section.arms),
        "started": str(meta.get("started", "?")),
        "finished": str(meta.get("finished") or "not finished"),
        "fedrag": str(meta.get("fedrag_version", "?")),
    }
    told["note"] = str(meta.get("note") or "")
    return [(name, value) for name, value in told.items() if value]


def _file(given: Any) -> str:
    """A file that the run was of, by name and digest; empty where there was none."""
    if not isinstance(given, Mapping):
        return ""
    return f"{given.get('name', '?')} (SHA-256 {str(given.get('sha256', '?'))[:16]})"


def goals_html(sections: Sequence[Section]) -> Html:
    """Targets beside what was measured."""
    rows = (
        tag(
            "tr",
            tag("th", f"{one.kind}: {one.label}", scope="row"),
            tag("td", verdict(one.reached, one.words), class_="n"),
            cell_html(one.measured),
            tag("td", one.goal, class_="n"),
            tag("td", one.run),
        )
        for one in verdicts(sections)
    )
    heads = ("target", "reached?", "measured", "goal", "run")
    table = _table("Targets and what was measured", heads, rows)
    title = tag("h2", "Targets")
    return tag("section", title, tag("p", _NOTE), table, id="goals", aria_label="Targets")
