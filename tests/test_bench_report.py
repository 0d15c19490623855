"""A report is one safe page: every number with its n, every run with its kind of evidence."""

from __future__ import annotations

import base64
import hashlib
import json
import re
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from html import escape, unescape
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from fedrag.bench.cosine import NameSimilarity
from fedrag.bench.model import (
    ArmResult,
    CitedLine,
    Context,
    FoundEntity,
    Gold,
    Kind,
    Question,
    QuestionResult,
    RankedCandidate,
    Thing,
)
from fedrag.bench.report import build_report
from fedrag.bench.report.collect import collect
from fedrag.bench.report.targets import verdicts
from fedrag.bench.split import is_development
from fedrag.cli.bench_report import report
from fedrag.errors import ConfigError
from fedrag.evidence.embed import LexicalEmbedder

HOSTILE = "</script><img src=x onerror=alert(1)>|`[x](javascript:alert(1))"
KEYS = [f"DRUGBANK:DB{n:05d}" for n in range(1, 400)]
REST = [key for key in KEYS if not is_development(key)]
TUNED = [key for key in KEYS if is_development(key)]
LINE = CitedLine(
    "E1",
    "Imatinib decreases activity of KIT.",
    "infores:drugmechdb",
    ("urn:1",),
    ("PMID:15774254", "doi:10.1000/182", "https://example.org/a?b=1&c=2", "javascript:alert(1)"),
    True,
)


# --- runs made up for these tests -----------------------------------------------------------------


def asked(number: int, kind: Kind = "gene", key: str | None = None, **more: Any) -> Question:
    return replace(
        Question(
            id=f"{kind}-{number}",
            kind=kind,
            text=f"Which {kind} is it, number {number}?",
            golds=(Gold("KIT", ("HGNC:6342",), ("CD117",)),),
            drug=Thing("imatinib", ("DRUGBANK:DB00619",)),
            disease=Thing("mastocytosis", ("MESH:D034701",)),
            published=("KIT",),
            drug_key=key or REST[number],
        ),
        **more,
    )


def ran(question: Question, arms: Iterable[ArmResult] = (), **more: Any) -> QuestionResult:
    """A run that found the gold at the first place, in line 1."""
    gold = question.golds[0].name
    found = Context(4, 80, {gold: 1})
    base = QuestionResult(
        question.id,
        question.kind,
        entities=(
            FoundEntity("imatinib", "DRUGBANK:DB00619", "imatinib", "drug"),
            FoundEntity("mastocytosis", "MESH:D034701", "mastocytosis", "disease"),
        ),
        edges=6,
        services={"infores:drugmechdb": "ok"},
        calls=3,
        seconds=0.25,
        retrieved=found,
        page=found,
        ranks={gold: 1},
        candidates=(
            RankedCandidate(gold, "HGNC:6342", 3.5, ("E1",)),
            RankedCandidate("PDGFRA", "HGNC:8803", 1.25),
        ),
        candidate_count=2,
        arms={arm.arm: arm for arm in arms},
    )
    return replace(base, **more)


def answer(arm: str, name: str | None, **more: Any) -> ArmResult:
    context = None if arm == "model_only" else Context(4, 80, {"KIT": 1})
    cited = (LINE,) if context else ()
    base = ArmResult(arm, name, items=(name,) if name else (), context=context, cited=cited)
    return replace(base, citations=tuple(line.key for line in cited), **more)


def ranking() -> ArmResult:
    return answer("ranking", "KIT", curie="HGNC:6342")


def four(kind: Kind = "gene") -> tuple[list[Question], list[QuestionResult]]:
    """Four questions: the model has one right, pruned three, the ranking all."""
    questions = [asked(n, kind) for n in range(4)]
    results = []
    for n, question in enumerate(questions):
        alone = answer("model_only", "KIT" if n == 0 else "TP53", calls=1, seconds=2.0)
        pruned = answer("pruned", "KIT" if n else "TP53", calls=1, seconds=4.0)
        results.append(ran(question, [alone, pruned, ranking()]))
    return questions, results


def write(
    folder: Path,
    questions: Sequence[Question],
    results: Sequence[QuestionResult],
    /,
    **meta: Any,
) -> Path:
    folder.mkdir(parents=True)
    arms = list(dict.fromkeys(arm for result in results for arm in result.arms))
    settings = {
        "format": 1,
        "set": questions[0].kind,
        "questions": "gene.jsonl",
        "questions_sha256": "0" * 64,
        "n": len(questions),
        "evidence": "closed world",
        "recorded_from": None,
        "leave_one_out": False,
        "excluded": [],
        "arms": arms,
        "llm": {"model": "qwen", "url": "http://127.0.0.1:1", "context_tokens": 8192},
        "embedder": "lexical",
        "top_k": 40,
        "max_tokens": 3000,
        "sample": None,
        "limit": None,
        "split": {"seed": 20260, "share": 0.2},
        "fedrag_version": "0.1.0",
        "started": "2026-11-30T08:00:00+00:00",
        "finished": "2026-11-30T08:01:30+00:00",
        "excluded_questions": [],
    }
    (folder / "run.json").write_text(json.dumps(settings | meta))
    _lines(folder / "questions.jsonl", questions)
    _lines(folder / "results.jsonl", results)
    return folder


def _lines(path: Path, items: Iterable[Question | QuestionResult]) -> None:
    path.write_text("".join(json.dumps(one.to_dict()) + "\n" for one in items))


def page_of(*folders: Path, **more: Any) -> str:
    out = folders[0].parent / "page.html"
    build_report(folders, out, **more)
    return out.read_text(encoding="utf-8")


@pytest.fixture
def judged(monkeypatch: pytest.MonkeyPatch) -> None:
    """Four questions are a whole set, and as many as a model's arms are judged by."""
    targets = "fedrag.bench.report.targets"
    monkeypatch.setattr(f"{targets}.WHOLE", {"gene": 4, "metabolite": 4, "drug": 4})
    monkeypatch.setattr(f"{targets}.SAMPLE", 4)


