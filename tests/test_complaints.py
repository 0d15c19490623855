"""What users of such systems complained about, each as a test of a whole answer.

The last paragraph of the project's notes on services lists the complaints; here they are one by
one, over real HTTP, against small books of facts written for each.
"""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from federated import ask, report

import fedrag
from fedrag.config import LLMConfig, load_settings
from fedrag.datamodel import Answer, Candidate
from fedrag.session import Session
from fedrag.testing import FactBook, FactNode, Federation, Statement, Trapi

HUMAN = "NCBITaxon:9606"
_LEAVES = {"MONDO": "Disease", "CHEBI": "SmallMolecule", "NCBIGene": "Gene"}


def node(curie: str, name: str, *, group: str | None = None) -> FactNode:
    """A thing by the kind its prefix has; genes are human."""
    leaf = _LEAVES[curie.partition(":")[0]]
    taxa = (HUMAN,) if leaf == "Gene" else ()
    return FactNode(
        curie,
        name,
        (f"biolink:{leaf}",),
        ((curie, name),),
        synonyms=(name,),
        taxa=taxa,
        group=group,
    )


def said(
    subject: FactNode, predicate: str, object_: FactNode, *, negated: bool = False
) -> Statement:
    return Statement(subject.curie, f"biolink:{predicate}", object_.curie, negated=negated)


def book(statements: Iterable[Statement], *nodes: FactNode) -> FactBook:
    return FactBook.from_statements(statements, nodes)


DRUG = node("CHEBI:9000001", "drugamine")
OTHER = node("CHEBI:9000002", "otheramine")
DISEASE = node("MONDO:9000001", "testosis")
GENE = node("NCBIGene:9001", "TSTG1")
SECOND = node("NCBIGene:9002", "TSTG2")
TARGETS = "What are the targets of drugamine?"
TREATMENTS = "Which drugs treat testosis?"
ONE_TARGET = book([said(DRUG, "affects", GENE)], DRUG, GENE)


def names(answer: Answer) -> list[str]:
    return [candidate.name for candidate in answer.candidates]


def candidate(answer: Answer, name: str) -> Candidate:
    return next(c for c in answer.candidates if c.name == name)


def test_a_source_that_was_skipped_is_never_read_as_no_knowledge() -> None:
    empty = Trapi(facts=book([said(OTHER, "affects", GENE)], OTHER, GENE))
    with Federation(ONE_TARGET, trapi={"bte": empty, "kp": Trapi()}) as federation:
        assert names(ask(federation, TARGETS)) == ["TSTG1"]
        federation.fault("kp", "500", path="/query")
        without = ask(federation, TARGETS)
        assert (without.abstained, without.completeness) == (True, "partial")
        assert report(without, "bte").state == "empty"
        assert report(without, "kp").state == "unavailable"
        assert "kp" in without.text
        federation.heal()
        left_out = ask(federation, TARGETS, exclude=("kp",))
    assert left_out.abstained
    assert report(left_out, "kp").state == "skipped"
    assert "--exclude" in report(left_out, "kp").reason
    assert "kp (not asked: skipped" in left_out.text


async def test_no_sub_query_is_lost_under_load(tmp_path: Path) -> None:
    """Forty distinct questions at once, two calls at a time a service, one service failing some."""
    drugs = [node(f"CHEBI:91{n:05}", f"loadamine{chr(97 + n // 10)}{n % 10}") for n in range(40)]
    genes = [node(f"NCBIGene:91{n:05}", f"LOADG{n}") for n in range(40)]
    facts = book(
        [said(drug, "affects", gene) for drug, gene in zip(drugs, genes, strict=True)],
        *drugs,
        *genes,
    )
    with Federation(facts, kps=1, latency=0.02) as federation:
        federation.fault("kp1", "422", path="/query", times=5)
        services = {
            name: replace(config, concurrency=2)
            for name, config in federation.service_configs().items()
        }
        async with Session(load_settings({"services": services, "cache": False})) as session:
            answers = await asyncio.gather(
                *(session.ask(f"What are the targets of {drug.name}?") for drug in drugs)
            )
        served = {name: federation.calls_of(name, "/query") for name in ("bte", "kp1")}
        busiest = max(gate.most_active for gate in federation.gates.values())
    assert [names(answer) for answer in answers] == [[gene.name] for gene in genes]
    assert busiest == 2
    for name, calls in served.items():
        rows = [report(answer, name) for answer in answers]
        assert len(calls) == sum(row.calls for row in rows)
        assert sum(row.failed for row in rows) == sum(call.status == 422 for call in calls)
    assert sum(answer.completeness == "partial" for answer in answers) == 5
    assert all(report(answer, "bte").state == "ok" for answer in answers)


