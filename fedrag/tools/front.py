"""The tools as plain functions: each call opens a session of its own, all share their answers."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from fedrag.errors import FedragError
from fedrag.session import run_sync
from fedrag.tools.arguments import checked_call
from fedrag.tools.problems import as_result
from fedrag.tools.shelf import Shelf
from fedrag.tools.toolbox import Toolbox

__all__ = ["acall_tool", "call_tool"]

_SHELF = Shelf()


def call_tool(
    name: str, arguments: Mapping[str, Any] | str | None = None, **options: Any
) -> dict[str, Any]:
    """Call one of the tools that :func:`fedrag.tool_schema` tells of.

    :param arguments: a mapping, or its JSON text as a language model writes it.
    :param options: as for :func:`fedrag.ask`: ``replay``, ``config``, ``only``, ``deadline`` …
    :returns: the result, plain JSON values, never more than the ``max_tokens`` of the call; or
        ``{"error": {"code", "message", "remedy"}}`` with a code of :data:`fedrag.tools.CODES`.
        Nothing is raised for what a language model can get wrong.

    Safe inside a running event loop too. To make many calls over shared connections, use a
    :class:`Toolbox`.

    >>> call_tool("ask", {"question": "what are the targets of imatinib?"}, replay="demo")["name"]
    'ABL1'
    """
    return run_sync(acall_tool(name, arguments, **options))


async def acall_tool(
    name: str, arguments: Mapping[str, Any] | str | None = None, **options: Any
) -> dict[str, Any]:
    """The coroutine behind :func:`call_tool`."""
    try:
        checked_call(name, arguments)  # a session is not opened for what is refused in any case
        toolbox = Toolbox(shelf=_SHELF, **options)
    except FedragError as error:
        return as_result(error)
    async with toolbox:
        return await toolbox.call(name, arguments)
