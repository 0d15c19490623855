"""The tools as an MCP server: their schemas, results with structure, progress, cancellation.

The SDK's low-level ``Server`` is used, since the tools bring their own schemas and check their own
arguments: an agent meets the same tools here as through :func:`fedrag.call_tool`.
"""

from __future__ import annotations

import math
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any

import anyio
import orjson
from mcp.server import Server, ServerRequestContext
from mcp.types import (
    CallToolRequestParams,
    CallToolResult,
    ListToolsResult,
    PaginatedRequestParams,
    TextContent,
    Tool,
)
from mcp_types.version import HANDSHAKE_PROTOCOL_VERSIONS

from fedrag import __version__
from fedrag.tools import Toolbox, tool_schema

__all__ = ["create_server"]

_INSTRUCTIONS = (
    "Biomedical questions answered from live knowledge services, every claim citing evidence. "
    "Ask with `ask`; open a cited key (E1) or edge with `evidence`, passing the `run` that `ask` "
    "returned: every answer has its own E1. Where a mention may mean "
    "several things, `resolve` it and ask again with entities. Cite the keys you rely on."
)
Context = ServerRequestContext[Any, Any]


def create_server(toolbox: Toolbox, *, shared: bool = False) -> Server[Any]:
    """An MCP server of the four tools.

    Errors are results with ``isError``. A cancelled call cancels the calls of services that it
    waits for. Each step of ``ask`` is told as progress to a client that wants it.

    :param toolbox: open; closed by whoever made it.
    :param shared: several clients are served: each has its own answers, so that a key without a
        run never opens another's evidence.

    >>> create_server(Toolbox(replay="demo")).name
    'fedrag'
    """
    tools = [Tool.model_validate(tool) for tool in tool_schema("mcp")]

    async def list_tools(_: Context, __: PaginatedRequestParams | None) -> ListToolsResult:
        return ListToolsResult(tools=tools)

    async def call_tool(context: Context, asked: CallToolRequestParams) -> CallToolResult:
        async with _progress(context) as tell:
            client = _client(context) if shared else ""
            told = await toolbox.call(asked.name, asked.arguments, progress=tell, client=client)
        text = orjson.dumps(told, option=orjson.OPT_NON_STR_KEYS).decode()
        return CallToolResult(
            content=[TextContent(text=text)], structured_content=told, is_error="error" in told
        )

    return Server(
        "fedrag",
        version=__version__,
        title="fedrag",
        instructions=_INSTRUCTIONS,
        on_list_tools=list_tools,
        on_call_tool=call_tool,
    )


def _client(context: Context) -> str | None:
    """The session of the protocol that a call over HTTP is part of; ``None``: it has none.

    The transport has checked the header where the version of the protocol knows sessions; where it
    does not, a client could put anything there.
    """
    if context.protocol_version not in HANDSHAKE_PROTOCOL_VERSIONS or context.request is None:
        return None
    session: str | None = context.request.headers.get("mcp-session-id")
    return session or None


@asynccontextmanager
async def _progress(context: Context) -> AsyncIterator[Callable[[str], None]]:
    """A plain function whose lines go to the client as progress, in order, before the result."""
    into, out = anyio.create_memory_object_stream[str](math.inf)

    async def send() -> None:
        count = 0
        async for line in out:
            count += 1
            await context.session.report_progress(count, message=line)

    with out:
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(send)
            with into:
                yield into.send_nowait
