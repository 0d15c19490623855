"""CIViC: evidence and assertions over GraphQL; polarity, disease, level and combination kept."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx2
import pytest
from graphql import GraphQLSchema, build_client_schema, parse, validate
from service_asking import (
    answered,
    asked,
    examples,
    statements,
    stood_in,
    told,
    unknown_words,
)

from fedrag.metakg import Operation, Service, load_service, validate_document
from fedrag.resources import metakg_dir
from fedrag.testing import Federation
from fedrag.testing.apis.civic import schema
from fedrag.xbte import build_requests, failure_of, next_request

DOCUMENT = metakg_dir() / "civic.yaml"
V600E, T790M, BOTH = "civic.mpid:12", "civic.mpid:34", "civic.mpid:4660"
VEMURAFENIB, DABRAFENIB, ERLOTINIB = "NCIT:C64768", "NCIT:C82386", "NCIT:C65530"
DISEASE = "biolink:disease_context_qualifier"


@pytest.fixture(scope="module")
def federation() -> Iterator[Federation]:
    with Federation(apis=("civic",)) as running:
        yield running


@pytest.fixture
def civic(federation: Federation) -> Service:
    return stood_in(federation, "civic")


@pytest.fixture(scope="module")
def published(corpora: Path) -> GraphQLSchema:
    """CIViC's whole schema."""
    told = json.loads((corpora / "recorded/civic/schema_introspection.json").read_bytes())
    return build_client_schema(told.get("data", told))


def queries() -> dict[str, str]:
    """The GraphQL texts that ship."""
    settings = load_service(DOCUMENT).operations[0].manner.settings
    return {name: text for name, text in settings.items() if name.endswith("_query")}


def operation(name: str) -> Operation:
    """The operation of that name in the document."""
    return next(
        one for one in load_service(DOCUMENT).operations if one.id == f"post /graphql {name}"
    )


# --- the document and its queries ---------------------------------------------------------------


def test_the_document_is_valid_and_says_whose_it_is() -> None:
    service = load_service(DOCUMENT)
    assert list(validate_document(DOCUMENT)) == []
    assert unknown_words(service) == set()
    assert (service.protocol, service.infores, service.licence) == (
        "graphql",
        "infores:civic",
        "CC0-1.0",
    )
    assert not service.verified
    assert {o.knowledge_level for o in service.operations} == {"knowledge_assertion"}


def test_every_query_is_valid_by_the_published_schema(published: GraphQLSchema) -> None:
    assert sorted(queries()) == [
        "assertion_query",
        "disease_query",
        "evidence_query",
        "profile_query",
        "profiles_query",
        "therapy_named_query",
        "therapy_query",
    ]
    wrong = {name: validate(published, parse(text)) for name, text in queries().items()}
    assert wrong == {name: [] for name in queries()}


def test_every_body_that_is_sent_fits_its_query(published: GraphQLSchema) -> None:
    """Numbers are numbers: GraphQL refuses a text where it wants an Int."""
    from graphql.execution.values import get_variable_values

    asked_with = {
        "civic.mpid": "civic.mpid:12",
        "NCIT": "OWN:106",
        "DOID": "OWN:7",
        "SYMBOL": "SYMBOL:BRAF",
        "NAME": "OWN:106",
    }
    for one in load_service(DOCUMENT).operations:
        request = build_requests(one, [asked_with[one.input_prefix]])[0]
        definition: Any = parse(request.json["query"]).definitions[0]
        names = {d.variable.name.value for d in definition.variable_definitions}
        assert request.json["variables"].keys() <= names
        values = get_variable_values(
            published, definition.variable_definitions, request.json["variables"]
        )
        assert not isinstance(values, list), values


def test_the_stand_in_promises_what_the_published_schema_does(published: GraphQLSchema) -> None:
    for name, ours in schema().type_map.items():
        theirs: Any = published.type_map[name]
        if name.startswith("__") or not hasattr(ours, "fields"):
            continue
        for field_name, field in ours.fields.items():
            real = theirs.fields[field_name]
            assert str(field.type) == str(real.type), f"{name}.{field_name}"
            known = {argument: str(a.type) for argument, a in real.args.items()}
            assert {a: str(v.type) for a, v in field.args.items()}.items() <= known.items()
    for name in ("EvidenceSignificance", "AssertionSignificance", "TherapyInteraction"):
        ours_values: Any = schema().type_map[name]
        real_values: Any = published.type_map[name]
        assert set(ours_values.values) <= set(real_values.values)


