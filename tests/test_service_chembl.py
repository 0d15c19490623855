"""ChEMBL: mechanisms by way of its targets, indications by what was reached and who says so."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from api_calls import Asked, ask, operation, send

from fedrag.testing.federation import Federation
from fedrag.xbte import (
    Request,
    build_output_lookups,
    build_requests,
    next_request,
    read_answer,
    read_output_lookup,
    with_outputs,
)

PEMBROLIZUMAB, SALBUTAMOL = "CHEMBL.COMPOUND:CHEMBL3137343", "CHEMBL.COMPOUND:CHEMBL714"
RITUXIMAB, BORTEZOMIB = "CHEMBL.COMPOUND:CHEMBL1201576", "CHEMBL.COMPOUND:CHEMBL325041"
IMATINIB, PROBENECID = "CHEMBL.COMPOUND:CHEMBL941", "CHEMBL.COMPOUND:CHEMBL897"
PDCD1, ADRB2 = "UniProtKB:Q15116", "UniProtKB:P07550"
KIT, SLC22A6 = "UniProtKB:P10721", "UniProtKB:Q4U2R8"
UNKNOWN = "an output that its look-up does not know"
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
        ("disease_efficacy", 1),
        ("max_phase", 4),
    ]
    raised = asked(federation, "protein-affected-by-drug.1", PDCD1, ADRB2)
    assert raised.statements == [(ADRB2, SALBUTAMOL)]
    made = operation("chembl", "protein-affected-by-drug.1")
    assert dict(made.qualifiers)["biolink:subject_direction_qualifier"] == "increased"


def test_a_drug_leads_to_the_protein_its_target_is_and_keeps_the_mechanism(
    federation: Federation,
) -> None:
    found = asked(federation, "drug-affects-protein", PEMBROLIZUMAB)
    assert [call.url.path for call in found.calls] == [
        "/chembl/mechanism.json",
        "/chembl/target.json",
    ]
    (record,) = found.records
    assert (record.input, record.output) == (PEMBROLIZUMAB, PDCD1)
    assert (record.output_name, record.taxon) == (
        "Programmed cell death protein 1",
        "NCBITaxon:9606",
    )
    assert [(a.type_id, a.value) for a in record.attributes] == [
        ("chembl_target", "CHEMBL3307223"),
        ("mechanism_of_action", "Programmed cell death protein 1 inhibitor"),
        ("action_type", "INHIBITOR"),
        ("direct_interaction", 1),
        ("disease_efficacy", 1),
        ("max_phase", 4),
    ]
    assert (record.publications, found.dropped) == ((LABEL,), {})


def test_articles_among_the_references_are_pmids_and_others_stay_as_they_are(
    federation: Federation,
) -> None:
    (record,) = asked(federation, "drug-affects-protein", PROBENECID).records
    assert record.output == SLC22A6
    assert record.publications == (
        "PMID:11426832",
        "PMID:12130730",
        "http://en.wikipedia.org/wiki/Probenecid#Pharmacology",
    )


def test_each_direction_reads_its_own_mechanisms(federation: Federation) -> None:
    drugs = (PEMBROLIZUMAB, SALBUTAMOL, RITUXIMAB)
    by_operation = {
        number: asked(federation, f"drug-affects-protein{number}", *drugs).statements
        for number in ("", ".1", ".2", ".3")
    }
    assert by_operation == {
        "": [(PEMBROLIZUMAB, PDCD1)],
        ".1": [(SALBUTAMOL, ADRB2)],
        ".2": [],
        ".3": [(RITUXIMAB, "UniProtKB:P11836")],
    }


def test_an_inhibitor_of_a_fusion_or_complex_is_not_one_of_each_part(
    federation: Federation,
) -> None:
    imatinib = asked(federation, "drug-affects-protein", IMATINIB)
    assert (imatinib.statements, imatinib.dropped) == ([(IMATINIB, KIT)], {UNKNOWN: 1})
    complexed = asked(federation, "drug-affects-protein", BORTEZOMIB)
    assert (complexed.statements, complexed.dropped) == ([], {UNKNOWN: 1})
    assert asked(federation, "protein-affected-by-drug", "UniProtKB:P28074").statements == []


def test_all_directions_ask_for_the_same_mechanisms_and_for_targets_once_each() -> None:
    made = [operation("chembl", f"drug-affects-protein{n}") for n in ("", ".1", ".2", ".3")]
    asking = [build_requests(one, [PEMBROLIZUMAB, SALBUTAMOL]) for one in made]
    assert asking == [asking[0]] * 4
    (mechanisms,) = asking[0]
    assert (mechanisms.path, dict(mechanisms.query)) == (
        "/mechanism.json",
        {"molecule_chembl_id__in": "CHEMBL3137343,CHEMBL714", "limit": "1000"},
    )
    pd1 = "CHEMBL.TARGET:CHEMBL3307223"
    (targets,) = build_output_lookups(made[0], [pd1, "CHEMBL.TARGET:CHEMBL210", pd1])
    assert (targets.path, dict(targets.query)) == (
        "/target.json",
        {
            "target_chembl_id__in": "CHEMBL3307223,CHEMBL210",
            "target_type": "SINGLE PROTEIN",
            "limit": "1000",
        },
    )
    many = [f"CHEMBL.TARGET:CHEMBL{number}" for number in range(120)]
    assert [len(call.inputs) for call in build_output_lookups(made[0], many)] == [50, 50, 20]


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
    made = operation("chembl", "drug-affects-protein")
    (told,) = read_answer(made, payload, [PEMBROLIZUMAB]).records
    assert (told.output, told.publications) == ("CHEMBL.TARGET:CHEMBL3307223", (LABEL,))
    (call,) = build_output_lookups(made, [told.output])
    target = {
        "target_chembl_id": "CHEMBL3307223",
        "target_components": [{"accession": "Q15116"}],
        "tax_id": 9606,
    }
    found = read_output_lookup(made, call, {"targets": [target]})
    (named,) = with_outputs([told], found).records
    assert (named.output, named.output_name, named.taxon) == (PDCD1, None, "NCBITaxon:9606")
