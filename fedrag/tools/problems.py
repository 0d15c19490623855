"""Errors as results: a code out of a closed list, what happened, and what an agent can do."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from fedrag.errors import (
    AmbiguousEntityError,
    CitationError,
    ConfigError,
    EntityError,
    FedragError,
    LLMError,
    OfflineError,
    PlanError,
    ServiceError,
)
from fedrag.tools.pages import clip

__all__ = ["CODES", "ToolProblem", "as_result"]

CODES: Mapping[str, str] = {
    "unknown_tool": "call ask, evidence, resolve or services",
    "invalid_arguments": "give the arguments as the tool's schema says",
    "not_found": "ask the question again and use the run and the keys that it returns",
    "entity_unresolved": 'try another spelling with resolve, or give entities: ["mention=CURIE"]',
    "entity_ambiguous": 'choose one of them with entities: ["mention=CURIE"]',
    "not_plannable": "rephrase: name a gene, drug, disease or process and what is asked of it",
    "service_failed": "ask again later; services with check=true tells what is up",
    "not_recorded": "calls are answered from a recording here: ask only what was recorded",
    "llm_failed": "ask again later, or let the user turn the language model off",
    "citation_failed": "do not use this answer; ask for less at once",
    "configuration": "tell the user: fedrag's settings must be changed",
    "internal": "tell the user: this is a fault in fedrag",
}
_KINDS: tuple[tuple[type[FedragError], str], ...] = (
    (AmbiguousEntityError, "entity_ambiguous"),
    (EntityError, "entity_unresolved"),
    (PlanError, "not_plannable"),
    (ServiceError, "service_failed"),
    (OfflineError, "not_recorded"),
    (CitationError, "citation_failed"),
    (LLMError, "llm_failed"),
    (ConfigError, "configuration"),
)
_LONGEST = 600  # bytes of a message: errors are bounded as answers are


class ToolProblem(FedragError):
    """A call that cannot be carried out; ``code`` is one of :data:`CODES`.

    >>> ToolProblem("not_found", "no run is called 7").remedy
    'ask the question again and use the run and the keys that it returns'
    """

    def __init__(self, code: str, message: str, *, remedy: str = "") -> None:
        self.code = code
        self.remedy = remedy or CODES[code]
        super().__init__(message, hint=self.remedy)


def as_result(error: Exception) -> dict[str, Any]:
    """The result that tells an agent of an error.

    Hints that name flags of the command line are for people, and give way to the code's remedy.

    >>> as_result(PlanError("nothing asks that", hint="name a gene"))["error"]["remedy"]
    'name a gene'
    """
    if isinstance(error, ToolProblem):
        code, message, remedy = error.code, error.message, error.remedy
    elif isinstance(error, FedragError):
        code = next((code for kind, code in _KINDS if isinstance(error, kind)), "internal")
        message, remedy = error.message, _remedy(error, code)
    else:
        code, message = "internal", f"{type(error).__name__}: {error}"
        remedy = CODES[code]
    told = {"code": code, "message": clip(message, _LONGEST), "remedy": clip(remedy, _LONGEST)}
    return {"error": told}


def _remedy(error: FedragError, code: str) -> str:
    if isinstance(error, EntityError):
        return CODES[code].replace("mention=CURIE", f"{error.mention}=CURIE")
    hint = error.hint or ""
    for_people = not hint or any(sign in hint for sign in ("--", "`", "FEDRAG_", "fedrag "))
    return CODES[code] if for_people else hint