# --- over HTTP ----------------------------------------------------------------------------------


def test_what_supports_and_what_denies_sensitivity_are_told_apart(civic: Service) -> None:
    outcome = asked(
        civic, [V600E], "SequenceVariant", "associated_with_sensitivity_to", "ChemicalEntity"
    )
    assert outcome.failures == []
    vemurafenib = [e for e in outcome.edges if e.object.found == VEMURAFENIB]
    assert Counter((e.negated, dict(e.qualifiers)[DISEASE]) for e in vemurafenib) == {
        (False, "DOID:9256"): 1,
        (True, "DOID:9256"): 1,
        (False, "DOID:1909"): 1,
        (False, "DOID:8923"): 1,
    }
    best = next(e for e in vemurafenib if told(e)["civic_item"] == "EID1409")
    assert best.publications == ("PMID:21639808",)
    assert best.record_urls == ("https://civicdb.org/links/evidence_items/1409",)
    kept = told(best)
    assert (kept["civic_evidence_level"], kept["civic_evidence_rating"]) == ("A", 5)
    assert (kept["civic_status"], kept["civic_disease"]) == ("ACCEPTED", "Skin Melanoma")
    assert best.subject.name == "BRAF V600E"


def test_resistance_is_another_predicate(civic: Service) -> None:
    outcome = asked(
        civic, [T790M], "SequenceVariant", "associated_with_resistance_to", "ChemicalEntity"
    )
    assert statements(outcome.edges)[:2] == [
        (T790M, "associated_with_resistance_to", ERLOTINIB),
        (T790M, "associated_with_resistance_to", "NCIT:C1855"),
    ]
    assert not any(edge.negated for edge in outcome.edges)


def test_a_reduced_sensitivity_is_a_response_of_neither_kind(civic: Service) -> None:
    outcome = asked(
        civic, [V600E], "SequenceVariant", "associated_with_response_to", "ChemicalEntity"
    )
    response = [e for e in outcome.edges if e.predicate == "biolink:associated_with_response_to"]
    assert statements(response) == [(V600E, "associated_with_response_to", DABRAFENIB)]
    assert told(response[0])["civic_significance"] == "REDUCED_SENSITIVITY"


def test_drugs_given_together_are_one_thing_and_substitutes_are_not(civic: Service) -> None:
    outcome = asked(
        civic, [V600E], "SequenceVariant", "associated_with_sensitivity_to", "ChemicalEntity"
    )
    names = {edge.object.name for edge in outcome.edges}
    assert {"Dabrafenib + Trametinib", "Binimetinib + Cetuximab + Encorafenib"} <= names
    assert not {"Dabrafenib", "Trametinib", "Binimetinib", "Encorafenib"} & names
    resistance = asked(
        civic, [V600E], "SequenceVariant", "associated_with_resistance_to", "ChemicalEntity"
    )
    apart = [e.object.name for e in resistance.edges if told(e)["civic_item"] == "EID816"]
    assert apart == ["Panitumumab", "Cetuximab"]


def test_a_combination_profile_is_one_variant_and_neither_of_its_parts(civic: Service) -> None:
    outcome = asked(
        civic, [BOTH], "SequenceVariant", "associated_with_sensitivity_to", "ChemicalEntity"
    )
    assert statements(outcome.edges) == [(BOTH, "associated_with_sensitivity_to", "NCIT:C116377")]
    assert outcome.edges[0].subject.name == "EGFR L858R AND EGFR T790M"
    single = asked(
        civic, [T790M], "SequenceVariant", "associated_with_sensitivity_to", "ChemicalEntity"
    )
    assert "NCIT:C116377" not in {edge.object.found for edge in single.edges}


def test_a_citation_that_is_no_pmid_stays_what_it_is(civic: Service) -> None:
    outcome = asked(
        civic, [V600E], "SequenceVariant", "associated_with_sensitivity_to", "ChemicalEntity"
    )
    abstract = next(e for e in outcome.edges if told(e)["civic_item"] == "EID7260")
    assert abstract.publications == ()
    assert (told(abstract)["civic_source_type"], told(abstract)["civic_source_id"]) == (
        "ASCO",
        "168986",
    )
    haematology = asked(
        civic,
        ["civic.mpid:4179"],
        "SequenceVariant",
        "associated_with_sensitivity_to",
        "ChemicalEntity",
    )
    [edge] = haematology.edges
    assert edge.publications == ("doi:10.1182/blood-2021-148205",)


