"""How the figures were made: the rules of scoring, the prompt, the arms."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from fedrag.bench.published_figures import SOURCE
from fedrag.bench.report.collect import Section
from fedrag.bench.report.markup import Html, link, tag
from fedrag.bench.report.words import arm_label, arm_meaning, arm_order

__all__ = ["CANDIDATES", "methods_html", "prompts"]

CANDIDATES = (
    "Arms with context are also given the candidates in ranked order, which the published system "
    "was not; so ‘pruned not below ranking’ also says how well the model follows the ranking."
)
_METHODS = (
    "Scores are over the questions outside the development split, a seeded share of the drugs on "
    "which alone anything was tuned; the parts are reported beside them.",
    "Right means: the answer names a gold by one of its identifiers, or by exactly one of its "
    "names (case, accents and hyphens aside). All golds of a question count. Abstentions and "
    "errors are wrong answers; how many errors an arm has, and why, is told beside it.",
    "A question that could not be run is wrong, and its gold in no list. Its entities, lines, "
    "services, calls and time were not kept: these scores are of the other questions.",
    "The published rule is that the answer, in lower case, is a part of the gold's name: an empty "
    "answer passes and COX-2 does not pass for PTGS2. It stands here for comparison alone. The "
    "published files have one gold a row, so that row-wise scores stand beside question-wise ones.",
    "Percentile prunings keep, as published, the lines of each branch that are strictly above a "
    "percentile and above a cosine of 0.5 with the question. The cosine is by the run's own "
    "embedder, and the published one is by S-PubMedBert-MS-MARCO: by another embedder the same "
    "rule keeps other lines, and 0.5 is another threshold.",
    "Intervals are at 95 %: Wilson for shares, a percentile bootstrap over questions for means "
    "and differences. Arms are compared in pairs on the same questions, with McNemar's exact test "
    "and the odds ratio of those that differ. Counts, medians and sums have no interval.",
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