def test_a_cap_turns_thousands_into_the_best_ranked_and_says_so_never_into_none() -> None:
    """A drug with 3,000 genes around it, of which one is tied to the disease."""
    genes = [node(f"NCBIGene:92{n:05}", f"CAPG{n}") for n in range(3000)]
    process = FactNode("GO:9000001", "capped process", ("biolink:BiologicalProcess",))
    statements = [said(DRUG, "affects", gene) for gene in genes]
    statements += [said(process, "affects", DISEASE), said(DRUG, "treats", DISEASE)]
    statements += [said(gene, "affects", process) for gene in genes[:5]]
    question = (
        "Which gene plays the most significant mechanistic role in how Drug drugamine treats or "
        "impacts the Disease testosis?"
    )
    facts = book(statements, DRUG, DISEASE, process, *genes)
    with Federation(facts, trapi={"bte": Trapi(max_results=60_000)}) as federation:
        answer = ask(federation, question, deadline=120)
        largest = max(
            len(ids)
            for call in federation.calls_of("bte", "/query")
            for bound in call.body["message"]["query_graph"]["nodes"].values()
            if (ids := bound.get("ids") or [""])
        )
    assert len(answer.candidates) == 3000
    assert any("best-ranked of 3000 were asked onwards" in note for note in answer.notes)
    assert 50 <= largest <= 150
    assert report(answer, "bte").state == "ok"
    assert answer.sentences


def test_genes_of_the_wrong_species_are_dropped_and_counted() -> None:
    with Federation(ONE_TARGET) as federation:
        federation.fault("bte", "wrong_species", path="/query")
        answer = ask(federation, TARGETS)
    assert [c.curie for c in answer.candidates] == [GENE.curie]
    assert any("1 edge to a gene of another organism" in note for note in answer.notes)
    assert any("NCBITaxon:9823" in note for note in answer.notes)


def test_in_clinical_trials_for_is_never_shown_as_treats() -> None:
    facts = book([said(DRUG, "in_clinical_trials_for", DISEASE)], DRUG, DISEASE)
    with Federation(facts) as federation:
        answer = ask(federation, TREATMENTS)
    (evidence,) = answer.evidence
    assert evidence.sentence.casefold() == "drugamine is in clinical trials for testosis"
    assert candidate(answer, "drugamine").status == "in_trials"
    assert "drugamine treats" not in str(answer).casefold()


def test_a_negation_is_shown_and_is_no_support() -> None:
    facts = book(
        [said(OTHER, "treats", DISEASE), said(DRUG, "treats", DISEASE, negated=True)],
        DRUG,
        OTHER,
        DISEASE,
    )
    with Federation(facts) as federation:
        answer = ask(federation, TREATMENTS)
    assert answer.name == "otheramine"
    sentences = [item.sentence.casefold() for item in answer.evidence]
    assert "drugamine does not treat testosis" in sentences
    assert not any("drugamine treats" in sentence for sentence in sentences)
    refuted = next(c for c in answer.candidates if c.name == "drugamine")
    assert (refuted.support, len(refuted.against)) == ((), 1)


def test_two_forms_of_a_drug_are_not_merged_without_a_word() -> None:
    one = node("CHEBI:9100001", "omeprazole", group="CHEBI:9100001")
    two = node("CHEBI:9100002", "esomeprazole", group="CHEBI:9100001")
    facts = book([said(one, "treats", DISEASE), said(two, "treats", DISEASE)], one, two, DISEASE)
    with Federation(facts) as federation:
        answer = ask(federation, TREATMENTS)
    assert names(answer) == ["omeprazole"]
    (note,) = [note for note in answer.notes if note.startswith("conflation: ")]
    assert note == (
        "conflation: omeprazole (CHEBI:9100001) and esomeprazole (CHEBI:9100002) are counted as one"
    )
    assert {edge.subject.curie for edge in answer.edges} == {"CHEBI:9100001", "CHEBI:9100002"}


