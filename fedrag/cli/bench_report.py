"""``fedrag bench report``: run folders in, one page and a Markdown table out."""

from __future__ import annotations

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
@click.option("--out", required=True, type=_FILE, help="The page, one file of HTML.")
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
    out: Path,
    markdown: Path | None,
    similarity: str | None,
    as_json: bool,
) -> int:
    """Write one report of the benchmark runs in DIR...

    Each run is named with its kind of evidence. The page needs no network. Exit codes: 0 written,
    2 a folder is not a run, or a file cannot be written.
    """
    from fedrag.bench.report import build_report

    measure = _measure(similarity) if similarity else None
    summary = build_report(folders, out, markdown=markdown, similarity=measure)
    if as_json:
        echo_json(summary)
        return 0
    for line in _told(summary):
        click.echo(plain(line))
    return 0


def _measure(model: str) -> NameSimilarity:
    from fedrag.bench.cosine import NameSimilarity

    if model == "published":
        return NameSimilarity()
    if model == "lexical":
        from fedrag.evidence.embed import LexicalEmbedder

        embedder = LexicalEmbedder()
        return NameSimilarity(embedder.name, encoder=embedder.embed)
    return NameSimilarity(model)


def _told(summary: dict[str, Any]) -> list[str]:
    """What was written, and the targets that were not reached."""
    lines = [
        f"{run['run']}: {run['name']} ({run['set']}, {run['evidence']}), n {run['scores']['n']:,}"
        for run in summary["runs"]
    ]
    missed = [one for one in summary["targets"] if one["reached"] is False]
    reached = sum(one["reached"] is True for one in summary["targets"])
    lines.append(f"targets: {reached} reached, {len(missed)} not reached")
    lines += [
        f"  not reached: {one['set']}, {one['target']}: {one['measured']} (goal {one['goal']})"
        for one in missed
    ]
    written = [summary["out"], *filter(None, [summary["markdown"]])]
    return [*lines, *(f"written: {path}" for path in written)]
