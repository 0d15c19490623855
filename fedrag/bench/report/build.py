"""From run folders to the files of a report."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from fedrag.bench.report.collect import Section, collect
from fedrag.bench.report.failures import failed_arms, failures_told
from fedrag.bench.report.markdown import report_markdown
from fedrag.bench.report.page import report_html
from fedrag.bench.report.targets import verdicts
from fedrag.bench.score import Similarity
from fedrag.errors import ConfigError

__all__ = ["build_report"]

# How the files of a report begin: another file is never written over.
_TITLE, _TABLES = "<title>fedrag benchmark report", "# fedrag benchmark report\n"


def build_report(
    folders: Sequence[Path],
    out: Path,
    *,
    markdown: Path | None = None,
    similarity: Similarity | None = None,
) -> dict[str, Any]:
    """Write the report of one or more runs; nothing is written before all of it is made.

    :param folders: what ``fedrag bench run --out`` wrote, each.
    :param out: the page; ``markdown`` the tables, where wanted. A report that is there already is
        written anew, any other file is left alone.
    :param similarity: measures cosines of names; without it they are not part of the report.
    :returns: the summary that ``--json`` prints: runs with their scores, and the targets.
    :raises ConfigError: a folder is no run, a file cannot be written or is no report, or the
        extra ``bench`` is not installed.
    """
    _check(out, markdown)
    sections = collect(folders, similarity=similarity)
    page = report_html(sections)
    tables = report_markdown(sections) if markdown else ""
    _write(out, page)
    if markdown:
        _write(markdown, tables)
    return {
        "out": str(out),
        "markdown": str(markdown) if markdown else None,
        "runs": [_summary(section) for section in sections],
        "targets": [one.to_dict() for one in verdicts(sections)],
    }


def _summary(section: Section) -> dict[str, Any]:
    return {
        "run": section.letter,
        "name": section.name,
        "set": section.kind,
        "evidence": section.evidence,
        "finished": section.meta.get("finished"),
        "unfinished": section.unfinished,
        "failures": failures_told(section),
        "errors": [one.to_dict() for one in failed_arms(section)],
        "scores": dict(section.scores),
    }


def _check(out: Path, markdown: Path | None) -> None:
    if markdown and out.resolve() == markdown.resolve():
        raise ConfigError(f"{out} cannot be both the page and the tables", hint="name two files")
    for path, mark in ((out, _TITLE), (markdown, _TABLES)):
        if path and path.is_file() and not _holds(path, mark):
            raise ConfigError(
                f"{path} is there and is no report of fedrag: it was left as it is",
                hint="name another file, or move that one away",
            )


def _holds(path: Path, mark: str) -> bool:
    """Whether a file is empty, or a report by its first lines."""
    try:
        with path.open(encoding="utf-8", errors="replace") as file:
            head = file.read(2000)
    except OSError:
        return True  # writing it tells what is wrong
    return not head or mark in head


def _write(path: Path, content: str) -> None:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content, encoding="utf-8", newline="\n")
    except OSError as error:
        raise ConfigError(
            f"{path} cannot be written: {error.strerror or error}", hint="name another file"
        ) from error
