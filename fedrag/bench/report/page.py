"""The page: one file of HTML that needs no network, and no script to be read."""

from __future__ import annotations

import base64
import hashlib
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

from fedrag.bench.report import contexts, figures, measured, pairs, tables
from fedrag.bench.report.collect import Section, by_kind
from fedrag.bench.report.drill import anchors, questions_html
from fedrag.bench.report.excluded import left_out, strays
from fedrag.bench.report.followed import followed_table
from fedrag.bench.report.markup import Html, join, tag, text
from fedrag.bench.report.methods import methods_html
from fedrag.bench.report.numbers import counted
from fedrag.bench.report.overview import goals_html, runs_html
from fedrag.bench.report.tables import table_html
from fedrag.bench.report.words import set_name

__all__ = ["report_html"]

_HERE = Path(__file__).parent


def report_html(sections: Sequence[Section]) -> str:
    """The whole page of one or more runs.

    :raises ConfigError: the extra ``bench`` is not installed.
    """
    style = (_HERE / "style.css").read_text(encoding="utf-8")
    script = (_HERE / "filter.js").read_text(encoding="utf-8")
    head = tag(
        "head",
        tag("meta", charset="utf-8"),
        tag("meta", name="viewport", content="width=device-width, initial-scale=1"),
        Html(f'<meta http-equiv="Content-Security-Policy" content="{_policy(script)}">'),
        tag("title", "fedrag benchmark report: ", ", ".join(s.name for s in sections)),
        tag("style", Html(style)),
    )
    body = tag("body", *_body(sections), tag("script", Html(script)))
    return f"<!DOCTYPE html>\n{tag('html', head, body, lang='en')}\n"


def _policy(script: str) -> str:
    """Nothing is fetched, and no script runs but the page's own: belt to the escaping's braces."""
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    return (
        f"default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-{digest}'; "
        "base-uri 'none'; form-action 'none'"
    )


def _body(sections: Sequence[Section]) -> Iterator[Html]:
    kinds = by_kind(sections)
    yield tag("a", "To the figures", href="#goals", class_="skip")
    yield tag("header", tag("h1", "fedrag benchmark report"), _contents(kinds))
    yield tag("main", *_main(sections, kinds))


def _main(sections: Sequence[Section], kinds: dict[str, list[Section]]) -> Iterator[Html]:
    yield runs_html(sections)
    yield goals_html(sections)
    for kind, own in kinds.items():
        yield tag("section", *_set(kind, own), id=f"set-{kind}", aria_label=set_name(kind))
    yield _excluded(sections)
    yield _questions(sections)
    yield methods_html(sections)


def _contents(kinds: dict[str, list[Section]]) -> Html:
    links = [("#runs", "Runs and evidence"), ("#goals", "Targets")]
    links += [(f"#set-{kind}", set_name(kind)) for kind in kinds]
    links += [("#excluded", "Excluded"), ("#questions", "Every question"), ("#methods", "Methods")]
    items = (tag("li", tag("a", name, href=href)) for href, name in links)
    return tag("nav", tag("ul", *items), aria_label="Contents")


# --- one question set ---------------------------------------------------------------------------


