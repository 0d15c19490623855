"""Loopback services over real HTTP that know part, or all, of DrugMechDB (extra ``test``).

>>> from fedrag.testing import Federation
>>> with Federation() as federation:
...     sorted(federation.base_urls)
['bte', 'llm', 'nameres', 'nodenorm']
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from fedrag.testing.facts import FactBook, FactNode, Statement
    from fedrag.testing.federation import Federation, Trapi
    from fedrag.testing.llm import Raw
    from fedrag.testing.questions import DemoQuestion, demo_questions
    from fedrag.testing.tables import Wheel

__all__ = [
    "DemoQuestion",
    "FactBook",
    "FactNode",
    "Federation",
    "Raw",
    "Statement",
    "Trapi",
    "Wheel",
    "demo_questions",
]

# Imported when first asked for: reading records needs none of what serving them does.
_HOMES = {
    "facts": ("FactBook", "FactNode", "Statement"),
    "federation": ("Federation", "Trapi"),
    "llm": ("Raw",),
    "questions": ("DemoQuestion", "demo_questions"),
    "tables": ("Wheel",),
}
_HOME = {name: module for module, names in _HOMES.items() for name in names}


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOME[name]}"), name)