@pytest.fixture(scope="module")
def plain(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The page of the four questions."""
    return page_of(write(tmp_path_factory.mktemp("plain") / "run", *four()))


# --- reading a page -------------------------------------------------------------------------------


class Reader(HTMLParser):
    """The elements of a page, and its tables as text, row by row under their captions."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.open: list[str] = []
        self.tables: dict[str, list[list[str]]] = {}
        self._caption, self._rows, self._texts = "", [[""]], [""]
        self.feed(page)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))
        if tag not in ("meta", "br", "input"):
            self.open.append(tag)
        if tag == "table":
            self._caption, self._rows = "", []
        elif tag == "tr":
            self._rows.append([])
        elif tag in ("td", "th", "caption"):
            self._texts = []

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag
        words = " ".join(" ".join(self._texts).split())
        if tag == "caption":
            self._caption = words
        elif tag in ("td", "th"):
            self._rows[-1].append(words)
        elif tag == "table":
            self.tables.setdefault(self._caption, self._rows)

    def handle_data(self, data: str) -> None:
        self._texts.append(data)

    def row(self, caption: str, name: str) -> list[str]:
        """The cells of a row, of the first table whose caption begins so."""
        rows = next(rows for found, rows in self.tables.items() if found.startswith(caption))
        return next(row[1:] for row in rows if row[0] == name)

    def named(self, tag: str) -> list[Mapping[str, str | None]]:
        return [attributes for name, attributes in self.elements if name == tag]


# --- figures with their n -------------------------------------------------------------------------


def test_every_share_is_told_with_its_interval_and_its_count(plain: str) -> None:
    read = Reader(plain)
    caption = "Right by identifier or name, question-wise"
    assert read.row(caption, "model only") == ["25.0 % 4.6–69.9, 1 of 4"]
    assert read.row(caption, "pruned") == ["75.0 % 30.1–95.4, 3 of 4"]
    assert read.row(caption, "ranking alone") == ["100.0 % 51.0–100.0, 4 of 4"]


def test_means_have_a_bootstrap_interval_and_sums_none(plain: str) -> None:
    read = Reader(plain)
    caption = "Calls, time and cost: model only"
    assert read.row(caption, "seconds a question, mean") == ["2 n 4"]
    assert read.row(caption, "seconds, all questions") == ["8 n 4"]


def test_questions_of_the_tuning_split_stand_apart(tmp_path: Path) -> None:
    questions, results = four()
    tuned = asked(9, key=TUNED[0])
    results.append(ran(tuned, [answer("pruned", "TP53"), ranking()]))
    read = Reader(page_of(write(tmp_path / "run", [*questions, tuned], results)))
    parts = "Parts of the questions"
    row = read.row(parts, "pruned: right, by identifier or name")
    assert row[:3] == [
        "60.0 % 23.1–88.2, 3 of 5",
        "0.0 % 0.0–79.3, 0 of 1",
        "75.0 % 30.1–95.4, 3 of 4",
    ]
    assert (
        "development split"
        in read.tables["Runs of this report; every headline figure is of the second count"][0][4]
    )


def test_the_questions_of_several_proteins_are_a_part_of_their_own(tmp_path: Path) -> None:
    questions, results = four()
    questions[1] = replace(questions[1], alternatives=3)
    read = Reader(page_of(write(tmp_path / "run", questions, results)))
    heads = next(r for c, r in read.tables.items() if c.startswith("Parts of the questions"))[0]
    assert heads[4:] == ["rest, drug with a single protein", "rest, drug with several proteins"]
    assert read.row("Parts of", "gold in the retrieved evidence")[3:] == [
        "100.0 % 43.9–100.0, 3 of 3",
        "100.0 % 20.7–100.0, 1 of 1",
    ]


def test_pairs_have_contingency_test_and_odds_ratio(plain: str) -> None:
    read = Reader(plain)
    row = read.row("Arms in pairs", "A: pruned / model only")
    assert row[:4] == ["0", "3", "1", "0"]
    assert row[4].startswith("+50.0 points")
    assert row[4].endswith("n 4")
    assert row[5:] == ["0.62", "3 0.241–157, n 4"]


def test_the_published_curve_stands_beside_with_n_and_interval(plain: str) -> None:
    read = Reader(plain)
    assert read.row("Published (Joy & Su 2025)", "T10") == [
        "75.8 % 72.7–78.7, 605 of 798",
        "78.6 % 75.6–81.3, 627 of 798",
    ]
    pairs = read.row(
        "All pairs of arms, right by the published rule", "published, gpt-4o: T10 / model only"
    )
    assert pairs[:4] == ["508", "119", "49", "122"]


def test_metabolites_have_the_published_cosine_counts_beside_them(tmp_path: Path) -> None:
    read = Reader(page_of(write(tmp_path / "run", *four("metabolite"))))
    assert read.row("Published (Joy & Su 2025): cosine ≥ 0.90", "T80")[0].endswith("51 of 201")


def test_an_arm_that_had_no_model_to_ask_shows_its_context_and_no_accuracy(tmp_path: Path) -> None:
    questions = [asked(n) for n in range(3)]
    bare = [
        ArmResult("full", context=Context(4, 80, {"KIT": 1})),
        ArmResult("t10", context=Context(2, 40, {"KIT": None})),
    ]
    results = [ran(question, [*bare, ranking()]) for question in questions]
    page = page_of(write(tmp_path / "run", questions, results, llm=None))
    read = Reader(page)
    rows = next(r for c, r in read.tables.items() if c.startswith("Right by identifier"))
    assert [row[0] for row in rows] == ["arm", "ranking alone"]
    assert read.row("Every score of every arm", "gold in the context")[:2] == [
        "100.0 % 43.9–100.0, 3 of 3",
        "0.0 % 0.0–56.1, 0 of 3",
    ]


def test_similarity_is_drawn_where_it_was_measured_and_named_by_its_model(tmp_path: Path) -> None:
    run = write(tmp_path / "run", *four())
    assert "Cosines of names were not measured" in page_of(run)
    letters = NameSimilarity("letters", encoder=LexicalEmbedder().embed)
    page = page_of(run, similarity=letters)
    assert "Cosines by letters, not the published model" in page
    assert "Rank-ordered similarity" in page
    assert "Histograms of similarity" in page
    assert Reader(page).row("Published rows with a cosine of 0.90", "model only") == [
        "25.0 % 4.6–69.9, 1 of 4"
    ]


