"""Zero is not an outage: every fault ends in its own state, and never costs the other services."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from federated import GENE_QUESTION, ask, report

from fedrag.errors import ConfigError, ServiceError
from fedrag.testing import Federation


@pytest.fixture(scope="module")
def federation() -> Iterator[Federation]:
    with Federation(kps=1) as running:
        yield running


@pytest.fixture(autouse=True)
def _healthy(federation: Federation) -> Iterator[None]:
    yield
    federation.heal()


@pytest.mark.parametrize(
    ("fault", "state"),
    [
        ("null", "empty"),
        ("missing", "empty"),
        ("html", "bad_payload"),
        ("truncated_json", "bad_payload"),
        ("empty", "bad_payload"),
        ("429", "rate_limited"),
        ("429_bare", "rate_limited"),
        ("429_html", "rate_limited"),
        ("500", "unavailable"),
        ("422", "unavailable"),
        ("404", "unavailable"),
        ("reset", "unavailable"),
        ("failure_in_status", "bad_payload"),
        ("failure_in_logs", "bad_payload"),
    ],
)
def test_one_faulty_service_is_told_and_the_other_still_answers(
    federation: Federation, fault: str, state: str
) -> None:
    federation.fault("kp1", fault, path="/query")
    answer = ask(federation, deadline=20)
    assert report(answer, "kp1").state == state
    assert report(answer, "kp1").edges == 0
    assert report(answer, "bte").state == "ok"
    assert answer.name == "SLC12A3"
    assert answer.completeness == ("complete" if state == "empty" else "partial")
    if state != "empty":
        assert "kp1" in answer.text or report(answer, "kp1").title in answer.text


@pytest.mark.parametrize("fault", ["slow_drip", "hang"])
def test_a_service_that_never_ends_is_a_timeout_and_the_rest_is_answered(
    federation: Federation, fault: str
) -> None:
    federation.fault("kp1", fault, path="/query")
    answer = ask(federation, deadline=4)
    assert report(answer, "kp1").state == "timeout"
    assert report(answer, "bte").state == "ok"
    assert answer.name == "SLC12A3"
    assert answer.completeness == "partial"


@pytest.mark.parametrize(
    "fault", ["empty_names", "qualifiers_null", "int_status", "string_publications", "undeclared"]
)
def test_a_sloppy_answer_is_read(federation: Federation, fault: str) -> None:
    federation.fault("bte", fault, path="/query")
    federation.fault("kp1", "500", path="/query")
    answer = ask(federation, deadline=20)
    assert report(answer, "bte").state == "ok"
    assert "SLC12A3" in {candidate.name for candidate in answer.candidates}
    assert all(edge.subject.name and edge.object.name for edge in answer.edges)


def test_a_bad_edge_costs_that_edge_and_is_counted(federation: Federation) -> None:
    """Each answer gets one null edge and, where it has two, one without its object."""
    whole = report(ask(federation), "bte").edges
    federation.fault("bte", "bad_edge", path="/query")
    answer = ask(federation)
    spoiled = report(answer, "bte")
    lost = sum(count for _, count in spoiled.dropped)
    assert {reason for reason, _ in spoiled.dropped} == {"edge is null", "no object"}
    assert lost >= spoiled.calls
    assert spoiled.edges < whole
    assert answer.candidates


def test_a_failed_call_beside_good_ones_makes_a_service_truncated(federation: Federation) -> None:
    federation.fault("kp1", "422", path="/query", times=1)
    row = report(ask(federation), "kp1")
    assert row.state == "truncated"
    assert row.edges > 0
    assert row.reason.startswith("1 of ")


def test_orthologues_are_dropped_and_counted(federation: Federation) -> None:
    federation.fault("bte", "wrong_species", path="/query")
    answer = ask(federation)
    assert not any("NCBITaxon:9823" in e.object.taxa + e.subject.taxa for e in answer.edges)
    assert any("genes of other organisms" in note and "9823" in note for note in answer.notes)


def test_every_service_down_is_unknown_never_a_no(federation: Federation) -> None:
    federation.fault("bte", "500", path="/query")
    federation.fault("kp1", "html", path="/query")
    answer = ask(federation, deadline=20)
    assert answer.completeness == "unknown"
    assert answer.abstained
    assert answer.candidates == ()


@pytest.mark.parametrize("service", ["nameres", "nodenorm"])
def test_an_entity_service_down_is_a_service_error_never_unresolved(
    federation: Federation, service: str
) -> None:
    federation.fault(service, "500")
    with pytest.raises(ServiceError) as caught:
        ask(federation, deadline=20)
    assert caught.value.service == service
    assert caught.value.exit_code == 3


def test_answers_that_cannot_be_normalised_keep_their_identifiers(federation: Federation) -> None:
    """The Node Normalizer goes down after the entities were resolved."""

    def break_normaliser(line: str) -> None:
        if line.startswith("bte:"):
            federation.fault("nodenorm", "503")

    answer = ask(federation, deadline=20, progress=break_normaliser)
    assert report(answer, "nodenorm").state == "truncated"
    assert answer.completeness == "partial"
    assert any("identifiers are as returned" in note for note in answer.notes)
    assert "SLC12A3" in {candidate.name for candidate in answer.candidates}


def test_one_bad_curie_does_not_cost_the_others(federation: Federation) -> None:
    federation.fault("nodenorm", "bad_curie", value="MESH:D000069059")
    answer = ask(federation)
    assert answer.name == "SLC12A3"
    assert answer.curie == "NCBIGene:6559"


def test_a_service_without_a_meta_knowledge_graph_is_asked_anyway(federation: Federation) -> None:
    federation.fault("kp1", "404", path="/meta_knowledge_graph")
    answer = ask(federation)
    assert report(answer, "kp1").state == "ok"
    assert any("kp1" in note for note in answer.notes)


def test_a_gene_question_costs_bte_at_most_six_calls(federation: Federation) -> None:
    before = len(federation.calls_of("bte", "/query"))
    ask(federation)
    assert len(federation.calls_of("bte", "/query")) - before <= 6


def test_an_unreachable_host_is_unavailable(federation: Federation) -> None:
    from fedrag.config import ServiceConfig

    services = federation.service_configs()
    services["kp1"] = ServiceConfig(base_url="http://127.0.0.1:9", protocol="trapi")
    import fedrag

    answer = fedrag.ask(GENE_QUESTION, services=services, cache=False)
    assert report(answer, "kp1").state == "unavailable"
    assert answer.name == "SLC12A3"


def test_excluded_services_are_skipped_and_do_not_count(federation: Federation) -> None:
    answer = ask(federation, exclude=("kp1",))
    assert report(answer, "kp1").state == "skipped"
    assert answer.completeness == "complete"


def test_an_unknown_service_to_exclude_is_a_configuration_error(federation: Federation) -> None:
    with pytest.raises(ConfigError, match="nosuch"):
        ask(federation, exclude=("nosuch",))


def test_a_huge_answer_over_the_limit_is_truncated_and_the_rest_is_answered(
    federation: Federation,
) -> None:
    federation.fault("kp1", "huge", path="/query")
    answer = ask(federation, max_answer_bytes=2_000_000)
    assert report(answer, "kp1").state == "truncated"
    assert "more than 2,000,000 bytes" in report(answer, "kp1").reason
    assert answer.name == "SLC12A3"
