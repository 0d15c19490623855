"""The text form: what a person reads in a terminal."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from fedrag.datamodel import Answer, Candidate, Edge, Entity, Evidence, ServiceReport

__all__ = ["answer_to_text", "replay_banner", "services_table"]

_UNASKED = frozenset({"inapplicable", "skipped"})
_WIDTH, _NARROWEST = 100, 40
_SHOWN_CANDIDATES = 10
_SHOWN_SENTENCES = 12


def answer_to_text(
    answer: Answer, *, explain: bool = False, all_candidates: bool = False, width: int = _WIDTH
) -> str:
    """The answer, entities, candidates, evidence, service table and notes as plain text.

    :param explain: show each candidate's score line by line.
    :param all_candidates: show all candidates and sentences, not the first ten and a dozen.
    :param width: columns to fill.
    """
    page = _Page(answer, explain, all_candidates, max(width, _NARROWEST))
    return "\n\n".join(block for block in page.blocks() if block) + "\n"


def replay_banner(answer: Answer) -> str:
    """The first thing said of a replayed answer."""
    name = answer.recorded.get("cassette", "")
    what = "Recorded demo" if name == "demo" else f"Replayed from the cassette {name}"
    return f"{what}, not a live answer"


@dataclass(frozen=True, slots=True)
class _Page:
    answer: Answer
    explain: bool
    everything: bool
    width: int

    def blocks(self) -> Iterator[str]:
        answer = self.answer
        if answer.mode == "replay":
            yield self._banner()
        yield self._wrap(answer.text)
        yield self._question(answer.entities)
        yield self._candidates()
        yield self._evidence()
        yield "Services\n" + services_table(answer.services, width=self.width)
        yield self._closing()

    def _wrap(self, text: str, indent: str = "", first: str | None = None) -> str:
        return "\n".join(
            textwrap.fill(
                line,
                self.width,
                initial_indent=indent if first is None else first,
                subsequent_indent=indent,
                break_long_words=False,
                break_on_hyphens=False,
            )
            for line in text.splitlines()
        )

    def _banner(self) -> str:
        when = self.answer.recorded.get("recorded_at", "")[:10] or "at an unknown time"
        note = self.answer.recorded.get("note", "")
        facts = f"recorded {when}" + (f": {note}" if note else "")
        return replay_banner(self.answer) + "\n" + self._wrap(f"({facts})")

    def _question(self, entities: Iterable[Entity]) -> str:
        plan = self.answer.plan
        lines = ["Understood"]
        if plan is not None:
            lines.append(self._wrap(plan.understood, "      ", "  asks for: "))
        lines += [
            self._wrap(
                f"{e.mention} → {e.name} ({e.curie}, {_short(e.categories)}; {e.how})",
                "      ",
                "  ",
            )
            for e in entities
        ]
        if unused := ", ".join(self.answer.unused):
            lines.append(self._wrap(unused, "      ", "  left out, not applied: "))
        return "\n".join(lines) if len(lines) > 1 else ""

    def _candidates(self) -> str:
        candidates = self.answer.candidates
        if not candidates:
            return ""
        shown = candidates if self.everything else candidates[:_SHOWN_CANDIDATES]
        lines = ["Candidates (the score orders them; it is not a probability)"]
        for number, candidate in enumerate(shown, start=1):
            lines += self._candidate(number, candidate)
        hidden = len(candidates) - len(shown)
        if hidden:
            lines.append(f"  … and {hidden} more (--all shows them, --json has them)")
        return "\n".join(lines)

    def _candidate(self, number: int, candidate: Candidate) -> list[str]:
        parts = [f"{candidate.name} ({candidate.curie})", f"{candidate.score:g}"]
        parts += [" ".join(f"[{key}]" for key in candidate.evidence_keys[:6])]
        if candidate.status:
            detail = f", {candidate.status_detail}" if candidate.status_detail else ""
            parts.append(f"{candidate.status.replace('_', ' ')}{detail}")
        if candidate.parent:
            parts.append(f"form of {candidate.parent}")
        text = "  ".join(part for part in parts if part)
        lines = [self._wrap(text, "      ", f"  {number:>2}. ")]
        if candidate.against:
            keys = " ".join(f"[{key}]" for key in candidate.against_keys)
            lines.append(f"      against: {_count(len(candidate.against), 'statement')} {keys}")
        if self.explain:
            lines += [
                self._wrap(
                    f"{line.label}: {line.detail}" if line.detail else line.label,
                    " " * 16,
                    f"      {line.points:+8.3f}  ",
                )
                for line in candidate.explanation
            ]
        return [line.rstrip() for line in lines]

    def _evidence(self) -> str:
        """What the answer cites, then the best of the rest up to a dozen."""
        answer = self.answer
        if not answer.evidence:
            return ""
        shown = list(answer.evidence) if self.everything else _worth_a_page(answer)
        lines = ["Evidence"]
        for item in shown:
            lines.append(self._wrap(item.sentence, "        ", f"  {f'[{item.key}]':<5} "))
            lines += [self._wrap(_passport(edge), "          ", "        ") for edge in item.edges]
        hidden = len(answer.evidence) - len(shown)
        if hidden:
            edges = _count(len(answer.all_edges), "edge")
            lines.append(
                self._wrap(
                    f"… and {_count(hidden, 'more sentence')}; {edges} retrieved in all "
                    "(--all, --json, --format tsv)",
                    "    ",
                    "  ",
                )
            )
        return "\n".join(lines)

    def _closing(self) -> str:
        answer = self.answer
        lines = [f"Completeness: {answer.completeness}"]
        lines += [self._wrap(note, "  ", "- ") for note in answer.notes]
        for rejected in answer.rejected_citations:
            keys = ", ".join(rejected.citations) or "no key"
            what = "repaired" if rejected.repaired else "rejected"
            said = f"{what} ({rejected.reason}): {rejected.text} [{keys}]"
            lines.append(self._wrap(said, "  ", "- "))
        if usage := answer.llm:
            cost = "unknown" if usage.cost is None else f"${usage.cost:.4f}"
            lines.append(
                self._wrap(
                    f"Language model: {usage.model} at {usage.url}, {_count(usage.calls, 'call')}, "
                    f"{usage.prompt_tokens}+{usage.completion_tokens} tokens, cost {cost}",
                    "  ",
                    "",
                )
            )
        return "\n".join(lines)


def _short(categories: Sequence[str]) -> str:
    return categories[0].removeprefix("biolink:") if categories else "uncategorised"


def _count(number: int, noun: str) -> str:
    """A number and its noun.

    >>> _count(1, "edge"), _count(3, "edge")
    ('1 edge', '3 edges')
    """
    return f"{number} {noun}" + ("" if number == 1 else "s")


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


def services_table(reports: Iterable[ServiceReport], *, width: int = _WIDTH) -> str:
    """One line per service: state, calls, edges, seconds; the reason below where there is one.

    Those that could not be asked come last, by the reason they share.
    """
    listed = list(reports)
    asked = [report for report in listed if report.calls or report.state not in _UNASKED]
    lines = [line for report in asked for line in _asked_lines(report, width)]
    unasked: dict[tuple[str, str], list[str]] = {}
    for report in listed:
        if not report.calls and report.state in _UNASKED:
            unasked.setdefault((report.state, report.reason), []).append(report.service)
    for (state, reason), names in unasked.items():
        lines.append(_filled(f"{state}: {', '.join(names)}: {reason}", width, "  ", "    "))
    return "\n".join(lines)


def _asked_lines(report: ServiceReport, width: int) -> Iterator[str]:
    calls, edges = _count(report.calls, "call"), _count(report.edges, "edge")
    yield (
        f"  {report.service:<12} {report.state:<12} {calls:>9} {edges:>11} {report.seconds:>7.2f} s"
    )
    dropped = ", ".join(f"{count} × {reason}" for reason, count in report.dropped)
    for text in (report.reason, f"not used: {dropped}" if dropped else ""):
        if text:
            yield _filled(text, width, " " * 15, " " * 15)


def _filled(text: str, width: int, first: str, others: str) -> str:
    return textwrap.fill(text, width, initial_indent=first, subsequent_indent=others)
