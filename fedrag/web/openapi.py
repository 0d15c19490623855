"""``/openapi.json``: what the service answers, as OpenAPI with Translator's extensions.

The schemas are those that everything is tested against: ``fedrag/schemas/answer.json``, and
``trapi.json`` for TRAPI. A registry of Translator's or another fedrag reads it as a TRAPI service.
"""

from __future__ import annotations

import json
from typing import Any

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from fedrag import __version__
from fedrag.biolink import biolink
from fedrag.export.forms import FORMS
from fedrag.resources import schema_path
from fedrag.web.refuse import JSON, RUN_HEADER, to_json

__all__ = ["openapi_document", "openapi_routes"]

_TEXT = {"type": "string"}
_NAMES = {"type": "array", "items": _TEXT}
_REFUSALS = {
    "400": "The request is wrong; the message names the place",
    "401": "The token is missing or wrong",
    "403": "From the page of another site, or for another host name",
    "408": "The request did not come in time",
    "413": "The body is larger than 1 MB",
    "415": "The body is not application/json",
    "500": "An internal error",
    "503": "Too many requests are waiting; Retry-After says when to come again",
    "504": "It took longer than one request may",
}
_NOT_USED = {
    "422": (
        "An entity is not known or ambiguous, nothing can be planned, or the replayed recording "
        "does not hold it"
    ),
    "502": "A service that every question needs did not answer",
}


def openapi_document(url: str = "/") -> dict[str, Any]:
    """The document.

    :param url: where the service is.

    >>> openapi_document()["info"]["x-trapi"]["version"]
    '1.5.0'
    """
    return {
        "openapi": "3.0.3",
        "info": _info(),
        "servers": [{"url": url, "description": "This service", "x-maturity": "development"}],
        "tags": [
            {"name": name}
            for name in ("ask", "meta_knowledge_graph", "query", "service", "translator", "trapi")
        ],
        "paths": _asking() | _trapi() | _looking(),
        "components": {"schemas": _schemas(), "securitySchemes": _SECURITY},
        "security": [{}, {"token": []}],
    }


def openapi_routes() -> list[Route]:
    """The route of the document."""

    async def document(request: Request) -> Response:
        return Response(to_json(openapi_document(str(request.base_url))), media_type=JSON)

    return [Route("/openapi.json", document, methods=["GET"])]


_SECURITY = {
    "token": {
        "type": "http",
        "scheme": "bearer",
        "description": "Wanted where the service is not on loopback",
    }
}


def _info() -> dict[str, Any]:
    return {
        "title": "fedrag",
        "version": __version__,
        "description": (
            "Answers biomedical questions from live, federated knowledge, every claim citing its "
            "edges, and TRAPI queries over the same services"
        ),
        "license": {"name": "MIT"},
        "x-translator": {
            "infores": "infores:fedrag",
            "component": "ARA",
            "team": ["fedrag"],
            "biolink-version": biolink().version,
        },
        "x-trapi": {
            "version": "1.5.0",
            "multicuriequery": True,
            "asyncquery": False,
            "pathfinderquery": False,
            "operations": ["lookup"],
        },
    }


def _asking() -> dict[str, Any]:
    forms = {form.media_type.partition(";")[0]: {"schema": _TEXT} for form in FORMS.values()}
    answer = forms | {
        "application/json": {"schema": _ref("Answer")},
        "text/event-stream": {
            "schema": _TEXT | {"description": "progress events, then one answer or error event"}
        },
    }
    ask = _post("ask", "Answers a question, every claim citing its edges", "Ask", answer)
    ask["responses"]["200"]["headers"] = _RUN
    return {
        "/ask": {"post": ask},
        "/resolve": {
            "post": _post("ask", "Says which entities a text names", "Resolve", _content({}))
        },
        "/plan": {
            "post": _post("ask", "Says what a question would ask, and of whom", "Ask", _content({}))
        },
    }


def _trapi() -> dict[str, Any]:
    query = _post("query", "Answers a TRAPI query graph", "Query", _content(_ref("Response")))
    for status in (*_REFUSALS, "501"):
        told = _REFUSALS.get(status, "It is TRAPI, and not answered here (pathfinder queries)")
        query["responses"][status] = _response(told, "Response")
    for status in _NOT_USED:
        del query["responses"][status]
    graph = _get("meta_knowledge_graph", "What can be looked for", _ref("MetaKnowledgeGraph"))
    return {"/query": {"post": query}, "/meta_knowledge_graph": {"get": graph}}


def _looking() -> dict[str, Any]:
    run = _get("service", "One run of the log, with its answer", {"type": "object"})
    run["parameters"] = [
        {"name": "id", "in": "path", "required": True, "schema": _TEXT},
        {"name": "format", "in": "query", "schema": {"type": "string", "enum": list(FORMS)}},
    ]
    run["responses"]["404"] = _response("There is no such run", "Error")
    services = _get("service", "The services that can be asked", {"type": "object"})
    services["parameters"] = [{"name": "check", "in": "query", "schema": {"type": "boolean"}}]
    health = _get("service", "That it works", {"type": "object"})
    return {
        "/services": {"get": services},
        "/runs/{id}": {"get": run},
        "/health": {"get": health},
    }