def test_things_are_matched_by_identifier_never_by_name() -> None:
    """Two genes of one name stay two, and one gene of two names in two services is one."""
    twin = replace(SECOND, name=GENE.name, identifiers=((SECOND.curie, GENE.name),))
    renamed = replace(GENE, name="ALSO1", identifiers=((GENE.curie, "ALSO1"),))
    first = book([said(DRUG, "affects", GENE), said(DRUG, "affects", twin)], DRUG, GENE, twin)
    second = book([said(DRUG, "affects", renamed)], DRUG, renamed)
    with Federation(first, trapi={"kp": Trapi(facts=second)}) as federation:
        answer = ask(federation, TARGETS)
    assert sorted(c.curie for c in answer.candidates) == [GENE.curie, SECOND.curie]
    assert {c.name for c in answer.candidates} == {"TSTG1"}
    assert report(answer, "kp").edges == 1


def test_no_vendor_is_called_though_a_local_model_is_set(monkeypatch: pytest.MonkeyPatch) -> None:
    """Any address but this machine's is refused at the socket; the variables lead elsewhere."""
    for name in ("API_KEY", "ORG_ID", "PROJECT_ID", "ADMIN_KEY"):
        monkeypatch.setenv(f"OPENAI_{name}", f"secret-{name}")
    monkeypatch.setenv("OPENAI_BASE_URL", "https://api.openai.com/v1")
    with Federation(ONE_TARGET) as federation:
        llm = LLMConfig("loopback-1", federation.base_urls["llm"])
        answer = ask(federation, TARGETS, llm=llm)
        calls = federation.calls_of("llm", "/chat/completions")
    assert answer.llm is not None
    assert answer.llm.error is None
    assert len(calls) == answer.llm.calls >= 1
    assert not any("secret-" in value for call in calls for value in call.headers.values())
    assert os.environ["OPENAI_API_KEY"] == "secret-API_KEY"


async def test_it_works_where_an_event_loop_is_already_running() -> None:
    asyncio.get_running_loop()  # there is one, as in a notebook
    with Federation(ONE_TARGET) as federation:
        services = federation.service_configs()
        blocking = fedrag.ask(TARGETS, services=services, cache=False)
        awaited = await fedrag.aask(TARGETS, services=services, cache=False)
    assert names(blocking) == names(awaited) == ["TSTG1"]


def _tokens(text: str) -> int:
    """As a language model counts, roughly: a token is about four characters."""
    return len(text) // 4


def test_neither_the_page_nor_the_prompt_grows_with_what_was_found() -> None:
    """4,000 targets: 400 kB of sentences, were they all told."""
    genes = [node(f"NCBIGene:93{n:05}", f"LONGG{n}") for n in range(4000)]
    facts = book([said(DRUG, "affects", gene) for gene in genes], DRUG, *genes)
    with Federation(facts) as federation:
        llm = LLMConfig("loopback-1", federation.base_urls["llm"])
        answer = ask(federation, TARGETS, llm=llm, deadline=120)
        prompts = [
            call.body["messages"] for call in federation.calls_of("llm", "/chat/completions")
        ]
        small = ask(federation, TARGETS, top_k=5, max_tokens=100, deadline=120)
    assert len(answer.candidates) == len(answer.edges) == 4000
    assert len(answer.evidence) <= 40
    assert _tokens(str(answer)) < 6_000
    assert all(_tokens(_words(messages)) < 8_000 for messages in prompts)
    assert len(small.evidence) <= 5
    assert len(small.candidates) == 4000


def _words(messages: Sequence[dict[str, str]]) -> str:
    return " ".join(message["content"] for message in messages)


