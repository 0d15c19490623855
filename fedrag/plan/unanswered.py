"""What a question asks beside what is planned: a second question, a clause that names nothing."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from fedrag.datamodel import Entity, QueryPlan
from fedrag.errors import PlanError
from fedrag.plan.answers import ANSWERS
from fedrag.plan.build import named
from fedrag.plan.lexicon import ANY_NOUN, ASKS, HOW, TOKEN, expand
from fedrag.plan.parts import NOUN, find_part, is_other
from fedrag.plan.wording import Wording

__all__ = ["check_two_questions", "unanswered", "unlimited"]

# "genes of X that drugs target": about the answer, with nothing more that is named.
_BESIDE = re.compile(r"\b(?:that|which|whose|who)\b[^,;:.?!]*")
_FURTHER = re.compile(
    r"(?:[,;.?!]|\band\b)\s*(?:and |also |then )*(?P<said>(?:which|what|how|why|where)\b"
    r"(?! of (?:them|these|those|which)\b)[^.?!]*)"
)


# Words that turn a question to other statements, and what has to be asked then.
_TURNS = (
    (re.compile(r"\b(?:clinical )?trials?\b"), "biolink:in_clinical_trials_for"),
    (re.compile(r"\bcontra-?indicat\w+"), "biolink:contraindicated_in"),
)
_RESIST = re.compile(expand("{resist}"))
_RESPOND = re.compile(expand("{respond}"))
_SENSITIVITY = "biolink:associated_with_sensitivity_to"
# What is done to a loss, or to another effect, turns its direction round: no hop asks that.
_TURNED = re.compile(
    r"\b(?:inhibit|block|suppress|prevent|stop|reduc|decreas|lower|diminish|delay|increas|enhanc|"
    r"promot|induc|stimulat|accelerat)\w*\s+(?:the\s+)?(?:degradation|breakdown|cleavage|proteolysis|"
    r"inhibition|suppression|repression|inactivation|loss|down-?regulation)\s+of\b"
)
# Said of what is found in a disease: a direction that only a qualified hop asks for.
_DIRECTED = re.compile(
    r"\b(?:up|down)[- ]?regulated\b|\b(?:over|under)[- ]?expressed\b"
    r"|\b(?:decreas|reduc|lower|increas|rais)\w*\s+(?:the\s+)?(?:risk|likelihood|odds|susceptibility)\b"
)
_ABSENT = re.compile(r"\b(?:absent|lacking|missing|never seen)\b")


def unlimited(plan: QueryPlan, wording: Wording) -> tuple[str, ...]:
    """Words of the question that ask for trials, contraindications, resistance, a direction or an
    absence, where the candidates of the plan are not limited to these; none for what relates given
    things."""
    if plan.kind == "relation":
        return ()
    asked = {p for edge in plan.edges for p in edge.predicates}
    said = [
        found.group()
        for pattern, predicate in _TURNS
        if (found := pattern.search(wording.masked)) and not _limits(plan, asked, predicate)
    ]
    loose = [_TURNED, _ABSENT] + (
        [] if any(edge.qualifiers for edge in plan.edges) else [_DIRECTED]
    )
    said += [found.group() for p in loose if (found := p.search(wording.masked))]
    resist = _RESIST.search(wording.masked)
    if resist and _SENSITIVITY in asked and not (plan.response or _RESPOND.search(wording.masked)):
        said.append(resist.group())
    return tuple(said)


def _limits(plan: QueryPlan, asked: set[str], predicate: str) -> bool:
    """Whether what is asked for is this: contraindications speak against a treatment."""
    others = {"biolink:treats", _SENSITIVITY}
    return predicate in asked and not (plan.treatment and asked & others)


def unanswered(wording: Wording, *, joined: bool) -> tuple[str, ...]:
    """The parts of a question that a plan leaves out: a second question, a clause on the answer
    that names nothing ("that drugs target"), a part of two hops that could not be planned.

    :param joined: the plan asks both hops.
    """
    masked = wording.masked
    said = [m["said"] for m in _further(masked) if not TOKEN.search(m["said"])]
    tokens = list(TOKEN.finditer(masked))
    tail = masked[tokens[-1].end() :] if tokens else ""
    for clause in _BESIDE.finditer(tail):
        noun = NOUN.search(clause.group())
        if noun and wording.asked and is_other(noun.lastgroup or "", wording.asked, ""):
            said.append(clause.group())
    part = None if joined or len(tokens) > 1 else find_part(wording)
    if part:
        said.append(_with_names(masked[part.start : part.end], wording))
    return tuple(dict.fromkeys(text.strip() for text in said))


def _with_names(said: str, wording: Wording) -> str:
    names = iter(wording.mentions)
    return TOKEN.sub(lambda token: next(names, token.group().lower()), said)


def check_two_questions(wording: Wording, entities: Sequence[Entity]) -> None:
    """Refuse two questions in one, each of its own things (``PlanError``)."""
    for match in _further(wording.masked):
        kind = ANY_NOUN.match(re.sub(r"^\w+ (?:the |other )*", "", match["said"]))
        if (
            wording.asked
            and kind
            and kind.lastgroup != wording.asked
            and TOKEN.search(match["said"])
        ):
            names = ", ".join(named(entity) for entity in entities)
            raise PlanError(
                f"understood: {names}; but that is two questions: the second one asks for "
                f"{ANSWERS[kind.lastgroup or ''].many}",
                hint="ask them apart",
            )


def _further(masked: str) -> Iterator[re.Match[str]]:
    """The questions that follow a first one that asks of something named."""
    token = TOKEN.search(masked)
    if token and (ASKS.search(masked[: token.start()]) or HOW.search(masked[: token.start()])):
        yield from _FURTHER.finditer(masked, token.end())
