"""``fedrag cassette`` and ``fedrag cache``: the calls that are kept."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from fedrag.cli.output import echo_json, plain

if TYPE_CHECKING:
    from fedrag.net import Cache

__all__ = ["cache", "cassette"]


@click.group()
def cassette() -> None:
    """Look at, check and clean cassettes of recorded calls."""


@cassette.command("show")
@click.argument("name")
@click.option("--json", "as_json", is_flag=True)
def show_cassette(name: str, as_json: bool) -> int:
    """Say what NAME (demo, a file or a folder) holds and where it was recorded."""
    from fedrag.net import Cassette
    from fedrag.session import cassette_path

    summary = Cassette.load(cassette_path(name)).summary()
    if as_json:
        echo_json(summary)
        return 0
    for key, value in summary.items():
        lines = value if isinstance(value, list) else [value]
        if isinstance(value, dict):
            lines = [f"{k}: {v}" for k, v in value.items()]
        click.echo(plain(f"{key}: {lines[0] if len(lines) == 1 else ''}".rstrip()))
        if len(lines) > 1:
            for line in lines:
                click.echo(plain(f"  {line}"))
    return 0


@cassette.command()
@click.argument("name")
@click.option("--json", "as_json", is_flag=True)
def verify(name: str, as_json: bool) -> int:
    """Check keys, bodies and secrets; exit 2 when something is wrong."""
    from fedrag.net import Cassette
    from fedrag.session import cassette_path

    problems = Cassette.load(cassette_path(name)).verify()
    if as_json:
        echo_json({"problems": problems})
    else:
        for problem in problems:
            click.echo(plain(problem))
        click.echo(f"{len(problems)} problems", err=True)
    return 2 if problems else 0


@cassette.command()
@click.argument("path", type=click.Path(exists=True, path_type=Path))
def scrub(path: Path) -> int:
    """Remove secrets and licensed bodies from the cassette in PATH, in place."""
    from fedrag.net import Cassette

    tape = Cassette.load(path)
    changed = tape.scrub()
    tape.overwrite()
    click.echo(f"{changed} calls changed", err=True)
    return 0


@click.group()
def cache() -> None:
    """Look at and clear the cache of calls."""


_DIRECTORY = click.option("--dir", "folder", type=click.Path(path_type=Path), help="Another cache.")


@cache.command()
@_DIRECTORY
@click.option("--json", "as_json", is_flag=True)
def stats(folder: Path | None, as_json: bool) -> int:
    """Say where the cache is, how many calls it holds and how large it is."""
    numbers = _store(folder).stats()
    if as_json:
        echo_json(numbers)
    else:
        for key, value in numbers.items():
            click.echo(f"{key}: {value}")
    return 0


@cache.command()
@_DIRECTORY
def clear(folder: Path | None) -> int:
    """Forget every cached call."""
    click.echo(f"{_store(folder).clear()} calls forgotten", err=True)
    return 0


def _store(folder: Path | None) -> Cache:
    from fedrag.config import default_cache_dir, load_settings
    from fedrag.net import Cache

    settings = load_settings({"cache_dir": folder})
    return Cache(settings.cache_dir or default_cache_dir(), size_limit=settings.cache_size)
