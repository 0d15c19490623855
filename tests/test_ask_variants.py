"""Questions about variants, asked over HTTP: of stand-ins of CIViC, MyVariant.info and OncoKB, and
of a small closed world behind TRAPI where every weight is known."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import jsonschema_rs
import pytest
from federated import ask, report

from fedrag.answer import Material, check_sentence
from fedrag.answer import Statement as Claimed
from fedrag.datamodel import Answer, Edge, EdgeNode, Entity
from fedrag.evidence import to_evidence
from fedrag.resources import schema_path
from fedrag.session import Session
from fedrag.testing import FactBook, FactNode, Federation, Statement
from fedrag.testing.apis import APIS

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


def test_variants_that_predict_resistance_are_told_with_what_is_against(world: Federation) -> None:
    answer = ask(world, "Which variants predict resistance to drugone?")
    assert answer.plan is not None
    assert answer.plan.template == "variants-of-drug:resistance"
    assert [c.name for c in answer.candidates] == [
        "BRAF V600E",
        "BRAF V600E AND BRAF Amplification",
    ]
    assert all("biolink:SequenceVariant" in c.categories for c in answer.candidates)
    first = answer.candidates[0]
    assert {e.predicate for e in _edges(answer, first.support)} == {RESISTANT}
    assert {e.predicate for e in _edges(answer, first.against)} == {SENSITIVE}


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


# --- what is not the variant's -------------------------------------------------------------------


@pytest.fixture(scope="module")
def everyone() -> Iterator[Federation]:
    with Federation(apis=tuple(APIS)) as running:
        yield running


def _first_sentence(answer: Answer) -> str:
    return answer.text.replace("\n", " ").partition(". ")[0]


@pytest.mark.parametrize("question", ["KIT D816V imatinib", "Does imatinib inhibit KIT D816V?"])
def test_a_genes_fact_is_not_told_as_its_variants(everyone: Federation, question: str) -> None:
    answer = ask(everyone, question)
    assert _first_sentence(answer) == (
        "Nothing was returned on KIT D816V; what follows is of the gene KIT, whatever its variant"
    )
    assert "Direct relations were returned, of the gene KIT, not of KIT D816V" in answer.text
    assert "imatinib decreases activity of KIT [E1]" in answer.text
    assert "states this" not in answer.text
    assert not any("asked as" in item.sentence for item in answer.evidence)


@pytest.mark.parametrize(
    ("question", "gene", "variant"),
    [
        ("therapies for EGFR V600E", "EGFR", "EGFR V600E"),
        ("best drug for EGFR V600E", "EGFR", "EGFR V600E"),
        ("therapies for BRAF V600K in melanoma", "BRAF", "BRAF V600K"),
        ("KRAS V600E therapies", "KRAS", "KRAS V600E"),
    ],
)
def test_other_variants_drugs_are_not_the_best_supported_of_a_variant(
    everyone: Federation, question: str, gene: str, variant: str
) -> None:
    answer = ask(everyone, question)
    _validated(answer)
    assert _first_sentence(answer) == (
        f"Nothing was returned on {variant}; what follows is of the gene {gene} or of other "
        "variants of it"
    )
    assert "best supported" not in answer.text
    assert (answer.name, answer.curie) == (None, None)
    if any(c.support for c in answer.candidates):
        assert f"of the gene {gene} or other variants of it, not of {variant}" in answer.text


def test_a_response_of_other_variants_supports_none_of_the_variant_asked(
    everyone: Federation,
) -> None:
    answer = ask(everyone, "Does vemurafenib work in BRAF V600K melanoma?")
    assert "No edge that supports a response, between vemurafenib, BRAF V600K and" in answer.text
    of = "of the gene BRAF or other variants of it, not of BRAF V600K"
    assert f"A response {of}: A genetic variant of BRAF is" in answer.text
    assert "Supported as a response" not in answer.text
    assert "Nothing that links melanoma" not in answer.text  # the responses are told of it


def test_a_variants_name_names_no_gene_in_a_written_answer(everyone: Federation) -> None:
    answer = ask(everyone, "KIT D816V imatinib")
    assert answer.plan is not None
    material = Material("", answer.plan, answer.entities, answer.candidates, answer.evidence)
    key = next(i.key for i in answer.evidence if "decreases activity of KIT" in i.sentence)
    told = Claimed("Imatinib decreases activity of KIT.", (key,))
    assert check_sentence(told, material) == ()
    wrong = replace(told, text="Imatinib decreases activity of KIT D816V.")
    assert check_sentence(wrong, material) != ()


def test_resistance_to_the_drug_itself_speaks_against_a_predicted_response(
    everyone: Federation,
) -> None:
    answer = ask(everyone, "Which variants predict response to erlotinib?")
    found = next(c for c in answer.candidates if c.name == "EGFR T790M")
    against = _edges(answer, found.against)
    assert [(e.predicate, e.object.name) for e in against] == [(RESISTANT, "erlotinib")]
    assert (
        "Evidence against EGFR T790M: EGFR T790M is associated with resistance to erlotinib in "
        "Lung Non-small Cell Carcinoma (CIViC level A, rating 5 of 5)" in answer.text
    )


def test_a_response_speaks_against_a_predicted_resistance(everyone: Federation) -> None:
    answer = ask(everyone, "EGFR T790M resistance")
    supported = [c.name for c in answer.candidates if c.support]
    assert supported == ["erlotinib", "gefitinib", "Gefitinib + Multikinase Inhibitor AEE788"]
    against = [c.name for c in answer.candidates if c.against]
    assert "Erlotinib + Pemetrexed" in against


def test_denied_resistance_and_reduced_sensitivity_take_their_sides(everyone: Federation) -> None:
    answer = ask(everyone, "BRAF V600E contraindicated drugs")
    assert _first_sentence(answer) == (
        'This answer leaves out "contraindicated" and is not limited by it'
    )
    supported = {c.name for c in answer.candidates if c.support}
    assert supported == {"oxaliplatin", "dabrafenib", "cetuximab"}
    against = {c.name for c in answer.candidates if c.against}
    assert {"trametinib", "vemurafenib", "cetuximab"} <= against


def test_a_treatment_is_none_of_the_drugs_in_trials(everyone: Federation) -> None:
    answer = ask(everyone, "drugs in clinical trials for melanoma")
    assert "pembrolizumab" not in answer.text
    assert answer.plan is not None
    assert answer.plan.understood == "drugs in clinical trials for melanoma (disease)"


@pytest.mark.parametrize("question", ["V600E BRAF", "What is known about BRAF p.Val600Glu?"])
def test_another_spelling_of_the_same_change_is_not_noted(
    everyone: Federation, question: str
) -> None:
    answer = ask(everyone, question)
    assert answer.evidence
    assert not any("asked as" in item.sentence for item in answer.evidence)


@pytest.mark.parametrize(
    ("mention", "note"),
    [
        ("V600E BRAF", ""),
        ("BRAF:p.Val600Glu", ""),
        ("BRAF V640E", " (asked as BRAF V640E)"),  # numbered by another transcript
        ("rs113488022", " (asked as rs113488022)"),
    ],
)
def test_only_a_change_that_is_written_as_another_is_noted(mention: str, note: str) -> None:
    variant = Entity(
        mention, 0, len(mention), V600E, "BRAF V600E", ("biolink:SequenceVariant",), "exact"
    )
    end = EdgeNode(V600E, "BRAF V600E", asked=V600E, canonical=V600E)
    edge = Edge("e", end, SENSITIVE, EdgeNode("CHEBI:0", "drugone"))
    (item,) = to_evidence([edge], [variant])
    assert item.sentence == f"BRAF V600E is associated with sensitivity to drugone{note}"


def test_what_a_combination_does_denies_nothing_of_its_part(everyone: Federation) -> None:
    answer = ask(everyone, "Which variants confer resistance to cetuximab in colorectal cancer?")
    found = next(c for c in answer.candidates if c.name == "BRAF V600E")
    against = _edges(answer, found.against)
    assert [(e.predicate, e.negated) for e in against] == [(RESISTANT, True)]
    assert "Binimetinib" not in answer.text


# --- named together, described, in small letters -------------------------------------------------


@pytest.mark.parametrize(
    "question",
    [
        "Which drugs treat non-small cell lung cancer with EGFR L858R and EGFR T790M?",
        "EGFR T790M and L858R therapies",
    ],
)
def test_the_combination_of_two_variants_is_asked_with_each_of_them(
    everyone: Federation, question: str
) -> None:
    answer = ask(everyone, question)
    assert "EGFR L858R AND EGFR T790M" in [entity.name for entity in answer.entities]
    assert answer.candidates[0].name == "osimertinib"
    of = {edge.subject.name for edge in answer.edges} & {"EGFR L858R", "EGFR T790M"}
    assert of == {"EGFR L858R", "EGFR T790M"}
    assert any("was read as the combination EGFR L858R AND EGFR T790M" in n for n in answer.notes)


@pytest.mark.parametrize(
    "written",
    [
        "rs113488022",
        "CA123643",
        "NP_004324.2:p.Val600Glu",
        "NM_004333.4:c.1799T>A",
        "NM_004333.4(BRAF):c.1799T>A",
        "BRAF c.1799T>A",
        "v600e braf",
    ],
)
def test_civics_evidence_is_found_by_all_that_it_calls_a_variant(
    everyone: Federation, written: str
) -> None:
    answer = ask(everyone, f"Which drugs treat {written} melanoma?")
    assert answer.entities[0].name == "BRAF V600E"
    assert report(answer, "civic").state == "ok"
    assert answer.candidates[0].name == "Dabrafenib + Trametinib"


def test_an_abbreviation_of_a_disease_and_a_gene_is_the_disease_and_told(
    everyone: Federation,
) -> None:
    answer = ask(everyone, "Which drugs treat CML?")
    assert [entity.curie for entity in answer.entities] == ["MESH:D015464"]
    assert (
        '"CML" was taken as Chronic myeloid leukemia (MESH:D015464); it is a name of the gene BCR '
        "(NCBIGene:613) too" in answer.notes
    )


def test_a_disease_named_without_its_qualifier_loses_no_word(everyone: Federation) -> None:
    answer = ask(everyone, "Which drugs treat chronic myelogenous leukemia?")
    assert [(e.mention, e.curie) for e in answer.entities] == [
        ("chronic myelogenous leukemia", "MESH:D015464")
    ]
    assert answer.unused == ()
