"""Questions about variants, asked over HTTP: of stand-ins of CIViC, MyVariant.info and OncoKB, and
of a small closed world behind TRAPI where every weight is known."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from typing import Any

import jsonschema_rs
import pytest
from federated import ask, report

from fedrag.datamodel import Answer, Edge
from fedrag.resources import schema_path
from fedrag.session import Session
from fedrag.testing import FactBook, FactNode, Federation, Statement

DISCLAIMER = "Research use; not medical advice. Retractions not checked."
SENSITIVE = "biolink:associated_with_sensitivity_to"
RESISTANT = "biolink:associated_with_resistance_to"
THERAPIES = "Which drugs treat BRAF V600E melanoma?"


# --- a closed world ------------------------------------------------------------------------------

V600E, MELANOMA, COLON = "CAID:CA123643", "MONDO:0005105", "MONDO:0005575"
_CONTEXT = {"melanoma": "DOID:1909", "colorectal cancer": "DOID:9256", "skin melanoma": "DOID:8923"}


def _item(level: str, disease: str, **more: str) -> tuple[dict[str, Any], ...]:
    values = {"civic_evidence_level": level, "civic_disease": disease, "civic_status": "ACCEPTED"}
    nested = [{"attribute_type_id": k, "value": v} for k, v in (values | more).items()]
    return ({"attribute_type_id": "civic_item", "value": "EID1", "attributes": nested},)


def _said(drug: str, level: str, disease: str, *, how: str = SENSITIVE, **more: Any) -> Statement:
    return Statement(
        V600E,
        how,
        drug,
        (("disease_context_qualifier", _CONTEXT[disease]),),
        primary="infores:civic",
        attributes=_item(level, disease, **more.pop("told", {})),
        **more,
    )


def _drug(number: int, name: str) -> FactNode:
    return FactNode(f"CHEBI:{number}", name, ("biolink:SmallMolecule",))


def _disease(curie: str, doid: str, name: str) -> FactNode:
    return FactNode(curie, name, ("biolink:Disease",), ((curie, name), (doid, name)))


def _book() -> FactBook:
    """Of six drugs, one is best in melanoma, one in its subtype, others elsewhere, one resisted."""
    variant = ("biolink:SequenceVariant",)
    nodes = [
        FactNode(V600E, "BRAF V600E", variant, ((V600E, None), ("DBSNP:rs113488022", None))),
        FactNode("civic.mpid:99", "BRAF V600E AND BRAF Amplification", variant),
        FactNode("NCBIGene:673", "BRAF", ("biolink:Gene",), taxa=("NCBITaxon:9606",)),
        _disease(MELANOMA, "DOID:1909", "melanoma"),
        _disease(COLON, "DOID:9256", "colorectal cancer"),
        FactNode("civic.tid:1+2", "Drugone + Drugtwo", ("biolink:ChemicalEntity",)),
        *(
            _drug(n, f"drug{name}")
            for n, name in enumerate(("one", "two", "three", "four", "five"))
        ),
    ]
    weak = {"civic_significance": "REDUCED_SENSITIVITY"}
    return FactBook.from_statements(
        [
            _said("CHEBI:0", "E", "melanoma"),
            _said("CHEBI:0", "A", "colorectal cancer", how=RESISTANT),
            _said("civic.tid:1+2", "A", "melanoma"),
            _said("CHEBI:1", "B", "skin melanoma"),
            _said("CHEBI:2", "A", "colorectal cancer"),
            _said("CHEBI:3", "B", "melanoma", how=RESISTANT),
            _said("CHEBI:3", "D", "melanoma", negated=True),
            _said("CHEBI:4", "B", "melanoma", how="biolink:associated_with_response_to", told=weak),
            Statement("civic.mpid:99", RESISTANT, "CHEBI:0", primary="infores:civic"),
            Statement("CHEBI:0", "biolink:treats", MELANOMA),
            Statement("CHEBI:0", "biolink:treats", COLON),
        ],
        nodes,
    )


@pytest.fixture(scope="module")
def world() -> Iterator[Federation]:
    with Federation(_book()) as running:
        yield running


@pytest.fixture(scope="module")
def therapies(world: Federation) -> Answer:
    return ask(world, "Which drugs treat rs113488022 melanoma?")


def _edges(answer: Answer, ids: tuple[str, ...]) -> list[Edge]:
    return [edge for edge in answer.all_edges if edge.id in ids]


def test_the_level_and_the_disease_asked_order_the_therapies(therapies: Answer) -> None:
    supported = [c.name for c in therapies.candidates if c.support]
    assert supported == ["Drugone + Drugtwo", "drugone", "drugtwo", "drugthree"]
    lines = {line.label: line for line in therapies.candidates[0].explanation}
    assert (lines["level of evidence"].points, lines["level of evidence"].detail) == (
        2.25,
        "CIViC level A in melanoma",
    )
    reached = {c.name: set(c.reaches) for c in therapies.candidates}
    assert reached["Drugone + Drugtwo"] == {V600E, MELANOMA}
    assert reached["drugtwo"] == {V600E, MELANOMA}  # skin melanoma is one
    assert reached["drugthree"] == {V600E}


def test_resistance_and_denied_sensitivity_never_support_a_therapy(therapies: Answer) -> None:
    for candidate in therapies.candidates:
        for edge in _edges(therapies, candidate.support):
            assert (edge.predicate, edge.negated) != (RESISTANT, False)
            assert not edge.negated
    against = {c.name: c for c in therapies.candidates if c.against}
    assert set(against) == {"drugone", "drugfour", "drugfive"}
    assert against["drugfour"].support == ()
    assert len(against["drugfour"].against) == 2
    assert against["drugfive"].support == ()  # a response, but a weaker one


def test_level_disease_and_polarity_are_in_the_sentences(therapies: Answer) -> None:
    polarity = {item.sentence: item.polarity for item in therapies.evidence}
    assert (
        polarity[
            "rs113488022 is associated with sensitivity to Drugone + Drugtwo in melanoma "
            "(CIViC level A)"
        ]
        == "support"
    )
    assert (
        polarity[
            "rs113488022 is associated with resistance to drugfour in melanoma (CIViC level B)"
        ]
        == "against"
    )
    assert (
        polarity[
            "rs113488022 is not associated with sensitivity to drugfour in melanoma (CIViC level D)"
        ]
        == "against"
    )
    assert (
        polarity[
            "rs113488022 is associated with the response to drugfive in melanoma "
            "(CIViC level B, reduced sensitivity)"
        ]
        == "against"
    )
    assert (
        polarity[
            "rs113488022 is associated with sensitivity to drugtwo in skin melanoma (CIViC level B)"
        ]
        == "support"
    )


def test_the_answer_names_resistance_as_evidence_against(therapies: Answer) -> None:
    assert (
        "Evidence against drugone: rs113488022 is associated with resistance to drugone in "
        "colorectal cancer (CIViC level A) [" in therapies.text
    )
    assert "Not supported by anything returned, only spoken against: rs113488022 is " in (
        therapies.text
    )
    assert (
        "Partial support: what was returned connects drugthree to rs113488022, not to melanoma"
        in therapies.text
    )
    assert therapies.text.endswith(DISCLAIMER)


def test_a_treatments_status_is_not_made_of_levels(therapies: Answer) -> None:
    status = {c.name: c.status for c in therapies.candidates if c.support}
    assert status == {
        "drugone": "established",  # asserted to treat melanoma
        "Drugone + Drugtwo": None,
        "drugtwo": None,
        "drugthree": None,
    }


def test_resistance_weighs_less_where_it_is_told_of_another_disease(world: Federation) -> None:
    def against(question: str) -> float:
        first = next(c for c in ask(world, question).candidates if c.name == "drugone")
        return next(x.points for x in first.explanation if x.label == "evidence against")

    here = against("Which drugs treat rs113488022 colorectal cancer?")
    there = against("Which drugs treat rs113488022 melanoma?")
    assert (here, there) == (-2.7, -0.54)


def test_variants_that_predict_resistance_are_asked_by_that_predicate(world: Federation) -> None:
    answer = ask(world, "Which variants predict resistance to drugone?")
    assert answer.plan is not None
    assert answer.plan.template == "variants-of-drug:resistance"
    assert [c.name for c in answer.candidates] == [
        "BRAF V600E",
        "BRAF V600E AND BRAF Amplification",
    ]
    assert all("biolink:SequenceVariant" in c.categories for c in answer.candidates)
    assert {e.predicate for e in answer.all_edges} == {RESISTANT}


def test_a_yes_or_no_question_tells_sides_and_other_diseases_apart(world: Federation) -> None:
    answer = ask(world, "Does drugone work in rs113488022 melanoma?")
    assert (
        "Supported as a response: rs113488022 is associated with sensitivity to drugone in "
        "melanoma (CIViC level E) [" in answer.text
    )
    assert "Supported as a treatment: drugone treats melanoma [" in answer.text
    assert (
        "Told of other diseases, not of melanoma: rs113488022 is associated with resistance to "
        "drugone in colorectal cancer (CIViC level A) [" in answer.text
    )
    assert "Evidence against" not in answer.text
    there = ask(world, "Does drugone work in rs113488022 colorectal cancer?")
    assert (
        "Evidence against: rs113488022 is associated with resistance to drugone in colorectal "
        "cancer (CIViC level A) [" in there.text
    )


# --- the annotated services ----------------------------------------------------------------------


@pytest.fixture(scope="module")
def services() -> Iterator[Federation]:
    with Federation(apis=("civic", "myvariant", "oncokb")) as running:
        yield running


@pytest.fixture(autouse=True)
def _healed(request: pytest.FixtureRequest) -> Iterator[None]:
    yield
    if "services" in request.fixturenames:
        request.getfixturevalue("services").heal()


def _validated(answer: Answer) -> dict[str, Any]:
    output = answer.to_dict()
    jsonschema_rs.validator_for(json.loads(schema_path("answer").read_bytes())).validate(output)
    return output


def test_therapies_of_a_variant_come_from_civic_with_combinations_whole(
    services: Federation,
) -> None:
    answer = ask(services, THERAPIES)
    output = _validated(answer)
    variant = output["entities"][0]
    assert (variant["mention"], variant["name"]) == ("BRAF V600E", "BRAF V600E")
    assert "civic.mpid:12" in [i["curie"] for i in variant["identifiers"]]
    supported = {c.name: c for c in answer.candidates if c.support}
    assert {"vemurafenib", "Dabrafenib + Trametinib", "Binimetinib + Cetuximab + Encorafenib"} == (
        set(supported)
    )
    whole = supported["Dabrafenib + Trametinib"]
    assert whole.curie == "fedrag.combination:C77908+C82386"
    assert "in melanoma (CIViC assertion, AMP/ASCO/CAP tier I level A)" in answer.text
    assert report(answer, "civic").state == "ok"


def test_evidence_that_does_not_support_is_told_as_denied(services: Federation) -> None:
    answer = ask(services, THERAPIES)
    denied = [e for e in answer.all_edges if e.negated]
    assert denied
    against = {i for c in answer.candidates for i in c.against}
    touching = {i for c in answer.candidates for i in c.support}
    assert {e.id for e in denied if e.predicate == SENSITIVE} <= against
    assert not touching & {e.id for e in denied}


def test_variants_of_a_drug_are_found_from_the_drug(services: Federation) -> None:
    answer = ask(services, "Which variants predict resistance to erlotinib?")
    assert answer.candidates[0].name == "EGFR T790M"
    assert answer.candidates[0].curie == "civic.mpid:34"
    assert (
        "EGFR T790M is associated with resistance to erlotinib in Lung Non-small Cell "
        "Carcinoma (CIViC level A, rating 5 of 5)" in answer.text
    )


def test_oncokb_joins_with_the_users_token(
    services: Federation, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert report(ask(services, THERAPIES), "oncokb").state == "needs_key"
    monkeypatch.setenv("FEDRAG_ONCOKB_TOKEN", "loopback-token")
    answer = ask(services, THERAPIES)
    assert "(OncoKB level 1)" in " ".join(item.sentence for item in answer.evidence)
    assert report(answer, "oncokb").state == "ok"
    assert len(services.calls_of("oncokb")) == 1


def test_a_combination_is_one_candidate_whoever_told_of_it(
    services: Federation, monkeypatch: pytest.MonkeyPatch
) -> None:
    """OncoKB writes trametinib first, CIViC dabrafenib."""
    monkeypatch.setenv("FEDRAG_ONCOKB_TOKEN", "loopback-token")
    answer = ask(services, THERAPIES)
    both = [c for c in answer.candidates if "Trametinib" in c.name]
    assert [(c.name, c.curie) for c in both] == [
        ("Dabrafenib + Trametinib", "fedrag.combination:C77908+C82386")
    ]
    told = {service for e in _edges(answer, both[0].support) for service in e.answered_by}
    assert told == {"civic", "oncokb"}


def test_diseases_of_a_variant_tell_clinvars_review(services: Federation) -> None:
    answer = ask(services, "Which diseases does rs786203847 cause?")
    assert answer.entities[0].curie == "CAID:CA000129"
    assert (
        "rs786203847 causes PTEN hamartoma tumor syndrome (ClinVar: likely pathogenic, "
        "reviewed by expert panel)" in answer.text
    )


def test_naming_a_variant_costs_one_call_to_each_service(services: Federation) -> None:
    services.calls.clear()
    _resolved(services, "Which drugs treat BRAF V600E melanoma?")
    assert [len(services.calls_of(s)) for s in ("civic", "myvariant", "nameres")] == [1, 1, 1]


@pytest.mark.parametrize(
    "question",
    [
        "Which drugs treat melanoma?",
        "Which genes are linked to hypertension?",
        "What inhibits BRAF?",
    ],
)
def test_a_question_without_a_variant_costs_no_call_to_name_one(
    services: Federation, question: str
) -> None:
    services.calls.clear()
    _resolved(services, question)
    assert services.calls_of("civic") == services.calls_of("myvariant") == []


def _resolved(federation: Federation, question: str) -> Any:
    async def work() -> Any:
        async with Session(services=federation.service_configs(), cache=False) as session:
            return await session.resolve(question)

    return asyncio.run(work())


def test_a_variant_on_which_nothing_is_known_is_answered_at_the_level_of_its_gene(
    services: Federation,
) -> None:
    answer = ask(services, "Which drugs treat BRAF V601Q melanoma?")
    _validated(answer)
    assert [e.name for e in answer.entities] == ["BRAF", "melanoma"]
    assert any(
        note.startswith("nothing was returned on BRAF V601Q; asked about BRAF instead")
        for note in answer.notes
    )
    assert (
        "A genetic variant of BRAF is associated with sensitivity to vemurafenib in Skin "
        "Melanoma (BRAF V600E, CIViC level A, rating 5 of 5)" in answer.text
    )
    assert all(c.status != "established" for c in answer.candidates)


@pytest.mark.parametrize("fault", ["503", "html", "reset", "truncated_json", "hang"])
def test_a_dead_civic_costs_its_evidence_and_not_the_question(
    services: Federation, fault: str
) -> None:
    services.fault("civic", fault)
    answer = ask(services, "Which diseases does rs786203847 cause?", deadline=8)
    assert answer.candidates[0].name in (
        "hereditary neoplastic syndrome",
        "PTEN hamartoma tumor syndrome",
    )
    assert any("CIViC could not be asked what variants are called" in note for note in answer.notes)


def test_a_dead_civic_is_told_where_only_it_would_have_known(services: Federation) -> None:
    services.fault("civic", "503")
    answer = ask(services, THERAPIES)
    assert answer.abstained
    assert report(answer, "civic").state == "unavailable"
    assert answer.completeness != "complete"


def test_a_disease_that_the_sentence_itself_names_is_not_said_to_be_missing(
    services: Federation,
) -> None:
    answer = ask(services, "Which drugs treat BRAF V600E melanoma?")
    assert "in melanoma" in answer.text
    assert "What connects it to melanoma" not in answer.text
