"""``fedrag serve``: the API, the TRAPI service and the page."""

from __future__ import annotations

import contextlib
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from fedrag.cli.options import open_session, session_options
from fedrag.cli.output import echo_json

if TYPE_CHECKING:
    from starlette.applications import Starlette

    from fedrag.web.desk import DeskLimits
    from fedrag.web.server import Binding

__all__ = ["serve"]


@click.command()
@click.option("--host", default="127.0.0.1", show_default=True, help="The address to listen on.")
@click.option(
    "--port", type=click.IntRange(0, 65535), default=8000, show_default=True, help="0: any."
)
@click.option(
    "--token-file",
    type=click.Path(path_type=Path, dir_okay=False),
    help="Its first line is what every request but /health must show (or FEDRAG_TOKEN).",
)
@click.option(
    "--allow-host",
    "allowed",
    multiple=True,
    metavar="NAME",
    help="Another name this service is called by, behind a proxy for instance.",
)
@click.option(
    "--at-once",
    type=click.IntRange(1),
    default=8,
    show_default=True,
    metavar="N",
    help="Runs under way at one time; others wait.",
)
@click.option(
    "--waiting",
    type=click.IntRange(0),
    default=256,
    show_default=True,
    metavar="N",
    help="Requests that may wait; one more gets 503.",
)
@click.option(
    "--request-seconds",
    type=click.FloatRange(min=0, min_open=True),
    metavar="SECONDS",
    help="For one request, its wait included [the deadline and 30 s].",
)
@click.option("--llm", metavar="MODEL", help="Let this language model write the answers.")
@click.option("--llm-url", metavar="URL", help="Where it is served (OpenAI-compatible).")
@session_options
def serve(**options: Any) -> int:
    """Serve questions over HTTP: a page for people, JSON and TRAPI for programs.

    On loopback anyone on this machine may ask. Any other --host wants a token, which requests show
    as `Authorization: Bearer TOKEN` (a browser asks for it as a password); put TLS before it.
    """
    from fedrag.web import create_app, require

    require()
    place = _place(options)
    app = create_app(
        open_session(options),
        own=True,
        limits=_limits(options),
        hosts=place.hosts,
        token=place.token,
    )
    _run(app, place.host, options)
    return 0


def _place(options: dict[str, Any]) -> Binding:
    from fedrag.web.server import binding, read_token

    token = read_token(options["token_file"], os.environ.get("FEDRAG_TOKEN"))
    return binding(options["host"], token, options["allowed"])


def _limits(options: dict[str, Any]) -> DeskLimits:
    from fedrag.web.desk import DeskLimits

    return DeskLimits(
        at_once=options["at_once"],
        waiting=options["waiting"],
        seconds=options["request_seconds"],
    )


def _run(app: Starlette, host: str, options: dict[str, Any]) -> None:
    """Serve until Ctrl-C, which is how a server ends."""
    from fedrag.web.server import listen, server

    listening = listen(host, options["port"])
    name = f"[{host}]" if ":" in host else host
    url = f"http://{name}:{listening.getsockname()[1]}/"
    if options["as_json"]:
        echo_json({"url": url})
        sys.stdout.flush()
    else:
        click.echo(f"fedrag serves {url} (Ctrl-C ends it)", err=True)
    with contextlib.suppress(KeyboardInterrupt):
        server(app).run([listening])
    if (unsaved := getattr(app.state, "unsaved", None)) is not None:
        raise unsaved
