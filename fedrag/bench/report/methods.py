"""How the figures were made: the rules of scoring, the prompt, the arms."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from fedrag.bench.published_figures import SOURCE
from fedrag.bench.report.collect import Section
from fedrag.bench.report.markup import Html, link, tag
from fedrag.bench.report.words import arm_label, arm_meaning, arm_order

__all__ = ["CANDIDATES", "methods_html", "prompts"]

CANDIDATES = (
    "The full and the pruned arm are also given the first ten candidates in ranked order, which "
    "the published system was not, and the schema of the reply holds their answer to one of these "
    "and their citations to lines they were shown: that a citation exists is then the schema’s "
    "doing where the server keeps to it. ‘Pruned not below ranking’ so says how well the model "
    "follows the ranking, and ‘pruned over the model alone’ is what evidence and ranking give "
    "together. The model alone, the arm of lines alone and the percentile prunings answer freely; "
    "no list of candidates is shown to them. The system prompt is one for all arms: it was chosen "
    "on the development split with both the model alone and the pruned arm in view, and another "
    "may do better for one of them."
)
_METHODS = (
    "Scores are over the questions outside the development split, a seeded share of the drugs on "
    "which alone anything was tuned; the parts are reported beside them.",
    "Right means: the answer names a gold by one of its identifiers, or by exactly one of its "
    "names (case, accents and hyphens aside). All golds of a question count. Abstentions and "
    "errors are wrong answers; how many errors an arm has, and why, is told beside it.",
    "A question that could not be run is wrong, and its gold in no list. Its entities, lines, "
    "services, calls and time were not kept: these scores are of the other questions.",
    "The published rule is that the answer, in lower case, is a part of the gold's name: COX-2 "
    "does not pass for PTGS2, and an empty answer passes, which is not taken over here: an "
    "abstention fails. It stands here for comparison alone. The published files have one gold a "
    "row, so that row-wise scores stand beside question-wise ones.",
    "Percentile prunings keep, as published, the lines of each branch that are strictly above a "
    "percentile and above a cosine of 0.5 with the question. The cosine is by the run's own "
    "embedder, and the published one is by S-PubMedBert-MS-MARCO: by another embedder the same "
    "rule keeps other lines, and 0.5 is another threshold.",
    "What a context holds is told of its lines: the list of candidates, where an arm has one, is "
    "made from all evidence and is not among them.",
    "Intervals are at 95 %: Wilson for shares of questions; a percentile bootstrap over questions "
    "for means, differences, and shares of what a question has several of (published rows, "
    "citations, mentions; where all or none count, Wilson of as many questions). A mean of equal "
    "values has none. Questions on one drug are taken as independent, which several of them are "
    "not quite: with few drugs the intervals are somewhat too narrow. Arms are compared in pairs "
    "on the same questions, with McNemar's exact test and the odds ratio of those that differ. "
    "Counts, medians and sums have no interval.",
)


def methods_html(sections: Sequence[Section]) -> Html:
    """The section of the page."""
    arms = arm_order(arm for section in sections for arm in section.arms)
    listed = (tag("li", tag("b", arm_label(arm)), f": {arm_meaning(arm)}") for arm in arms)
    paper = link("https://doi.org/10.1101/2025.08.01.668022", SOURCE)
    said = (tag("li", sentence) for sentence in _METHODS)
    return tag(
        "section",
        tag("h2", "How the figures were made"),
        tag("ul", *said, tag("li", "Published figures: ", paper, "."), class_="say"),
        *_prompts(sections),
        tag("h3", "Arms"),
        tag("ul", *listed),
        id="methods",
        aria_label="Methods",
    )


def prompts(sections: Sequence[Section]) -> dict[str, str]:
    """The system prompts that a language model was asked with, each with a title.

    A run keeps its own; of those that kept none, only that is told.
    """
    asked: dict[str, list[str]] = {}
    for section in sections:
        if section.meta.get("llm"):
            told = str(section.meta.get("system_prompt") or "(not kept by this run)")
            asked.setdefault(told, []).append(section.letter)
    return {
        prompt: f"System prompt of every arm but the written answer: {', '.join(runs)}"
        for prompt, runs in asked.items()
    }


def _prompts(sections: Sequence[Section]) -> Iterator[Html]:
    asked = prompts(sections)
    for prompt, title in asked.items():
        yield tag("h3", title)
        yield tag("pre", prompt)
    if asked:
        yield tag("p", CANDIDATES)
