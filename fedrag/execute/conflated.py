"""Which statements conflation brought together: no two forms of a drug merge without a word."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from fedrag.datamodel import Edge

__all__ = ["conflation_notes"]

_SHOWN = 6


def conflation_notes(edges: Iterable[Edge], canonical: Collection[str]) -> tuple[str, ...]:
    """One note for each of these nodes that statements about several distinct things were put on.

    :param canonical: canonical CURIEs with conflation, in the order of the notes.

    >>> from fedrag.datamodel import EdgeNode
    >>> gout = EdgeNode("MONDO:0005393", "gout", canonical="MONDO:0005393")
    >>> forms = [EdgeNode("CHEBI:1", "omeprazole", canonical="CHEBI:1"),
    ...          EdgeNode("CHEBI:2", "esomeprazole", canonical="CHEBI:1")]
    >>> conflation_notes([Edge("", form, "biolink:treats", gout) for form in forms], ["CHEBI:1"])
    ('conflation: omeprazole (CHEBI:1) and esomeprazole (CHEBI:2) are counted as one',)
    """
    forms: dict[str, dict[str, str]] = {curie: {} for curie in canonical}
    for edge in edges:
        for end in (edge.subject, edge.object):
            if end.canonical in forms:
                forms[end.canonical].setdefault(end.curie, end.found_name or end.name)
    return tuple(_note(named) for named in forms.values() if len(named) > 1)


def _note(named: dict[str, str]) -> str:
    shown = [f"{name} ({curie})" for curie, name in sorted(named.items())[:_SHOWN]]
    more = f" and {len(named) - _SHOWN} more" if len(named) > _SHOWN else ""
    return f"conflation: {', '.join(shown[:-1])} and {shown[-1]}{more} are counted as one"