# --- evidence and targets -------------------------------------------------------------------------


def test_each_run_is_named_with_its_evidence_and_what_that_does_not_say(tmp_path: Path) -> None:
    closed = write(tmp_path / "closed", *four())
    loo = write(tmp_path / "loo", *four(), leave_one_out=True)
    live = write(tmp_path / "live", *four(), evidence="live")
    replayed = write(
        tmp_path / "replay", *four(), evidence="recorded", recorded_from="closed world"
    )
    page = page_of(closed, loo, live, replayed)
    for title in (
        "A: closed (closed world)",
        "B: loo (closed world, leave-one-out)",
        "C: live (live)",
        "D: replay (recorded from the closed world)",
    ):
        assert title in page
    assert "<b>A, B, D: </b>Evidence was the DrugMechDB corpus itself" in page
    assert "It says nothing about coverage" in page
    assert "<b>A, D: </b>Here every gold is in the evidence by construction." in page
    assert "<b>B: </b>Of these questions 100.0 % (4 of 4) have a gold in the retrieved" in page
    assert "<b>B: </b>Leave-one-out" in page
    assert "<b>C: </b>Evidence was asked of the live services" in page


def test_golds_are_there_by_construction_only_where_all_of_them_were_found(
    tmp_path: Path,
) -> None:
    questions, results = four()
    two = (*questions[0].golds, Gold("PDGFRA", ("HGNC:8803",)))
    some = [replace(questions[0], golds=two), *questions[1:]]
    missed = [replace(results[0], retrieved=Context(4, 80, {"KIT": None})), *results[1:]]
    every = "every gold is in the evidence by construction"
    page = page_of(write(tmp_path / "missed", questions, missed))
    assert "Of these questions 75.0 % (3 of 4) have a gold in the retrieved evidence." in page
    assert every not in page
    page = page_of(write(tmp_path / "one of two", some, results))
    assert "Of these questions 100.0 % (4 of 4) have a gold" in page
    assert every not in page
    assert every not in page_of(write(tmp_path / "live", *four(), evidence="live"))


def test_how_a_run_was_made_tells_its_note_part_corpus_and_cassette(tmp_path: Path) -> None:
    page, tables = tmp_path / "page.html", tmp_path / "page.md"
    more: dict[str, Any] = {
        "note": "llama.cpp on two cores",
        "part": "rest",
        "sample": {"n": 4, "seed": 7},
        "corpus": {"name": "indication_paths.json", "sha256": "ab" * 32},
        "cassette": {"name": "gene.cassette.json.zst", "sha256": "cd" * 32},
    }
    build_report([write(tmp_path / "run", *four(), **more)], page, markdown=tables)
    told = {
        "note": "llama.cpp on two cores",
        "part of the set": "sample of 4, outside the development split, seed 7",
        "corpus": "indication_paths.json (SHA-256 abababababababab)",
        "cassette": "gene.cassette.json.zst (SHA-256 cdcdcdcdcdcdcdcd)",
    }
    rows = Reader(page.read_text()).tables["A: run (closed world)"]
    assert {row[0]: row[1] for row in rows if row[0] in told} == told
    text = tables.read_text().replace("\\", "")
    assert all(f"- {name}: {value}" in text for name, value in told.items())
    bare = page_of(write(tmp_path / "bare", *four()))
    assert not {"corpus", "cassette", "note"} & {
        r[0] for r in Reader(bare).tables["A: bare (closed world)"]
    }


def test_the_report_tells_how_often_an_arm_leaves_the_ranking_and_what_that_costs(
    tmp_path: Path,
) -> None:
    questions = [asked(n) for n in range(5)]
    # The first candidate is wrong there.
    turned = {"ranks": {"KIT": 2}, "candidates": ran(questions[0]).candidates[::-1]}
    results = [
        ran(questions[0], [answer("pruned", "KIT", curie="HGNC:6342"), ranking()]),
        ran(questions[1], [answer("pruned", "PDGFRA", curie="HGNC:8803"), ranking()]),
        ran(questions[2], [answer("pruned", "KIT", curie="HGNC:6342"), ranking()], **turned),
        ran(questions[3], [answer("pruned", "TP53"), ranking()], **turned),
        ran(questions[4], [answer("pruned", None, abstained=True), ranking()]),
    ]
    page, tables = tmp_path / "page.html", tmp_path / "page.md"
    run = write(tmp_path / "run", questions, results)
    build_report([run], page, markdown=tables)
    caption = "What arms with a context make of the ranked candidates, questions"
    rows = Reader(page.read_text()).tables[caption]
    assert rows == [
        [
            "arm",
            "answers the first candidate",
            "another, though the first is right",
            "another, which is right",
            "another, neither is right",
            "no answer",
        ],
        ["A: pruned", "1", "1", "1", "1", "1"],
    ]
    assert "| A: pruned | 1 | 1 | 1 | 1 | 1 |" in tables.read_text()
    bare = [write(tmp_path / "bare", [asked(0)], [ran(asked(0), [ranking()])])]
    build_report(bare, page, markdown=tables)
    assert caption not in page.read_text()  # nobody was given the list


def test_methods_tell_the_prompt_and_that_candidates_are_given_in_ranked_order(
    tmp_path: Path,
) -> None:
    page, tables = tmp_path / "page.html", tmp_path / "page.md"
    words = "arm are also given the first ten candidates in ranked order, which the published"
    own = "Answer with one name.\nSay <nothing> else."
    runs = [
        write(tmp_path / "run", *four(), system_prompt=own),
        write(tmp_path / "again", *four(), system_prompt=own, leave_one_out=True),
        write(tmp_path / "other", *four("drug"), system_prompt="Answer with one drug."),
        write(tmp_path / "older", *four("metabolite")),  # from before runs kept it
    ]
    build_report(runs, page, markdown=tables)
    title = "System prompt of every arm but the written answer"
    assert words in page.read_text()
    assert f"<h3>{title}: A, B</h3><pre>{escape(own)}</pre>" in page.read_text()
    assert f"<h3>{title}: C</h3><pre>Answer with one drug.</pre>" in page.read_text()
    assert f"<h3>{title}: D</h3><pre>(not kept by this run)</pre>" in page.read_text()
    assert words in tables.read_text()
    assert f"{title}: A, B:\n\n> Answer with one name.  \n> Say \\<nothing\\> else.  \n" in (
        tables.read_text()
    )
    build_report([write(tmp_path / "bare", *four(), llm=None)], page, markdown=tables)
    assert words not in page.read_text() + tables.read_text()  # nobody was prompted