def test_a_therapy_is_asked_backwards_and_a_combination_stays_whole(civic: Service) -> None:
    outcome = asked(
        civic, [DABRAFENIB], "ChemicalEntity", "sensitivity_associated_with", "SequenceVariant"
    )
    assert {(e.subject.name, e.predicate, e.object.found) for e in outcome.edges} == {
        ("Dabrafenib + Trametinib", "biolink:sensitivity_associated_with", V600E)
    }
    edge = outcome.edges[0]
    assert edge.subject.asked == DABRAFENIB
    assert edge.subject.found == "fedrag.combination:C77908+C82386"
    alone = asked(
        civic, [ERLOTINIB], "ChemicalEntity", "resistance_associated_with", "SequenceVariant"
    )
    assert (ERLOTINIB, "resistance_associated_with", T790M) in statements(alone.edges)


@pytest.mark.parametrize("name", ["erlotinib", "ERLOTINIB"])
def test_a_therapy_without_a_code_of_ncit_is_asked_by_its_name(
    federation: Federation, civic: Service, name: str
) -> None:
    federation.calls.clear()
    outcome = asked(
        civic,
        ["CHEBI:114785"],
        "ChemicalEntity",
        "resistance_associated_with",
        "SequenceVariant",
        names={"CHEBI:114785": name},
    )
    assert outcome.failures == []
    assert ("CHEBI:114785", "resistance_associated_with", T790M) in statements(outcome.edges)
    looked_up = [c for c in federation.calls_of("civic") if "Therapy" in c.body["query"]]
    assert [call.body["variables"] for call in looked_up] == [{"name": name}]


def test_a_therapy_with_a_code_is_not_asked_by_its_name_too(
    federation: Federation, civic: Service
) -> None:
    federation.calls.clear()
    asked(
        civic,
        [ERLOTINIB],
        "ChemicalEntity",
        "resistance_associated_with",
        "SequenceVariant",
        names={ERLOTINIB: "erlotinib"},
    )
    looked_up = [c for c in federation.calls_of("civic") if "Therapy" in c.body["query"]]
    assert [call.body["variables"] for call in looked_up] == [{"ncit": "C65530"}]


@pytest.mark.parametrize("part", ["ponat", "AEE788", "inhibitor"])
def test_a_therapy_of_which_a_name_is_only_a_part_is_not_taken_for_it(
    civic: Service, part: str
) -> None:
    """CIViC's filter by name finds substrings."""
    outcome = asked(
        civic,
        ["CHEBI:1"],
        "ChemicalEntity",
        "sensitivity_associated_with",
        "SequenceVariant",
        names={"CHEBI:1": part},
    )
    assert (outcome.edges, outcome.failures) == ([], [])


def test_a_therapy_without_a_code_has_civics_own_number_and_its_name(civic: Service) -> None:
    """EID86: neither trametinib nor mirdametinib, which has no code of NCIt, is resisted."""
    outcome = asked(
        civic, [V600E], "SequenceVariant", "associated_with_resistance_to", "ChemicalEntity"
    )
    substitutes = [edge for edge in outcome.edges if told(edge)["civic_item"] == "EID86"]
    assert [(e.object.found, e.object.name, e.negated) for e in substitutes] == [
        ("NCIT:C77908", "Trametinib", True),
        ("civic.tid:114", "Mirdametinib", True),
    ]
    assert outcome.dropped == []


def test_a_gene_too_has_therapies_without_a_code(civic: Service) -> None:
    outcome = asked(
        civic,
        ["NCBIGene:673"],
        "Gene",
        "associated_with_resistance_to",
        "ChemicalEntity",
        names={"NCBIGene:673": "BRAF"},
    )
    assert ("civic.tid:114", "Mirdametinib") in {
        (edge.object.found, edge.object.name) for edge in outcome.edges
    }


def test_who_denies_a_poor_outcome_denies_that_the_disease_is_made_worse(civic: Service) -> None:
    of_variant = asked(civic, [V600E], "SequenceVariant", "exacerbates_condition", "Disease")
    assert statements(of_variant.edges) == [(V600E, "not exacerbates_condition", "DOID:1909")]
    [edge] = of_variant.edges
    assert (told(edge)["civic_item"], told(edge)["civic_significance"]) == ("EID82", "POOR_OUTCOME")
    of_disease = asked(
        civic, ["DOID:1909"], "Disease", "condition_exacerbated_by", "SequenceVariant"
    )
    assert statements(of_disease.edges) == [("DOID:1909", "not condition_exacerbated_by", V600E)]