def _post(tag: str, summary: str, body: str, content: dict[str, Any]) -> dict[str, Any]:
    return {
        "tags": [tag],
        "summary": summary,
        "requestBody": {"required": True, "content": _content(_ref(body))},
        "responses": {
            "200": {"description": "OK", "content": content},
            **{code: _response(told, "Error") for code, told in (_REFUSALS | _NOT_USED).items()},
        },
    }


def _get(tag: str, summary: str, schema: dict[str, Any]) -> dict[str, Any]:
    return {
        "tags": [tag],
        "summary": summary,
        "responses": {"200": {"description": "OK", "content": _content(schema)}},
    }


def _response(description: str, schema: str) -> dict[str, Any]:
    return {"description": description, "content": _content(_ref(schema))}


def _content(schema: dict[str, Any]) -> dict[str, Any]:
    return {JSON: {"schema": schema}}


def _ref(name: str) -> dict[str, Any]:
    return {"$ref": f"#/components/schemas/{name}"}


# --- schemas ------------------------------------------------------------------------------------


def _schemas() -> dict[str, Any]:
    answer = json.loads(schema_path("answer").read_text(encoding="utf-8"))
    trapi = json.loads(schema_path("trapi").read_text(encoding="utf-8"))
    parts = answer.pop("$defs")
    answer.pop("$schema")
    named = {_part(name): _as_openapi(schema) for name, schema in parts.items()}
    return {
        "Ask": _ASK,
        "Resolve": _RESOLVE,
        "Error": _ERROR,
        "Answer": _as_openapi(answer),
        **named,
        **trapi["components"]["schemas"],
    }


def _part(name: str) -> str:
    return f"Answer{name.capitalize()}"


def _as_openapi(schema: Any) -> Any:
    """A JSON Schema in the words of OpenAPI 3.0: ``nullable`` for null, ``enum`` for ``const``.

    >>> _as_openapi({"type": ["string", "null"]})
    {'type': 'string', 'nullable': True}
    """
    if schema is True:
        return {}
    if isinstance(schema, list):
        return [_as_openapi(item) for item in schema]
    if not isinstance(schema, dict):
        return schema
    made = {key: _as_openapi(value) for key, value in schema.items()}
    if isinstance(schema.get("type"), list):
        (kind,) = (one for one in schema["type"] if one != "null")
        made |= {"type": kind, "nullable": True}
    if "const" in made:
        made["enum"] = [made.pop("const")]
    if "anyOf" in made:
        (kept,) = (one for one in made.pop("anyOf") if one != {"type": "null"})
        made |= ({"allOf": [kept]} if "$ref" in kept else kept) | {"nullable": True}
    if str(made.get("$ref", "")).startswith("#/$defs/"):
        return _ref(_part(made["$ref"].removeprefix("#/$defs/")))
    return made


_ENTITIES = {
    "description": "What mentions are, over what would be found: mention → CURIE",
    "oneOf": [{"type": "object", "additionalProperties": _TEXT}, _NAMES],
    "example": {"hypertension": "MONDO:0005044"},
}
_SERVICES = {
    "oneOf": [_NAMES, _TEXT],
    "description": "Names of knowledge services: a list, or one text with commas between them",
    "example": ["bte", "chembl"],
}
_RUN = {
    RUN_HEADER: {
        "description": (
            "The id of the run, for /runs/{id}, where runs are logged; the body does not repeat "
            "it, so that equal answers are equal (as events: the id of the answer event)"
        ),
        "schema": _TEXT,
    }
}
_ASK: dict[str, Any] = {
    "type": "object",
    "required": ["question"],
    "additionalProperties": False,
    "properties": {
        "question": _TEXT | {"maxLength": 2000, "example": "what are the targets of imatinib?"},
        "entities": _ENTITIES,
        "template": _TEXT | {"nullable": True, "description": "Force a query-graph template"},
        "only": _SERVICES,
        "exclude": _SERVICES,
        "format": {"type": "string", "enum": list(FORMS), "default": "json"},
    },
}
_RESOLVE = {
    "type": "object",
    "required": ["text"],
    "additionalProperties": False,
    "properties": {"text": _TEXT | {"maxLength": 2000}, "entities": _ENTITIES},
}
_ERROR = {
    "type": "object",
    "required": ["error"],
    "properties": {
        "error": {
            "type": "object",
            "required": ["kind", "message", "hint"],
            "properties": {
                "kind": _TEXT,
                "message": _TEXT,
                "hint": _TEXT | {"nullable": True},
                "nearest": _NAMES,
            },
        },
        "answer": _ref("Answer"),
    },
}
