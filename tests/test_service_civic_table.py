"""CIViC's whole evidence table, read as its GraphQL answers would be: polarity, combinations."""

from __future__ import annotations

import csv
import re
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from fedrag.metakg import Operation, load_service
from fedrag.resources import metakg_dir
from fedrag.testing.apis.civic_facts import Item, evidence_node, profile_node
from fedrag.xbte import Record, read_answer

DOCUMENT = metakg_dir() / "civic.yaml"
V600E = "civic.mpid:12"
DISEASE = "biolink:disease_context_qualifier"
_MELANOMA = {"id": 7, "name": "Melanoma", "doid": "1909"}

PROFILE_OPERATIONS = [
    one
    for one in load_service(DOCUMENT).operations
    if one.input_prefix == "civic.mpid" and "evidence_query" in str(one.call.body)
]


def read_by(*nodes: dict[str, Any]) -> list[tuple[Operation, Record]]:
    """What the operations that start from a profile's evidence make of nodes."""
    payload = {"data": {"found": {"nodes": list(nodes)}}}
    return [
        (one, record)
        for one in PROFILE_OPERATIONS
        for record in read_answer(one, payload, [V600E]).records
    ]


def test_every_significance_of_the_schema_is_read_by_some_operation() -> None:
    """Nothing that CIViC may say is passed over in silence."""
    pairs = {
        "PREDICTIVE": "SENSITIVITYRESPONSE RESISTANCE REDUCED_SENSITIVITY ADVERSE_RESPONSE NA",
        "DIAGNOSTIC": "POSITIVE NEGATIVE",
        "PROGNOSTIC": "BETTER_OUTCOME POOR_OUTCOME NA",
        "PREDISPOSING": "PREDISPOSITION PROTECTIVENESS UNCERTAIN_SIGNIFICANCE NA PATHOGENIC "
        "LIKELY_PATHOGENIC BENIGN LIKELY_BENIGN",
        "ONCOGENIC": "ONCOGENICITY LIKELY_ONCOGENIC",
        "FUNCTIONAL": "GAIN_OF_FUNCTION LOSS_OF_FUNCTION DOMINANT_NEGATIVE NEOMORPHIC "
        "UNALTERED_FUNCTION UNKNOWN",
    }
    profile = profile_node(12, "BRAF V600E")
    unread = [
        (kind, significance)
        for kind, listed in pairs.items()
        for significance in listed.split()
        if len(read_by(_item(profile, kind, significance))) != 1
    ]
    assert unread == []


def _item(profile: dict[str, Any], kind: str, significance: str) -> dict[str, Any]:
    item = Item(
        evidence=1,
        profile=12,
        profile_name="BRAF V600E",
        doid="1909",
        disease="Melanoma",
        therapies=["Vemurafenib"],
        interaction="",
        type=kind,
        direction="SUPPORTS",
        level="A",
        significance=significance,
        citation="1",
        source="PubMed",
        citation_text="",
        rating=None,
        origin="Somatic",
    )
    therapy = {"id": 4, "name": "Vemurafenib", "ncitId": "C64768"}
    disease = {"id": 7, "name": "Melanoma", "doid": "1909"}
    return evidence_node(item, {12: profile}, {"Vemurafenib": therapy}, {"Melanoma": disease})


@pytest.fixture(scope="module")
def table(corpora: Path) -> list[dict[str, str]]:
    """CIViC's nightly evidence table."""
    path = corpora / "recorded/civic/nightly_ClinicalEvidence_v2_full.tsv"
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file, delimiter="\t"))


def as_nodes(table: list[dict[str, str]]) -> list[dict[str, Any]]:
    """The table's rows as the query's answer; made numbers stand for codes it does not hold."""
    names = {name for row in table for name in row["therapies"].split(",") if name}
    therapies = {
        name: {"id": number, "name": name, "ncitId": f"C{number}"}
        for number, name in enumerate(sorted(names))
    }
    return [_as_node(row, therapies) for row in table]


def _as_node(row: dict[str, str], therapies: dict[str, dict[str, Any]]) -> dict[str, Any]:
    number, disease = int(row["molecular_profile_id"]), row["disease"]
    item = Item(
        evidence=int(row["evidence_id"]),
        profile=number,
        profile_name=row["molecular_profile"],
        doid=row["doid"],
        disease=disease,
        therapies=[name for name in row["therapies"].split(",") if name],
        interaction=row["therapy_interaction_type"],
        type=row["evidence_type"],
        direction=row["evidence_direction"],
        level=row["evidence_level"],
        significance=row["significance"],
        citation=row["citation_id"],
        source=row["source_type"],
        citation_text=row["citation"],
        rating=int(row["rating"]) if row["rating"] else None,
        origin=row["variant_origin"],
    )
    profiles = {number: profile_node(number, row["molecular_profile"])}
    diseases = {disease: {"id": 1, "name": disease, "doid": row["doid"] or None}} if disease else {}
    node = evidence_node(item, profiles, therapies, diseases)
    citation = node["source"]["citationId"]
    node["source"] |= {"doi": citation, "sourceId": citation}  # as the query calls them
    return node | {"evidenceId": node["id"]}


