"""ChEMBL: mechanisms by way of its targets, indications by what was reached and who says so."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from api_calls import Asked, ask, operation, send

from fedrag.testing.federation import Federation
from fedrag.xbte import Request, build_lookups, build_requests, next_request, read_answer

PEMBROLIZUMAB, SALBUTAMOL = "CHEMBL.COMPOUND:CHEMBL3137343", "CHEMBL.COMPOUND:CHEMBL714"
RITUXIMAB, BORTEZOMIB = "CHEMBL.COMPOUND:CHEMBL1201576", "CHEMBL.COMPOUND:CHEMBL325041"
PDCD1, ADRB2 = "UniProtKB:Q15116", "UniProtKB:P07550"
LABEL = "http://www.accessdata.fda.gov/drugsatfda_docs/label/2014/125514lbl.pdf"


@pytest.fixture(scope="module")
def federation() -> Iterator[Federation]:
    with Federation(apis=("chembl",)) as running:
        yield running


def asked(federation: Federation, name: str, *inputs: str) -> Asked:
    return ask(federation, "chembl", name, *inputs)


def test_the_drugs_of_a_protein_with_the_direction_of_each(federation: Federation) -> None:
    found = asked(federation, "protein-affected-by-drug", PDCD1, ADRB2)
    assert found.statements == [(PDCD1, PEMBROLIZUMAB), (PDCD1, "CHEMBL.COMPOUND:CHEMBL4297723")]
    assert found.records[0].publications == (LABEL,)
    assert [(a.type_id, a.value) for a in found.records[0].attributes] == [
        ("mechanism_of_action", "Programmed cell death protein 1 inhibitor"),
        ("action_type", "INHIBITOR"),
        ("direct_interaction", 1),
        ("max_phase", 4),
    ]
    raised = asked(federation, "protein-affected-by-drug.1", PDCD1, ADRB2)
    assert raised.statements == [(ADRB2, SALBUTAMOL)]
    made = operation("chembl", "protein-affected-by-drug.1")
    assert dict(made.qualifiers)["biolink:subject_direction_qualifier"] == "increased"


def test_a_drug_leads_to_the_protein_its_target_is(federation: Federation) -> None:
    found = asked(federation, "drug-affects-protein", PEMBROLIZUMAB)
    assert found.statements == [(PEMBROLIZUMAB, PDCD1)]
    assert found.records[0].taxon == "NCBITaxon:9606"
    assert [call.url.path for call in found.calls] == [
        "/chembl/mechanism.json",
        "/chembl/target.json",
    ]
    assert asked(federation, "drug-affects-protein.1", PEMBROLIZUMAB).statements == []
    assert asked(federation, "drug-affects-protein.3", PEMBROLIZUMAB, RITUXIMAB).statements == [
        (RITUXIMAB, "UniProtKB:P11836")
    ]


def test_an_inhibitor_of_a_complex_is_not_one_of_each_subunit(federation: Federation) -> None:
    subunit = "UniProtKB:P28074"
    assert asked(federation, "drug-affects-protein", BORTEZOMIB).statements == []
    assert asked(federation, "protein-affected-by-drug", subunit).statements == []


def test_the_actions_looked_up_are_those_whose_direction_is_stated() -> None:
    made = operation("chembl", "drug-affects-protein")
    (request,) = build_lookups(made, [PEMBROLIZUMAB, SALBUTAMOL])
    assert (request.path, dict(request.query)) == (
        "/mechanism.json",
        {
            "molecule_chembl_id__in": "CHEMBL3137343,CHEMBL714",
            "action_type__in": "INHIBITOR,ANTAGONIST,BLOCKER,ALLOSTERIC ANTAGONIST,INVERSE AGONIST,"
            "NEGATIVE ALLOSTERIC MODULATOR,NEGATIVE MODULATOR",
            "limit": "1000",
        },
    )


def test_phase_four_alone_is_no_approval(federation: Federation) -> None:
    treated = asked(federation, "drug-approved-for-disease", PEMBROLIZUMAB, SALBUTAMOL)
    tried = asked(federation, "drug-in-trials-for-disease", PEMBROLIZUMAB, SALBUTAMOL)
    assert treated.statements == [(PEMBROLIZUMAB, "MESH:D008545")]
    assert treated.records[0].publications == (LABEL, "clinicaltrials:NCT01704287")
    assert tried.statements == [(PEMBROLIZUMAB, "MESH:D010051"), (SALBUTAMOL, "MESH:D017563")]
    assert tried.records[1].attributes[0].value == "4.0"
    assert asked(federation, "disease-approved-drug", "MESH:D008545").statements == [
        ("MESH:D008545", PEMBROLIZUMAB)
    ]
    assert asked(federation, "disease-drug-in-trials", "MESH:D008545").statements == []


def test_pages_follow_the_count_of_the_service() -> None:
    made = operation("chembl", "drug-approved-for-disease")
    first = build_requests(made, [PEMBROLIZUMAB])[0]
    page = {"drug_indications": [{}] * 1000, "page_meta": {"total_count": 1200}}
    following = next_request(made, first, page, 1)
    assert following is not None
    assert dict(following.query)["offset"] == "1000"
    last = {"drug_indications": [{}] * 200, "page_meta": {"total_count": 1200}}
    assert next_request(made, following, last, 2) is None


def test_a_call_it_does_not_understand_is_a_failure(federation: Federation) -> None:
    response = send(federation, "chembl", Request("GET", "/mechanism.json", (("x", "1"),)))
    assert (response.status_code, response.json()) == (400, {"error_message": "Invalid filter"})


def test_the_published_mechanism_of_pembrolizumab_is_read() -> None:
    """The answer of 2026-08-11 that biomcp keeps, field by field."""
    payload = {
        "mechanisms": [
            {
                "action_type": "INHIBITOR",
                "binding_site_comment": None,
                "direct_interaction": 1,
                "disease_efficacy": 1,
                "max_phase": 4,
                "mec_id": 2300,
                "mechanism_comment": None,
                "mechanism_of_action": "Programmed cell death protein 1 inhibitor",
                "mechanism_refs": [
                    {"ref_id": "label/2014/125514lbl.pdf", "ref_type": "FDA", "ref_url": LABEL}
                ],
                "molecular_mechanism": 1,
                "molecule_chembl_id": "CHEMBL3137343",
                "parent_molecule_chembl_id": "CHEMBL3137343",
                "record_id": 1976818,
                "target_chembl_id": "CHEMBL3307223",
                "variant_sequence": None,
            }
        ],
        "page_meta": {"limit": 15, "next": None, "offset": 0, "previous": None, "total_count": 1},
    }
    made = operation("chembl", "protein-affected-by-drug")
    (record,) = read_answer(made, payload, [PDCD1], own={"CHEMBL3307223": [PDCD1]}).records
    assert (record.input, record.output, record.publications) == (PDCD1, PEMBROLIZUMAB, (LABEL,))
