"""fedrag as four tools for an agent: ``ask``, ``evidence``, ``resolve`` and ``services``.

``schemas`` says what they take and return, ``toolbox`` runs them (``front`` for a single call),
``views`` makes their results, ``pages`` keeps these within a number of tokens, ``shelf`` remembers
answers, and ``problems`` turns errors into results.
"""

from __future__ import annotations

from fedrag.tools.front import acall_tool, call_tool
from fedrag.tools.problems import CODES
from fedrag.tools.schemas import TOOLS, tool_schema
from fedrag.tools.toolbox import Toolbox

__all__ = ["CODES", "TOOLS", "Toolbox", "acall_tool", "call_tool", "tool_schema"]
