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

from fedrag import __version__
from fedrag.tools import Toolbox, tool_schema

__all__ = ["create_server"]

_INSTRUCTIONS = (
    "Biomedical questions answered from live knowledge services, every claim citing evidence. "
    "Ask with `ask`; open a cited key (E1) or edge with `evidence`; where a mention may mean "
    "several things, `resolve` it and ask again with entities. Cite the keys you rely on."
)
Context = ServerRequestContext[Any, Any]


def create_server(toolbox: Toolbox) -> Server[Any]:
    """An MCP server of the four tools.

    Errors are results with ``isError``. A cancelled call cancels the calls of services that it
    waits for. Each step of ``ask`` is told as progress to a client that wants it.

    :param toolbox: open; closed by whoever made it.

    >>> create_server(Toolbox(replay="demo")).name
    'fedrag'
    """
    tools = [Tool.model_validate(tool) for tool in tool_schema("mcp")]

    async def list_tools(_: Context, __: PaginatedRequestParams | None) -> ListToolsResult:
        return ListToolsResult(tools=tools)

    async def call_tool(context: Context, asked: CallToolRequestParams) -> CallToolResult:
        async with _progress(context) as tell:
            told = await toolbox.call(asked.name, asked.arguments, progress=tell)
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
