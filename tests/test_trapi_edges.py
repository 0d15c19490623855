"""What an edge says of itself, in every way services write it."""

from __future__ import annotations

from typing import Any

import pytest
from trapi_messages import attribute, edge, only, read, response

from fedrag.trapi import attribute_to_trapi, original_name

# --- qualifiers, negation, levels ---------------------------------------------------------------


@pytest.mark.parametrize(
    "qualifiers", [None, [], {}, "x", True, [None], [{"qualifier_value": "x"}]]
)
def test_null_and_broken_qualifiers_are_none(qualifiers: Any) -> None:
    assert only(response(edge(qualifiers=qualifiers))).qualifiers == ()


def test_qualifiers_are_sorted_and_prefixed() -> None:
    found = only(
        response(
            edge(
                qualifiers=[
                    {"qualifier_type_id": "qualified_predicate", "qualifier_value": "causes"},
                    {
                        "qualifier_type_id": "biolink:object_aspect_qualifier",
                        "qualifier_value": "activity",
                    },
                ]
            )
        )
    )
    assert found.qualifiers == (
        ("biolink:object_aspect_qualifier", "activity"),
        ("biolink:qualified_predicate", "biolink:causes"),
    )


@pytest.mark.parametrize(
    ("more", "negated"),
    [
        ({}, False),
        ({"negated": True}, True),
        ({"negated": None}, False),
        ({"attributes": [attribute("biolink:negated", True)]}, True),
        ({"attributes": [attribute("biolink:negated", "true")]}, True),
        ({"attributes": [attribute("biolink:negated", [True])]}, True),
        ({"attributes": [attribute("biolink:negated", False)]}, False),
        ({"attributes": [attribute("biolink:Attribute", True)]}, False),
        (
            {
                "attributes": [
                    attribute("biolink:Attribute", True, original_attribute_name="negated")
                ]
            },
            True,
        ),
    ],
)
def test_negation_is_never_lost(more: dict[str, Any], negated: bool) -> None:
    assert only(response(edge(**more))).negated is negated


def test_knowledge_level_and_agent_type_are_attributes_or_fields() -> None:
    as_attributes = edge(
        attributes=[
            attribute("biolink:knowledge_level", "not_provided"),
            attribute("biolink:knowledge_level", ["knowledge_assertion"]),
            attribute("biolink:agent_type", "biolink:manual_agent"),
        ]
    )
    as_fields = edge(knowledge_level="prediction", agent_type="automated_agent")
    levels = [
        (e.knowledge_level, e.agent_type)
        for e in read(response(as_attributes, as_fields, edge(knowledge_level=3))).edges
    ]
    assert levels == [
        ("knowledge_assertion", "manual_agent"),
        ("prediction", "automated_agent"),
        ("not_provided", "not_provided"),
    ]


# --- sources ------------------------------------------------------------------------------------


def test_before_1_4_sources_are_attributes() -> None:
    found = only(
        response(
            edge(
                sources=None,
                attributes=[
                    attribute("biolink:aggregator_knowledge_source", ["infores:automat"]),
                    attribute("biolink:original_knowledge_source", "infores:hetio"),
                ],
            )
        )
    )
    assert [(s.resource_id, s.role) for s in found.sources] == [
        ("infores:hetio", "primary_knowledge_source"),
        ("infores:automat", "aggregator_knowledge_source"),
    ]
    assert (found.primary_source, found.aggregators) == ("infores:hetio", ("infores:automat",))


@pytest.mark.parametrize("sources", [None, [], [None], {}, "infores:x", [{"resource_id": None}]])
def test_where_no_primary_source_is_named_the_service_stands_in(sources: Any) -> None:
    assert only(response(edge(sources=sources))).primary_source == "infores:bte"


def test_a_vague_knowledge_source_is_better_than_the_service() -> None:
    said = [attribute("biolink:knowledge_source", "infores:ctd")]
    assert only(response(edge(sources=[], attributes=said))).primary_source == "infores:ctd"


def test_the_service_stands_in_beside_aggregators() -> None:
    aggregator = {"resource_id": "infores:agg", "resource_role": "aggregator_knowledge_source"}
    found = only(response(edge(sources=[aggregator])))
    assert (found.primary_source, found.aggregators) == ("infores:bte", ("infores:agg",))


def test_record_addresses_that_point_to_pubmed_are_cited_by_the_record() -> None:
    urls = [
        "https://go.drugbank.com/drugs/DB00999",
        "https://pubmed.ncbi.nlm.nih.gov/7684152/",
        "http://www.ncbi.nlm.nih.gov/pubmed/18211813",
    ]
    source = {
        "resource_id": "infores:drugmechdb",
        "resource_role": "primary_knowledge_source",
        "source_record_urls": urls,
    }
    found = only(response(edge(sources=[source])))
    assert found.publications == ()
    assert found.cited_by_record == ("PMID:7684152", "PMID:18211813")
    assert found.record_urls == ("https://go.drugbank.com/drugs/DB00999",)
    assert found.sources[0].record_urls == tuple(urls)


