"""The call made last, where an answer names things by identifiers of the service's own.

ChEMBL is the model: its mechanisms are of targets, and the targets are asked for the protein they
are, once for all the operations whose answers name them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from fedrag.metakg.operations import Operation
from fedrag.xbte.grounds import label
from fedrag.xbte.identifiers import curie, taxon
from fedrag.xbte.lookup import lookup_calls, rows_told
from fedrag.xbte.record import Reading, Record, Request

__all__ = ["Output", "build_output_lookups", "read_output_lookup", "with_outputs"]

_UNKNOWN = "an output that its look-up does not know"
_NOT_ASKED = "an output that could not be looked up"


@dataclass(frozen=True, slots=True)
class Output:
    """What an identifier of the service's own stands for; ``taxon`` is a CURIE too."""

    curie: str
    name: str | None = None
    taxon: str | None = None


def build_output_lookups(
    operation: Operation,
    outputs: Iterable[str],
    *,
    variables: Mapping[str, Any] | None = None,
) -> list[Request]:
    """The calls that turn records' outputs into usable identifiers; none without a look-up.

    Their ``inputs`` are the outputs, each once; templates see what those of the operation see.

    :raises ConfigError: the look-up cannot be made; the operation and the reason are named.
    """
    lookup = operation.manner.output_lookup
    if lookup is None:
        return []
    return lookup_calls(operation, lookup, list(outputs), variables, name="output_lookup")


def read_output_lookup(
    operation: Operation, request: Request, payload: Any
) -> dict[str, tuple[Output, ...]]:
    """Each output that was asked → what it stands for, nothing where the service has none.

    >>> from fedrag.metakg.xfedrag import Manner, OutputLookup
    >>> lookup = OutputLookup("get", "/target", "ts.acc", echo="ts.id", prefix="UniProtKB")
    >>> operation = Operation("mechanisms", "chembl", "get", "/mechanism", "biolink:Drug",
    ...     "biolink:affects", "biolink:Protein", manner=Manner(output_lookup=lookup))
    >>> asked = Request("GET", "/target", inputs=("CHEMBL.TARGET:T1", "CHEMBL.TARGET:T2"))
    >>> read_output_lookup(operation, asked, {"ts": [{"id": "T1", "acc": "Q15116"}]})
    {'CHEMBL.TARGET:T1': (Output(curie='UniProtKB:Q15116', name=None, taxon=None),), \
'CHEMBL.TARGET:T2': ()}
    """
    lookup = operation.manner.output_lookup
    if lookup is None:
        return {}
    found: dict[str, dict[str, Output]] = {output: {} for output in request.inputs}
    beside = (lookup.name, lookup.taxon)
    for asked, (ids, names, taxa) in rows_told(lookup, payload, request.inputs, *beside):
        name, of = label(names), next(filter(None, map(taxon, taxa)), None)
        for made in filter(None, (curie(lookup.prefix, value) for value in ids)):
            found[asked].setdefault(made, Output(made, name, of))
    return {output: tuple(made.values()) for output, made in found.items()}


def with_outputs(records: Iterable[Record], found: Mapping[str, Sequence[Output]]) -> Reading:
    """The records with what their outputs stand for, one for each thing.

    A record whose output stands for nothing is left out and counted, as is one whose output is not
    in ``found`` at all: nobody answered for it.

    >>> records = [Record("CHEMBL.COMPOUND:C", f"CHEMBL.TARGET:T{number}") for number in range(3)]
    >>> found = {"CHEMBL.TARGET:T0": [Output("UniProtKB:Q15116")], "CHEMBL.TARGET:T1": []}
    >>> reading = with_outputs(records, found)
    >>> [record.output for record in reading.records], len(reading.dropped)
    (['UniProtKB:Q15116'], 2)
    """
    named: list[Record] = []
    dropped: Counter[str] = Counter()
    for record in records:
        outputs = found.get(record.output)
        if not outputs:
            dropped[_NOT_ASKED if outputs is None else _UNKNOWN] += 1
        named += (_named(record, output) for output in outputs or ())
    return Reading(tuple(named), tuple(dropped.items()))


def _named(record: Record, output: Output) -> Record:
    return replace(
        record,
        output=output.curie,
        output_name=output.name or record.output_name,
        taxon=output.taxon or record.taxon,
    )
