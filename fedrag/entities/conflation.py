"""What conflation merged, told in lines: a gene with its protein, salts, enantiomers, products."""

from __future__ import annotations

import re
from collections.abc import Sequence

from fedrag.datamodel import Identifier, NormalizedNode

__all__ = ["merged"]

_MAX_NAMED = 3
_SALT = re.compile(
    r"\b(?:(?:mono|di|tri|hemi|bi)?(?:hydro)?(?:chloride|bromide)|sodium|potassium|calcium|"
    r"magnesium|lithium|zinc|mesylate|besylate|tosylate|maleate|fumarate|tartrate|citrate|"
    r"acetate|succinate|phosphate|s(?:ul(?:f|ph))ate|nitrate|pamoate|lactate|gluconate|esylate|"
    r"malate|xinafoate|furoate|propionate|valerate|salt)\b",
    re.IGNORECASE,
)
_STEREO = re.compile(
    r"^\(?[+\-±]\)?-|\((?:[RSEZ]|\d+[RS])(?:,\s*\d*[RS])*\)|\b(?:dextro|levo|racemic)|"
    r"\b[DL]{1,2}-|enantiomer",
    re.IGNORECASE,
)
_PRODUCT = re.compile(
    r"\d\s*(?:mg|ml|mcg|unt|%|hr)|\b(?:tablet|capsule|injection|oral|topical)", re.I
)


def merged(whole: NormalizedNode | None, alone: NormalizedNode | None) -> tuple[str, ...]:
    """One line for each kind of thing the conflated node holds beyond the unconflated one.

    >>> gene = Identifier("NCBIGene:348", "APOE"), Identifier("UniProtKB:P02649", "APOE_HUMAN")
    >>> whole = NormalizedNode("NCBIGene:348", "APOE", ("biolink:Gene",), gene)
    >>> merged(whole, NormalizedNode("NCBIGene:348", "APOE", ("biolink:Gene",), gene[:1]))
    ('conflation merged the gene NCBIGene:348 APOE and its protein UniProtKB:P02649',)
    """
    if whole is None or alone is None:
        return ()
    own = {identifier.curie for identifier in alone.identifiers}
    extra = [i for i in whole.identifiers if i.curie not in own]
    if not extra:
        return ()
    if "biolink:Gene" in whole.categories or "biolink:Protein" in whole.categories:
        return _gene_line(whole)
    return tuple(_chemical_lines(whole, alone, extra))


def _gene_line(whole: NormalizedNode) -> tuple[str, ...]:
    proteins = [i for i in whole.identifiers if i.curie.startswith("UniProtKB:")]
    if not proteins:
        return ()
    reviewed = [i for i in proteins if "(sprot)" in (i.label or "")] or proteins[:1]
    more = len(proteins) - 1
    shown = reviewed[0].curie + (f" (and {more} more records)" if more else "")
    return (f"conflation merged the gene {whole.curie} {whole.name or ''} and its protein {shown}",)


def _chemical_lines(
    whole: NormalizedNode, alone: NormalizedNode, extra: Sequence[Identifier]
) -> list[str]:
    own = {(i.label or "").casefold() for i in alone.identifiers}
    kinds: dict[str, dict[str, Identifier]] = {}
    for identifier in extra:
        label = identifier.label
        if label and label.casefold() not in own:
            kinds.setdefault(_kind(label), {}).setdefault(label.casefold(), identifier)
    asked = alone.name or alone.curie
    return [
        _line(asked, whole, kind, list(kinds[kind].values()))
        for kind in ("salts", "enantiomers", "products", "other forms")
        if kind in kinds
    ]


def _kind(label: str) -> str:
    if _PRODUCT.search(label):
        return "products"
    if _STEREO.search(label):
        return "enantiomers"
    return "salts" if _SALT.search(label) else "other forms"


def _line(asked: str, whole: NormalizedNode, kind: str, found: Sequence[Identifier]) -> str:
    named = ", ".join(f"{i.label} ({i.curie})"[:80] for i in found[:_MAX_NAMED])
    more = f" and {len(found) - _MAX_NAMED} more" if len(found) > _MAX_NAMED else ""
    return f"conflation merged {kind} of {whole.name or asked} ({whole.curie}): {named}{more}"
