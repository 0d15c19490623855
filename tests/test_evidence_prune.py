"""The page: what the answer stands on first, then by cosine, the question's own two last."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from evidence_material import (
    DECREASES,
    HCTZ,
    HYPERTENSION,
    drug_plan,
    edge,
    gene_plan,
    node,
)

from fedrag.datamodel import Candidate, Edge, Evidence, QueryPlan
from fedrag.evidence import LexicalEmbedder, prune, rank, to_evidence, tokens, with_keys
from fedrag.execute.retrieval import Retrieval

DRUG = node("CHEBI:5778", "hydrochlorothiazide", "drug")
DISEASE = node("MONDO:0005044", "hypertension", "disease")
SLC12A3 = node("HGNC:10912", "SLC12A3")
PROCESS = node("GO:0070294", "renal sodium ion absorption", "process")
OWN = edge(DRUG, "treats", DISEASE)
QUESTION = "Which gene matters in how hydrochlorothiazide treats hypertension?"
BOTH = (HCTZ, HYPERTENSION)


def material(genes: int = 30) -> tuple[Retrieval, QueryPlan]:
    """The mechanism, the question's own edge, and many genes near the disease."""
    plan = gene_plan()
    found: dict[str, list[Edge]] = {
        "given": [OWN],
        "drug_near": [edge(DRUG, "affects", SLC12A3, qualifiers=DECREASES)],
        "disease_near": [
            edge(PROCESS, "contributes_to", DISEASE),
            *(edge(node(f"HGNC:{n}", f"GENE{n}"), "causes", DISEASE) for n in range(genes)),
        ],
        "near_disease_gene": [edge(SLC12A3, "affects", PROCESS)],
    }
    edges = tuple(e for made in found.values() for e in made)
    return Retrieval(edges, {e.id: (key,) for key, made in found.items() for e in made}), plan


def page(
    retrieval: Retrieval, plan: QueryPlan, top_k: int = 40, max_tokens: int = 3000
) -> tuple[tuple[Evidence, ...], tuple[Candidate, ...]]:
    candidates = rank(plan, BOTH, retrieval)
    chosen = prune(
        QUESTION,
        to_evidence(retrieval, BOTH, plan),
        candidates,
        BOTH,
        plan,
        embedder=LexicalEmbedder(),
        top_k=top_k,
        max_tokens=max_tokens,
    )
    return chosen, with_keys(candidates, chosen)


def sentences(items: Sequence[Evidence]) -> list[str]:
    return [item.sentence for item in items]


def test_the_best_candidates_whole_way_opens_the_page() -> None:
    chosen, candidates = page(*material())
    assert [item.key for item in chosen[:3]] == ["E1", "E2", "E3"]
    assert sentences(chosen)[:3] == [
        "hydrochlorothiazide decreases activity of SLC12A3",
        "SLC12A3 affects renal sodium ion absorption",
        "renal sodium ion absorption contributes to hypertension",
    ]
    assert candidates[0].evidence_keys == ("E1", "E2", "E3")


def test_each_of_the_top_five_has_its_best_sentence() -> None:
    chosen, candidates = page(*material(), top_k=8)
    assert all(candidate.evidence_keys for candidate in candidates[:5])
    assert len(chosen) == 8


def test_the_questions_own_two_entities_come_last() -> None:
    chosen, _ = page(*material(genes=5))
    assert chosen[-1].sentence == "hydrochlorothiazide treats hypertension"
    assert chosen[-1].score > chosen[4].score


def test_keys_follow_the_page_and_scores_are_cosines_of_six_digits() -> None:
    chosen, _ = page(*material())
    assert [item.key for item in chosen] == [f"E{n}" for n in range(1, len(chosen) + 1)]
    assert all(item.score == round(item.score, 6) and -1 <= item.score <= 1 for item in chosen)
    rest = [item.score for item in chosen[22:-1]]
    assert len(rest) > 5
    assert rest == sorted(rest, reverse=True)


def test_the_next_candidates_come_before_what_is_only_alike_in_words() -> None:
    chosen, candidates = page(*material(), top_k=25)
    shown = {edge.id for item in chosen for edge in item.edges}
    assert all(shown & set(candidate.support) for candidate in candidates[:20])


def test_budgets_hold() -> None:
    chosen, _ = page(*material(), top_k=10)
    assert len(chosen) == 10
    chosen, _ = page(*material(), max_tokens=120)
    assert sum(tokens(item.sentence) for item in chosen) <= 120
    assert len(chosen) > 4


def test_no_side_is_ever_emptied() -> None:
    for top_k, max_tokens in ((1, 3000), (40, 1)):
        chosen, _ = page(*material(), top_k=top_k, max_tokens=max_tokens)
        said = " | ".join(sentences(chosen))
        assert "hydrochlorothiazide decreases" in said
        assert "to hypertension" in said
        hops = {key for item in chosen for key in item.query_edges}
        assert hops == {"drug_near", "disease_near", "near_disease_gene"}


def test_pruning_never_changes_the_ranking() -> None:
    retrieval, plan = material()
    before = rank(plan, BOTH, retrieval)
    _, after = page(retrieval, plan, top_k=3)
    assert [replace(c, evidence_keys=(), against_keys=()) for c in after] == list(before)


def test_what_speaks_against_a_shown_candidate_is_on_the_page() -> None:
    plan = drug_plan()
    drugs = [node(f"CHEBI:{n}", f"drug {n}", "drug") for n in range(60)]
    helps = [edge(one, "treats", DISEASE) for one in drugs]
    harm = edge(drugs[0], "contraindicated_in", DISEASE)
    trial = edge(drugs[0], "in_clinical_trials_for", DISEASE, source="infores:b")
    more = [edge(drugs[0], "treats", DISEASE, source=f"infores:{n}") for n in range(9)]
    retrieval = Retrieval((*helps[:3], harm, trial, *more))
    candidates = rank(plan, (HYPERTENSION,), retrieval)
    assert "drug 0" in [c.name for c in candidates[:5]]
    chosen = prune(
        "Which drugs treat hypertension?",
        to_evidence(retrieval, (HYPERTENSION,), plan),
        candidates,
        (HYPERTENSION,),
        plan,
        embedder=LexicalEmbedder(),
        top_k=5,
    )
    against = [item for item in chosen if item.polarity == "against"]
    assert sentences(against) == ["drug 0 is contraindicated in hypertension"]
    keyed = {c.name: c for c in with_keys(candidates, chosen)}
    assert keyed["drug 0"].against_keys == (against[0].key,)


def test_in_a_relation_the_edge_between_the_two_comes_early() -> None:
    retrieval, plan = material()
    chosen, _ = page(retrieval, replace(plan, kind="relation"), top_k=8)
    assert "hydrochlorothiazide treats hypertension" in sentences(chosen)


def test_the_same_sentence_is_not_repeated() -> None:
    twins = [edge(node(f"HGNC:{n}", "TWIN"), "causes", DISEASE) for n in range(900, 903)]
    retrieval, plan = material(genes=8)
    found = {**retrieval.found_by, **{e.id: ("disease_near",) for e in twins}}
    chosen, _ = page(Retrieval((*retrieval.edges, *twins), found), plan)
    assert sentences(chosen).count("TWIN causes hypertension") <= 1
    assert len(set(sentences(chosen))) == len(chosen)


def test_the_page_is_the_same_every_time() -> None:
    assert page(*material())[0] == page(*material())[0]


def test_nothing_to_prune() -> None:
    assert page(Retrieval(()), gene_plan()) == ((), ())
