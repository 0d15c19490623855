"""Which MeSH and DrugBank identifiers are one drug, from DrugMechDB's own records.

Every record names its drug twice, in MeSH and in DrugBank. Of the MeSH ids that records give one
DrugBank id, those that share a word of the name are kin: the parent is the same drug, the others
are its salts and esters (triamcinolone, triamcinolone acetonide), and so are ids that one record
lists together. Anything else (a rituximab under alclometasone's number) is a slip: it joins
nothing.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from fedrag.testing.curie import curie_of

__all__ = ["Drugs", "drug_ids", "match_drugs"]

_BANK = re.compile(r"DRUGBANK:DB(SALT|MET)?\d{5,6}")  # "DB:B02362" is a slip, not an identifier


@dataclass(frozen=True, slots=True)
class Drugs:
    """``same``: MeSH id to its DrugBank id. ``salt_of``: an identifier to the one that leads it."""

    same: Mapping[str, str]
    salt_of: Mapping[str, str]


@dataclass(slots=True)
class _Seen:
    """What the records say of pairs: how often, under which names, and which lists."""

    pairs: Counter[tuple[str, str]] = field(default_factory=Counter)
    names: dict[str, set[str]] = field(default_factory=lambda: defaultdict(set))
    listed: list[tuple[str, ...]] = field(default_factory=list)


def drug_ids(record: Mapping[str, Any]) -> tuple[tuple[str, ...], str | None]:
    """A record's MeSH ids (headings before supplements) and its DrugBank id.

    >>> drug_ids({"graph": {"drug_mesh": "MESH:C016106,MESH:D007052", "drugbank": "DB:DB01050"}})
    (('MESH:D007052', 'MESH:C016106'), 'DRUGBANK:DB01050')
    """
    graph = record["graph"]
    listed = [curie_of(text) for text in (graph.get("drug_mesh") or "").split(",") if text.strip()]
    listed.sort(key=lambda curie: curie.startswith("MESH:C"))
    bank = curie_of(graph.get("drugbank") or "")
    return tuple(listed), bank if _BANK.fullmatch(bank) else None


def match_drugs(records: Iterable[Mapping[str, Any]]) -> Drugs:
    """The identifiers that mean one drug, and the salts beside them, over a corpus."""
    seen = _look(records)
    best_bank = _partners((mesh, bank, n) for (mesh, bank), n in seen.pairs.items())
    kin = _kin(seen)
    same = {group[0]: bank for bank, group in kin.items() if best_bank[group[0]] == bank}
    salts: dict[str, str] = {}
    for bank, (lead, *others) in kin.items():
        if same.get(lead) == bank:
            salts |= {mesh: lead for mesh in others if mesh not in same}
    for lead, *others in seen.listed:
        salts |= {mesh: lead for mesh in others if mesh not in same and mesh not in salts}
    return Drugs(same, {salt: lead for salt, lead in salts.items() if lead not in salts})


def _kin(seen: _Seen) -> dict[str, list[str]]:
    """The MeSH ids of each DrugBank id that share a word with the most frequent one.

    The parent comes first: the shortest name, a heading before a supplementary record.
    """
    best_mesh = _partners((bank, mesh, n) for (mesh, bank), n in seen.pairs.items())
    kin: dict[str, list[str]] = defaultdict(list)
    for mesh, bank in sorted(seen.pairs):
        best = best_mesh[bank]
        if mesh == best or _share_a_word(seen.names[mesh], seen.names[best]):
            kin[bank].append(mesh)
    for group in kin.values():
        group.sort(key=lambda m: (min(map(len, seen.names[m])), m.startswith("MESH:C"), m))
    return kin


def _look(records: Iterable[Mapping[str, Any]]) -> _Seen:
    seen = _Seen()
    for record in records:
        listed, bank = drug_ids(record)
        first = record["nodes"][0]
        if first.get("alt_ids") and first["label"] == "Drug":
            listed = (*listed[:1], *map(curie_of, first["alt_ids"]), *listed[1:])
        if len(listed) > 1:
            seen.listed.append(tuple(dict.fromkeys(listed)))
        if listed:
            seen.names[listed[0]].add(record["graph"]["drug"])
        if listed and bank:
            seen.pairs[listed[0], bank] += 1
    return seen


def _partners(triples: Iterable[tuple[str, str, int]]) -> dict[str, str]:
    """The most frequent partner of each; the smaller identifier where two are as frequent."""
    by_one: dict[str, list[tuple[int, str]]] = defaultdict(list)
    for one, other, count in triples:
        by_one[one].append((-count, other))
    return {one: min(partners)[1] for one, partners in by_one.items()}


def _share_a_word(one: Iterable[str], other: Iterable[str]) -> bool:
    return bool(_words(one) & _words(other))


def _words(names: Iterable[str]) -> set[str]:
    common = {"hydrochloride", "acetate", "sodium", "phosphate", "sulfate", "calcium", "citrate"}
    found = {word for name in names for word in re.findall(r"[a-z]{5,}", name.lower())}
    return found - common
