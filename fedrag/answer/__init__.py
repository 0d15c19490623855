"""The answer: composed in code, or written by a language model and checked in code.

:func:`compose` needs no language model. :func:`write` lets one write from the same evidence; the
citation check (:mod:`fedrag.answer.cite`) then decides which of its sentences stand.
"""

from fedrag.answer.cite import Checker, check_sentence
from fedrag.answer.claims import Claim, Statement
from fedrag.answer.compose import compose
from fedrag.answer.draft import Draft, Material, Written
from fedrag.answer.extract import extract_mentions
from fedrag.answer.lines import opened
from fedrag.answer.llm import LanguageModel
from fedrag.answer.write import WriteError, write

__all__ = [
    "Checker",
    "Claim",
    "Draft",
    "LanguageModel",
    "Material",
    "Statement",
    "WriteError",
    "Written",
    "check_sentence",
    "compose",
    "extract_mentions",
    "opened",
    "write",
]
