"""Which identifiers of a known node an operation can be called with."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from fnmatch import fnmatchcase

from fedrag.biolink import biolink
from fedrag.datamodel import NormalizedNode

__all__ = ["Named", "foremost", "inputs_for", "names_of"]

# Input prefixes that stand for a label: a gene's symbol, anything's name.
_LABELS = frozenset(("SYMBOL", "NAME"))
_GENE = "biolink:GeneOrGeneProduct"
_MOST = 30  # identifiers of one prefix that stand for one node (a drug with all its salts has many)

Named = Mapping[str, NormalizedNode | None]


def inputs_for(
    prefix: str, ids: Sequence[str], known: Named, like: str | None = None
) -> dict[str, list[str]]:
    """CURIEs of one prefix that stand for the identifiers asked, each with those it stands for.

    The identifier as asked comes first, then its equivalents in the Node Normalizer's order. Under
    ``SYMBOL`` and ``NAME`` it is the label.

    :param like: what stands behind the prefix must look like this shell-style pattern.

    >>> inputs_for("UniProtKB", ["UniProtKB:P00533", "NCBIGene:673"], {})
    {'UniProtKB:P00533': ['UniProtKB:P00533']}
    >>> variants = ["HGVS:chr7:g.140453136A>T", "HGVS:BRAF:p.V600E"]
    >>> list(inputs_for("HGVS", variants, {}, like="*:p.*"))
    ['HGVS:BRAF:p.V600E']
    """
    wanted = biolink().canonical_prefix(prefix)
    found: dict[str, list[str]] = {}
    for asked in ids:
        node = known.get(asked)
        for curie in _written(prefix, wanted, asked, node):
            if like is None or fnmatchcase(curie.partition(":")[2], like):
                found.setdefault(curie, []).append(asked)
    return found


def foremost(inputs: Mapping[str, list[str]]) -> dict[str, list[str]]:
    """Of :func:`inputs_for`, the first 30 that stand for each identifier asked.

    >>> salts = {f"RXCUI:{n}": ["CHEBI:15365"] for n in range(57)}
    >>> list(foremost(salts))[-1], len(foremost(salts))
    ('RXCUI:29', 30)
    """
    counts: Counter[str] = Counter()
    kept: dict[str, list[str]] = {}
    for written, asked in inputs.items():
        if any(counts[one] < _MOST for one in asked):
            counts.update(asked)
            kept[written] = asked
    return kept


def _written(prefix: str, wanted: str, asked: str, node: NormalizedNode | None) -> list[str]:
    if prefix in _LABELS:
        return [f"{prefix}:{label}"] if (label := _label(prefix, node)) else []
    listed = [asked, *(i.curie for i in node.identifiers if node)] if node else [asked]
    same = (curie for curie in listed if _has_prefix(curie, wanted))
    return [f"{prefix}:{c.partition(':')[2]}" for c in dict.fromkeys(same)]


def _label(prefix: str, node: NormalizedNode | None) -> str | None:
    """The name, or a gene's symbol; nothing but a gene has a symbol."""
    if node is None or (prefix == "SYMBOL" and not biolink().is_a(node.categories, _GENE)):
        return None
    return node.name


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
