"""Every question of a run, closed until it is opened: golds, answers, candidates, cited edges."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from fedrag.bench.marks import Mark
from fedrag.bench.model import ArmResult, CitedLine, Gold, Question, QuestionResult
from fedrag.bench.report.collect import Section
from fedrag.bench.report.markup import Html, join, publication, tag
from fedrag.bench.report.numbers import counted, number
from fedrag.bench.report.words import OUTCOMES, arm_label
from fedrag.bench.score import NOT_ASKED

__all__ = ["anchors", "questions_html", "verdict_of"]

_LISTED = 10  # publications, edges and synonyms of one thing
_SUPPORT = {True: "", False: " (not about its answer)", None: " (not for its answer)"}
_SIGNS = {"right": ("✓", "good"), "wrong": ("✗", "bad"), "error": ("!", "warning")}


def anchors(section: Section) -> dict[str, str]:
    """Where on the page each question of a run stands."""
    return {q.id: f"{section.key}-q{at}" for at, q in enumerate(section.questions, start=1)}


def questions_html(section: Section) -> Html:
    """All questions of a run, with a filter that shows itself where scripts run."""
    marks = {arm: {mark.id: mark for mark in section.marks[arm]} for arm in section.arms}
    places = anchors(section)
    items = (
        _question(
            section,
            question,
            places[question.id],
            {a: m.get(question.id) for a, m in marks.items()},
        )
        for question in section.questions
    )
    return join((_filter(section), tag("div", *items, id=f"{section.key}-all")))


def verdict_of(mark: Mark | None) -> str:
    """What came of an arm, as one of the keys of :data:`OUTCOMES`.

    >>> verdict_of(None)
    'unasked'
    """
    if mark is None:
        return "unasked"
    if mark.outcome == "answered":
        return "right" if mark.right else "wrong"
    return mark.outcome


def _filter(section: Section) -> Html:
    arms = (tag("option", arm_label(arm), value=f"a{at}") for at, arm in enumerate(section.arms))
    states = (tag("option", words, value=key) for key, words in OUTCOMES.items())
    return tag(
        "div",
        tag("label", "Words", tag("input", type="search")),
        tag("label", "Arm", tag("select", tag("option", "any", value=""), *arms)),
        tag("label", "What came of it", tag("select", tag("option", "any", value=""), *states)),
        tag("output", class_="small muted", aria_live="polite"),
        class_="filter",
        data_of=f"{section.key}-all",
    )


def _question(
    section: Section, question: Question, place: str, marks: Mapping[str, Mark | None]
) -> Html:
    result = section.results.get(question.id)
    verdicts = {arm: verdict_of(mark) for arm, mark in marks.items()}
    shown = [(arm, v) for arm, v in verdicts.items() if v != "unasked"]
    badges = (_badge(arm, v) for arm, v in shown)
    split = tag("span", "development split", class_="v muted")
    summary = tag(
        "summary",
        tag("b", question.id),
        f" {question.text} ",
        *badges,
        "" if result else tag("span", "not run", class_="v muted"),
        split if question.id in section.development else "",
    )
    body = _body(question, result, marks, verdicts) if result else tag("p", "Not run.")
    data = " ".join(f"a{at}:{v}" for at, v in enumerate(verdicts.values()))
    return tag("details", summary, tag("div", body), class_="q", id=place, data_v=data)


def _badge(arm: str, verdict: str) -> Html:
    sign, look = _SIGNS.get(verdict, ("–", "muted"))
    words = tag("span", f" {OUTCOMES[verdict]}", class_="small")
    return tag("span", f"{sign} {arm_label(arm)}:", words, class_=f"v {look}")


def _body(
    question: Question,
    result: QuestionResult,
    marks: Mapping[str, Mark | None],
    verdicts: Mapping[str, str],
) -> Html:
    parts = [
        tag("h4", "Golds"),
        tag("ul", *(_gold(gold, result) for gold in question.golds)),
        _published(question),
        _facts(result),
    ]
    if result.arms:
        parts.append(_arms(result, marks, verdicts))
    if result.candidates:
        parts.append(_candidates(result))
    if lines := _cited(result):
        parts.append(_lines(lines))
    return join(parts)


# --- golds and what was found -------------------------------------------------------------------


def _gold(gold: Gold, result: QuestionResult) -> Html:
    rank = result.ranks.get(gold.name)
    line = result.retrieved.gold_at.get(gold.name)
    kept = result.page.gold_at.get(gold.name)
    where = [
        f"candidate {rank}" if rank else "no candidate",
        f"first in line {line} of the evidence" if line else "not in the evidence",
        f"in line {kept} after pruning" if kept else "not left after pruning",
    ]
    ids = f" ({', '.join(gold.identifiers)})" if gold.identifiers else ""
    also = f", also {_some(gold.synonyms)}" if gold.synonyms else ""
    return tag("li", tag("b", gold.name), f"{ids}{also}: ", tag("span", "; ".join(where)))


def _published(question: Question) -> Html:
    """Single golds of the published rows, where they say anything beyond the golds."""
    if list(question.published) == [gold.name for gold in question.golds]:
        return Html()
    names = _some(question.published) if question.published else "none (no published row)"
    return tag("p", f"Published golds, one a row: {names}", class_="small")


def _facts(result: QuestionResult) -> Html:
    found = ", ".join(
        f"{e.mention} → {e.name} ({e.curie})" + ("" if e.role else ", not named by the question")
        for e in result.entities
    )
    asked = [f"{one}: {state}" for one, state in result.services.items() if state not in NOT_ASKED]
    unasked = len(result.services) - len(asked)
    states = ", ".join([*asked, *([f"{unasked:,} not asked"] if unasked else [])])
    facts = [
        f"Could not be run: {result.error}" if result.error else "",
        f"Entities: {found}" if found else "",
        f"Evidence: {counted(result.edges, 'edge')}, "
        f"{counted(result.retrieved.sentences, 'line')}, {result.page.sentences:,} after pruning; "
        f"{counted(result.candidate_count, 'candidate')}",
        f"Left out by leave-one-out: {counted(result.left_out, 'edge')}" if result.left_out else "",
        f"Services: {states}" if states else "",
        f"{counted(result.calls, 'call')}, {number(result.seconds)} s",
        *result.notes,
    ]
    return tag("ul", *(tag("li", fact) for fact in facts if fact), class_="small")


# --- arms, candidates, citations ----------------------------------------------------------------


def _arms(
    result: QuestionResult, marks: Mapping[str, Mark | None], verdicts: Mapping[str, str]
) -> Html:
    heads = ("arm", "answer", "right?", "gold in context", "citations", "spent")
    rows = (
        _arm(arm, result.arms[arm], mark, verdicts[arm])
        for arm, mark in marks.items()
        if arm in result.arms
    )
    head = tag("thead", tag("tr", *(tag("th", name, scope="col") for name in heads)))
    table = tag("table", tag("caption", tag("span", "Answers")), head, tag("tbody", *rows))
    return tag("div", table, class_="wide")


def _arm(name: str, arm: ArmResult, mark: Mark | None, verdict: str) -> Html:
    sign, look = _SIGNS.get(verdict, ("–", "muted"))
    by = f" by {mark.by}: {mark.gold}" if mark and mark.by else ""
    answer = arm.answer if arm.answer is not None else arm.error or "–"
    also = [item for item in arm.items if item != arm.answer]
    cells = (
        (answer, f" ({arm.curie})" if arm.curie else "", f"; also {_some(also)}" if also else ""),
        (tag("span", f"{sign} {OUTCOMES[verdict]}{by}", class_=look),),
        (_context(arm),),
        (_some(arm.citations) or "–",),
        (_spent(arm),),
    )
    row = (tag("td", *cell) for cell in cells)
    return tag("tr", tag("th", arm_label(name), scope="row"), *row)


def _spent(arm: ArmResult) -> str:
    if not arm.calls:
        return "no call"
    tokens = f"{arm.prompt_tokens:,} + {arm.completion_tokens:,} tokens"
    return f"{counted(arm.calls, 'call')}, {tokens}, {number(arm.seconds)} s"


def _context(arm: ArmResult) -> str:
    if arm.context is None:
        return "no context"
    first = min((at for at in arm.context.gold_at.values() if at), default=None)
    where = f"line {first}" if first else "no"
    return f"{where}, of {counted(arm.context.sentences, 'line')}, {arm.context.tokens:,} tokens"


def _candidates(result: QuestionResult) -> Html:
    gold_ranks = {rank for rank in result.ranks.values() if rank}
    items = (
        tag(
            "li",
            c.name,
            f" ({c.curie}), {number(c.score)}",
            f" [{_some(c.keys)}]" if c.keys else "",
            tag("b", " gold", class_="good") if at in gold_ranks else "",
        )
        for at, c in enumerate(result.candidates, start=1)
    )
    return join((tag("h4", "First candidates"), tag("ol", *items, class_="small")))


def _cited(result: QuestionResult) -> dict[tuple[str, str], tuple[CitedLine, list[str]]]:
    """Each cited line once, with the arms that cite it."""
    lines: dict[tuple[str, str], tuple[CitedLine, list[str]]] = {}
    for name, arm in result.arms.items():
        for line in arm.cited:
            known = lines.setdefault((line.key, line.sentence), (line, []))
            known[1].append(arm_label(name) + _SUPPORT[line.supports])
    return lines


def _lines(lines: Mapping[tuple[str, str], tuple[CitedLine, Sequence[str]]]) -> Html:
    heads = ("key", "evidence", "source", "publications", "edges", "cited by")
    rows = (tag("tr", *_line(line, arms)) for line, arms in lines.values())
    head = tag("thead", tag("tr", *(tag("th", name, scope="col") for name in heads)))
    table = tag("table", tag("caption", tag("span", "Cited edges")), head, tag("tbody", *rows))
    return tag("div", table, class_="wide")


def _line(line: CitedLine, arms: Sequence[str]) -> Iterator[Html]:
    yield tag("th", line.key, scope="row")
    yield tag("td", line.sentence)
    yield tag("td", line.source)
    links = join((publication(one) for one in line.publications[:_LISTED]), ", ")
    yield tag("td", links, _more(line.publications))
    yield tag("td", tag("code", ", ".join(line.edges[:_LISTED])), _more(line.edges))
    yield tag("td", ", ".join(arms))


def _some(items: Sequence[str]) -> str:
    return ", ".join(items[:_LISTED]) + _more(items)


def _more(items: Sequence[str]) -> str:
    return f" and {len(items) - _LISTED:,} more" if len(items) > _LISTED else ""
