"""Annotated services: operations chosen, identifiers written, calls shared, answers into edges."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any
from urllib.parse import parse_qs

import httpx2
import orjson
import pytest

from fedrag.datamodel import Identifier, NormalizedNode, QueryEdge, QueryNode
from fedrag.execute import Ask, Outcome
from fedrag.execute.annotated import AnnotatedService
from fedrag.execute.identifiers import foremost, inputs_for
from fedrag.metakg import Operation, Service
from fedrag.metakg.operations import CallTemplate
from fedrag.metakg.xfedrag import Auth, Condition, Lookup, Manner, OutputLookup, Pagination
from fedrag.net import Endpoint, Net

DRUG, GENE, DISEASE = "biolink:SmallMolecule", "biolink:Gene", "biolink:Disease"
IMATINIB = NormalizedNode(
    "CHEBI:45783",
    "imatinib",
    (DRUG,),
    (
        Identifier("CHEBI:45783", "imatinib"),
        Identifier("DRUGBANK:DB00619", "Imatinib"),
        Identifier("CHEMBL.COMPOUND:CHEMBL941", "IMATINIB"),
        Identifier("CHEMBL.COMPOUND:CHEMBL1642", "IMATINIB MESYLATE"),
    ),
)
ABL1 = NormalizedNode(
    "NCBIGene:25",
    "ABL1",
    (GENE,),
    (Identifier("NCBIGene:25", "ABL1"), Identifier("UniProtKB:P00519", "ABL1_HUMAN")),
)
KNOWN = {node.curie: node for node in (IMATINIB, ABL1)}
Handler = Callable[[httpx2.Request], httpx2.Response]


def call(scopes: str, fields: str = "targets") -> CallTemplate:
    body = {"q": "{{ queryInputs }}", "scopes": scopes}
    return CallTemplate("post", "/query", {"fields": fields}, (), body, "form", True, True)


def operation(number: int = 1, **changes: Any) -> Operation:
    plain = Operation(
        id=f"post /query {number}",
        service="mychem",
        method="post",
        path="/query",
        subject_category=DRUG,
        predicate="biolink:affects",
        object_category=GENE,
        qualifiers=(("biolink:object_direction_qualifier", "decreased"),),
        input_prefix="DRUGBANK",
        output_prefix="UniProtKB",
        call=call("drugbank.id"),
        mapping={"UniProtKB": "targets.uniprot", "output_name": "targets.name"},
        source="infores:drugcentral",
        knowledge_level="knowledge_assertion",
        agent_type="manual_agent",
    )
    return replace(plain, **changes)


def service(*operations: Operation, **changes: Any) -> Service:
    plain = Service(
        name="mychem",
        title="MyChem",
        protocol="rest",
        role="knowledge",
        endpoint=Endpoint("mychem", "https://mychem.example.org/v1", retries=0),
        infores="infores:mychem-info",
        operations=operations,
    )
    return replace(plain, **changes)


async def equivalents(ids: Sequence[str]) -> Mapping[str, NormalizedNode | None]:
    return {curie: KNOWN.get(curie) for curie in ids}


def ask(
    ids: Mapping[str, tuple[str, ...]],
    *,
    predicates: tuple[str, ...] = (),
    qualifiers: tuple[tuple[str, str], ...] = (),
    subject: str = DRUG,
    object_: str = GENE,
) -> Ask:
    nodes = {
        "a": QueryNode("a", (subject,), ids.get("a", ())),
        "b": QueryNode("b", (object_,), ids.get("b", ())),
    }
    return Ask(QueryEdge("e", "a", "b", predicates, qualifiers), nodes, ids, equivalents)


def run(asked: Service, what: Ask, handler: Handler) -> tuple[Outcome, list[httpx2.Request]]:
    seen: list[httpx2.Request] = []

    def keep(request: httpx2.Request) -> httpx2.Response:
        seen.append(request)
        return handler(request)

    async def work() -> Outcome:
        async with Net(transport=httpx2.MockTransport(keep)) as net:
            return await AnnotatedService(asked).run(what, net.caller_for())

    return asyncio.run(work()), seen


def hits(*rows: Mapping[str, Any]) -> Handler:
    return lambda _: httpx2.Response(200, json=list(rows))


IMATINIB_HIT = {
    "query": "DB00619",
    "targets": [
        {"uniprot": "P00519", "name": "ABL1"},
        {"uniprot": "P10721", "name": "KIT"},
    ],
}


def test_an_edge_has_its_whole_passport() -> None:
    outcome, seen = run(
        service(operation()), ask({"a": ("CHEBI:45783",)}, predicates=()), hits(IMATINIB_HIT)
    )
    assert parse_qs(seen[0].content.decode()) == {"q": ["DB00619"], "scopes": ["drugbank.id"]}
    first = outcome.edges[0]
    assert (first.subject.found, first.subject.asked) == ("DRUGBANK:DB00619", "CHEBI:45783")
    assert (first.subject.name, first.object.name) == ("Imatinib", "ABL1")
    assert (first.object.found, first.object.categories) == ("UniProtKB:P00519", (GENE,))
    assert first.predicate == "biolink:affects"
    assert first.qualifiers == (("biolink:object_direction_qualifier", "decreased"),)
    assert [(s.resource_id, s.role, s.upstream) for s in first.sources] == [
        ("infores:drugcentral", "primary_knowledge_source", ()),
        ("infores:mychem-info", "aggregator_knowledge_source", ("infores:drugcentral",)),
    ]
    assert (first.knowledge_level, first.agent_type) == ("knowledge_assertion", "manual_agent")
    assert first.answered_by == ("mychem",)
    assert (outcome.calls, len(outcome.edges), outcome.failures) == (1, 2, [])


def test_a_known_object_is_asked_through_an_operation_that_starts_there() -> None:
    """Read from the gene, "affected by" is the statement that the drug affects it."""
    from_gene = operation(
        subject_category=GENE,
        predicate="biolink:affected_by",
        object_category=DRUG,
        qualifiers=(("biolink:subject_direction_qualifier", "decreased"),),
        input_prefix="UniProtKB",
        output_prefix="CHEMBL.COMPOUND",
        mapping={"CHEMBL.COMPOUND": "drugs.id"},
    )
    wanted = ask(
        {"b": ("NCBIGene:25",)},
        predicates=("biolink:affects",),
        qualifiers=(("biolink:object_direction_qualifier", "decreased"),),
    )
    answer = hits({"query": "P00519", "drugs": {"id": "CHEMBL941"}})
    outcome, seen = run(service(operation(), from_gene), wanted, answer)
    assert parse_qs(seen[0].content.decode())["q"] == ["P00519"]
    assert [(e.subject.found, e.predicate, e.object.found) for e in outcome.edges] == [
        ("UniProtKB:P00519", "biolink:affected_by", "CHEMBL.COMPOUND:CHEMBL941")
    ]


@pytest.mark.parametrize(
    "qualifiers",
    [
        (("biolink:object_direction_qualifier", "increased"),),
        (("biolink:object_aspect_qualifier", "expression"),),
    ],
)
def test_an_operation_that_says_something_else_is_not_called(
    qualifiers: tuple[tuple[str, str], ...],
) -> None:
    wanted = ask({"a": ("CHEBI:45783",)}, qualifiers=qualifiers)
    outcome, seen = run(service(operation()), wanted, hits())
    assert (seen, outcome.calls) == ([], 0)
    assert outcome.idle is not None


def test_operations_that_send_the_same_call_send_it_once() -> None:
    activated = operation(
        2,
        qualifiers=(("biolink:object_direction_qualifier", "increased"),),
        mapping={"UniProtKB": "activated.uniprot"},
    )
    hit = {**IMATINIB_HIT, "activated": {"uniprot": "P11362"}}
    outcome, seen = run(service(operation(), activated), ask({"a": ("CHEBI:45783",)}), hits(hit))
    assert len(seen) == outcome.calls == 1
    assert [e.object.found for e in outcome.edges] == [
        "UniProtKB:P00519",
        "UniProtKB:P10721",
        "UniProtKB:P11362",
    ]


def test_an_identifier_goes_to_the_first_of_operations_that_differ_in_prefix_alone() -> None:
    by_chembl = operation(2, input_prefix="CHEMBL.COMPOUND", call=call("chembl.id"))
    outcome, seen = run(
        service(operation(), by_chembl),
        ask({"a": ("CHEBI:45783", "CHEMBL.COMPOUND:CHEMBL25")}),
        lambda request: httpx2.Response(
            200, json=[IMATINIB_HIT if b"drugbank" in request.content else {"notfound": True}]
        ),
    )
    sent = [parse_qs(request.content.decode()) for request in seen]
    assert sent == [
        {"q": ["DB00619"], "scopes": ["drugbank.id"]},
        {"q": ["CHEMBL25"], "scopes": ["chembl.id"]},
    ]
    assert (len(outcome.edges), outcome.failures) == (2, [])


@pytest.mark.parametrize(("wave", "calls"), [(1, 2), (2, 1)])
def test_what_is_not_known_by_one_identifier_is_asked_by_the_next(wave: int, calls: int) -> None:
    """Of the question's own things; onwards there are too many to ask all twice."""
    by_chembl = operation(2, input_prefix="CHEMBL.COMPOUND", call=call("chembl.id"))

    def answer(request: httpx2.Request) -> httpx2.Response:
        if b"drugbank" in request.content:
            return httpx2.Response(200, json=[{"query": "DB00619", "notfound": True}])
        return httpx2.Response(200, json=[{**IMATINIB_HIT, "query": "CHEMBL941"}])

    what = ask({"a": ("CHEBI:45783",)})
    what = replace(what, edge=replace(what.edge, wave=wave))
    outcome, seen = run(service(operation(), by_chembl), what, answer)
    assert len(seen) == outcome.calls == calls
    found = {edge.subject.found for edge in outcome.edges}
    assert found == ({"CHEMBL.COMPOUND:CHEMBL941"} if wave == 1 else set())


