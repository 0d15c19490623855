"""The call made first, where a service knows things only by identifiers of its own.

STRING's ``get_string_ids`` is the model: names go in, joined, and rows come out that say which name
they answer; a name it does not know has no row.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from fedrag.errors import ConfigError
from fedrag.metakg.operations import CallTemplate, Operation
from fedrag.metakg.xfedrag import Lookup
from fedrag.xbte.paging import whole_number
from fedrag.xbte.paths import Path, as_path, nodes, shared
from fedrag.xbte.record import Request
from fedrag.xbte.request import batches, fill_call, known_variables, local_id

__all__ = ["build_lookups", "lookup_calls", "read_lookup", "rows_told", "stands_for"]

_USUAL_BATCH = 1000


def build_lookups(
    operation: Operation,
    inputs: Sequence[str],
    *,
    variables: Mapping[str, Any] | None = None,
) -> list[Request]:
    """The calls that turn CURIEs into the service's own identifiers; none without a ``lookup``.

    Its templates see what those of the operation see (``queryInputs`` is always a list here).

    :raises ConfigError: the look-up cannot be made; the operation and the reason are named.
    """
    lookup = operation.manner.lookup
    return [] if lookup is None else lookup_calls(operation, lookup, inputs, variables)


def lookup_calls(
    operation: Operation,
    lookup: Lookup,
    curies: Sequence[str],
    variables: Mapping[str, Any] | None = None,
    *,
    name: str = "lookup",
) -> list[Request]:
    """The calls of a look-up over some CURIEs, each asked once.

    :param name: what the document calls the look-up.
    :raises ConfigError: it cannot be made; the operation and the reason are named.
    """
    call = _call(lookup)
    values = known_variables(operation, variables)
    asked = list(dict.fromkeys(curies))  # the index of a row counts in these
    try:
        return [
            fill_call(call, batch, [local_id(curie) for curie in batch], values)
            for batch in batches(asked, lookup.batch_size or _USUAL_BATCH)
        ]
    except ConfigError as error:
        where = f"{operation.service}: {operation.id}: {name}"
        raise ConfigError(f"{where}: {error.message}") from error


def read_lookup(operation: Operation, request: Request, payload: Any) -> dict[str, tuple[str, ...]]:
    """Input CURIE → the service's own identifiers, best first; what it does not know is absent.

    A row is the answer to the input its echo names (without case), or, where it names none, to
    the one at its index; without echo and index, to the only one that was asked.

    >>> from fedrag.metakg.xfedrag import Manner
    >>> lookup = Lookup("post", "/get_string_ids", "stringId", echo_index="queryIndex")
    >>> operation = Operation("network", "string", "post", "/network", "biolink:Gene",
    ...     "biolink:interacts_with", "biolink:Gene", manner=Manner(lookup=lookup))
    >>> asked = Request("POST", "/get_string_ids", inputs=("SYMBOL:nosuch", "SYMBOL:TP53"))
    >>> read_lookup(operation, asked, [{"queryIndex": 1, "stringId": "9606.ENSP00000269305"}])
    {'SYMBOL:TP53': ('9606.ENSP00000269305',)}
    """
    lookup = operation.manner.lookup
    if lookup is None:
        return {}
    found: dict[str, dict[str, None]] = {curie: {} for curie in request.inputs}
    for asked, (own,) in rows_told(lookup, payload, request.inputs):
        found[asked] |= dict.fromkeys(_identifiers(own))
    return {curie: tuple(own) for curie, own in found.items() if own}


def rows_told(
    lookup: Lookup, payload: Any, inputs: Sequence[str], *beside: str | None
) -> Iterator[tuple[str, list[list[Any]]]]:
    """The rows of an answer that name what was asked: which it is, and what they hold.

    That is what stands at the identifier's path, then at each path of ``beside``; nothing where a
    path is ``None``.
    """
    echoes = _echoes(inputs)
    paths = (lookup.id, *beside, lookup.echo, lookup.echo_index)
    (*wanted, echo, index), rows = _rows(payload, paths)
    for row in rows:
        if asked := _asked(row, echo, index, inputs, echoes):
            yield asked, [nodes(row, path) if path else [] for path in wanted]


def stands_for(found: Mapping[str, Sequence[str]]) -> dict[str, list[str]]:
    """What was looked up, read the other way: the service's own identifier → the inputs.

    >>> stands_for({"NCBIGene:1017": ("9606.P1",), "UniProtKB:P24941": ("9606.P1",)})
    {'9606.P1': ['NCBIGene:1017', 'UniProtKB:P24941']}
    """
    inputs: dict[str, list[str]] = {}
    for curie, identifiers in found.items():
        for identifier in identifiers:
            inputs.setdefault(identifier, []).append(curie)
    return inputs


def _call(lookup: Lookup) -> CallTemplate:
    return CallTemplate(
        method=lookup.method,
        path=lookup.path,
        parameters=lookup.parameters,
        body=lookup.body,
        body_type=lookup.body_type,
        templated=True,
        batch=True,
    )


def _rows(payload: Any, written: Sequence[str | None]) -> tuple[list[Path | None], list[Any]]:
    """What stands where paths part, of which the first is that of the identifier.

    With it the paths from there on (``None``: not given).
    """
    paths = [as_path(path) if path else None for path in written]
    first, *others = [path for path in paths if path]
    common = min((shared(path, first) for path in others), default=0)
    common = min(common, *(len(path) - 1 for path in others), len(first) - 1)
    return [path and path[common:] for path in paths], nodes(payload, first[:common])


def _identifiers(values: Sequence[Any]) -> Iterator[str]:
    for own in values:
        if isinstance(own, str | int) and not isinstance(own, bool) and own != "":
            yield str(own)


def _echoes(inputs: Sequence[str]) -> dict[str, str]:
    """How a service may name an input: by what it was asked, by the whole CURIE, or its bare id."""
    named = {local_id(curie).casefold(): curie for curie in reversed(inputs)}
    bare = {curie.partition(":")[2].casefold(): curie for curie in reversed(inputs)}
    return bare | {curie.casefold(): curie for curie in inputs} | named


def _asked(
    row: Any,
    echo: Path | None,
    index: Path | None,
    inputs: Sequence[str],
    echoes: Mapping[str, str],
) -> str:
    """The input a row answers, or nothing. The name goes before the index: some count from -1."""
    for said in nodes(row, echo) if echo else ():
        if curie := echoes.get(str(said).casefold()):
            return curie
    for said in nodes(row, index) if index else ():
        position = whole_number(said)
        if position is not None and 0 <= position < len(inputs):
            return inputs[position]
    return inputs[0] if len(inputs) == 1 and not (echo or index) else ""
