"""Which identifiers of a known node an operation can be called with."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from fedrag.biolink import biolink
from fedrag.datamodel import NormalizedNode

__all__ = ["Named", "inputs_for", "names_of"]

# Input prefixes that stand for a label: a gene's symbol, anything's name.
_LABELS = frozenset(("SYMBOL", "NAME"))
_MOST = 30  # identifiers of one prefix that stand for one node (a drug with all its salts has many)

Named = Mapping[str, NormalizedNode | None]


def inputs_for(prefix: str, ids: Sequence[str], known: Named) -> dict[str, list[str]]:
    """CURIEs of one prefix that stand for the identifiers asked, each with those it stands for.

    The identifier as asked comes first, then its equivalents in the Node Normalizer's order. Under
    ``SYMBOL`` and ``NAME`` it is the label.

    >>> inputs_for("UniProtKB", ["UniProtKB:P00533", "NCBIGene:673"], {})
    {'UniProtKB:P00533': ['UniProtKB:P00533']}
    """
    wanted = biolink().canonical_prefix(prefix)
    found: dict[str, list[str]] = {}
    for asked in ids:
        node = known.get(asked)
        for curie in _written(prefix, wanted, asked, node):
            found.setdefault(curie, []).append(asked)
    return found


def _written(prefix: str, wanted: str, asked: str, node: NormalizedNode | None) -> list[str]:
    if prefix in _LABELS:
        return [f"{prefix}:{node.name}"] if node and node.name else []
    listed = [asked, *(i.curie for i in node.identifiers if node)] if node else [asked]
    same = (curie for curie in listed if _has_prefix(curie, wanted))
    return [f"{prefix}:{c.partition(':')[2]}" for c in dict.fromkeys(same)][:_MOST]


def _has_prefix(curie: str, wanted: str) -> bool:
    prefix = curie.partition(":")[0]
    return prefix == wanted or biolink().canonical_prefix(prefix) == wanted


def names_of(ids: Iterable[str], known: Named) -> dict[str, str]:
    """The label of every equivalent identifier, where the Node Normalizer gives one."""
    names: dict[str, str] = {}
    for asked in ids:
        node = known.get(asked)
        if node is None:
            continue
        for identifier in node.identifiers:
            names.setdefault(identifier.curie, identifier.label or node.name or "")
        names.setdefault(node.curie, node.name or "")
        names[asked] = names.get(asked) or node.name or ""
    return names
