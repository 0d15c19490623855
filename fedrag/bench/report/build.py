"""From run folders to the files of a report."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from fedrag.bench.report.collect import Section, collect
from fedrag.bench.report.markdown import report_markdown
from fedrag.bench.report.page import report_html
from fedrag.bench.report.targets import verdicts
from fedrag.bench.score import Similarity
from fedrag.errors import ConfigError

__all__ = ["build_report"]


def build_report(
    folders: Sequence[Path],
    out: Path,
    *,
    markdown: Path | None = None,
    similarity: Similarity | None = None,
) -> dict[str, Any]:
    """Write the report of one or more runs; nothing is written before all of it is made.

    :param folders: what ``fedrag bench run --out`` wrote, each.
    :param out: the page; ``markdown`` the tables, where wanted.
    :param similarity: measures cosines of names; without it they are not part of the report.
    :returns: the summary that ``--json`` prints: runs with their scores, and the targets.
    :raises ConfigError: a folder is no run, a file cannot be written, or the extra ``bench`` is
        not installed.
    """
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
        "scores": dict(section.scores),
    }


def _write(path: Path, content: str) -> None:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content, encoding="utf-8", newline="\n")
    except OSError as error:
        raise ConfigError(
            f"{path} cannot be written: {error.strerror or error}", hint="name another file"
        ) from error