@pytest.mark.parametrize("fault", ["500", "html", "failure_in_logs", "truncated_json"])
def test_a_failure_is_never_kept_in_the_cache(fault: str, tmp_path: Path) -> None:
    attempts = 3 if fault == "500" else 1  # what may pass is tried again
    with Federation(ONE_TARGET) as federation:
        federation.fault("bte", fault, path="/query", times=attempts)
        broken, mended, kept = (
            ask(federation, TARGETS, cache=True, cache_dir=tmp_path) for _ in range(3)
        )
        asked = len(federation.calls_of("bte", "/query"))
    assert (broken.abstained, broken.completeness) == (True, "unknown")
    assert names(mended) == names(kept) == ["TSTG1"]
    assert asked == attempts + 1
    assert (report(kept, "bte").calls, report(kept, "bte").cached) == (1, 1)
    assert kept.mode == "cache"


# --- the same of the services that read the question ----------------------------------------------

ODD_WORD = "Which drugs treat testosis in froobles?"  # its second look-up is one it can do without
ONE_TREATMENT = book([said(DRUG, "treats", DISEASE)], DRUG, DISEASE)


@pytest.mark.parametrize("fault", ["500", "html"])
def test_a_failed_look_up_makes_the_answer_partial_and_is_not_kept(
    fault: str, tmp_path: Path
) -> None:
    with Federation(ONE_TREATMENT) as federation:
        federation.fault("nameres", "undeclared", times=1)  # a fault of TRAPI's: the first is good
        federation.fault("nameres", fault)
        answer = ask(federation, ODD_WORD, cache=True, cache_dir=tmp_path)
        row = report(answer, "nameres")
        assert names(answer) == ["drugamine"]
        assert (row.state, row.calls, row.failed) == ("truncated", 2, 1)
        assert row.reason.startswith("1 of 2 calls failed: nameres answered ")
        assert answer.completeness == "partial"
        federation.heal()
        again = ask(federation, ODD_WORD, cache=True, cache_dir=tmp_path)
    assert (report(again, "nameres").state, again.completeness) == ("ok", "complete")
    assert report(again, "nameres").cached == 1


@pytest.mark.parametrize("service", ["nameres", "nodenorm"])
def test_a_call_that_succeeded_when_it_was_tried_again_is_no_failure(service: str) -> None:
    with Federation(ONE_TREATMENT) as federation:
        federation.fault(service, "500", times=1)
        answer = ask(federation, TREATMENTS)
    assert (report(answer, service).state, report(answer, service).failed) == ("ok", 0)
    assert answer.completeness == "complete"


def test_an_identifier_the_normalizer_breaks_on_makes_the_answer_partial() -> None:
    facts = book(
        [said(DRUG, "treats", DISEASE), said(OTHER, "treats", DISEASE)], DRUG, OTHER, DISEASE
    )
    with Federation(facts) as federation:
        federation.fault("nodenorm", "bad_curie", value=OTHER.curie)
        answer = ask(federation, TREATMENTS)
    row = report(answer, "nodenorm")
    assert (row.state, answer.completeness) == ("truncated", "partial")
    assert row.failed == 2  # it stands alone at last, with and without conflation
    assert sorted(names(answer)) == ["drugamine", "otheramine"]


def test_a_silent_meta_knowledge_graph_does_not_take_the_time_of_the_others() -> None:
    with Federation(ONE_TREATMENT, kps=1) as federation:
        federation.fault("kp1", "hang", path="/meta_knowledge_graph")
        begun = time.monotonic()
        answer = ask(federation, TREATMENTS, deadline=20)
        taken = time.monotonic() - begun
    assert [report(answer, name).state for name in ("bte", "kp1")] == ["ok", "ok"]
    assert answer.completeness == "complete"
    assert any("the meta-knowledge graph of kp1 could not be read" in n for n in answer.notes)
    assert 3.0 <= taken < 12.0  # 15 % of the deadline, and the question itself


def test_a_replay_of_services_that_never_answered_gives_the_same_states(tmp_path: Path) -> None:
    """Every call that the deadline ended is in the cassette as the failure it was."""
    with Federation(ONE_TREATMENT, kps=1) as federation:
        federation.fault("kp1", "hang")
        live = ask(federation, TREATMENTS, deadline=5, record=tmp_path / "c.json")
        replayed = ask(federation, TREATMENTS, replay=tmp_path / "c.json")
    assert report(live, "kp1").state == "timeout"
    same = [answer.to_dict() for answer in (live, replayed)]
    for told in same:
        del told["timings"], told["mode"], told["recorded"]
    assert same[0] == same[1]
