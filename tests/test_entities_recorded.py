"""Real answers of the Name Resolver and the Node Normalizer, read as they are."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from entities_support import NAMERES, NODENORM, reply

from fedrag.entities import Normalizer, Resolution, resolve
from fedrag.entities.conflation import merged
from fedrag.entities.match import match_hits
from fedrag.entities.nameres import read_hits
from fedrag.entities.normalize import read_node


def load(corpora: Path, name: str) -> Any:
    return json.loads((corpora / "recorded" / name).read_text(encoding="utf-8"))


@dataclass
class Replay:
    """A caller that gives recorded answers by string and by CURIE."""

    names: Mapping[str, list[Any]]
    nodes: Mapping[str, Any] = field(default_factory=dict)
    calls: list[tuple[str, Any]] = field(default_factory=list)

    async def send(self, _: Any, __: str, path: str, *, json: Any = None, **___: Any) -> Any:
        self.calls.append((path, json))
        if path == "/bulk-lookup":
            taxon = json["only_taxa"]
            return reply(
                {
                    text: [h for h in self.names.get(text, []) if not taxon or taxon in h["taxa"]]
                    for text in json["strings"]
                }
            )
        return reply({curie: self.nodes.get(curie) for curie in json["curies"]})


async def ask(question: str, replay: Any, **options: Any) -> Resolution:
    normalizer = Normalizer(replay, NODENORM)
    return await resolve(question, replay, resolver=NAMERES, normalizer=normalizer, **options)


@pytest.fixture
def bulk(corpora: Path) -> Any:
    return load(corpora, "nameres/nb_bulk_lookup_three_strings.json")


async def test_cox1_of_a_fungus_and_a_sheep_is_not_taken_for_a_human_gene(bulk: Any) -> None:
    replay = Replay(bulk)
    result = await ask("Which drugs target cox1?", replay)
    assert result.entities == ()
    (missing,) = result.unresolved
    assert missing.mention == "cox1"
    assert missing.reason == "only genes of other species than NCBITaxon:9606 fit (2)"
    taxa = [
        b["only_taxa"] for p, b in replay.calls if p == "/bulk-lookup" and not b["autocomplete"]
    ]
    assert taxa == ["", "NCBITaxon:9606"]


async def test_cox1_of_the_sheep_for_who_asks_for_sheep(bulk: Any) -> None:
    result = await ask("Which drugs target cox1?", Replay(bulk), taxon="NCBITaxon:9940")
    assert [e.curie for e in result.entities] == ["NCBIGene:808251"]


async def test_prednisolone_and_a_place(bulk: Any) -> None:
    result = await ask("prednisolone in the Golgi apparatus", Replay(bulk))
    assert [(e.curie, e.name) for e in result.entities] == [("CHEBI:8378", "Prednisolone")]
    assert any("Golgi apparatus" in note for note in result.notes)
    alone = await ask("What happens in the Golgi apparatus?", Replay(bulk))
    assert [e.curie for e in alone.entities] == ["GO:0005794"]


def test_an_alias_among_882_is_found(bulk: Any) -> None:
    hits = read_hits(bulk["prednisolone"])
    assert len(hits[0].synonyms) == 882
    assert hits[0].identifiers == 431
    assert hits[0].score == 11658.129
    (match,) = match_hits(["delta-cortef"], hits).ranked
    assert (match.hit.curie, match.name) == ("CHEBI:8378", "Δ-cortef")


def test_a_mouse_gene_is_no_human_gene(corpora: Path) -> None:
    hits = read_hits(load(corpora, "nameres/nb_lookup_APOE_only_taxa_mouse.json"))
    assert match_hits(["APOE"], hits, taxon="NCBITaxon:9606").other_taxa == 1
    (mouse,) = match_hits(["APOE"], hits, taxon="NCBITaxon:10090").ranked
    assert mouse.hit.curie == "NCBIGene:11816"


def test_types_without_their_prefix_are_read(corpora: Path) -> None:
    (document,) = load(corpora, "nameres/nb_synonyms_NCBIGene_1756.json").values()
    (hit,) = read_hits([document])
    assert (hit.label, hit.types[0], hit.taxa) == ("DMD", "biolink:Gene", ("NCBITaxon:9606",))
    assert match_hits(["dystrophin"], [hit], taxon="NCBITaxon:9606").ranked[0].group == "gene"


def test_highlighting_does_not_matter(corpora: Path) -> None:
    hits = read_hits(load(corpora, "nameres/nb_lookup_oxygen_highlighting.json"))
    assert match_hits(["oxygen"], hits).ranked[0].hit.curie == "CHEBI:15379"


# --- Node Normalizer ----------------------------------------------------------------------------


async def test_three_curies_one_unknown(corpora: Path) -> None:
    nodes = load(corpora, "nodenorm/nb_post_three_one_unknown_null.json")
    replay: Any = Replay({}, nodes)
    found = await Normalizer(replay, NODENORM).normalize(nodes)
    assert {k: v.curie if v else None for k, v in found.items()} == {
        "HP:0007354": "MONDO:0004976",
        "HGNC:613": "NCBIGene:348",
        "CURIE:NOTHING": None,
    }


def test_the_union_of_taxa_and_the_content_as_a_float(corpora: Path) -> None:
    nodes = load(corpora, "nodenorm/nb_post_three_one_unknown_null.json")
    gene = read_node(nodes["HGNC:613"])
    assert gene is not None
    assert gene.taxa == ("NCBITaxon:9606",)
    assert gene.name == "APOE"
    disease = read_node(nodes["HP:0007354"])
    assert disease is not None
    assert disease.information_content == 74.9
    assert disease.categories[0] == "biolink:Disease"


@pytest.mark.parametrize(
    ("name", "asked", "unknown", "identifiers"),
    [
        ("bte_big_sri_query_2.json", 1273, 150, 3596),
        ("bte_big_sri_query_3.json", 212, 7, 1864),
        ("bte_chembl_sri.json", 9, 0, 86),
    ],
)
def test_old_answers_without_taxa_are_read(
    corpora: Path, name: str, asked: int, unknown: int, identifiers: int
) -> None:
    found = [read_node(value) for value in load(corpora, f"nodenorm/{name}").values()]
    nodes = [node for node in found if node is not None]
    assert (len(found), len(found) - len(nodes)) == (asked, unknown)
    assert sum(len(node.identifiers) for node in nodes) == identifiers
    assert all(node.categories and node.taxa == () for node in nodes)


def test_conflation_of_a_rat_gene_and_of_acetaminophen_is_told(corpora: Path) -> None:
    whole = load(corpora, "nodenorm/nb_post_conflated_gene_and_drug.json")
    alone = load(corpora, "nodenorm/nb_post_no_conflation.json")
    gene = merged(read_node(whole["UniProtKB:P05503"]), read_node(alone["UniProtKB:P05503"]))
    assert gene == (
        "conflation merged the gene NCBIGene:26195 mt-Co1 and its protein UniProtKB:P05503 "
        "(and 1 more records)",
    )
    lines = merged(read_node(whole["UMLS:C0704942"]), read_node(alone["UMLS:C0704942"]))
    assert [line.split(" of ")[0] for line in lines] == [
        "conflation merged products",
        "conflation merged other forms",
    ]
    assert all("Acetaminophen (CHEBI:46195)" in line and len(line) < 400 for line in lines)