def test_who_denies_a_poor_outcome_does_not_deny_an_association(civic: Service) -> None:
    """EID82: BRAF V600E does not go with a poor outcome in melanoma."""
    of_variant = asked(civic, [V600E], "SequenceVariant", "associated_with", "Disease")
    of_disease = asked(civic, ["DOID:1909"], "Disease", "associated_with", "SequenceVariant")
    of_gene = asked(
        civic,
        ["NCBIGene:673"],
        "Gene",
        "associated_with",
        "Disease",
        names={"NCBIGene:673": "BRAF"},
    )
    outcomes = (of_variant, of_disease, of_gene)
    assert "EID82" not in {told(edge)["civic_item"] for o in outcomes for edge in o.edges}
    assert not any(edge.negated for outcome in outcomes for edge in outcome.edges)
    prognostic = [e for e in of_variant.edges if e.predicate == "biolink:associated_with"]
    assert [(told(e)["civic_item"], e.object.found) for e in prognostic] == [
        ("EID103", "DOID:9256"),
        ("AID20", "DOID:9256"),
    ]


def test_a_disease_is_asked_backwards(civic: Service) -> None:
    outcome = asked(civic, ["DOID:3969"], "Disease", "has_biomarker", "SequenceVariant")
    assert statements(outcome.edges) == [("DOID:3969", "has_biomarker", V600E)]
    assert outcome.edges[0].object.name == "BRAF V600E"


def test_a_gene_is_asked_by_its_symbol_through_fusions_too(civic: Service) -> None:
    outcome = asked(
        civic,
        ["NCBIGene:238"],
        "Gene",
        "associated_with_resistance_to",
        "ChemicalEntity",
        names={"NCBIGene:238": "ALK"},
    )
    assert statements(outcome.edges) == [
        ("NCBIGene:238", "associated_with_resistance_to", ERLOTINIB)
    ]
    edge = outcome.edges[0]
    assert told(edge)["civic_molecular_profile"] == "EML4::ALK Fusion"
    assert dict(edge.qualifiers)["biolink:subject_form_or_variant_qualifier"] == (
        "genetic_variant_form"
    )


def test_a_gene_is_not_given_what_is_said_of_it_with_another_variant(civic: Service) -> None:
    outcome = asked(
        civic,
        ["NCBIGene:1956"],
        "Gene",
        "associated_with_sensitivity_to",
        "ChemicalEntity",
        names={"NCBIGene:1956": "EGFR"},
    )
    profiles = {told(edge)["civic_molecular_profile"] for edge in outcome.edges}
    assert profiles == {"EGFR L858R", "EGFR T790M"}
    absent = asked(
        civic,
        ["NCBIGene:3815"],
        "Gene",
        "associated_with_sensitivity_to",
        "ChemicalEntity",
        names={"NCBIGene:3815": "KIT"},
    )
    assert absent.edges == []  # imatinib is for those *without* KIT D816V


def test_a_gene_has_variants_and_a_variant_its_gene(civic: Service) -> None:
    variants = asked(
        civic,
        ["NCBIGene:673"],
        "Gene",
        "has_sequence_variant",
        "SequenceVariant",
        names={"NCBIGene:673": "BRAF"},
    )
    assert statements(variants.edges) == [("NCBIGene:673", "has_sequence_variant", V600E)]
    gene = asked(civic, [V600E], "SequenceVariant", "is_sequence_variant_of", "Gene")
    assert statements(gene.edges) == [(V600E, "is_sequence_variant_of", "NCBIGene:673")]


def test_function_is_told_of_the_gene(civic: Service) -> None:
    gain = asked(civic, ["civic.mpid:624"], "SequenceVariant", "affects", "Gene")
    assert statements(gain.edges) == [("civic.mpid:624", "affects", "NCBIGene:2261")]
    assert dict(gain.edges[0].qualifiers)["biolink:object_direction_qualifier"] == "increased"
    denied = asked(civic, ["civic.mpid:896"], "SequenceVariant", "affects", "Gene")
    assert statements(denied.edges) == [("civic.mpid:896", "not affects", "NCBIGene:7157")]
    not_new = asked(civic, ["civic.mpid:117"], "SequenceVariant", "affects", "Gene")
    assert not_new.edges == []  # not neomorphic: the function may yet be lost