def with_percentiles() -> tuple[list[Question], list[QuestionResult]]:
    """The four questions, with an arm that was pruned as published."""
    questions, results = four()
    arms = [{**result.arms, "t10": answer("t10", "KIT")} for result in results]
    return questions, [replace(r, arms=a) for r, a in zip(results, arms, strict=True)]


def test_percentile_prunings_are_told_with_their_embedder_wherever_they_are_shown(
    tmp_path: Path,
) -> None:
    page, tables = tmp_path / "page.html", tmp_path / "page.md"
    build_report([write(tmp_path / "run", *with_percentiles())], page, markdown=tables)
    words = (
        "Percentile prunings (T10–T90) by the cosine of lexical, not the published model "
        "(S-PubMedBert-MS-MARCO), by which other lines are kept."
    )
    inside = page.read_text().partition('aria-label="Gene questions">')[2]
    read = Reader(f"<div>{inside.partition('</section>')[0]}</div>")
    for caption, rows in read.tables.items():
        own = "T10" in caption or any("T10" in c for row in rows for c in (row[0], *rows[0]))
        assert (words in caption) == (own and not caption.startswith("Published (Joy")), caption
    drawn = re.findall(r"<figcaption>.*?</figcaption>", page.read_text())
    assert sum(words in caption for caption in drawn) == 4
    told = tables.read_text()
    for block in re.split(r"\n(?=\*\*)", told):
        if re.search(r"^\|.*T10", block, re.MULTILINE) and "Published (Joy" not in block:
            assert words in block
    build_report([write(tmp_path / "neural", *with_percentiles(), embedder="neural")], page)
    assert "by the cosine of neural, the published model." in page.read_text()
    assert words not in page.read_text()


def test_without_percentile_prunings_no_embedder_is_spoken_of(plain: str) -> None:
    assert "Percentile prunings (T10–T90)" not in plain


def test_the_markdown_holds_every_figure_of_the_pages_tables(tmp_path: Path) -> None:
    """Citations, contexts, pairs by the published rule and each score of each arm among them."""
    page, tables = tmp_path / "page.html", tmp_path / "page.md"
    build_report([write(tmp_path / "run", *with_percentiles())], page, markdown=tables)
    told = tables.read_text().replace("\\", "")
    inside = page.read_text().partition('id="set-gene"')[2].partition('id="excluded"')[0]
    captions = re.findall(r"<caption><span>(.*?)</span>", inside)
    assert len(captions) > 12
    for caption in captions:
        assert f"**{unescape(caption)}**" in told, caption
    assert "| pruned: citations that exist | 100.0 % (51.0–100.0, 4 of 4) |" in told
    assert "| T10: gold in the context | 100.0 % (51.0–100.0, 4 of 4) |" in told


def judged_of(*folders: Path) -> dict[str, Any]:
    """The targets alone, as the summary has them; no page is drawn for them."""
    return {"targets": [one.to_dict() for one in verdicts(collect(folders))]}


def targets_of(summary: Mapping[str, Any], label: str) -> list[tuple[str, Any]]:
    return [(t["run"], t["reached"]) for t in summary["targets"] if t["target"] == label]


@pytest.mark.usefixtures("judged")
def test_targets_are_judged_in_whole_closed_worlds_alone(tmp_path: Path) -> None:
    runs = [
        write(tmp_path / "closed", *four()),
        write(tmp_path / "loo", *four(), leave_one_out=True),
        write(tmp_path / "less", *four(), excluded=["infores:x"]),
        write(tmp_path / "live", *four(), evidence="live"),
        write(
            tmp_path / "part",
            *four(),
            evidence="recorded",
            recorded_from="closed world",
            sample={"n": 4, "seed": 1},
        ),
    ]
    summary = judged_of(*runs)
    assert targets_of(summary, "Hits@1") == [("A", True), ("E, sample of 4", True)]
    assert targets_of(summary, "Hits@1, several proteins") == [
        ("A", None),
        ("E, sample of 4", None),
    ]
    assert targets_of(summary, "pruned context not below ranking alone")[0] == ("A", False)
    assert targets_of(summary, "pruned context over the model alone")[0] == ("A", False)


def dead() -> tuple[list[Question], list[QuestionResult]]:
    """The four questions, asked of a model that was down for three of them."""
    questions, results = four()
    down = [answer("pruned", None, error="ServiceError: refused. Twice.\nSee <log>")] * 3
    broken = [*down, answer("pruned", "KIT")]
    arms = [{**r.arms, "pruned": arm} for r, arm in zip(results, broken, strict=True)]
    return questions, [replace(r, arms=a) for r, a in zip(results, arms, strict=True)]


@pytest.mark.usefixtures("judged")
def test_targets_on_an_arm_whose_answers_are_errors_are_not_measured(tmp_path: Path) -> None:
    summary = build_report([write(tmp_path / "run", *dead())], tmp_path / "page.html")
    why = "pruned: 3 of 4 failed: ServiceError: refused. Twice. See <log>"
    for label in (
        "pruned context over the model alone",
        "pruned context not below ranking alone",
    ):
        (one,) = [t for t in summary["targets"] if t["target"] == label]
        assert (one["reached"], one["verdict"], one["reason"]) == (None, "not measured", why)
        assert one["measured"] == "not measured"
    assert targets_of(summary, "Hits@1") == [("A", True)]  # the ranking answered
    assert summary["runs"][0]["errors"] == [
        {"arm": "pruned", "count": 3, "n": 4, "reason": why.partition("failed: ")[2]}
    ]


