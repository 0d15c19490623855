"""``fedrag batch``: a file of questions in, one JSON line for each out."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from fedrag.cli.options import answer_options, open_session, pairs, session_options
from fedrag.cli.output import echo_json, end_progress, plain, progress_line

if TYPE_CHECKING:
    from fedrag.batch import Asker, Batch, Output, Tally
    from fedrag.session import Session

__all__ = ["batch"]

_HERE, _SPREAD = 4, 64  # questions asked at a time: in this process, and on a cluster


@click.command()
@click.argument("file", metavar="FILE.jsonl|FILE.csv|-")
@click.option("--out", metavar="FILE", help="Append the lines to this file [stdout].")
@click.option("--resume", is_flag=True, help="Go on with what --out holds.")
@click.option("--ordered", is_flag=True, help="Write the lines in the order of the rows.")
@click.option(
    "--concurrency", type=click.IntRange(1), help="Questions at a time [4; on Dask 64 in hand]."
)
@click.option("--dask", metavar="ADDRESS", help="Ask on the workers of this Dask scheduler.")
@click.option("--brief", is_flag=True, help="The answer alone, with the sources of its keys.")
@click.option("--top-k", type=int, help="Sentences on the page and in the prompt [40].")
@click.option("--max-tokens", type=int, help="Tokens of evidence on the page [3000].")
@click.option("--embedder", metavar="NAME|PATH", help="lexical, neural, or a model's name or path.")
@click.option("--llm", metavar="MODEL", help="Let this language model write the answers.")
@click.option("--llm-url", metavar="URL", help="Where it is served (OpenAI-compatible).")
@answer_options
@session_options
def batch(file: str, **options: Any) -> int:
    """Answer the questions in FILE (- for stdin), one JSON line out for each.

    A row has a question and, if wanted, id, entities and template; --entity and --template are for
    rows that name none. A row that cannot be used, and a question that fails, give a line with an
    error and stop no other. The summary, with what the cache of calls had to say, goes to stderr;
    with --json and --out, as JSON to stdout.

    With --resume a run that was stopped goes on: answered questions are not asked again; those
    that failed for want of time, connection or a service are, and so are rows that were mended.

    Exit codes: 0 all answered; 2 a row could not be read; 3 some failed and may be asked again;
    4 some have no evidence, no known entity or no plan. With several of these: 3, then 2, then 4.
    """
    from fedrag.session import run_sync

    rows, started = _rows(file, options), time.monotonic()
    session = open_session(options)
    output = _output(file, rows, options)
    for note in (*rows.notes, *output.notes):
        click.echo(plain(f"- {note}"), err=True)
    worked, tally = False, output.tally
    try:
        run_sync(_work(rows, session, output, options))
        worked = True
    finally:
        end_progress()
        output.close(ordered=options["ordered"])
        if worked or tally.done > tally.earlier:  # else the error says all there is to say
            _tell(tally, time.monotonic() - started, options)
    return tally.exit_code


def _rows(file: str, options: Mapping[str, Any]) -> Batch:
    from fedrag.batch import read_rows
    from fedrag.errors import ConfigError

    if options["resume"] and options["out"] in (None, "-"):
        raise click.UsageError("--resume goes on with a file: name it with --out")
    if options["dask"] and options["record"]:
        raise click.UsageError("--record keeps the calls of one process: it cannot go with --dask")
    try:
        content = sys.stdin.buffer.read() if file == "-" else Path(file).read_bytes()
    except OSError as error:
        raise ConfigError(
            f"{file} cannot be read: {error.strerror}", hint="name a file, or - for stdin"
        ) from error
    pins = pairs(options["pins"], "--entity")
    name = "stdin" if file == "-" else file
    return read_rows(content, name, pins=pins, template=options["template"])


def _output(file: str, rows: Batch, options: Mapping[str, Any]) -> Output:
    from fedrag.batch import FileOutput, StreamOutput

    if options["out"] in (None, "-"):
        return StreamOutput(sys.stdout.buffer, rows.rows)
    out = Path(options["out"])
    if file != "-" and out.exists() and out.samefile(file):
        raise click.UsageError("--out is the file of questions itself")
    return FileOutput(out, rows.rows, resume=options["resume"], short=options["brief"])


async def _work(rows: Batch, session: Session, output: Output, options: Mapping[str, Any]) -> None:
    from fedrag.batch import run_rows

    at_once = options["concurrency"] or (_SPREAD if options["dask"] else _HERE)
    async with session, _asker(session, output.tally, options) as ask:
        await run_rows(
            rows.rows,
            ask,
            output,
            concurrency=at_once,
            ordered=options["ordered"],
            progress=_Bar(output.tally),
        )


@asynccontextmanager
async def _asker(
    session: Session, tally: Tally, options: Mapping[str, Any]
) -> AsyncIterator[Asker]:
    """What asks a question: this session, or the workers of a cluster with one like it."""
    from fedrag.batch import Spread, asked_here, quiet, setup_of

    if options["dask"] is None:
        yield asked_here(session, short=options["brief"], note=tally.note)
        return
    if not (session.settings.cache_url or options["replay"]):
        told = "each worker keeps its own pace and cache; --cache redis://… shares them"
        click.echo(f"- {told}", err=True)
    setup = setup_of(session.settings, replay=options["replay"])
    spread = Spread(options["dask"], setup, short=options["brief"], note=tally.note)
    if not options["debug"]:
        quiet()
    async with spread:
        yield spread.ask


class _Bar:
    """How far the batch is, on a terminal."""

    def __init__(self, tally: Tally) -> None:
        self._started = time.monotonic()
        self(tally)

    def __call__(self, tally: Tally) -> None:
        filled = 30 * tally.done // max(1, tally.total)
        spent = time.monotonic() - self._started
        failed = f", {n} failed" if (n := tally.verdicts["failed"]) else ""
        bar = "#" * filled + "." * (30 - filled)
        progress_line(f"[{bar}] {tally.done}/{tally.total} questions{failed}, {spent:.0f} s")


def _tell(tally: Tally, seconds: float, options: Mapping[str, Any]) -> None:
    """The summary: JSON on stdout where that is free and wanted, else lines on stderr."""
    if not options["as_json"]:
        for note in tally.notes:
            click.echo(plain(f"- {note}"), err=True)
        click.echo(tally.told(seconds), err=True)
    elif options["out"] in (None, "-"):
        click.echo(json.dumps(tally.to_dict(seconds)), err=True)
    else:
        echo_json(tally.to_dict(seconds))
