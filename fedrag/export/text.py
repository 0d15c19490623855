"""The text form: what a person reads in a terminal."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterable, Sequence

from fedrag.datamodel import Answer, Candidate, Edge, Entity, Evidence, ServiceReport

__all__ = ["answer_to_text", "services_table"]

_WIDTH = 100
_SHOWN_CANDIDATES = 10
_SHOWN_SENTENCES = 12


def answer_to_text(answer: Answer, *, explain: bool = False, all_candidates: bool = False) -> str:
    """The answer, candidates, evidence, service table and notes as plain text.

    :param explain: show each candidate's score line by line.
    :param all_candidates: show all candidates and sentences, not the first ten and a dozen.
    """
    blocks = []
    if answer.mode == "replay":
        blocks.append(_banner(answer))
    blocks += [
        _wrap(answer.text),
        _entities(answer.entities),
        _candidates(answer, explain, all_candidates),
        _evidence(answer, all_candidates),
        "Services\n" + services_table(answer.services),
        _closing(answer),
    ]
    return "\n\n".join(block for block in blocks if block) + "\n"


def _banner(answer: Answer) -> str:
    when = answer.recorded.get("recorded_at", "an unknown time")
    note = answer.recorded.get("note", "")
    return "Recorded demo, not a live answer\n" + _wrap(f"(recorded {when[:10]}. {note})")


def _wrap(text: str, indent: str = "", first: str | None = None) -> str:
    return "\n".join(
        textwrap.fill(
            line,
            _WIDTH,
            initial_indent=indent if first is None else first,
            subsequent_indent=indent,
            break_long_words=False,
            break_on_hyphens=False,
        )
        for line in text.splitlines()
    )


def _entities(entities: Iterable[Entity]) -> str:
    lines = [
        f"  {e.mention} → {e.name} ({e.curie}, {_short(e.categories)}; {e.how})" for e in entities
    ]
    return "Entities\n" + "\n".join(lines) if lines else ""


def _short(categories: Sequence[str]) -> str:
    return categories[0].removeprefix("biolink:") if categories else "uncategorised"


def _candidates(answer: Answer, explain: bool, everything: bool) -> str:
    if not answer.candidates:
        return ""
    shown = answer.candidates if everything else answer.candidates[:_SHOWN_CANDIDATES]
    lines = ["Candidates (the score orders them; it is not a probability)"]
    for number, candidate in enumerate(shown, start=1):
        lines += _candidate(number, candidate, explain)
    hidden = len(answer.candidates) - len(shown)
    if hidden:
        lines.append(f"  … and {hidden} more (--all shows them, --json has them)")
    return "\n".join(lines)


def _candidate(number: int, candidate: Candidate, explain: bool) -> list[str]:
    keys = " ".join(f"[{key}]" for key in candidate.evidence_keys[:6])
    line = f"  {number:>2}. {candidate.name} ({candidate.curie})  {candidate.score:g}  {keys}"
    if candidate.status:
        detail = f", {candidate.status_detail}" if candidate.status_detail else ""
        line += f"  {candidate.status.replace('_', ' ')}{detail}"
    if candidate.parent:
        line += f"  form of {candidate.parent}"
    lines = [line.rstrip()]
    if candidate.against:
        keys = " ".join(f"[{key}]" for key in candidate.against_keys)
        lines.append(f"      against: {len(candidate.against)} statements {keys}".rstrip())
    if explain:
        lines += [
            f"      {entry.points:+8.3f}  {entry.label}"
            + (f": {entry.detail}" if entry.detail else "")
            for entry in candidate.explanation
        ]
    return lines


def _evidence(answer: Answer, everything: bool) -> str:
    """What the answer cites, then the best of the rest up to a dozen."""
    if not answer.evidence:
        return ""
    shown = list(answer.evidence) if everything else _worth_a_page(answer)
    lines = ["Evidence"]
    for item in shown:
        lines.append(_wrap(item.sentence, "        ", f"  {f'[{item.key}]':<5} "))
        lines += [_wrap(_passport(edge), "          ", "        ") for edge in item.edges]
    hidden = len(answer.evidence) - len(shown)
    if hidden:
        lines.append(
            f"  … and {hidden} more sentences; {len(answer.all_edges)} edges were retrieved in all "
            "(--all, --json, --format tsv)"
        )
    return "\n".join(lines)


def _worth_a_page(answer: Answer) -> list[Evidence]:
    cited = set(re.findall(r"E\d+", " ".join(re.findall(r"\[E[^\]]*\]", answer.text))))
    cited |= {key for sentence in answer.sentences for key in sentence.citations}
    for candidate in answer.candidates[:_SHOWN_CANDIDATES]:
        cited |= {*candidate.evidence_keys[:1], *candidate.against_keys[:1]}
    rest = [item for item in answer.evidence if item.key not in cited]
    room = max(_SHOWN_SENTENCES - len(cited), 0)
    chosen = cited | {item.key for item in rest[:room]}
    return [item for item in answer.evidence if item.key in chosen]


def _passport(edge: Edge) -> str:
    """Source, knowledge level, publications and record of one edge, on one line."""
    through = f" via {', '.join(edge.aggregators)}" if edge.aggregators else ""
    parts = [f"{edge.primary_source}{through}", f"{edge.knowledge_level}, {edge.agent_type}"]
    if edge.publications:
        parts.append(_some(edge.publications))
    if edge.cited_by_record:
        parts.append(f"cited by the record: {_some(edge.cited_by_record)}")
    if edge.record_urls:
        parts.append(_some(edge.record_urls, most=1))
    parts.append(f"edge {edge.id}")
    return "; ".join(parts)


def _some(items: Sequence[str], most: int = 4) -> str:
    more = f" and {len(items) - most} more" if len(items) > most else ""
    return ", ".join(items[:most]) + more


def services_table(reports: Iterable[ServiceReport]) -> str:
    """One line per service: state, calls, edges, seconds, reason."""
    lines = []
    for report in reports:
        line = (
            f"  {report.service:<16} {report.state:<12} {report.calls:>3} calls "
            f"{report.edges:>6} edges {report.seconds:>7.2f} s  {report.reason}"
        )
        lines.append(line.rstrip())
        dropped = ", ".join(f"{count} × {reason}" for reason, count in report.dropped)
        if dropped:
            lines.append(f"  {'':<16} not readable: {dropped}")
    return "\n".join(lines)


def _closing(answer: Answer) -> str:
    lines = [f"Completeness: {answer.completeness}"]
    lines += [_wrap(note, "  ", "- ") for note in answer.notes]
    for rejected in answer.rejected_citations:
        keys = ", ".join(rejected.citations) or "no key"
        what = "repaired" if rejected.repaired else "rejected"
        lines.append(_wrap(f"{what} ({rejected.reason}): {rejected.text} [{keys}]", "  ", "- "))
    if answer.llm:
        usage = answer.llm
        cost = "unknown" if usage.cost is None else f"${usage.cost:.4f}"
        lines.append(
            f"Language model: {usage.model} at {usage.url}, {usage.calls} calls, "
            f"{usage.prompt_tokens}+{usage.completion_tokens} tokens, cost {cost}"
        )
    return "\n".join(lines)
