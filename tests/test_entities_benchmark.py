"""The 1,841 published benchmark questions: every drug, disease and process is found in them."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from entities_support import reply

from fedrag.biolink import biolink
from fedrag.entities import Normalizer, find_mentions, resolve
from fedrag.entities.rounds import mentions_of
from fedrag.entities.spelling import lookups
from fedrag.net import Endpoint, Net

FILES = {
    "DMDB_mechanistic_genes_filtered.csv": ("drug_name", "disease_name"),
    "DMDB_chebi_metabolite_filtered.csv": ("drug_name", "disease_name"),
    "DMDB_go_bp_filtered.csv": ("disease_name", "bp_name"),
}
IDENTIFIERS = {
    "drug_name": ("Drug_MeshID", "drug"),
    "disease_name": ("disease",),
    "bp_name": ("bp",),
}
# Two identifiers carry this label there, and nothing says that they are one thing.
NAMESAKES = {
    "asfotase alfa",
    "cell death",
    "evogliptin",
    "gastric acid secretion",
    "iron ion homeostasis",
    "uterine smooth muscle relaxation",
}
# Names that DrugMechDB itself gives to two things; either may be meant.
TWO_THINGS = {
    "Headache Disorders",
    "Pneumonia due to Mycoplasma pneumoniae",
    "Testosterone",
    "gastric acid secretion",
    "iron ion homeostasis",
    "uterine smooth muscle relaxation",
}


def rows(corpora: Path) -> Iterator[tuple[str, list[str], list[set[str]]]]:
    """(question, the two names in it, the identifiers of each)."""
    for name, columns in FILES.items():
        with (corpora / "bte_rag" / name).open(encoding="utf-8", newline="") as lines:
            for row in csv.DictReader(lines):
                ids = [{_known(row[c]) for c in IDENTIFIERS[column]} for column in columns]
                yield row["question"], [row[column] for column in columns], ids


def _known(curie: str) -> str:
    return biolink().parse_curie(curie) or curie


def test_both_strings_are_found_in_all_1841_questions(corpora: Path) -> None:
    questions = list(rows(corpora))
    assert len(questions) == 1841
    for question, names, _ in questions:
        found = find_mentions(question)
        assert [m.text for m in found] == names
        assert all(question[m.start : m.end] == m.text for m in found)


@dataclass
class Prefetched:
    """Name Resolver answers fetched beforehand in a few large calls over HTTP."""

    net: Any
    endpoint: Endpoint
    answers: dict[str, Any] = field(default_factory=dict)
    second: list[str] = field(default_factory=list)

    async def fetch(self, strings: list[str]) -> None:
        for at in range(0, len(strings), 400):
            body = {"strings": strings[at : at + 400], "limit": 30}
            answer = await self.net.send(self.endpoint, "POST", "/bulk-lookup", json=body)
            self.answers |= answer.json()

    async def send(self, endpoint: Endpoint, method: str, path: str, *, json: Any) -> Any:
        if path != "/bulk-lookup":
            return await self.net.send(endpoint, method, path, json=json)
        if json["autocomplete"]:
            self.second += json["strings"]
        return reply({text: self.answers[text] for text in json["strings"]})


@pytest.mark.timeout(300)
async def test_all_resolve_to_their_own_identifiers_without_a_second_round(corpora: Path) -> None:
    testing = pytest.importorskip("fedrag.testing")
    facts = testing.FactBook.from_drugmechdb(corpora / "drugmechdb" / "indication_paths.json")
    questions = {question: (names, ids) for question, names, ids in rows(corpora)}
    with testing.Federation(facts) as federation:
        urls = federation.base_urls
        nameres = Endpoint("nameres", urls["nameres"], trusted=True)
        nodenorm = Endpoint("nodenorm", urls["nodenorm"], trusted=True)
        async with Net() as net:
            caller: Any = Prefetched(net.caller_for(deadline=None), nameres)
            await caller.fetch(
                sorted({s for q in questions for m in mentions_of(q, {}) for s in lookups(m.text)})
            )
            normalizer = Normalizer(caller, nodenorm)
            curies = {hit["curie"] for hits in caller.answers.values() for hit in hits[:5]}
            await normalizer.normalize(curies)
            await normalizer.normalize(curies, conflate=False)
            ambiguous: set[str] = set()
            for question, (names, ids) in questions.items():
                result = await resolve(question, caller, resolver=nameres, normalizer=normalizer)
                assert [e.mention for e in result.entities] == names
                assert result.unresolved == ()
                assert not any(e.how == "fuzzy" for e in result.entities)
                ambiguous |= {e.mention.casefold() for e in result.entities if e.ambiguous}
                for entity, known in zip(result.entities, ids, strict=True):
                    own = {entity.curie, *(i.curie for i in entity.identifiers)}
                    assert own & known or entity.mention in TWO_THINGS, entity
    assert caller.second == []
    assert ambiguous == NAMESAKES
