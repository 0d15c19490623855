"""``fedrag bench report``: run folders in, one page and a Markdown table out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from fedrag.cli.output import echo_json, plain

if TYPE_CHECKING:
    from fedrag.bench.cosine import NameSimilarity

__all__ = ["report"]

_FOLDER = click.Path(path_type=Path)
_FILE = click.Path(path_type=Path, dir_okay=False)


@click.command()
@click.argument("folders", metavar="DIR...", nargs=-1, required=True, type=_FOLDER)
@click.option(
    "--out",
    type=_FILE,
    help="The page, one file of HTML; by default a new file here, bench-report.html.",
)
@click.option("--markdown", type=_FILE, help="The tables as Markdown as well.")
@click.option(
    "--similarity",
    metavar="MODEL",
    help="Measure cosines of names: lexical, published (BioBERT, needs the extra neural), or the "
    "name or folder of a sentence-transformers model.",
)
@click.option("--json", "as_json", is_flag=True, help="One JSON object: runs, scores, targets.")
def report(
    folders: tuple[Path, ...],
    out: Path | None,
    markdown: Path | None,
    similarity: str | None,
    as_json: bool,
) -> int:
    """Write one report of the benchmark runs in DIR...

    Each run is named with its kind of evidence. The page needs no network. A file that is no report
    is never written over. Exit codes: 0 written, 2 a folder is not a run, or a file cannot be
    written.
    """
    from fedrag.bench.report import build_report

    measure = _measure(similarity) if similarity else None
    summary = build_report(folders, out or _new_page(), markdown=markdown, similarity=measure)
    if as_json:
        echo_json(summary)
        return 0
    for line in _told(summary):
        click.echo(plain(line))
    return 0


def _new_page() -> Path:
    path, more = Path("bench-report.html"), 1
    while path.exists():
        path, more = Path(f"bench-report-{more}.html"), more + 1
    return path


def _measure(model: str) -> NameSimilarity:
    from fedrag.bench.cosine import NameSimilarity

    if model == "published":
        return NameSimilarity()
    if model == "lexical":
        from fedrag.evidence.embed import LexicalEmbedder

        embedder = LexicalEmbedder()
        return NameSimilarity(embedder.name, encoder=embedder.embed)
    return NameSimilarity(model)


def _run(run: dict[str, Any]) -> Iterator[str]:
    """A run in a line, and what a reader must know before its figures."""
    scores = run["scores"]
    yield f"{run['run']}: {run['name']} ({run['set']}, {run['evidence']}), n {scores['n']:,}"
    if run["unfinished"]:
        yield f"  not finished: {run['unfinished']}"
    yield from (f"  {one}" for one in run["failures"])
    if scores["unknown"]:
        yield f"  {len(scores['unknown']):,} of its results are of no question of the run"


def _told(summary: dict[str, Any]) -> list[str]:
    """What was written, and the targets that were not reached."""
    from fedrag.bench.report.targets import VERDICTS

    lines = [line for run in summary["runs"] for line in _run(run)]
    missed = [one for one in summary["targets"] if one["reached"] is False]
    counts = Counter(one["verdict"] for one in summary["targets"])
    for name in VERDICTS[:2]:
        counts.setdefault(name, 0)
    told = ", ".join(f"{counts[name]} {name}" for name in sorted(counts, key=VERDICTS.index))
    lines.append(f"targets: {told}")
    lines += [
        f"  not reached: {one['set']}, {one['target']}: {one['measured']} (goal {one['goal']})"
        for one in missed
    ]
    written = [summary["out"], *filter(None, [summary["markdown"]])]
    return [*lines, *(f"written: {path}" for path in written)]
