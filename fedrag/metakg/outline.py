"""The little of a document that its service needs, beside its operations."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

__all__ = ["has_production", "is_annotated", "outline", "servers", "wanted_credentials"]

_OPERATIONS = "x-bte-kgs-operations"
_KEPT = ("openapi", "servers", "_meta")
_TALK = frozenset(("description", "contact", "termsOfService"))


def servers(document: Mapping[str, Any]) -> list[str]:
    """The servers without trailing slashes: production first, then https; only the first is asked.

    The others are the user's to choose (``--base-url``): named, never called on their own.

    >>> servers({"servers": [{"url": "http://a.org"}, {"url": "https://b.org/"}]})
    ['https://b.org', 'http://a.org']
    """
    listed = document.get("servers")
    named = [s for s in listed if isinstance(s, Mapping)] if isinstance(listed, list) else []
    urls = [
        (not _in_production(s), not url.startswith("https:"), position, url)
        for position, s in enumerate(named)
        if isinstance(url := s.get("url"), str) and url
    ]
    return list(dict.fromkeys(url[3].rstrip("/") for url in sorted(urls)))


def has_production(document: Mapping[str, Any]) -> bool:
    """Whether some server is for everyone (what says nothing of its maturity is)."""
    listed = document.get("servers")
    named = [s for s in listed if isinstance(s, Mapping)] if isinstance(listed, list) else []
    return any(_in_production(s) for s in named)


def _in_production(server: Mapping[str, Any]) -> bool:
    return bool(server.get("x-maturity", "production") == "production")


def is_annotated(document: Mapping[str, Any]) -> bool:
    """Whether a document has x-bte annotations."""
    paths = document.get("paths")
    return any(
        isinstance(call, Mapping) and call.get(_OPERATIONS)
        for item in (paths.values() if isinstance(paths, Mapping) else ())
        for call in (item.values() if isinstance(item, Mapping) else ())
    )


def outline(document: Mapping[str, Any]) -> dict[str, Any]:
    """The document without its operations, schemas and prose."""
    info = document.get("info")
    components = document.get("components")
    schemes = components.get("securitySchemes") if isinstance(components, Mapping) else None
    kept = {key: document[key] for key in _KEPT if key in document}
    if isinstance(info, Mapping):
        kept["info"] = {key: value for key, value in info.items() if key not in _TALK}
    return {
        **kept,
        "components": {"securitySchemes": schemes} if schemes else {},
        "paths": dict(_paths(document)),
    }


def _paths(document: Mapping[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    """Each path with its methods; an annotated one with the credentials that it asks for."""
    paths = document.get("paths")
    for path, item in paths.items() if isinstance(paths, Mapping) else ():
        methods: dict[str, Any] = {}
        for method, call in item.items() if isinstance(item, Mapping) else ():
            if method in ("get", "post"):
                annotated = isinstance(call, Mapping) and _OPERATIONS in call
                asked = call.get("security", document.get("security")) if annotated else None
                methods[method] = {"security": asked} if asked else {}
        yield str(path), methods


def wanted_credentials(outlined: Mapping[str, Any]) -> str:
    """Which credentials the calls of an outlined document require (OpenAPI's ``security``).

    >>> wanted_credentials({"paths": {"/a": {"get": {"security": [{"key": []}]}}}, "components":
    ...     {"securitySchemes": {"key": {"type": "apiKey", "in": "header", "name": "X-Key"}}}})
    'key (apiKey X-Key in header)'
    >>> wanted_credentials({"paths": {"/a": {"get": {"security": [{"key": []}, {}]}}}})
    ''
    """
    calls = [call for item in outlined.get("paths", {}).values() for call in item.values()]
    names = {name for call in calls for name in _required(call.get("security"))}
    schemes = outlined.get("components", {}).get("securitySchemes") or {}
    return ", ".join(_scheme(name, schemes.get(name)) for name in sorted(names))


def _required(security: Any) -> list[str]:
    """The schemes of a requirement; none where one alternative asks for nothing."""
    if not isinstance(security, list) or not security or {} in security:
        return []
    return [str(name) for one in security if isinstance(one, Mapping) for name in one]


def _scheme(name: str, told: Any) -> str:
    if not isinstance(told, Mapping):
        return f"{name} (which it does not describe)"
    words = [told.get("type"), told.get("scheme") or told.get("name")]
    where = f" in {told['in']}" if "in" in told else ""
    return f"{name} ({' '.join(str(word) for word in words if word)}{where})"
