"""How the loopback model writes well: it fills the schema asked for from the first evidence.

An evidence line bears its key, ``[E1] Imatinib decreases activity of KIT`` or ``E1: ...``. Strings
are filled by what their property is called, so that any reasonable schema for cited sentences is
met; nothing in here knows a question or an answer.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import orjson

__all__ = ["Line", "evidence_lines", "good_reply"]

_LINE = re.compile(r"^\W*\[?(E\d+)\]?[:.)\s]+(.+?)\s*$", re.MULTILINE)
_TELLING = re.compile(
    r"^(?P<subject>.+?)\s+(?P<verb>(?:is |are |does |was )?(?:not )?(?:(?:positively|negatively|"
    r"directly|physically)\s+)?(?:[a-z]+s|[a-z]+ed|act|cause|treat)\b(?: (?:activity|abundance|"
    r"expression|synthesis|likelihood) of| with| in| by| to| of| for)?)\s+(?P<object>.+?)[.\s]*$"
)
_UP = re.compile(r"\b(increas|positive|upregulat|activat|promot)", re.IGNORECASE)
_DOWN = re.compile(r"\b(decreas|negative|downregulat|inhibit|reduc)", re.IGNORECASE)
_KEYS = ("citation", "cite", "key", "evidence", "source", "support")


@dataclass(frozen=True, slots=True)
class Line:
    """One evidence line: its key, its sentence, and what the sentence says of what."""

    key: str
    text: str

    @property
    def _told(self) -> re.Match[str] | None:
        return _TELLING.match(re.sub(r"\s*[(\[].*$", "", self.text))

    def part(self, name: str) -> str:
        """``subject``, ``verb`` or ``object`` of the sentence, the sentence when it is not seen."""
        told = self._told
        return told[name] if told else self.text

    @property
    def direction(self) -> str:
        """``increased``, ``decreased`` or ``none``."""
        return (
            "increased"
            if _UP.search(self.text)
            else "decreased"
            if _DOWN.search(self.text)
            else "none"
        )

    @property
    def negated(self) -> bool:
        """Whether the sentence denies."""
        return " not " in f" {self.text} "


def evidence_lines(request: Mapping[str, Any]) -> list[Line]:
    """The evidence lines of a request's messages, in order.

    >>> prompt = {"messages": [{"role": "user", "content": "[E1] A treats B.\\n[E2] C causes D."}]}
    >>> [line.key for line in evidence_lines(prompt)]
    ['E1', 'E2']
    """
    return [Line(key, text) for key, text in _LINE.findall(_prompt(request))]


def _prompt(request: Mapping[str, Any]) -> str:
    texts: list[str] = []
    for message in request.get("messages", ()):
        content = message.get("content") or ""
        texts += (
            [content] if isinstance(content, str) else [part.get("text", "") for part in content]
        )
    return "\n".join(texts)


def good_reply(request: dict[str, Any], *, key: str | None = None) -> dict[str, Any] | str:
    """The answer to a request: an object that meets its schema, or prose when it has none.

    :param key: cite this key instead of the line's own.
    """
    lines = evidence_lines(request)
    line = lines[0] if lines else Line("E1", "No evidence was given.")
    if key is not None:
        line = Line(key, line.text)
    schema = _schema(request)
    if schema is None:
        return f"{line.text} [{line.key}]"
    filled = _fill(schema, "", line, schema)
    return filled if isinstance(filled, dict) else orjson.dumps(filled).decode()


def _schema(request: Mapping[str, Any]) -> dict[str, Any] | None:
    """The JSON Schema of the ``response_format``, else a schema or an example in the prompt."""
    form = request.get("response_format") or {}
    found = form.get("schema") or (form.get("json_schema") or {}).get("schema")
    return found if isinstance(found, dict) else _schema_in(_prompt(request))


def _schema_in(prompt: str) -> dict[str, Any] | None:
    import json

    decoder = json.JSONDecoder()
    for start in re.finditer(r"\{", prompt):
        try:
            value, _ = decoder.raw_decode(prompt, start.start())
        except ValueError:
            continue
        if isinstance(value, dict):
            return value if isinstance(value.get("properties"), dict) else _like(value)
    return None


def _like(example: Any) -> dict[str, Any]:
    """The schema of things like the example."""
    if isinstance(example, dict):
        return {"type": "object", "properties": {k: _like(v) for k, v in example.items()}}
    if isinstance(example, list):
        return {"type": "array", "items": _like(example[0] if example else "")}
    return {"type": "boolean" if isinstance(example, bool) else "string"}


def _fill(schema: Mapping[str, Any], name: str, line: Line, root: Mapping[str, Any]) -> Any:
    """A value for one part of a schema, by its type and its property's name."""
    schema = _resolved(schema, root)
    if "const" in schema:
        return schema["const"]
    if "enum" in schema:
        return _pick(schema["enum"], name, line)
    kind = schema.get("type")
    kind = next((k for k in kind if k != "null"), "null") if isinstance(kind, list) else kind
    if kind == "object" or "properties" in schema:
        return {key: _fill(s, key, line, root) for key, s in schema.get("properties", {}).items()}
    if kind == "array":
        return [_fill(schema.get("items", {}), name, line, root)]
    if kind == "boolean":
        return line.negated if "neg" in name else False
    if kind in ("number", "integer"):
        return 1
    return None if kind == "null" else _string(name, line)


def _resolved(schema: Mapping[str, Any], root: Mapping[str, Any]) -> Mapping[str, Any]:
    while "$ref" in schema:
        target: Any = root
        for step in schema["$ref"].removeprefix("#/").split("/"):
            target = target[step]
        schema = target
    for several in ("anyOf", "oneOf", "allOf"):
        if several in schema:
            return _resolved(schema[several][0], root)
    return schema


def _pick(values: Sequence[Any], name: str, line: Line) -> Any:
    if any(word in name.lower() for word in _KEYS):
        return line.key  # also when it is forced to one that the schema does not allow
    for value in values:
        if isinstance(value, str) and line.direction[:5] in value.lower():
            return value
    plain = [
        v for v in values if isinstance(v, str) and v.lower() in ("none", "neutral", "unknown")
    ]
    named = [v for v in values if isinstance(v, str) and v and v.lower() in line.text.lower()]
    return (named or plain or list(values))[0]


def _string(name: str, line: Line) -> str:
    lowered = name.lower()
    if any(word in lowered for word in _KEYS):
        return line.key
    for part in ("subject", "object"):
        if part in lowered:
            return line.part(part)
    if "predicate" in lowered or "relation" in lowered or "verb" in lowered:
        return line.part("verb")
    if "direction" in lowered:
        return line.direction
    if lowered in ("name", "answer_name", "candidate"):
        return line.part("object")
    return line.text