def test_assertions_are_asked_beside_evidence(civic: Service) -> None:
    outcome = asked(
        civic, [V600E], "SequenceVariant", "associated_with_sensitivity_to", "ChemicalEntity"
    )
    assertion = next(e for e in outcome.edges if told(e)["civic_item"] == "AID7")
    assert assertion.record_urls == ("https://civicdb.org/links/assertions/7",)
    assert assertion.object.name == "Dabrafenib + Trametinib"
    assert assertion.publications == ("PMID:24583796",)  # the other item cites an ASCO abstract
    assert told(assertion)["civic_amp_level"] == "TIER_I_LEVEL_A"


def test_all_pages_are_read_and_each_call_is_made_once(
    federation: Federation, civic: Service
) -> None:
    federation.calls.clear()
    outcome = asked(civic, [V600E], "SequenceVariant", None, "Disease")
    calls = [call.body["variables"] for call in federation.calls_of("civic", "/graphql")]
    evidence = [c for c in federation.calls_of("civic") if "evidenceItems" in c.body["query"]]
    assert len(calls) == len({json.dumps(c, sort_keys=True) for c in calls}) + 1
    assert [
        c.body["variables"].get("after")
        for c in evidence
        if "found: evidenceItems" in c.body["query"]
    ] == [None, "MTA="]
    assert len(outcome.edges) == 5


def test_only_accepted_items_count_unless_the_user_says_otherwise(civic: Service) -> None:
    def items(status: str) -> set[object]:
        outcome = asked(
            civic,
            [V600E],
            "SequenceVariant",
            "biomarker_for",
            "Disease",
            settings={"status": status},
        )
        return {told(edge)["civic_item"] for edge in outcome.edges}

    assert items("ACCEPTED") == {"EID79", "EID80"}
    assert items("NON_REJECTED") == {"EID79", "EID80", "EID99999"}


def test_an_error_comes_with_200_and_is_a_failure(federation: Federation, civic: Service) -> None:
    url = f"{federation.base_urls['civic']}/graphql"
    reply = httpx2.post(url, json={"query": "{ evidenceItems { nodes { nosuch } } }"})
    assert reply.status_code == 200
    assert "nosuch" in (failure_of(civic.operations[0], reply.json()) or "")
    empty = httpx2.post(url, json={})
    assert failure_of(civic.operations[0], empty.json()) == "No query string was present"
    broken = asked(
        civic,
        [V600E],
        "SequenceVariant",
        "associated_with_sensitivity_to",
        "ChemicalEntity",
        settings={"evidence_query": "query Evidence { nosuch }"},
    )
    assert [failure.state for failure in broken.failures] == ["bad_payload"]
    assert [told(edge)["civic_item"] for edge in broken.edges] == ["AID7"]


def test_pages_end_with_the_last(civic: Service) -> None:
    one = civic.operations[0]
    request = build_requests(one, [V600E])[0]
    page = {"data": {"found": {"pageInfo": {"hasNextPage": False, "endCursor": "Mg=="}}}}
    assert next_request(one, request, page, 1) is None
    page["data"]["found"]["pageInfo"]["hasNextPage"] = True
    following = next_request(one, request, page, 1)
    assert following is not None
    assert following.json["variables"] == {"profile": 12, "status": "ACCEPTED", "after": "Mg=="}


def test_profiles_are_found_by_name_id_gene_and_allele(federation: Federation) -> None:
    """The queries that variants in questions are looked up with."""
    url = f"{federation.base_urls['civic']}/graphql"

    def ids(query: str) -> list[int]:
        data = httpx2.post(url, json={"query": query}).json()["data"]
        return [node["id"] for node in data["found"]["nodes"]]

    named = '{ found: molecularProfiles(name: "%s", first: 100) { nodes { id } } }'
    assert ids(named % "BRAF V600E") == [12]
    assert ids(named % "egfr l858r") == [33, 4432, 4660]
    assert ids(named % "BRAF RS113488022") == [12]
    allele = '{ found: molecularProfiles(alleleRegistryId: "CA123643") { nodes { id } } }'
    assert ids(allele) == [12]
    symbol = '{ found: genes(entrezSymbols: ["BRAF"]) { nodes { id: entrezId } } }'
    assert ids(symbol) == [673]


def test_the_examples_of_the_document_hold(federation: Federation) -> None:
    base = federation.base_urls["civic"]
    given_out = examples(DOCUMENT)
    assert len(given_out) == 34
    wrong = [
        (operation.id, given, output)
        for operation, given, output in given_out
        if output not in {r.output for r in answered(operation, base, [given])}
    ]
    assert wrong == []
