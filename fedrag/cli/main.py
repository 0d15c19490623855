"""The command group, and the one place where errors become messages and exit codes."""

from __future__ import annotations

import io
import os
import sys
import traceback
from collections.abc import Sequence
from itertools import pairwise
from typing import Any, NoReturn

import click

from fedrag import __version__
from fedrag.cli.ask import ask, plan, resolve
from fedrag.cli.batch import batch
from fedrag.cli.bench import bench
from fedrag.cli.inspect import services
from fedrag.cli.mcp import mcp
from fedrag.cli.metakg import metakg
from fedrag.cli.query import query
from fedrag.cli.runs import runs
from fedrag.cli.serve import serve
from fedrag.cli.stores import cache, cassette
from fedrag.errors import ConfigError, FedragError

__all__ = ["cli", "main"]

INTERRUPTED = 130


class _ReaderGoneError(Exception):
    """Nobody reads what is printed. No ``OSError``: click would exit with 1 for that."""


class _Commands(click.Group):
    def invoke(self, context: click.Context) -> Any:
        try:
            return super().invoke(context)
        except BrokenPipeError as error:
            raise _ReaderGoneError from error


@click.group(
    cls=_Commands,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
@click.version_option(__version__, prog_name="fedrag")
def cli() -> None:
    """Answer biomedical questions from live, federated knowledge; every claim cites its edges."""


for command in (
    ask,
    resolve,
    plan,
    query,
    batch,
    services,
    metakg,
    cassette,
    cache,
    runs,
    mcp,
    serve,
    bench,
):
    cli.add_command(command)


def main(arguments: Sequence[str] | None = None) -> NoReturn:
    """Run the command line and exit.

    Exit codes: 0 answered; 1 internal error; 2 usage, configuration, nothing to plan; 3 no service
    answered, replay miss or ``--strict``; 4 no evidence; 5 an entity; 130 interrupted.
    """
    arguments = sys.argv[1:] if arguments is None else list(arguments)
    _write_everything()
    try:
        code: Any = cli.main(args=arguments, prog_name="fedrag", standalone_mode=False)
        sys.exit(code if isinstance(code, int) else 0)
    except click.exceptions.Exit as stop:
        sys.exit(stop.exit_code)
    except click.ClickException as error:
        error.show()
        if _wants_json(arguments):
            from fedrag.cli.output import echo_json

            echo_json({"error": _facts(ConfigError(error.format_message()))})
        sys.exit(2)
    except (click.Abort, KeyboardInterrupt):
        click.echo("interrupted; nothing that was stored is lost", err=True)
        sys.exit(INTERRUPTED)
    except FedragError as error:
        _tell(error, arguments)
        sys.exit(error.exit_code)
    except (_ReaderGoneError, BrokenPipeError):
        # The reader went away (`fedrag ask … | head`): leave quietly, as other tools do.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(0)
    except OSError as error:
        _tell(FedragError(str(error), hint="check the path and the space on the disk"), arguments)
        sys.exit(2)
    except Exception as error:
        told = FedragError(
            f"internal error: {type(error).__name__}: {error}",
            hint="run again with --debug and report what it prints",
        )
        _tell(told, arguments, error)
        sys.exit(1)


def _write_everything() -> None:
    """Let no encoding of a console or pipe end a run: what it lacks is written as an escape."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            piped = not stream.isatty() and "PYTHONIOENCODING" not in os.environ
            encoding = "utf-8" if piped else stream.encoding
            stream.reconfigure(encoding=encoding, errors="backslashreplace")


def _facts(error: FedragError) -> dict[str, Any]:
    """What a program needs of an error: its kind, its words, and the nearest names if any."""
    nearest = list(getattr(error, "nearest", ()))
    return {
        "kind": type(error).__name__,
        "message": error.message,
        "hint": error.hint,
        "exit_code": error.exit_code,
        **({"nearest": nearest} if nearest else {}),
    }


def _wants_json(arguments: Sequence[str]) -> bool:
    named = {"--json", "--format=json"} & set(arguments)
    return bool(named) or ("--format", "json") in pairwise(arguments)


def _tell(error: FedragError, arguments: Sequence[str], cause: Exception | None = None) -> None:
    from fedrag.cli.output import echo_json, plain

    click.echo(plain(f"fedrag: {error}"), err=True)
    if _wants_json(arguments) and error.answer is None:
        echo_json({"error": _facts(error)})
    if "--debug" in arguments:
        traceback.print_exception(cause or error)
