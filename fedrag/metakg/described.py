"""One call that a document describes: what is asked of it, and how it is written.

:mod:`fedrag.metakg.operations` reads them from a document.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from fedrag.metakg.xfedrag import Manner

__all__ = ["CallTemplate", "Operation"]

_PLAIN_MANNER = Manner()


@dataclass(frozen=True, slots=True)
class CallTemplate:
    """How an operation's call is written, before identifiers are put in.

    ``parameters`` hold those of the path too, which ``path_parameters`` names. ``templated``: the
    values are Nunjucks/Jinja templates over ``queryInputs``; else ``{inputs[0]}`` stands for it.
    """

    method: str
    path: str
    parameters: Mapping[str, Any] = field(default_factory=dict)
    path_parameters: tuple[str, ...] = ()
    body: Mapping[str, Any] | str | None = None
    body_type: Literal["form", "json"] = "form"
    templated: bool = False
    batch: bool = False
    separator: str = ","


@dataclass(frozen=True, slots=True)
class Operation:
    """One call a service offers: from identifiers of one category to objects of another.

    Categories and predicate carry ``biolink:``, prefixes are as the document writes them. An
    annotation with several inputs or outputs gives one operation for each pair. ``mapping`` is the
    response mapping: name → path into the answer; ``output_prefix`` is one of its names.
    """

    id: str
    service: str
    method: str
    path: str
    subject_category: str
    predicate: str
    object_category: str
    qualifiers: tuple[tuple[str, str], ...] = ()
    input_prefix: str = ""
    output_prefix: str = ""
    call: CallTemplate = CallTemplate("get", "/")
    mapping: Mapping[str, str] = field(default_factory=dict)
    source: str | None = None  # infores of the primary source
    knowledge_level: str = "not_provided"
    agent_type: str = "not_provided"
    manner: Manner = _PLAIN_MANNER
    server: str = ""  # base URL its document names: tells the family (BioThings), not where to call
