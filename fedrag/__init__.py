"""fedrag answers biomedical questions from live, federated knowledge, citing every claim.

>>> import fedrag
>>> fedrag.__version__
'0.1.0'
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"
__all__ = [
    "Answer",
    "FedragError",
    "__version__",
    "aask",
    "acall_tool",
    "aquery_graph",
    "ask",
    "call_tool",
    "query_graph",
    "tool_schema",
]

if TYPE_CHECKING:
    from fedrag.datamodel import Answer
    from fedrag.errors import FedragError
    from fedrag.session import aask, aquery_graph, ask, query_graph
    from fedrag.tools import acall_tool, call_tool, tool_schema


def __dir__() -> list[str]:
    return sorted(__all__)


def __getattr__(name: str) -> Any:
    """Import the public names on first use, so that ``import fedrag`` costs nothing."""
    if name in ("aask", "aquery_graph", "ask", "query_graph"):
        from fedrag import session

        return getattr(session, name)
    if name in ("acall_tool", "call_tool", "tool_schema"):
        from fedrag import tools

        return getattr(tools, name)
    if name == "Answer":
        from fedrag.datamodel import Answer

        return Answer
    if name == "FedragError":
        from fedrag.errors import FedragError

        return FedragError
    raise AttributeError(f"module 'fedrag' has no attribute {name!r}")
