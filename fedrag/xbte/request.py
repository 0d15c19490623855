"""From an operation and the identifiers to ask about to the calls that ask it.

Rules: the x-bte manual and what its engine sends (``smartapi.md`` in the design notes; the recorded
requests of ``tests/test_xbte_request.py`` are the judge). Form and query values are left for the
HTTP library to encode; a path is encoded here.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any
from urllib.parse import parse_qsl, quote, urlsplit

from fedrag.errors import ConfigError
from fedrag.metakg.operations import CallTemplate, Operation
from fedrag.xbte.filters import printed
from fedrag.xbte.record import Request
from fedrag.xbte.template import (
    check_template,
    filled,
    insert,
    render,
    render_json,
    render_value,
)

__all__ = ["batches", "build_requests", "check_call", "fill_call", "known_variables", "local_id"]

_WITH_PREFIX = frozenset(("MONDO", "DOID", "UBERON", "EFO", "HP", "CHEBI", "CL", "MGI", "NCIT"))
_BIOTHINGS_HOST = "biothings.ncats.io"
_IN_A_BODY = 1000  # identifiers, where the document does not say: what BioThings takes at once
_IN_AN_ADDRESS = 80  # identifiers of which an address stays short enough for any server
_HUMAN = "9606"
_PLACE = re.compile(r"\{([^{}]*)\}")
_LONE_PERCENT = re.compile(r"%(?![0-9A-Fa-f]{2})")
_UPWARDS = re.compile(r"(?<=/)\.{1,2}(?=/|$)")
_PATH_SAFE = "%/:@!$&'()*+,;=~"
_PATH_ESCAPES = str.maketrans({"%": "%25", "/": "%2F", "?": "%3F", "#": "%23"})


def build_requests(
    operation: Operation,
    inputs: Sequence[str],
    *,
    variables: Mapping[str, Any] | None = None,
    own: Mapping[str, Sequence[str]] | None = None,
) -> list[Request]:
    """The calls that ask an operation about some CURIEs of its input prefix, in batches.

    :param variables: template variables besides ``queryInputs``; the document's ``settings`` and
        ``taxon`` (9606) have defaults.
    :param own: what :func:`~fedrag.xbte.lookup.read_lookup` found: input CURIE → the service's
        own identifiers, which are asked in its place; an input it does not name is not asked.
    :raises ConfigError: the document's call cannot be made; the operation and the reason are named.

    >>> call = CallTemplate("post", "/query", {"fields": "go"}, body={
    ...     "q": "{{ queryInputs }}", "scopes": "entrezgene"}, templated=True, batch=True)
    >>> operation = Operation("go", "mygene", "post", "/query", "biolink:Gene",
    ...     "biolink:related_to", "biolink:Pathway", input_prefix="NCBIGene", call=call)
    >>> request = build_requests(operation, ["NCBIGene:1017", "NCBIGene:101"])[0]
    >>> request.path, request.query, request.form
    ('/query', (('fields', 'go'),), (('q', '1017,101'), ('scopes', 'entrezgene')))
    """
    values = known_variables(operation, variables)
    asked = [curie for curie in inputs if own is None or own.get(curie)]
    if len(asked) < (operation.manner.min_inputs or 0):
        return []
    try:
        call = _with_total(operation.call, _host(operation.server))
        return [
            fill_call(call, batch, _identifiers(batch, own), values)
            for batch in batches(asked, _batch_size(operation))
        ]
    except ConfigError as error:
        raise _named(operation, error.message) from error


def known_variables(
    operation: Operation, variables: Mapping[str, Any] | None = None
) -> dict[str, Any]:
    """The template variables besides ``queryInputs``: those given, else the defaults."""
    return {"taxon": _HUMAN, **operation.manner.settings, **(variables or {})}


def batches(asked: Sequence[str], size: int) -> Iterator[tuple[str, ...]]:
    """The identifiers in groups of at most ``size``.

    >>> list(batches(["a", "b", "c"], 2))
    [('a', 'b'), ('c',)]
    """
    for start in range(0, len(asked), size):
        yield tuple(asked[start : start + size])


def local_id(curie: str) -> str:
    """What an x-bte template is given of a CURIE: its local part, for some prefixes all of it.

    >>> local_id("NCBIGene:1017"), local_id("MONDO:0005148"), local_id("9606.ENSP00000269305")
    ('1017', 'MONDO:0005148', '9606.ENSP00000269305')
    """
    prefix, colon, local = curie.partition(":")
    return local if colon and prefix not in _WITH_PREFIX else curie


def fill_call(
    call: CallTemplate,
    inputs: tuple[str, ...],
    identifiers: Sequence[str],
    variables: Mapping[str, Any],
) -> Request:
    """One call with identifiers in it.

    :raises ConfigError: a template cannot be filled, or a path parameter has no value.
    """
    method = call.method.upper()
    fill = _filler(call, identifiers, variables)
    in_path = {*call.path_parameters, *_named_places(call)}
    query = {name: value for name, value in call.parameters.items() if name not in in_path}
    form = json = None
    if call.body is not None and method != "GET":
        if call.body_type == "json":
            json = _json_body(call, identifiers, variables)
        else:
            form = _form(call, identifiers, variables)
    return Request(
        method=method,
        path=_path(call, identifiers, variables),
        query=tuple(_pairs(query, fill)),
        form=form,
        json=json,
        inputs=inputs,
    )


def check_call(operation: Operation) -> str | None:
    """What keeps an operation's call from ever being made, or ``None``; nothing is filled in."""
    call = operation.call
    try:
        _host(operation.server)
        _named_places(call)
        if call.templated:
            filled([dict(call.parameters), call.body], check_template)
    except ConfigError as error:
        return error.message
    return None


