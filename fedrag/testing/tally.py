"""Names and labels that a whole corpus gives each identifier, before any node is made."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from fedrag.testing.curie import curie_of
from fedrag.testing.drugs import drug_ids

__all__ = ["Record", "Tally", "tally_of"]

Record = Mapping[str, Any]


@dataclass(slots=True)
class Tally:
    """Names and labels that the corpus gives each identifier, most frequent first."""

    names: dict[str, Counter[str]]
    labels: dict[str, Counter[str]]
    others: dict[str, dict[str, None]]  # alternative identifiers, in order

    def label(self, curie: str) -> str:
        """The most frequent label, the first seen where two are as frequent; "" without any."""
        counted = self.labels.get(curie)
        return counted.most_common(1)[0][0] if counted else ""

    def name(self, curie: str) -> str | None:
        """The most frequent name; ``None`` without any."""
        counter = self.names.get(curie)
        return counter.most_common(1)[0][0] if counter else None

    def synonyms(self, curies: Iterable[str]) -> list[str]:
        """Every name of these identifiers, each identifier's most frequent first."""
        return [
            name for curie in curies for name, _ in self.names.get(curie, Counter()).most_common()
        ]


def tally_of(records: Iterable[Record]) -> Tally:
    """Counts over a corpus. What a record is about weighs more than one node's label."""
    tally = Tally(defaultdict(Counter), defaultdict(Counter), defaultdict(dict))
    for record in records:
        graph, (listed, bank) = record["graph"], drug_ids(record)
        for node in record["nodes"]:
            curie = curie_of(node["id"])
            tally.labels[curie][node["label"]] += 1
            for name in (node["name"], *node.get("alt_names", ())):
                tally.names[curie][name.strip()] += 1
            if node["label"] != "Drug":
                tally.others[curie] |= dict.fromkeys(map(curie_of, node.get("alt_ids") or ()))
        drug = (*listed[:1], bank)[0]
        if drug:
            tally.names[drug][graph["drug"].strip()] += 1
            tally.labels[drug]["Drug"] += 2
        disease = curie_of(graph["disease_mesh"])
        tally.names[disease][graph["disease"].strip()] += 1
        tally.labels[disease]["Disease"] += 2
    return tally
