"""``fedrag cassette`` and ``fedrag cache``: the calls that are kept."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

import click

from fedrag.cli.output import echo_json, plain

if TYPE_CHECKING:
    from fedrag.net import Store

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
_SHARED = click.option(
    "--cache", "url", metavar="redis://…", help="A cache that machines share, on a Redis or Valkey."
)


@cache.command()
@_DIRECTORY
@_SHARED
@click.option("--json", "as_json", is_flag=True)
def stats(folder: Path | None, url: str | None, as_json: bool) -> int:
    """Say where the cache is, how many calls it holds and how large it is."""
    with closing(_store(folder, url)) as store:
        numbers = store.stats()
    if as_json:
        echo_json(numbers)
    else:
        for key, value in numbers.items():
            if value is not None:  # a limit that is not there
                click.echo(f"{key}: {value}")
    return 0


@cache.command()
@_DIRECTORY
@_SHARED
def clear(folder: Path | None, url: str | None) -> int:
    """Forget every cached call; of a shared cache, everybody's."""
    with closing(_store(folder, url)) as store:
        click.echo(f"{store.clear()} calls forgotten", err=True)
    return 0


def _store(folder: Path | None, url: str | None) -> Store:
    from fedrag.config import default_cache_dir, load_settings
    from fedrag.net import Cache

    if folder and url:
        raise click.UsageError("--dir and --cache name two caches: give one of them")
    settings = load_settings({"cache_dir": folder, "cache_url": url})
    if settings.cache_url and not folder:
        from fedrag.net.redis_link import RedisLink
        from fedrag.net.redis_store import RedisCache

        link = RedisLink(settings.cache_url)
        link.check()  # here, unlike in a run, the cache is what was asked for
        return RedisCache(link, max_age=settings.cache_max_age)
    return Cache(settings.cache_dir or default_cache_dir(), size_limit=settings.cache_size)