def _identifiers(batch: Sequence[str], own: Mapping[str, Sequence[str]] | None) -> list[str]:
    if own is None:
        return [local_id(curie) for curie in batch]
    return list(dict.fromkeys(identifier for curie in batch for identifier in own[curie]))


def _batch_size(operation: Operation) -> int:
    if not operation.call.batch:
        return 1
    usual = _IN_AN_ADDRESS if operation.call.method.lower() == "get" else _IN_A_BODY
    return max(1, operation.manner.batch_size or usual)


def _with_total(call: CallTemplate, host: str | None) -> CallTemplate:
    """BioThings' own host tells how many records there are when it is asked to."""
    if not (call.templated and call.method.lower() == "post" and host == _BIOTHINGS_HOST):
        return call
    return replace(call, parameters={"with_total": True, **call.parameters})


def _filler(
    call: CallTemplate, identifiers: Sequence[str], variables: Mapping[str, Any]
) -> Callable[[str], str]:
    if not call.templated:
        return partial(insert, joined=call.separator.join(identifiers))
    return partial(render, variables=_given(call, identifiers, variables))


def _given(
    call: CallTemplate, identifiers: Sequence[str], variables: Mapping[str, Any]
) -> dict[str, Any]:
    """A call that takes one identifier sees a text, one that takes several a list, even of one."""
    inputs = list(identifiers) if call.batch or len(identifiers) != 1 else identifiers[0]
    return {**variables, "queryInputs": inputs}


def _pairs(values: Mapping[str, Any], fill: Callable[[str], str]) -> Iterator[tuple[str, str]]:
    """Names and texts; a list gives its name several times, ``null`` does not give it at all."""
    for name, value in values.items():
        for item in value if isinstance(value, list | tuple) else (value,):
            if item is not None:
                yield name, fill(item) if isinstance(item, str) else printed(item)


def _form(
    call: CallTemplate, identifiers: Sequence[str], variables: Mapping[str, Any]
) -> tuple[tuple[str, str], ...]:
    if isinstance(call.body, Mapping):
        return tuple(_pairs(call.body, _filler(call, identifiers, variables)))
    # A form written as one text: what is put in is encoded, or it could add fields.
    fill = _filler(call, [quote(item, safe=":") for item in identifiers], variables)
    return tuple(parse_qsl(fill(str(call.body)), keep_blank_values=True))


def _json_body(call: CallTemplate, identifiers: Sequence[str], variables: Mapping[str, Any]) -> Any:
    given = _given(call, identifiers, variables)
    if isinstance(call.body, str):
        text = call.body if call.templated else insert(call.body, call.separator.join(identifiers))
        return render_json(text, given if call.templated else {})
    fill = partial(render_value, variables=given)
    return filled(call.body, fill if call.templated else _filler(call, identifiers, variables))


def _path(call: CallTemplate, identifiers: Sequence[str], variables: Mapping[str, Any]) -> str:
    """The path with its parameters in place. What its author encoded stays encoded.

    An identifier is encoded first, so that none leaves its place in the path.
    """
    if not _named_places(call):
        return call.path
    encoded = [item.translate(_PATH_ESCAPES) for item in identifiers]
    fill = _filler(call, encoded, variables)

    def placed(place: re.Match[str]) -> str:
        value = call.parameters[place[1]]
        return fill(value) if isinstance(value, str) else printed(value)

    path = quote(_LONE_PERCENT.sub("%25", _PLACE.sub(placed, call.path)), safe=_PATH_SAFE)
    return _UPWARDS.sub(lambda step: step[0].replace(".", "%2E"), path)


def _named_places(call: CallTemplate) -> list[str]:
    """The parameters a path names; each must have a value."""
    places = _PLACE.findall(call.path)
    for name in places:
        if name not in call.parameters:
            raise ConfigError(f"the path parameter {{{name}}} of {call.path} is given no value")
    return places


def _host(server: str) -> str | None:
    """The host of the address a document gives; a document may hold anything there."""
    if not server:
        return None
    try:
        parts = urlsplit(server)
    except ValueError:
        parts = urlsplit("")
    if parts.scheme not in ("http", "https") or not parts.hostname or " " in server:
        raise ConfigError(f"{server!r} stands where the address of a server belongs")
    return parts.hostname


def _named(operation: Operation, problem: str) -> ConfigError:
    return ConfigError(f"{operation.service}: {operation.id}: {problem}")