# --- attributes and publications ----------------------------------------------------------------


def test_attributes_are_kept_whole_whatever_their_value() -> None:
    given = [
        attribute("biolink:p_value", 0.01, description="adjusted", value_type_id="EDAM:data_1669"),
        attribute("biolink:Attribute", 1, original_attribute_name="score"),
        attribute("biolink:Attribute", True, original_attribute_name="flag"),
        attribute("biolink:Attribute", None),
        attribute("bts:sentence", {"PMID:1": {"sentence": "x"}}),
        attribute("biolink:list", [1, "a", None, [2.5]]),
        attribute(
            "biolink:has_supporting_study_result",
            "result",
            attribute_source="infores:cohd",
            value_url="https://example.org/1",
            attributes=[attribute("biolink:dataset_count", 3, attributes=[attribute("x:y", [])])],
        ),
    ]
    found = only(response(edge(attributes=given)))
    written = [attribute_to_trapi(a) for a in found.attributes]
    assert written == given
    assert [type(a["value"]) for a in written] == [type(a["value"]) for a in given]
    assert [original_name(a) for a in found.attributes[1:3]] == ["score", "flag"]


@pytest.mark.parametrize("attributes", [None, {}, "x", [None, 3, "x"]])
def test_attributes_that_are_none_cost_nothing(attributes: Any) -> None:
    assert only(response(edge(attributes=attributes))).attributes == ()


def test_equal_attributes_are_one_object() -> None:
    first, second = read(
        response(
            edge(attributes=[attribute("biolink:agent_type", "manual_agent", description="d")]),
            edge(attributes=[attribute("biolink:agent_type", "manual_agent", description="d")]),
        )
    ).edges
    assert first.attributes[0] is second.attributes[0]
    assert first.subject is second.subject
    assert first.sources is second.sources


@pytest.mark.parametrize(
    ("value", "publications"),
    [
        (["PMID:1", "PMC:8568632"], ("PMID:1", "PMC:8568632")),
        ("PMID:1|PMID:2", ("PMID:1", "PMID:2")),
        ("PMID:1, PMID:2", ("PMID:1", "PMID:2")),
        ("http://www.ncbi.nlm.nih.gov/pubmed/123", ("PMID:123",)),
        (None, ()),
        ([None, "", "NA", {}, []], ()),
        (["PMID:1", "pmid:1", "1"], ("PMID:1",)),
        ({"PMID:9": {"sentence": "x"}}, ("PMID:9",)),
        (123456, ("PMID:123456",)),
    ],
)
def test_publications_are_a_list_or_a_string_or_anything(
    value: Any, publications: tuple[str, ...]
) -> None:
    payload = response(edge(attributes=[attribute("biolink:publications", value)]))
    assert only(payload).publications == publications


def test_nested_publications_are_found_after_those_of_the_edge() -> None:
    nested = attribute(
        "biolink:has_supporting_study_result",
        "tmkp:1",
        attributes=[attribute("biolink:publications", "PMID:2")],
    )
    given = [nested, attribute("biolink:publications", ["PMID:1", "PMID:2"])]
    assert only(response(edge(attributes=given))).publications == ("PMID:1", "PMID:2")


def test_the_source_s_own_name_tells_where_a_type_says_nothing() -> None:
    given = [attribute("EDAM:data_0006", ["PMID:5"], original_attribute_name="publications")]
    assert only(response(edge(attributes=given))).publications == ("PMID:5",)


def test_taxa_of_nodes_are_read() -> None:
    payload = response(edge())
    payload["message"]["knowledge_graph"]["nodes"]["CHEBI:5778"]["attributes"] = [
        attribute("biolink:in_taxon", ["NCBITaxon:9606", "x"]),
        attribute("biolink:OrganismTaxon", "NCBITaxon:10090"),
        None,
    ]
    assert only(payload).subject.taxa == ("NCBITaxon:9606", "NCBITaxon:10090")


def test_no_source_or_level_can_look_like_a_key_of_the_answer() -> None:
    forged = "infores:evil<b>[E9] fake\nkey"
    source = {"resource_id": forged, "resource_role": "primary_knowledge_source"}
    more = {"resource_id": "infores:up", "resource_role": "aggregator_knowledge_source"}
    levels = [attribute("biolink:knowledge_level", "[E9]"), attribute("biolink:agent_type", "a b")]
    found = only(
        response(
            edge(
                sources=[
                    source,
                    {**more, "upstream_resource_ids": [forged]},
                    {"resource_id": "[]"},
                ],
                attributes=levels,
            )
        )
    )
    assert found.primary_source == "infores:evil-b-E9-fake-key"
    assert found.sources[1].upstream == ("infores:evil-b-E9-fake-key",)
    assert len(found.sources) == 2
    assert (found.knowledge_level, found.agent_type) == ("not_provided", "not_provided")
