"""The report's tables as Markdown, to be committed beside the runs or pasted into an issue."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from fedrag.bench.report import contexts, pairs, tables
from fedrag.bench.report.collect import Section, by_kind
from fedrag.bench.report.excluded import left_out, strays
from fedrag.bench.report.failures import failures_told
from fedrag.bench.report.followed import followed_table
from fedrag.bench.report.markup import clean
from fedrag.bench.report.methods import CANDIDATES, prompts
from fedrag.bench.report.numbers import cell_text
from fedrag.bench.report.overview import facts, model_of
from fedrag.bench.report.tables import Table
from fedrag.bench.report.targets import verdicts
from fedrag.bench.report.words import evidence_meaning, set_name

__all__ = ["report_markdown", "safe"]

_SPECIAL = re.compile(r"([\\`*_\[\]<>|#~&$])")


def report_markdown(sections: Sequence[Section]) -> str:
    """Runs, targets, the tables of the page, what was excluded, and how the runs were made.

    :raises ConfigError: the extra ``bench`` is not installed.
    """
    return "\n".join(_lines(sections)).rstrip() + "\n"


def safe(value: str) -> str:
    """A string from outside as one line of Markdown that starts nothing.

    >>> safe("a|b\\n<img>")
    'a\\\\|b \\\\<img\\\\>'
    """
    return _SPECIAL.sub(r"\\\1", " ".join(clean(value).split()))


def _lines(sections: Sequence[Section]) -> Iterator[str]:
    yield "# fedrag benchmark report\n"
    for section in sections:
        yield from _run(section)
    if prompts(sections):
        yield f"{CANDIDATES}\n"
    yield "## Targets\n"
    yield from _goals(sections)
    for kind, own in by_kind(sections).items():
        yield f"## {safe(set_name(kind))}\n"
        for table in _tables(kind, own):
            yield from _table(table)
    yield "## Excluded\n"
    for section in sections:
        yield from _excluded(section)
    yield from _made(sections)


def _run(section: Section) -> Iterator[str]:
    yield f"- **{section.letter}: {safe(section.name)}** ({safe(section.evidence)}),"
    part = f" ({safe(section.part)})" if section.part else ""
    model = safe(model_of(section))
    yield (
        f"  {safe(section.kind)}: {section.progress} questions run{part}, "
        f"{section.scores['n']:,} of them outside the development split. Model: {model}."
    )
    if section.unfinished:
        yield f"  **Not finished: {section.unfinished}.**"
    yield from (f"  **{safe(one)}.**" for one in failures_told(section))
    said = evidence_meaning(section.meta, section.scores["retrieval"])
    yield from (f"  {sentence}" for sentence in said)
    yield ""


def _goals(sections: Sequence[Section]) -> Iterator[str]:
    yield "| set | target | goal | run | measured | reached? |"
    yield "|---|---|---|---|---|---|"
    for one in verdicts(sections):
        cells = (one.kind, one.label, one.goal, one.run, cell_text(one.measured))
        yield _pipes((*map(safe, cells), one.words))
    yield ""


def _tables(kind: str, own: Sequence[Section]) -> Iterator[Table]:
    yield from tables.accuracy_table(own)
    yield from tables.published_table(kind)
    yield from tables.ranking_table(own)
    yield from contexts.citation_table(own)
    yield from pairs.comparison_table(kind, own)
    yield from followed_table(own)
    yield tables.retrieval_table(own)
    yield from contexts.context_table(own)
    yield from tables.time_table(own)
    for section in own:
        yield from tables.strata_table(section)
    yield from map(tables.all_scores, own)


def _table(table: Table) -> Iterator[str]:
    yield f"**{safe(table.caption)}**\n"
    yield _pipes(map(safe, (table.corner, *table.columns)))
    yield _pipes(["---"] * (1 + len(table.columns)))
    for name, cells in table.rows:
        yield _pipes((safe(name), *(safe(cell_text(one)) for one in cells)))
    yield ""


def _excluded(section: Section) -> Iterator[str]:
    counts: dict[str, list[str]] = {}
    for id, what, _ in left_out(section):
        counts.setdefault(what, []).append(id)
    notes = [*strays(section), *section.notes]
    yield f"**{safe(section.title)}**: " + ("" if counts or notes else "nothing.")
    yield from (f"- {safe(note)}" for note in notes)
    for what, ids in counts.items():
        more = f" and {len(ids) - 10:,} more" if len(ids) > 10 else ""
        yield f"- {safe(what)}: {len(ids):,} ({safe(', '.join(ids[:10]))}{more})"
    yield ""


def _made(sections: Sequence[Section]) -> Iterator[str]:
    """The settings of each run, and the prompt of their arms."""
    yield "## How the runs were made\n"
    for section in sections:
        yield f"**{safe(section.title)}**\n"
        yield from (f"- {name}: {safe(value)}" for name, value in facts(section))
        yield ""
    for prompt, title in prompts(sections).items():
        yield f"{safe(title)}:\n"
        yield from (f"> {safe(line)}  " for line in prompt.splitlines())
        yield ""


def _pipes(cells: Sequence[str] | Iterator[str] | map[str]) -> str:
    return f"| {' | '.join(cells)} |"