def items_of(records: list[tuple[Operation, Record]]) -> dict[tuple[str, bool], set[object]]:
    """Evidence items by predicate and denial."""
    found: dict[tuple[str, bool], set[object]] = {}
    for one, record in records:
        key = (one.predicate.removeprefix("biolink:"), record.negated)
        found.setdefault(key, set()).add(record.attributes[0].value)
    return found


def test_the_polarity_of_the_whole_table(table: list[dict[str, str]]) -> None:
    """821 of 2,844 predictive items support resistance, 1,613 sensitivity; 383 deny either."""
    predictive = [row for row in table if row["evidence_type"] == "Predictive"]
    assert len(predictive) == 2844
    found = items_of(read_by(*as_nodes(predictive)))
    nameless = [row for row in predictive if not row["therapies"]]
    assert {key: len(items) for key, items in found.items()} == {
        ("associated_with_resistance_to", False): 821 - _lost(nameless, "Resistance", "Supports"),
        ("associated_with_resistance_to", True): 218,
        ("associated_with_sensitivity_to", False): 1613
        - _lost(nameless, "Sensitivity/Response", "Supports"),
        ("associated_with_sensitivity_to", True): 165,
        ("associated_with_response_to", False): 27,
    }
    assert len(nameless) == 1


def test_what_is_denied_is_told_only_where_the_statement_denies_just_that(
    table: list[dict[str, str]],
) -> None:
    """No prognosis denied (69 items) is an association denied; of functions only a loss is.

    34 deny any effect on the outcome, 30 a poor one, 5 a better one.
    """
    other = [
        row
        for row in table
        if row["evidence_type"] != "Predictive" and row["evidence_direction"] == "Does Not Support"
    ]
    assert Counter(row["evidence_type"] for row in other) == {
        "Prognostic": 69,
        "Functional": 46,
        "Oncogenic": 8,
        "Diagnostic": 7,
        "Predisposing": 2,
    }
    nodes = [{**node, "disease": _MELANOMA} for node in as_nodes(other)]
    assert {key: len(items) for key, items in items_of(read_by(*nodes)).items()} == {
        ("biomarker_for", True): 7,
        ("predisposes_to_condition", True): 2,
        ("contributes_to", True): 8,
        ("affects", True): 1,
        ("exacerbates_condition", True): 34 + 30,
        ("ameliorates_condition", True): 34 + 5,
    }


def test_of_a_gene_no_disease_is_denied_for_one_of_its_variants(
    table: list[dict[str, str]],
) -> None:
    denied = [
        {**node, "disease": _MELANOMA}
        for node in as_nodes(table)
        if node["evidenceDirection"] == "DOES_NOT_SUPPORT"
    ]
    by_gene = [
        one
        for one in load_service(DOCUMENT).operations
        if (one.input_prefix, one.output_prefix) == ("SYMBOL", "DOID")
    ]
    assert len(by_gene) == 8
    symbols = sorted({row["molecular_profile"].split()[0] for row in table})
    asked = [f"SYMBOL:{symbol}" for symbol in symbols]

    def read(nodes: list[dict[str, Any]]) -> list[Record]:
        payload = {"data": {"found": {"nodes": nodes}}}
        return [record for one in by_gene for record in read_answer(one, payload, asked).records]

    assert read(denied) == []
    assert len(read([node | {"evidenceDirection": "SUPPORTS"} for node in denied])) > 50


def _lost(rows: list[dict[str, str]], significance: str, direction: str) -> int:
    return sum(
        row["significance"] == significance and row["evidence_direction"] == direction
        for row in rows
    )


def test_combination_profiles_are_not_read_as_single_variants(table: list[dict[str, str]]) -> None:
    """531 rows hold AND, OR or NOT; a careless search takes NOTCH1 for a NOT and finds 544."""
    careless = re.compile(r" AND | OR |^NOT")
    assert sum(bool(careless.search(row["molecular_profile"])) for row in table) == 544
    combined = [row for row in table if profile_node(1, row["molecular_profile"])["isComplex"]]
    assert len(combined) == 531
    by_gene = [
        one
        for one in load_service(DOCUMENT).operations
        if one.input_prefix == "SYMBOL" and "evidence_query" in str(one.call.body)
    ]
    symbols = sorted(
        {
            symbol
            for row in combined
            for variant in profile_node(1, row["molecular_profile"])["variants"]
            for symbol in variant["feature"]["name"].split("::")
        }
    )
    payload = {"data": {"found": {"nodes": as_nodes(combined)}}}
    read = [
        record
        for one in by_gene
        for record in read_answer(one, payload, [f"SYMBOL:{s}" for s in symbols]).records
    ]
    assert read == []


def test_citations_that_are_no_pmids_never_become_one(table: list[dict[str, str]]) -> None:
    other = [row for row in table if row["source_type"] != "PubMed"]
    assert len(other) == 22
    records = read_by(*as_nodes(other))
    cited = {publication for _, record in records for publication in record.publications}
    assert cited == {"doi:10.1182/blood-2021-148205", "doi:10.1182/blood-2022-163099"}


def test_an_empty_doid_gives_no_disease_and_no_context(table: list[dict[str, str]]) -> None:
    empty = [row for row in table if not row["doid"]]
    assert len(empty) == 272
    records = read_by(*as_nodes(empty))
    assert records
    assert not any(DISEASE in dict(record.qualifiers) for _, record in records)
    assert not any(record.output.startswith("DOID") for _, record in records)