def _set(kind: str, own: Sequence[Section]) -> Iterator[Html]:
    yield tag("h2", set_name(kind))
    yield tag("h3", "Answers")
    yield _grid(figures.answer_figures(kind, own))
    answers = list(map(table_html, tables.accuracy_table(own)))
    yield from answers[:1]
    yield _folded("By the published rule, and row by row", iter(answers[1:]))
    yield _folded("Published figures", map(table_html, tables.published_table(kind)))
    yield _folded(
        "Ranked answers: Hits, P, R, F1 and MRR", map(table_html, tables.ranking_table(own))
    )
    yield _folded("Citations", map(table_html, contexts.citation_table(own)))
    yield tag("h3", "Arms in pairs")
    yield _grid(figures.paired_figure(kind, own))
    compared = list(map(table_html, pairs.comparison_table(kind, own)))
    yield from compared[:1]
    yield _folded("All pairs of arms, and by the published rule", iter(compared[1:]))
    if not compared:
        yield tag("p", "No two arms of a run answered the same questions.", class_="muted")
    yield from map(table_html, followed_table(own))
    yield tag("h3", "Retrieval and pruning")
    yield _grid(measured.retrieval_figures(kind, own))
    yield table_html(tables.retrieval_table(own))
    yield from map(table_html, contexts.context_table(own))
    yield tag("h3", "Similarity of names")
    yield from _similarity(kind, own)
    yield tag("h3", "Time and cost")
    yield _grid([measured.time_figure(kind, own)])
    spent = list(map(table_html, tables.time_table(own)))
    yield from spent[:1]
    yield _folded("Calls, time and cost by arm", iter(spent[1:]))
    yield tag("h3", "Parts of the questions")
    for section in own:
        yield from map(table_html, tables.strata_table(section))
    everything = (table_html(tables.all_scores(section)) for section in own)
    yield _folded("Every score of every arm", everything)


def _grid(drawn: Iterator[Html] | Sequence[Html]) -> Html:
    return tag("div", *drawn, class_="figures")


def _folded(name: str, inside: Iterator[Html]) -> Html:
    parts = list(inside)
    return tag("details", tag("summary", name), *parts) if parts else Html()


def _similarity(kind: str, own: Sequence[Section]) -> Iterator[Html]:
    told = next((one for s in own if (one := s.scores["similarity"])), None)
    if told is None:
        words = (
            "Cosines of names were not measured in this report: fedrag bench report --similarity "
            "computes them. The published ones are by a BioBERT model (the extra neural)."
        )
        yield tag("p", words, class_="muted")
        return
    which = "the published model" if told["published"] else "not the published model"
    yield tag("p", f"Cosines by {told['model']}, {which}; answers that were not given have none.")
    yield _grid(measured.similarity_figures(kind, own))


# --- what was left out, every question, methods -------------------------------------------------


def _excluded(sections: Sequence[Section]) -> Html:
    parts = [_excluded_of(section) for section in sections]
    title = tag("h2", "What was excluded, and why")
    return tag("section", title, *parts, id="excluded", aria_label="Excluded")


def _excluded_of(section: Section) -> Html:
    places = anchors(section)
    found = left_out(section)
    heads = tag("tr", *(tag("th", name, scope="col") for name in ("question", "what", "why")))
    rows = (
        tag("tr", tag("td", _to(places.get(id), id)), tag("td", what), tag("td", why))
        for id, what, why in found
    )
    table = tag(
        "table",
        tag("caption", tag("span", "Refused, failed, abstained")),
        tag("thead", heads),
        tag("tbody", *rows),
    )
    services = ", ".join(map(str, section.meta.get("excluded") or ())) or "none"
    said = (
        f"Of the development split, and so not in the headline: "
        f"{counted(len(section.development), 'question')}. "
        f"Services left out: {services}."
    )
    counts = Counter(what for _, what, _ in found)
    kinds = ", ".join(f"{what} {count:,}" for what, count in counts.items())
    notes = [tag("li", note) for note in (*strays(section), *section.notes)]
    listed = tag(
        "details",
        tag("summary", f"{counted(len(found), 'entry')}: {kinds}"),
        tag("div", table, class_="wide"),
    )
    return join(
        (
            tag("h3", section.title),
            tag("p", said),
            tag("ul", *notes) if notes else "",
            listed if found else tag("p", "No question was refused or failed; no arm abstained."),
        )
    )


def _to(place: str | None, id: str) -> Html:
    return tag("a", id, href=f"#{place}") if place else text(id)


def _questions(sections: Sequence[Section]) -> Html:
    parts = (
        join((tag("h3", section.title, id=f"{section.key}-questions"), questions_html(section)))
        for section in sections
    )
    return tag(
        "section", tag("h2", "Every question"), *parts, id="questions", aria_label="Questions"
    )
