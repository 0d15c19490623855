"""``fedrag mcp``: the tools for agents, over the Model Context Protocol."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import click
from click.core import ParameterSource

from fedrag.cli.options import open_session, session_options
from fedrag.cli.output import plain

__all__ = ["mcp"]

_FOR_HTTP = {
    "host": "--host",
    "port": "--port",
    "token_file": "--token-file",
    "allowed": "--allow-host",
}


@click.command()
@click.option(
    "--transport", type=click.Choice(("stdio", "http")), default="stdio", show_default=True
)
@click.option("--host", default="127.0.0.1", show_default=True, help="http: where to listen.")
@click.option(
    "--port", type=click.IntRange(0, 65_535), default=8750, help="http: 0 for a free one [8750]."
)
@click.option(
    "--token-file",
    type=click.Path(path_type=Path, dir_okay=False),
    help="http: its first line is what clients must show (or FEDRAG_TOKEN); any other --host "
    "than loopback wants one.",
)
@click.option(
    "--allow-host",
    "allowed",
    multiple=True,
    metavar="NAME",
    help="http: another name this service is called by, behind a proxy for instance.",
)
@click.option("--llm", metavar="MODEL", help="Let this language model write the answers.")
@click.option("--llm-url", metavar="URL", help="Where it is served (OpenAI-compatible).")
@session_options
def mcp(
    transport: str,
    host: str,
    port: int,
    token_file: Path | None,
    allowed: tuple[str, ...],
    **options: Any,
) -> int:
    """Serve the tools ask, evidence, resolve and services to agents (extra mcp).

    Over stdio, one client starts this command and ends it; over http, clients find it at /mcp.
    What a cassette or the cache holds is used as for `fedrag ask`.
    """
    import asyncio

    from fedrag.errors import ConfigError

    if transport == "stdio":
        _refuse_flags_of_http()
    session = open_session(options)
    try:
        if transport == "stdio":
            from fedrag.mcp.stdio import serve_stdio

            work = serve_stdio(session)
        else:
            from fedrag.mcp.http import serve_http
            from fedrag.web.server import binding, read_token

            place = binding(host, read_token(token_file, os.environ.get("FEDRAG_TOKEN")), allowed)
            work = serve_http(session, place, port, told=_told)
    except ModuleNotFoundError as error:
        raise ConfigError(
            f"fedrag mcp needs the MCP SDK: {error}", hint="pip install 'fedrag-bio[mcp]'"
        ) from error
    asyncio.run(work)
    return 0


# Standard output belongs to the protocol, so there is no JSON of the command's own to ask for.
mcp.params = [option for option in mcp.params if option.name != "as_json"]


def _refuse_flags_of_http() -> None:
    """Whoever names an address means to serve there, and would wait for clients in vain."""
    context = click.get_current_context()
    for name, flag in _FOR_HTTP.items():
        if context.get_parameter_source(name) is ParameterSource.COMMANDLINE:
            raise click.UsageError(f"{flag}: only with --transport http")


def _told(address: str) -> None:
    click.echo(plain(f"fedrag: MCP at {address}"), err=True)