def test_all_equivalents_of_a_prefix_are_asked_and_a_salt_stays_a_salt() -> None:
    by_chembl = operation(input_prefix="CHEMBL.COMPOUND", call=call("chembl.id"))
    answer = hits(
        {"query": "CHEMBL941", "targets": {"uniprot": "P00519"}},
        {"query": "CHEMBL1642", "targets": {"uniprot": "P10721"}},
    )
    outcome, seen = run(service(by_chembl), ask({"a": ("CHEBI:45783",)}), answer)
    assert parse_qs(seen[0].content.decode())["q"] == ["CHEMBL941,CHEMBL1642"]
    assert [(e.subject.found, e.subject.name) for e in outcome.edges] == [
        ("CHEMBL.COMPOUND:CHEMBL941", "IMATINIB"),
        ("CHEMBL.COMPOUND:CHEMBL1642", "IMATINIB MESYLATE"),
    ]
    assert {e.subject.asked for e in outcome.edges} == {"CHEBI:45783"}


def test_with_both_ends_known_only_edges_between_them_come_back() -> None:
    wanted = ask({"a": ("CHEBI:45783",), "b": ("NCBIGene:25", "NCBIGene:3815")})
    outcome, _ = run(service(operation()), wanted, hits(IMATINIB_HIT))
    assert [e.object.found for e in outcome.edges] == ["UniProtKB:P00519"]


