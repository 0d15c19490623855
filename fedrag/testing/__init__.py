"""Loopback services over real HTTP that know part, or all, of DrugMechDB (extra ``test``).

>>> from fedrag.testing import Federation
>>> with Federation() as federation:
...     sorted(federation.base_urls)
['bte', 'llm', 'nameres', 'nodenorm']
"""

from __future__ import annotations

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
