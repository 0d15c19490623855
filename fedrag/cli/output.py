"""Writing to a terminal or a pipe."""

from __future__ import annotations

import os
import shutil
import sys
from typing import Any

import click

__all__ = ["columns", "echo_json", "end_progress", "plain", "progress_line"]


def plain(text: str) -> str:
    """The text without control characters, which could rewrite a terminal.

    >>> plain("a\\x1b[31mb")
    'a[31mb'
    """
    return "".join(c for c in text if c in "\n\t" or c.isprintable())


def echo_json(value: Any) -> None:
    """Indented JSON on stdout, keys in the order of the documentation."""
    from fedrag.export import to_json

    click.echo(to_json(value), nl=False)


def progress_line(line: str) -> None:
    """One line of progress on stderr, only when that is a terminal."""
    if sys.stderr.isatty():
        click.echo(f"\x1b[2K\r… {plain(line)[:90]}", err=True, nl=False)


def columns() -> int:
    """How wide to write: the terminal (or COLUMNS), within reason; 100 into a pipe."""
    named = os.environ.get("COLUMNS", "").isdigit()
    if not named and not sys.stdout.isatty():
        return 100
    return min(max(shutil.get_terminal_size((100, 24)).columns, 60), 140)


def end_progress() -> None:
    """Clear the progress line before the answer is written."""
    if sys.stderr.isatty():
        click.echo("\x1b[2K\r", err=True, nl=False)
