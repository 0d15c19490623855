"""The loopback model as an agent: it calls the tools it is offered, and answers from their results.

It asks what its user asks, opens the first evidence that the result names, and then says what the
tools said. Schemas are first held against the rules of OpenAI's strict mode, in its words.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import orjson

__all__ = ["agent_message", "schema_fault"]

# What strict mode takes of JSON Schema in any version of it; the rest depends on the model.
_KEYWORDS = {
    "type",
    "description",
    "properties",
    "required",
    "additionalProperties",
    "items",
    "enum",
}


def schema_fault(request: Mapping[str, Any]) -> str | None:
    """What a strict server would refuse of the offered tools, or ``None``.

    >>> bad = {"name": "f", "strict": True, "parameters": {"type": "object", "properties": {}}}
    >>> schema_fault({"tools": [{"type": "function", "function": bad}]})
    "Invalid schema for function 'f': In context=(), 'additionalProperties' is required to be \
supplied and to be false."
    """
    for tool in request.get("tools") or ():
        function = tool["function"]
        if not function.get("strict"):
            continue
        for fault in _faults(function.get("parameters") or {}, ()):
            return f"Invalid schema for function {function['name']!r}: {fault}"
    return None


def _faults(schema: Mapping[str, Any], context: tuple[str, ...]) -> Iterator[str]:
    where = f"In context={context}"
    if unknown := sorted(schema.keys() - _KEYWORDS):
        yield f"{where}, {unknown[0]!r} is not permitted."
    if schema.get("type") == "object":
        if schema.get("additionalProperties") is not False:
            yield f"{where}, 'additionalProperties' is required to be supplied and to be false."
        if missing := sorted(schema.get("properties", {}).keys() - set(schema.get("required", ()))):
            yield (
                f"{where}, 'required' is required to be supplied and to be an array including "
                f"every key in properties. Missing {missing[0]!r}."
            )
    for name, inner in schema.get("properties", {}).items():
        yield from _faults(inner, (*context, "properties", name))
    if "items" in schema:
        yield from _faults(schema["items"], (*context, "items"))


def agent_message(request: Mapping[str, Any]) -> dict[str, Any]:
    """The next message of a model that has these messages before it and these tools at hand."""
    messages: Sequence[Mapping[str, Any]] = request["messages"]
    results = [orjson.loads(m["content"]) for m in messages if m["role"] == "tool"]
    if not results:
        question = next(m["content"] for m in reversed(messages) if m["role"] == "user")
        return _call(request, "ask", {"question": question})
    told = results[0]
    if "error" in told:
        return {"content": f"{told['error']['message']}; {told['error']['remedy']}"}
    if len(results) == 1 and told.get("evidence"):
        return _call(request, "evidence", {"run": told["run"], "id": told["evidence"][0]["key"]})
    shown = [f"{results[1]['key']}: {results[1]['edges'][0]['primary_source']}"] * (
        len(results) > 1
    )
    return {"content": "\n".join([told["answer"], *shown])}


def _call(request: Mapping[str, Any], name: str, given: Mapping[str, Any]) -> dict[str, Any]:
    """A call of an offered tool, every argument of its schema filled as strict mode has it."""
    offered = {tool["function"]["name"]: tool["function"] for tool in request.get("tools") or ()}
    if name not in offered:
        return {"content": f"I have no tool called {name}."}
    names = offered[name]["parameters"]["properties"]
    arguments = orjson.dumps({each: given.get(each) for each in names}).decode()
    number = sum(m["role"] == "assistant" for m in request["messages"])
    function = {"name": name, "arguments": arguments}
    call = {"id": f"call_{number}", "type": "function", "function": function}
    return {"content": None, "tool_calls": [call]}