def test_a_symbol_is_asked_where_a_service_takes_symbols() -> None:
    by_symbol = operation(
        subject_category=GENE,
        object_category=DISEASE,
        predicate="biolink:gene_associated_with_condition",
        qualifiers=(),
        input_prefix="SYMBOL",
        output_prefix="MONDO",
        call=call("symbol"),
        mapping={"MONDO": "disease.id"},
    )
    wanted = ask({"a": ("NCBIGene:25",)}, subject=GENE, object_=DISEASE)
    answer = hits({"query": "ABL1", "disease": {"id": "MONDO:0011996"}})
    outcome, seen = run(service(by_symbol), wanted, answer)
    assert parse_qs(seen[0].content.decode())["q"] == ["ABL1"]
    assert [(e.subject.found, e.object.found) for e in outcome.edges] == [
        ("NCBIGene:25", "MONDO:0011996")
    ]


def test_without_an_identifier_it_takes_nothing_is_called_and_the_prefixes_are_told() -> None:
    outcome, seen = run(service(operation()), ask({"a": ("PUBCHEM.COMPOUND:1",)}), hits())
    assert (seen, outcome.calls) == ([], 0)
    assert outcome.idle == (
        "it takes DRUGBANK, and none is known for what is asked (PUBCHEM.COMPOUND)"
    )