@pytest.mark.usefixtures("judged")
def test_an_arm_with_few_errors_is_judged(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("fedrag.bench.report.failures.MOST_FAILED", 0.75)
    summary = judged_of(write(tmp_path / "run", *dead()))
    assert targets_of(summary, "pruned context not below ranking alone") == [("A", False)]


def test_errors_of_an_arm_are_told_beside_its_figures(tmp_path: Path) -> None:
    page, tables = tmp_path / "page.html", tmp_path / "page.md"
    build_report([write(tmp_path / "run", *dead())], page, markdown=tables)
    read = Reader(page.read_text())
    right = read.row("Right by identifier or name, question-wise", "pruned")
    assert right == ["25.0 % 4.6–69.9, 1 of 4; 3 of 4 failed"]
    assert read.row("Arms in pairs", "A: pruned / ranking alone (pruned 3 of 4 failed)")
    assert page.read_text().count("Errors: A, pruned: 3 of 4 failed.") == 4
    assert "Run A, pruned: 3 of 4 failed: ServiceError: refused. Twice." in page.read_text()
    told = tables.read_text()
    assert "| pruned | 25.0 % (4.6–69.9, 1 of 4; 3 of 4 failed) |" in told
    assert "**pruned: 3 of 4 failed: ServiceError: refused. Twice. See \\<log\\>.**" in told


def test_an_arm_that_never_answered_has_no_accuracy(tmp_path: Path) -> None:
    question = asked(0)
    arms = [answer("pruned", None, error="LLMError: down"), ranking()]
    page = page_of(write(tmp_path / "run", [question], [ran(question, arms)]))
    assert Reader(page).row("Right by identifier", "pruned") == ["– 1 of 1 failed"]
    assert 'aria-label="A: run (closed world): ranking alone 100.0 %"' in page  # no point at nought


def test_questions_that_could_not_be_run_are_told_with_the_commonest_reason(tmp_path: Path) -> None:
    questions = [asked(n) for n in range(4)]
    why = ["PlanError: a", "ServiceError: down", "ServiceError: down"]
    results = [ran(questions[0], [ranking()])]
    results += [
        QuestionResult(q.id, "gene", error=e) for q, e in zip(questions[1:], why, strict=True)
    ]
    run = write(tmp_path / "run", questions, results)
    told = "Run A, 3 of 4 questions could not be run: ServiceError: down."
    assert told in page_of(run)


def test_a_sample_is_measured_and_not_judged(tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    run = write(tmp_path / "run", *four(), sample={"n": 4, "seed": 1}, part="rest")
    summary = build_report([run], page)
    told = {t["target"]: (t["reached"], t["verdict"], t["interval"]) for t in summary["targets"]}
    assert told["Hits@1"] == (None, "sample: not judged", "51.0–100.0, 4 of 4")
    assert told["pruned context not below ranking alone"][:2] == (None, "sample: not judged")
    assert told["Hits@1, several proteins"] == (None, "not measured", "n 0")
    cells = Reader(page.read_text()).row("Targets and what", "gene: Hits@1")
    assert cells[0] == "sample: not judged"
    assert cells[3] == "A, sample of 4, outside the development split"


def test_a_set_is_whole_by_what_was_run_outside_the_split(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A run of a whole set that is not at its end is a part of it too."""
    monkeypatch.setattr("fedrag.bench.report.targets.WHOLE", {"gene": 3})
    questions, results = four()
    tuned = asked(9, key=TUNED[0])
    part = write(tmp_path / "part", questions, results[:3])
    whole = write(tmp_path / "whole", [*questions, tuned], results)
    assert targets_of(judged_of(part, whole), "Hits@1") == [("A", None), ("B", True)]


def test_a_models_arms_are_judged_on_as_many_questions_as_the_issue_asks(
    tmp_path: Path,
) -> None:
    questions = [asked(n) for n in range(150)]
    arms = [answer("model_only", "TP53"), answer("pruned", "KIT"), ranking()]
    results = [ran(question, arms) for question in questions]
    label = "pruned context over the model alone"
    enough = write(tmp_path / "run", questions, results, sample={"n": 150, "seed": 1})
    assert targets_of(judged_of(enough), label) == [("A, sample of 150", True)]
    less = write(tmp_path / "less", questions, results[:149], sample={"n": 150, "seed": 1})
    assert targets_of(judged_of(less), label) == [("A, sample of 150", None)]


def test_a_target_that_no_run_measures_is_said_to_be_unmeasured(tmp_path: Path) -> None:
    run = write(tmp_path / "live", *four("metabolite"), evidence="live")
    summary = build_report([run], tmp_path / "page.html")
    assert targets_of(summary, "Hits@1") == [("–", None)]
    assert [t["set"] for t in summary["targets"]] == ["metabolite", "metabolite", "all"]


def test_the_time_of_all_questions_is_judged_when_all_were_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    sizes = {"gene": 4, "metabolite": 4}
    monkeypatch.setattr("fedrag.bench.report.targets.DISTINCT", sizes)
    gene = write(tmp_path / "gene", *four(), llm=None)
    after = {"started": "2026-11-30T09:00:00+00:00", "finished": "2026-11-30T09:01:30+00:00"}
    other = write(tmp_path / "metabolite", *four("metabolite"), llm=None, **after)
    beside = write(tmp_path / "beside", *four("metabolite"), llm=None)
    label = "all 1,639 distinct questions, closed world, no model"
    one, both = judged_of(gene), judged_of(gene, other)
    assert targets_of(one, label) == [("–", None)]
    assert targets_of(both, label) == [("A + B", False)]  # twice 90 seconds are not under 3 minutes
    assert targets_of(judged_of(gene, beside), label) == [("A + B", True)]  # side by side they are
    backwards = {"started": after["finished"], "finished": after["started"]}
    odd = write(tmp_path / "odd", *four("metabolite"), llm=None, **backwards)
    assert targets_of(judged_of(gene, odd), label) == [("–", None)]  # a clock that was set back
    told = {"evidence": "recorded", "recorded_from": "closed world"}
    again = write(tmp_path / "again", *four("metabolite"), llm=None, **told)
    assert targets_of(judged_of(gene, again), label) == [("–", None)]  # a replay asks nobody
    questions, results = four("metabolite")
    results[0] = QuestionResult(results[0].id, "metabolite", error="UnavailableError: down")
    failed = write(tmp_path / "failed", questions, results, llm=None)
    assert targets_of(judged_of(gene, failed), label) == [("–", None)]
    monkeypatch.setitem(sizes, "metabolite", 5)
    assert targets_of(judged_of(gene, other), label) == [("–", None)]  # not the whole set


# --- down to a question ---------------------------------------------------------------------------


def test_a_question_opens_to_golds_answers_candidates_and_cited_edges(plain: str) -> None:
    start = plain.index('id="r1-q2"')
    opened = plain[start : plain.index('id="r1-q3"')]
    read = Reader(f"<div>{opened[opened.index('<div>') : opened.rindex('</details>')]}</div>")
    assert 'data-v="a0:wrong a1:right a2:right"' in opened
    assert "KIT</b> (HGNC:6342), also CD117: <span>candidate 1; first in line 1" in opened
    assert read.row("Answers", "pruned")[:2] == ["KIT", "✓ right by name: KIT"]
    assert read.row("Answers", "model only")[:3] == ["TP53", "✗ wrong", "no context"]
    assert "PDGFRA (HGNC:8803), 1.25" in opened
    cited = read.row("Cited edges", "E1")
    assert cited[:2] == ["Imatinib decreases activity of KIT.", "infores:drugmechdb"]
    assert cited[3:] == ["urn:1", "pruned, ranking alone"]


def test_publications_link_to_pages_and_to_nothing_else(plain: str) -> None:
    read = Reader(plain)
    links = {str(a["href"]) for a in read.named("a") if not str(a["href"]).startswith("#")}
    assert links == {
        "https://pubmed.ncbi.nlm.nih.gov/15774254/",
        "https://doi.org/10.1000/182",
        "https://example.org/a?b=1&c=2",
        "https://doi.org/10.1101/2025.08.01.668022",
    }


def test_what_was_excluded_is_listed_with_its_reason(tmp_path: Path) -> None:
    questions = [asked(n) for n in range(4)]
    results = [
        ran(questions[0], [answer("pruned", None, error="LLMError: timed out"), ranking()]),
        ran(questions[1], [answer("pruned", None, abstained=True), ranking()]),
        QuestionResult("gene-2", "gene", error="UnresolvedEntityError: nothing fits"),
    ]
    refused = [{"id": "gene-77", "row": 12, "reason": "its list of golds does not parse"}]
    run = write(tmp_path / "run", questions, results, excluded_questions=refused)
    page = page_of(run)
    rows = Reader(page).tables["Refused, failed, abstained"][1:]
    assert rows == [
        ["gene-77, row 12", "question refused", "its list of golds does not parse"],
        ["gene-2", "question failed", "UnresolvedEntityError: nothing fits"],
        ["gene-3", "question not run", "the run has no line of it"],
        ["gene-0", "arm pruned: error", "LLMError: timed out"],
        ["gene-1", "arm pruned: abstained", "it named nothing"],
    ]
    assert 'data-v="a0:error a1:right"' in page
    assert 'data-v="a0:abstained a1:right"' in page
    assert 'data-v="a0:failed a1:failed"' in page
    assert page.count(">not run</span>") == 1
    assert "Run A is not finished: 3 of 4 questions run so far." in page


def test_long_lists_are_cut_and_say_how_much_was_cut(tmp_path: Path) -> None:
    question = asked(0)
    many = replace(LINE, publications=tuple(f"PMID:{n}" for n in range(1, 501)))
    arm = replace(answer("pruned", "KIT"), cited=(many,))
    page = page_of(write(tmp_path / "run", [question], [ran(question, [arm])]))
    assert "PMID:10</a> and 490 more" in page
    assert "PMID:11<" not in page


# --- one safe file --------------------------------------------------------------------------------


def hostile_run(folder: Path) -> Path:
    name = HOSTILE
    line = replace(LINE, key=name, sentence=name, source=name, edges=(name,), publications=(name,))
    question = asked(
        0,
        id=name,
        text=name,
        golds=(Gold(name, (name,), (name,)),),
        drug=Thing(name, (name,)),
        disease=Thing(name, (name,)),
        published=(name, name + "2"),
    )
    mine = ArmResult(
        name,
        name,
        name,
        (name, name + "2"),
        context=Context(1, 9, {name: 1}),
        citations=(name,),
        cited=(line,),
    )
    broken = ArmResult("pruned", error=name)
    result = ran(
        question,
        [mine, broken],
        services={name: name},
        notes=(name,),
        entities=(FoundEntity(name, name, name, None),),
        candidates=(RankedCandidate(name, name, 1.0, (name,)),),
    )
    failed = QuestionResult("gene-1", "gene", error=name)
    return write(
        folder,
        [question, asked(1)],
        [result, failed],
        evidence=name,
        recorded_from=name,
        excluded=[name],
        embedder=name,
        questions=name,
        started=name,
        fedrag_version=name,
        llm={"model": name, "url": name, "context_tokens": name},
        system_prompt=name,
        excluded_questions=[{"id": name, "row": 3, "reason": name}],
    )


def test_nothing_from_outside_becomes_markup(tmp_path: Path) -> None:
    page = page_of(hostile_run(tmp_path / "</title><img src=y onerror=alert(2)>".replace("/", "_")))
    read = Reader(page)
    assert page.count("&lt;/script&gt;&lt;img src=x onerror=alert(1)&gt;") > 30
    assert read.open == []
    assert read.named("img") == []
    assert len(read.named("script")) == 1
    assert not [a for _, attributes in read.elements for a in attributes if a.startswith("on")]
    links = [str(attributes["href"]) for attributes in read.named("a")]
    assert all(one.startswith(("#", "https://")) for one in links)


def test_the_markdown_of_hostile_names_keeps_its_tables(tmp_path: Path) -> None:
    run, out = hostile_run(tmp_path / "run"), tmp_path / "page.md"
    build_report([run], tmp_path / "page.html", markdown=out)
    text = out.read_text()
    assert "<img" not in re.sub(r"\\<", "", text)
    assert "](javascript" not in re.sub(r"\\[\[\]]", "", text)
    for block in re.findall(r"(?:^\|.*\n)+", text, re.MULTILINE):
        widths = {len(re.findall(r"(?<!\\)\|", line)) for line in block.splitlines()}
        assert len(widths) == 1


def test_the_page_asks_nobody_and_runs_no_script_but_its_own(plain: str) -> None:
    read = Reader(plain)
    assert not [a for _, a in read.elements if "src" in a]
    assert read.named("link") == []
    assert "@import" not in plain
    assert not re.search(r"url\((?!#)", plain)
    script = re.findall(r"<script>(.*?)</script>", plain, re.DOTALL)
    digest = base64.b64encode(hashlib.sha256(script[0].encode()).digest()).decode()
    policy = str(next(a["content"] for a in read.named("meta") if "http-equiv" in a))
    assert f"script-src 'sha256-{digest}'" in policy
    assert policy.startswith("default-src 'none'")


def test_ids_are_unique_over_several_runs_and_all_references_resolve(tmp_path: Path) -> None:
    runs = [write(tmp_path / "a", *four()), write(tmp_path / "b", *four(), leave_one_out=True)]
    runs.append(write(tmp_path / "c", *four("metabolite")))
    page = page_of(*runs)
    ids = re.findall(r'\bid="([^"]*)"', page)
    assert len(ids) == len(set(ids)) > 200
    wanted = set(re.findall(r'(?:href="#|url\(#)([^")]*)', page))
    assert wanted - set(ids) == set()


def test_figures_are_text_in_the_pages_own_colours_with_words_for_those_who_do_not_see(
    plain: str,
) -> None:
    figures = re.findall(r'<svg role="img" aria-label="([^"]*)".*?</svg>', plain, re.DOTALL)
    assert len(figures) == plain.count("<figure>") == plain.count("<figcaption>") == 8
    assert figures[0].startswith("A: run (closed world): model only 25.0 %, pruned 75.0 %")
    assert ">model only</text>" in plain
    assert "var(--s0)" in plain
    assert "#0a00" not in plain
    assert "#0b00" not in plain
    assert "DejaVu Sans'" not in plain
    assert "<metadata" not in plain


def test_tables_have_captions_and_headers_for_rows_and_columns(plain: str) -> None:
    tables = re.findall(r"<table>.*?</table>", plain, re.DOTALL)
    assert len(tables) > 15
    assert all(table.startswith("<table><caption>") for table in tables)
    assert all('scope="col"' in table or 'scope="row"' in table for table in tables)


def test_the_same_runs_give_the_same_page_to_the_last_byte(tmp_path: Path) -> None:
    runs = [write(tmp_path / "a", *four()), write(tmp_path / "b", *four(), leave_one_out=True)]
    assert page_of(*runs) == page_of(*runs)


def test_a_question_of_five_arms_takes_at_most_six_kilobytes(tmp_path: Path) -> None:
    sizes = []
    for count in (10, 40):
        questions = [asked(n) for n in range(count)]
        arms = [answer(arm, "KIT") for arm in ("model_only", "full", "pruned", "written")]
        results = [ran(question, [*arms, ranking()]) for question in questions]
        sizes.append(len(page_of(write(tmp_path / str(count), questions, results))))
    assert 1000 < (sizes[1] - sizes[0]) / 30 < 6000


# --- runs that are none ---------------------------------------------------------------------------


def test_a_folder_that_lacks_files_is_refused_with_their_names(tmp_path: Path) -> None:
    empty = tmp_path / "empty"
    empty.mkdir()
    with pytest.raises(ConfigError, match=r"lacks run.json .*questions.jsonl .*results.jsonl"):
        build_report([empty], tmp_path / "page.html")
    run = write(tmp_path / "run", *four())
    (run / "results.jsonl").unlink()
    with pytest.raises(ConfigError, match=r"not a whole run: it lacks results.jsonl \(one result"):
        build_report([run], tmp_path / "page.html")
    with pytest.raises(ConfigError, match="nowhere is not a folder"):
        build_report([tmp_path / "nowhere"], tmp_path / "page.html")
    assert not (tmp_path / "page.html").exists()


@pytest.mark.parametrize("content", ["", '{"format": 1, "set": "ge', "[1]", '{"format": 9}'])
def test_a_half_written_or_foreign_run_json_is_refused(tmp_path: Path, content: str) -> None:
    run = write(tmp_path / "run", *four())
    (run / "run.json").write_text(content)
    with pytest.raises(ConfigError, match=r"run\.json"):
        build_report([run], tmp_path / "page.html")


def test_a_run_without_a_result_is_refused_and_says_how_to_go_on(tmp_path: Path) -> None:
    run = write(tmp_path / "run", *four())
    (run / "results.jsonl").write_text("")
    with pytest.raises(ConfigError, match="holds no result yet") as told:
        build_report([run], tmp_path / "page.html")
    assert "--resume" in str(told.value.hint)


def test_a_half_written_line_is_passed_over_and_told(tmp_path: Path) -> None:
    run = write(tmp_path / "run", *four())
    lines = (run / "results.jsonl").read_text()
    (run / "results.jsonl").write_text(lines[: len(lines) - 400])
    page = page_of(run)
    assert "results.jsonl, line 4 was passed over" in page
    assert "Run A is not finished: 3 of 4 questions run so far." in page


def test_an_unfinished_run_says_so_before_any_figure(tmp_path: Path) -> None:
    page, tables = tmp_path / "page.html", tmp_path / "page.md"
    questions, results = four()
    run = write(tmp_path / "run", questions, results[:3], finished=None)
    summary = build_report([run], page, markdown=tables)
    assert summary["runs"][0]["unfinished"] == "3 of 4 questions run so far"
    told = page.read_text()
    words = "Run A is not finished: 3 of 4 questions run so far."
    assert told.index(words) < told.index("<table>")
    text = tables.read_text()
    assert text.index("**Not finished: 3 of 4 questions run so far.**") < text.index("|")
    done = write(tmp_path / "done", *four())
    build_report([done], page, markdown=tables)
    assert "ot finished" not in page.read_text() + tables.read_text()


def test_lines_of_other_questions_count_nowhere_and_are_named(tmp_path: Path) -> None:
    page, tables = tmp_path / "page.html", tmp_path / "page.md"
    questions, results = four()
    others = [ran(asked(n), [answer("mine", "KIT")]) for n in (70, 71)]
    run = write(tmp_path / "run", questions, [*results, *others], arms=["pruned", "ranking"])
    summary = build_report([run], page, markdown=tables)
    words = "2 lines are of no question of this run: ids gene-70, gene-71"
    assert words in page.read_text()
    assert f"- {words}" in tables.read_text()
    assert "4 of 4 questions run, 4 of them outside" in tables.read_text()
    assert "mine" not in summary["runs"][0]["scores"]["arms"]


def test_results_of_another_run_alone_are_refused(tmp_path: Path) -> None:
    others = [ran(asked(n), [ranking()]) for n in (70, 71)]
    run = write(tmp_path / "run", four()[0], others)
    with pytest.raises(ConfigError, match=r"no line of results\.jsonl is of a question") as told:
        build_report([run], tmp_path / "page.html")
    assert "different runs" in str(told.value.hint)
    assert not (tmp_path / "page.html").exists()


def test_a_run_of_tuning_questions_alone_has_no_headline_and_still_a_page(tmp_path: Path) -> None:
    questions = [asked(n, key=TUNED[n]) for n in range(2)]
    results = [ran(q, [answer("pruned", "KIT"), ranking()]) for q in questions]
    read = Reader(page_of(write(tmp_path / "run", questions, results)))
    assert read.row("Entities, retrieval and pruning", "gold in the retrieved evidence") == [
        "– n 0"
    ]
    assert read.row("Parts of", "pruned: right, by identifier or name")[1] == (
        "100.0 % 34.2–100.0, 2 of 2"
    )


def test_runs_of_one_name_are_told_apart_and_none_is_taken_twice(tmp_path: Path) -> None:
    one = write(tmp_path / "one" / "run", *four())
    two = write(tmp_path / "two" / "run", *four())
    page = page_of(one, two)
    assert "A: one/run" in page
    assert "B: two/run" in page
    with pytest.raises(ConfigError, match="named twice"):
        build_report([one, one / "." / "../run"], tmp_path / "page.html")


def test_without_matplotlib_the_extra_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = write(tmp_path / "run", *four())
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(ConfigError, match="matplotlib") as told:
        build_report([run], tmp_path / "page.html")
    assert "fedrag-bio[bench]" in str(told.value.hint)


# --- the command ----------------------------------------------------------------------------------


@pytest.mark.usefixtures("judged")
def test_the_command_writes_both_files_and_tells_what_was_missed(tmp_path: Path) -> None:
    run = write(tmp_path / "run", *four())
    page, table = tmp_path / "new" / "page.html", tmp_path / "new" / "page.md"
    done = CliRunner().invoke(
        report, [str(run), "--out", str(page), "--markdown", str(table)], catch_exceptions=False
    )
    assert done.exit_code == 0
    assert "A: run (gene, closed world), n 4" in done.output
    assert "targets: 4 reached, 2 not reached, 2 not measured" in done.output
    assert "not reached: gene, pruned context not below ranking alone: -25.0 points" in done.output
    assert page.read_text().startswith("<!DOCTYPE html>")
    assert "| pruned | 75.0 % (30.1–95.4, 3 of 4) |" in table.read_text()


def test_the_command_tells_what_a_reader_must_know_before_the_figures(tmp_path: Path) -> None:
    questions, results = dead()
    stray = ran(asked(70), [ranking()])
    run = write(tmp_path / "run", [*questions, asked(5)], [*results, stray])
    done = CliRunner().invoke(report, [str(run), "--out", str(tmp_path / "p.html")])
    assert done.output.splitlines()[1:5] == [
        "  not finished: 4 of 5 questions run so far",
        "  pruned: 3 of 4 failed: ServiceError: refused. Twice. See <log>",
        "  1 of its results are of no question of the run",
        "targets: 0 reached, 0 not reached, 4 sample: not judged, 4 not measured",
    ]


def test_without_out_the_page_is_a_new_file_here(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = write(tmp_path / "run", *four())
    monkeypatch.chdir(tmp_path)
    first = CliRunner().invoke(report, [str(run)], catch_exceptions=False)
    assert "written: bench-report.html" in first.output
    before = (tmp_path / "bench-report.html").read_bytes()
    (tmp_path / "bench-report-1.html").write_text("mine")
    second = CliRunner().invoke(report, [str(run)], catch_exceptions=False)
    assert "written: bench-report-2.html" in second.output
    assert (tmp_path / "bench-report.html").read_bytes() == before
    assert (tmp_path / "bench-report-1.html").read_text() == "mine"


def test_a_file_that_is_no_report_is_never_written_over(tmp_path: Path) -> None:
    run = write(tmp_path / "run", *four())
    page, tables = tmp_path / "page.html", tmp_path / "page.md"
    results = run / "results.jsonl"
    before = results.read_bytes()
    for out, markdown in ((results, None), (page, results), (page, run / "run.json")):
        with pytest.raises(ConfigError, match="is no report of fedrag"):
            build_report([run], out, markdown=markdown)
    with pytest.raises(ConfigError, match="both the page and the tables"):
        build_report([run], page, markdown=page)
    assert results.read_bytes() == before
    assert not page.exists()
    tables.touch()  # an empty file is nobody's
    for _ in range(2):
        build_report([run], page, markdown=tables)
    with pytest.raises(ConfigError, match=r"page\.md is there and is no report"):
        build_report([run], tables)


def test_the_commands_json_holds_scores_and_targets(tmp_path: Path) -> None:
    run = write(tmp_path / "run", *four())
    asked_for = [str(run), "--out", str(tmp_path / "p.html"), "--similarity", "lexical", "--json"]
    done = CliRunner().invoke(report, asked_for, catch_exceptions=False)
    told = json.loads(done.output)
    (only,) = told["runs"]
    assert (only["set"], only["evidence"], only["scores"]["n"]) == ("gene", "closed world", 4)
    assert only["scores"]["arms"]["pruned"]["accuracy"]["count"] == 3
    assert only["scores"]["similarity"] == {"model": "lexical-1024", "published": False}
    assert told["targets"][0]["verdict"] == "sample: not judged"
