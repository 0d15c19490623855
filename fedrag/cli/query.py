"""``fedrag query``: a TRAPI query graph in, a TRAPI response out."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from fedrag.cli.options import open_session, session_options
from fedrag.cli.output import columns, echo_json, end_progress, plain, progress_line
from fedrag.errors import CassetteError

if TYPE_CHECKING:
    from fedrag.query import QueryAnswer

__all__ = ["query"]

_SHOWN = 50  # results of the text format


@click.command()
@click.argument("file", metavar="FILE|-")
@click.option(
    "--trapi",
    type=click.Choice(("1.5", "1.6", "2.0")),
    default="1.5",
    show_default=True,
    help="The version of the response.",
)
@click.option(
    "--format",
    "form",
    type=click.Choice(("json", "text")),
    default="json",
    show_default=True,
    help="The response, or a table of its results.",
)
@click.option("--max-ids", type=click.IntRange(1), help="Things asked onwards in a hop [1000].")
@click.option("--max-edges", type=click.IntRange(1), help="Edges kept of one hop [10000].")
@click.option("--max-results", type=click.IntRange(1), help="Results, the best ones [5000].")
@session_options
def query(file: str, **options: Any) -> int:
    """Answer the TRAPI query graph in FILE (- for stdin) over all services.

    FILE holds a query, a message or a bare query graph of TRAPI 1.4 to 2.0. The TRAPI response
    goes to stdout. Exit codes: 0 answered, 2 the query is wrong or nothing can serve it, 3 no
    service answered, 4 nothing meets the query (what its hops found is in the response).
    """
    from fedrag.query import parse_query
    from fedrag.session import run_sync

    request = parse_query(_text(file), "stdin" if file == "-" else file)
    if request.bypass_cache:
        options["no_cache"] = True
    session = open_session(options)

    answered: list[QueryAnswer] = []

    async def work() -> None:
        async with session:
            answered.append(
                await session.query(
                    request, trapi=options["trapi"], limits=_limits(options), progress=progress_line
                )
            )

    try:
        run_sync(work())
    except CassetteError:
        end_progress()
        for answer in answered:  # that it could not be recorded costs no response
            _write(answer, options)
        raise
    finally:
        end_progress()
    _write(answered[0], options)
    return answered[0].exit_code


def _write(answer: QueryAnswer, options: Mapping[str, Any]) -> None:
    if options["form"] == "text" and not options["as_json"]:
        click.echo(plain(_as_text(answer)))
    else:
        echo_json(answer.response)
    for entry in answer.response["logs"]:
        if entry["level"] in ("WARNING", "ERROR"):
            click.echo(plain(f"- {entry['message']}"), err=True)


def _text(file: str) -> bytes:
    from fedrag.errors import ConfigError
    from fedrag.query.read import MAX_BYTES

    if file == "-":
        return sys.stdin.buffer.read(MAX_BYTES + 1)
    try:
        with Path(file).open("rb") as stream:
            return stream.read(MAX_BYTES + 1)
    except OSError as error:
        raise ConfigError(
            f"{file} cannot be read: {error.strerror}", hint="name a file, or - for stdin"
        ) from error


def _limits(options: Mapping[str, Any]) -> Any:
    from fedrag.query import Limits

    given = {name: options[f"max_{name}"] for name in ("ids", "edges", "results")}
    return replace(Limits(), **{name: value for name, value in given.items() if value is not None})


# --- a table of results -------------------------------------------------------------------------


def _as_text(answer: QueryAnswer) -> str:
    from fedrag.export.text import services_table

    parts = [_results(answer.response), answer.response["description"]]
    parts.append("hops\n" + "\n".join(f"  {hop.told()}" for hop in answer.hops))
    parts.append("services\n" + services_table(answer.services, width=columns()))
    return "\n\n".join(part for part in parts if part)


def _results(response: Mapping[str, Any]) -> str:
    """One line per result: score, edges, and what each node is bound to."""
    message = response["message"]
    keys = list(message["query_graph"]["nodes"])
    rows = [["", "score", "edges", *keys]]
    for number, result in enumerate(message["results"][:_SHOWN], start=1):
        analysis = result["analyses"][0]
        edges = sum(len(_ids(binding)) for binding in analysis["edge_bindings"].values())
        bound = (_named(_ids(result["node_bindings"][key]), message) for key in keys)
        rows.append([str(number), f"{analysis['score']:.3f}", str(edges), *bound])
    if len(rows) == 1:
        return ""
    more = len(message["results"]) - _SHOWN
    return _table(rows) + (f"\n… and {more:,} more" if more > 0 else "")


def _ids(binding: Any) -> list[str]:
    """Identifiers bound, as TRAPI 1.x and 2.0 write them."""
    return binding["ids"] if isinstance(binding, dict) else [one["id"] for one in binding]


def _named(curies: Sequence[str], message: Mapping[str, Any]) -> str:
    nodes = message["knowledge_graph"]["nodes"]
    names = [f"{nodes[c]['name']} ({c})" if nodes[c]["name"] != c else c for c in curies[:2]]
    return ", ".join(names) + (f" and {len(curies) - 2} more" if curies[2:] else "")


def _table(rows: Sequence[Sequence[str]]) -> str:
    """Columns as wide as they need, within reason."""
    widths = [min(max(len(row[n]) for row in rows), 44) for n in range(len(rows[0]))]
    return "\n".join(
        "  ".join(_cell(text, width) for text, width in zip(row, widths, strict=True)).rstrip()
        for row in rows
    )


def _cell(text: str, width: int) -> str:
    return text.ljust(width) if len(text) <= width else text[: width - 1] + "…"