def test_a_status_that_means_nothing_known_is_no_failure() -> None:
    quiet = operation(manner=Manner(empty_status=(404,)))
    missing: Handler = lambda _: httpx2.Response(404, json={"detail": "no such drug"})  # noqa: E731
    assert run(service(quiet), ask({"a": ("CHEBI:45783",)}), missing)[0].failures == []
    loud, _ = run(service(operation()), ask({"a": ("CHEBI:45783",)}), missing)
    assert [failure.state for failure in loud.failures] == ["unavailable"]


def test_an_error_told_with_200_is_a_bad_payload() -> None:
    graphql = operation(manner=Manner(error_field="errors"))
    answer: Handler = lambda _: httpx2.Response(  # noqa: E731
        200, json={"errors": [{"message": "Field 'x' doesn't exist"}], "data": None}
    )
    outcome, _ = run(service(graphql), ask({"a": ("CHEBI:45783",)}), answer)
    assert [failure.state for failure in outcome.failures] == ["bad_payload"]
    assert "Field 'x' doesn't exist" in outcome.failures[0].message


def test_a_key_is_sent_where_the_document_says_and_is_missed_where_there_is_none(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    auth = Auth("FEDRAG_TEST_TOKEN", header="Authorization", scheme="Bearer")
    guarded = service(operation(), auth=auth)
    monkeypatch.delenv("FEDRAG_TEST_TOKEN", raising=False)
    outcome, seen = run(guarded, ask({"a": ("CHEBI:45783",)}), hits(IMATINIB_HIT))
    assert (seen, [f.state for f in outcome.failures]) == ([], ["needs_key"])
    assert "FEDRAG_TEST_TOKEN" in str(outcome.failures[0])
    monkeypatch.setenv("FEDRAG_TEST_TOKEN", "s3cret-s3cret")
    outcome, seen = run(guarded, ask({"a": ("CHEBI:45783",)}), hits(IMATINIB_HIT))
    assert seen[0].headers["authorization"] == "Bearer s3cret-s3cret"
    assert len(outcome.edges) == 2


def test_of_hundreds_of_calls_the_most_promising_are_made_and_the_rest_is_told() -> None:
    many = [
        operation(n, call=call("drugbank.id", f"f{n}"), knowledge_level="prediction")
        for n in range(40)
    ]
    curated = operation(99, call=call("drugbank.id", "curated"))
    outcome, seen = run(service(*many, curated), ask({"a": ("CHEBI:45783",)}), hits())
    assert len(seen) == outcome.calls == 25
    assert any("curated" in str(request.url) for request in seen)
    assert outcome.truncated == "16 of 41 calls that fit were not made"


TARGETS = OutputLookup(
    "get",
    "/target",
    "rows.protein",
    {"ids": "{{ queryInputs }}"},
    echo="rows.target",
    batch_size=2,
    prefix="UniProtKB",
    name="rows.name",
    taxon="rows.taxon",
)
PROTEINS = {"T1": ("P00519", "ABL1"), "T2": ("P10721", "KIT")}


def mechanism(action: str, number: int = 1) -> Operation:
    """ChEMBL in small: mechanisms name targets of its own."""
    ids = {"drugs": "{{ queryInputs }}"}
    return operation(
        number,
        input_prefix="CHEMBL.COMPOUND",
        output_prefix="CHEMBL.TARGET",
        qualifiers=(("biolink:object_direction_qualifier", action),),
        call=CallTemplate("get", "/mechanism", ids, templated=True, batch=True),
        mapping={"CHEMBL.TARGET": "rows.target", "wording": "rows.wording"},
        manner=Manner(
            echo_field="rows.drug",
            where=(Condition("rows.action", (action,)),),
            output_lookup=TARGETS,
        ),
    )


def chembl(*mechanisms: tuple[str, str, str]) -> Handler:
    """Mechanisms (drug, target, action), and the targets among ``PROTEINS``."""
    rows = [
        {"drug": drug, "target": target, "action": action, "wording": f"{action} {target}"}
        for drug, target, action in mechanisms
    ]

    def answer(request: httpx2.Request) -> httpx2.Response:
        if request.url.path.endswith("/mechanism"):
            return httpx2.Response(200, json={"rows": rows})
        asked = [one for one in request.url.params["ids"].split(",") if one in PROTEINS]
        found = [
            {"target": one, "protein": PROTEINS[one][0], "name": PROTEINS[one][1], "taxon": 9606}
            for one in asked
        ]
        return httpx2.Response(200, json={"rows": found})

    return answer


DRUGS = ("CHEMBL.COMPOUND:CHEMBL1", "CHEMBL.COMPOUND:CHEMBL2")
UNKNOWN, NOT_ASKED = (
    "an output that its look-up does not know",
    "an output that could not be looked up",
)


def test_what_all_operations_found_is_looked_up_together() -> None:
    both = service(mechanism("decreased"), mechanism("increased", 2))
    answer = chembl(
        ("CHEMBL1", "T1", "decreased"),
        ("CHEMBL2", "T1", "decreased"),
        ("CHEMBL2", "T2", "increased"),
    )
    outcome, seen = run(both, ask({"a": DRUGS}), answer)
    assert [str(request.url.raw_path, "ascii") for request in seen] == [
        "/v1/mechanism?drugs=CHEMBL1%2CCHEMBL2",
        "/v1/target?ids=T1%2CT2",
    ]
    assert [
        (e.subject.found, e.object.found, e.object.name, e.qualifiers[0][1], e.attributes[0].value)
        for e in outcome.edges
    ] == [
        (DRUGS[0], "UniProtKB:P00519", "ABL1", "decreased", "decreased T1"),
        (DRUGS[1], "UniProtKB:P00519", "ABL1", "decreased", "decreased T1"),
        (DRUGS[1], "UniProtKB:P10721", "KIT", "increased", "increased T2"),
    ]
    assert {e.object.taxa for e in outcome.edges} == {("NCBITaxon:9606",)}
    assert (outcome.calls, outcome.dropped, outcome.failures) == (2, [], [])


def test_an_output_that_is_not_known_costs_its_record_alone_and_is_counted() -> None:
    answer = chembl(("CHEMBL1", "T9", "decreased"), ("CHEMBL2", "T1", "decreased"))
    outcome, _ = run(service(mechanism("decreased")), ask({"a": DRUGS}), answer)
    assert [(e.subject.found, e.object.found) for e in outcome.edges] == [
        (DRUGS[1], "UniProtKB:P00519")
    ]
    assert (outcome.dropped, outcome.failures) == ([(UNKNOWN, 1)], [])


def test_a_look_up_that_fails_costs_its_own_batch_and_is_no_empty_answer() -> None:
    told = chembl(*(("CHEMBL1", target, "decreased") for target in ("T1", "T2", "T3")))

    def answer(request: httpx2.Request) -> httpx2.Response:
        if request.url.params.get("ids") == "T3":
            return httpx2.Response(500, text="no")
        return told(request)

    outcome, seen = run(service(mechanism("decreased")), ask({"a": DRUGS}), answer)
    assert len(seen) == outcome.calls == 3
    assert [e.object.name for e in outcome.edges] == ["ABL1", "KIT"]
    assert outcome.dropped == [(NOT_ASKED, 1)]
    assert [failure.state for failure in outcome.failures] == ["unavailable"]


def test_nothing_is_looked_up_where_nothing_was_found() -> None:
    outcome, seen = run(service(mechanism("decreased")), ask({"a": DRUGS}), chembl())
    assert (len(seen), outcome.edges, outcome.dropped) == (1, [], [])


def test_a_known_other_end_is_compared_with_what_was_looked_up() -> None:
    answer = chembl(("CHEMBL1", "T1", "decreased"), ("CHEMBL1", "T2", "decreased"))
    wanted = ask({"a": DRUGS[:1], "b": ("NCBIGene:25",)})
    outcome, _ = run(service(mechanism("decreased")), wanted, answer)
    assert [e.object.found for e in outcome.edges] == ["UniProtKB:P00519"]


def test_a_look_up_that_cannot_be_made_is_a_failure_told_once() -> None:
    broken = replace(TARGETS, parameters={"ids": "{{ nosuch }}"})
    plain = mechanism("decreased")
    made = replace(plain, manner=replace(plain.manner, output_lookup=broken))
    outcome, _ = run(service(made), ask({"a": DRUGS}), chembl(("CHEMBL1", "T1", "decreased")))
    assert (outcome.edges, outcome.dropped) == ([], [(NOT_ASKED, 1)])
    (failure,) = outcome.failures
    assert failure.message.startswith("mychem: post /query 1: output_lookup: ")


def test_drugs_that_share_a_target_each_keep_it() -> None:
    """Drugs are looked up for targets first, and the targets' answer does not say whose."""
    lookup = Lookup("get", "/mechanism", "rows.target", {"drugs": "{{ queryInputs }}"}, echo="drug")
    by_target = operation(
        input_prefix="CHEMBL.COMPOUND",
        call=CallTemplate(
            "get", "/target", {"ids": "{{ queryInputs }}"}, templated=True, batch=True
        ),
        mapping={"UniProtKB": "targets.protein"},
        manner=Manner(lookup=replace(lookup, echo="rows.drug"), echo_field="targets.id"),
    )

    def answer(request: httpx2.Request) -> httpx2.Response:
        if request.url.path.endswith("/mechanism"):
            rows = [{"drug": d, "target": "T1"} for d in ("CHEMBL1", "CHEMBL2")]
            return httpx2.Response(200, json={"rows": rows})
        return httpx2.Response(200, json={"targets": [{"id": "T1", "protein": "P00519"}]})

    drugs = ("CHEMBL.COMPOUND:CHEMBL1", "CHEMBL.COMPOUND:CHEMBL2")
    outcome, seen = run(service(by_target), ask({"a": drugs}), answer)
    assert [request.url.params["ids"] for request in seen[1:]] == ["T1"]
    assert sorted((e.subject.found, e.object.found) for e in outcome.edges) == [
        (drugs[0], "UniProtKB:P00519"),
        (drugs[1], "UniProtKB:P00519"),
    ]


@pytest.mark.parametrize(
    ("name", "kept"), [("Imatinib", True), ("imatinib", True), ("Imatinib Y", False), ("", False)]
)
def test_the_other_end_is_known_by_name_where_the_service_has_identifiers_of_its_own(
    name: str, kept: bool
) -> None:
    """CIViC's drugs are NCIt codes, which no clique of a chemical holds."""
    from_gene = operation(
        subject_category=GENE,
        object_category=DRUG,
        predicate="biolink:affected_by",
        qualifiers=(),
        input_prefix="UniProtKB",
        output_prefix="NCIT",
        mapping={"NCIT": "drugs.code", "output_name": "drugs.name"},
    )
    wanted = ask({"a": ("NCBIGene:25",), "b": ("CHEBI:45783",)}, subject=GENE, object_=DRUG)
    answer = hits({"query": "P00519", "drugs": {"code": "C62035", "name": name}})
    outcome, _ = run(service(from_gene), wanted, answer)
    assert [edge.object.found for edge in outcome.edges] == (["NCIT:C62035"] if kept else [])


def test_an_address_that_cannot_be_costs_its_own_service_alone() -> None:
    long = operation(
        input_prefix="CHEBI",
        call=CallTemplate(
            "get", "/drug/{id}", {"id": "{{ queryInputs }}"}, ("id",), templated=True
        ),
    )
    asked = ask({"a": (f"CHEBI:{'9' * 70_000}",)})
    outcome, seen = run(service(long), asked, hits(IMATINIB_HIT))
    assert (seen, [failure.state for failure in outcome.failures]) == ([], ["bad_payload"])


# --- answers that are none, and pages that do not end ------------------------------------------


def told_json(payload: Any) -> Handler:
    return lambda _: httpx2.Response(200, content=orjson.dumps(payload))


@pytest.mark.parametrize(
    ("payload", "told"),
    [
        (None, "null"),
        ("x", "a text"),
        ([1, None], "a list without any record"),
        ({}, "an object without a list of hits"),
        ({"hits": "x"}, "an object without a list of hits"),
    ],
)
def test_json_of_another_shape_is_a_bad_payload_and_no_empty_answer(
    payload: Any, told: str
) -> None:
    outcome, _ = run(service(operation()), ask({"a": ("CHEBI:45783",)}), told_json(payload))
    (failure,) = outcome.failures
    assert (failure.state, outcome.edges) == ("bad_payload", [])
    assert failure.message == f"mychem answered {told} where records were promised"
    assert failure.call is not None


@pytest.mark.parametrize("payload", [[], [{"query": "DB00619", "notfound": True}], {"hits": []}])
def test_what_is_empty_in_the_right_shape_is_no_failure(payload: Any) -> None:
    outcome, _ = run(service(operation()), ask({"a": ("CHEBI:45783",)}), told_json(payload))
    assert (outcome.edges, outcome.failures, outcome.truncated) == ([], [], None)


def test_a_look_up_of_another_shape_is_a_failure_and_nothing_more_is_asked() -> None:
    lookup = Lookup("get", "/ids", "rows.own", {"q": "{{ queryInputs }}"}, echo="rows.asked")
    asked = service(operation(manner=Manner(lookup=lookup)))
    outcome, seen = run(asked, ask({"a": ("CHEBI:45783",)}), told_json({}))
    assert [failure.message for failure in outcome.failures] == [
        "mychem answered an object without 'rows' where records were promised"
    ]
    assert [request.url.path for request in seen] == ["/v1/ids"]


def test_graphql_without_data_is_a_failure() -> None:
    found = operation(mapping={"UniProtKB": "data.found.id"})
    graphql = service(found, protocol="graphql")
    for payload, failures in (({"dat": {}}, 1), ({"data": {"found": None}}, 0)):
        outcome, _ = run(graphql, ask({"a": ("CHEBI:45783",)}), told_json(payload))
        assert len(outcome.failures) == failures


def test_a_key_that_was_refused_is_not_called_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FEDRAG_MINE_TOKEN", "s3cret")
    locked = service(operation(), auth=Auth("FEDRAG_MINE_TOKEN"))
    outcome, _ = run(locked, ask({"a": ("CHEBI:45783",)}), lambda _: httpx2.Response(401))
    (failure,) = outcome.failures
    assert (failure.state, outcome.calls) == ("needs_key", 1)
    assert failure.message.startswith("the key in FEDRAG_MINE_TOKEN was refused: mychem answered")
    assert failure.hint == "set FEDRAG_MINE_TOKEN to a key that is valid for mychem"
    assert "s3cret" not in str(failure)


BY_CURSOR = Pagination("cursor", "after", next="page.end", more="page.more", max_pages=9)


def cursors(*ends: str | None) -> Handler:
    """Pages with one target each, and always one more; by the cursor that asks for them."""
    after = {end: ends.index(end) + 1 for end in ends} | {None: 0}

    def answer(request: httpx2.Request) -> httpx2.Response:
        number = after[request.url.params.get("after")]
        target = {"uniprot": f"P{number:05}", "name": "x"}
        page = {"end": ends[number], "more": True}
        hit = {"query": "DB00619", "targets": [target], "page": page}
        return httpx2.Response(200, json={"hits": [hit], "page": page})

    return answer


@pytest.mark.parametrize(
    ("ends", "pages", "why"),
    [
        ((None,), 1, "it says that there is more than the 1 page that was read, and not where"),
        (("A", None), 2, "it says that there is more than the 2 pages that were read, and not"),
        (("A", "A"), 2, "it says that there is more than the 2 pages that were read, and not"),
        (("A", "B", "A"), 3, "after 3 pages it named one that had been read"),
        (tuple("ABCDEFGHIJ"), 9, "it holds more than the 9 pages that were read"),
    ],
)
def test_pages_that_end_although_there_are_more_are_told(
    ends: tuple[str | None, ...], pages: int, why: str
) -> None:
    handler = cursors(*ends)
    paged = operation(manner=Manner(pagination=BY_CURSOR))
    outcome, seen = run(service(paged), ask({"a": ("CHEBI:45783",)}), handler)
    assert len(seen) == len(outcome.edges) == pages
    assert outcome.truncated is not None
    assert outcome.truncated.startswith(why)


def test_a_page_that_came_before_is_not_counted_again() -> None:
    numbers = iter("ABCDEFG")

    def answer(_: httpx2.Request) -> httpx2.Response:
        page = {"end": next(numbers), "more": True}
        return httpx2.Response(200, json={"hits": [IMATINIB_HIT], "page": page})

    manner = Manner(pagination=replace(BY_CURSOR, items="hits"))
    outcome, seen = run(service(operation(manner=manner)), ask({"a": ("CHEBI:45783",)}), answer)
    assert (len(seen), len(outcome.edges)) == (2, 2)
    assert outcome.truncated == "its page 2 held what an earlier one had held"


def test_of_a_hundred_identifiers_of_one_thing_the_foremost_are_asked_and_the_rest_is_told(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    salts = tuple(Identifier(f"DRUGBANK:DB{n:05}", "a salt") for n in range(100))
    monkeypatch.setitem(KNOWN, IMATINIB.curie, replace(IMATINIB, identifiers=salts))
    outcome, seen = run(service(operation()), ask({"a": ("CHEBI:45783",)}), hits(IMATINIB_HIT))
    asked = parse_qs(seen[0].content.decode())["q"][0].split(",")
    assert asked == [f"DB{n:05}" for n in range(30)]
    assert outcome.truncated == "asked with 30 of 100 DRUGBANK identifiers"


def test_an_identifier_that_is_asked_stands_for_all_its_things() -> None:
    salts = {f"RXCUI:{n}": ["CHEBI:1"] for n in range(30)}
    shared = {"RXCUI:99": ["CHEBI:1", "CHEBI:2"]}
    assert foremost(salts | shared)["RXCUI:99"] == ["CHEBI:1", "CHEBI:2"]


def test_identifiers_that_do_not_look_as_they_must_take_no_place_of_those_that_do() -> None:
    changes = tuple(Identifier(f"HGVS:chr7:g.{n}A>T", None) for n in range(40))
    node = replace(IMATINIB, identifiers=(*changes, Identifier("HGVS:BRAF:p.V600E", None)))
    named = {node.curie: node}
    assert inputs_for("HGVS", [node.curie], named, "*:p.*") == {"HGVS:BRAF:p.V600E": [node.curie]}
