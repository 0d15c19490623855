"""The published rule, pruning and figures, reproduced with their faults."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

from fedrag.bench.model import Kind
from fedrag.bench.published import (
    COSINE_BINS,
    PERCENTILES,
    cosine_reaches,
    prune_as_published,
    substring_rule,
)
from fedrag.bench.published_figures import (
    ARMS,
    CONTEXT_TOKENS,
    ENTITIES_JOINT,
    GENE_ACCURACY,
    GENE_CONTINGENCY_T10,
    GENEGPT,
    MODELS,
    QUESTIONS,
    gene_count,
    similarity_table,
)


@pytest.mark.parametrize(
    ("answer", "gold", "passes"),
    [
        ("PTGS2", "PTGS2", True),
        ("ptgs2", "PTGS2", True),
        ("PTGS", "PTGS2", True),  # another gene's family
        ("2", "PTGS2", True),
        ("", "PTGS2", True),
        ("COX-2", "PTGS2", False),  # the same gene
        ("PTGS2 (COX-2)", "PTGS2", False),
        (" PTGS2", "PTGS2", False),  # nothing is trimmed
        (None, "PTGS2", False),
        (None, "Ubiquinone", True),  # an answer that could not be read is the word "None"
    ],
)
def test_the_published_rule_asks_whether_the_answer_is_part_of_the_gold(
    answer: str | None, gold: str, passes: bool
) -> None:
    assert substring_rule(answer, gold) is passes


def test_a_branch_of_one_line_always_vanishes() -> None:
    for percentile in PERCENTILES:
        assert prune_as_published({"disease": [("d", 1.0)]}, percentile) == {"disease": ()}


def test_lines_equally_alike_all_vanish() -> None:
    assert prune_as_published({"drug": [("a", 0.9), ("b", 0.9)]}, 10) == {"drug": ()}


def test_each_branch_goes_by_its_own_percentile_interpolated_linearly() -> None:
    branches = {
        "drug": [("a", 0.60), ("b", 0.70), ("c", 0.80), ("d", 0.90)],
        "disease": [("e", 0.95), ("f", 0.99)],
        "process": [],
    }
    kept = prune_as_published(branches, 50)  # above 0.75 and above 0.97
    assert kept == {"drug": (("d", 0.90), ("c", 0.80)), "disease": (("f", 0.99),), "process": ()}
    # the 10th percentile of the drug's four is 0.63: one line goes, though none is bad
    assert [line for line, _ in prune_as_published(branches, 10)["drug"]] == ["d", "c", "b"]


def test_nothing_at_or_below_a_half_is_kept_whatever_the_percentile() -> None:
    lines = [("a", 0.1), ("b", 0.5), ("c", 0.4), ("d", 0.500001)]
    assert prune_as_published({"drug": lines}, 10) == {"drug": (("d", 0.500001),)}


def test_a_line_at_the_percentile_itself_goes() -> None:
    lines = [("a", 0.6), ("b", 0.7), ("c", 0.8)]
    assert prune_as_published({"drug": lines}, 50) == {"drug": (("c", 0.8),)}


def test_lines_equally_alike_keep_their_order() -> None:
    lines = [("low", 0.6), ("first", 0.9), ("second", 0.9)]
    assert prune_as_published({"drug": lines}, 10)["drug"] == (("first", 0.9), ("second", 0.9))


@pytest.mark.parametrize("percentile", [-1, 101])
def test_no_percentile_is_refused(percentile: int) -> None:
    with pytest.raises(ValueError, match=f"no percentile: {percentile}"):
        prune_as_published({}, percentile)


def test_a_cosine_is_rounded_to_two_decimals_before_it_is_binned() -> None:
    assert [cosine_reaches(s, 1.0) for s in (0.9951, 0.9949)] == [True, False]
    reached = [[cosine_reaches(s, b) for b in COSINE_BINS] for s in (1.0, 0.9, 0.696, None)]
    assert [sum(bins) for bins in reached] == [5, 3, 1, 0]


def test_every_published_per_cent_of_genes_comes_of_one_count_alone() -> None:
    for model in MODELS:
        for arm in ARMS:
            told = GENE_ACCURACY[model][arm]
            fitting = [n for n in range(799) if round(100 * n / 798, 1) == told]
            assert fitting == [gene_count(model, arm)]


def test_the_published_contingency_agrees_with_the_published_accuracy() -> None:
    for model, cells in GENE_CONTINGENCY_T10.items():
        assert cells.both + cells.retrieval_only == gene_count(model, "t10")
        assert cells.both + cells.model_only == gene_count(model, "model_only")
        assert cells.both + cells.retrieval_only + cells.model_only + cells.neither == 798


def test_published_gene_accuracy_is_the_published_table(corpora: Path) -> None:
    with (corpora / "bte_rag" / "gene_accuracy_by_threshold.csv").open() as file:
        rows = {row.pop("model"): row for row in csv.DictReader(file)}
    for model in MODELS:
        told = [float(value) for value in rows[model].values()]
        assert [GENE_ACCURACY[model][arm] for arm in ARMS] == told


def test_published_similarities_are_the_published_table(corpora: Path) -> None:
    with (corpora / "bte_rag" / "similarity_curve_summary.csv").open() as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == 80
    for row in rows:
        kind: Kind = "metabolite" if row["benchmark"] == "metabolite" else "drug"
        model = "gpt-4o-mini" if row["condition"].startswith("mini") else "gpt-4o"
        arm = row["context"].replace("p", "t")
        if row["condition"].endswith("_llm"):
            arm = "model_only"
        ours = next(one for one in similarity_table(kind, model) if one.arm == arm)
        counts = [row["n_sim_1.00"], *(row[f"n>={least:.2f}"] for least in COSINE_BINS[1:])]
        assert [ours.reach[least] for least in COSINE_BINS] == [int(count) for count in counts]
        assert ours.scored == int(row["n_scored"])
        assert (ours.mean, ours.median) == (float(row["mean"]), float(row["median"]))


def test_published_counts_that_the_paper_tells_are_in_the_table() -> None:
    told: list[tuple[Kind, str, int]] = [
        ("metabolite", "model_only", 30),
        ("metabolite", "t80", 53),
        ("drug", "model_only", 129),
        ("drug", "full", 144),
    ]
    for kind, arm, count in told:
        row = next(one for one in similarity_table(kind, "gpt-4o") if one.arm == arm)
        assert row.reach[0.9] == count


def test_genes_were_not_compared_by_cosine() -> None:
    with pytest.raises(KeyError):
        similarity_table("gene", "gpt-4o")


def test_other_published_figures() -> None:
    assert QUESTIONS == {"gene": 798, "metabolite": 201, "drug": 842}
    assert GENEGPT["slim"] == {"gpt-4o-mini": 45.2, "gpt-4o": 44.0}
    assert ENTITIES_JOINT["drug"] == 89.2
    assert CONTEXT_TOKENS["gene"].max == 87468
