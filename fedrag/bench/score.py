"""Every score of one question and one arm, from its line of the results file; nobody is asked.

An answer is right when it names a gold by identifier or by one of its names
(:mod:`fedrag.bench.match`). The published rule stands beside it, row by row: a question made of
three published rows has one answer, which can be right for one of them only. An error counts as
wrong, and is told apart.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from fedrag.bench.marks import Citations, Given, Mark, Outcome, Places, Retrieval, Rows
from fedrag.bench.match import How, fold_curie, matching, names_gold, spelling
from fedrag.bench.model import ArmResult, Context, Gold, Question, QuestionResult
from fedrag.bench.published import substring_rule

__all__ = ["NOT_ASKED", "Mark", "Similarity", "mark", "retrieval_of"]

Similarity = Callable[[str, str], float]

_RANKING = "ranking"  # the arm that is the ranking itself: its places are those of the candidates
_ANSWERED = frozenset(["ok", "empty", "truncated"])  # a truncated answer is one in part
NOT_ASKED = frozenset(["inapplicable", "skipped"])  # states of a service


def mark(
    question: Question, result: QuestionResult, arm: str, *, similarity: Similarity | None = None
) -> Mark:
    """Score one arm's answer to a question.

    :param similarity: cosine of two names, such as :class:`fedrag.bench.cosine.NameSimilarity`;
        its ``name``, where it has one, is told with the figure.
    :raises ValueError: the result is of another question, or the arm was not run.

    >>> from fedrag.bench.model import Thing
    >>> asked = Question("g1", "gene", "?", (Gold("PTGS2", ("HGNC:9605",), ("COX-2",)),), None,
    ...                  Thing("Pain", ("MESH:D010146",)), published=("PTGS2",))
    >>> ran = QuestionResult("g1", "gene", arms={"written": ArmResult("written", "COX2")})
    >>> scored = mark(asked, ran, "written")
    >>> scored.right, scored.by, scored.gold, scored.substring
    (True, 'name', 'PTGS2', False)
    """
    if question.id != result.id:
        raise ValueError(f"the result of {result.id!r} is not one of question {question.id!r}")
    found = result.arms.get(arm)
    if found is None:
        if result.error is None:
            raise ValueError(f"question {question.id!r} was not asked of arm {arm!r}")
        found = ArmResult(arm)
    outcome = _outcome(found, result.error)
    if outcome == "unasked":
        return Mark(
            question.id,
            question.kind,
            arm,
            outcome,
            retrieval_of(question, result),
            given=_given(question, found.context),
        )
    return _scored(question, result, found, outcome, similarity)


def _outcome(found: ArmResult, failed: str | None) -> Outcome:
    """An arm that needs no evidence may have answered where the question could not be run."""
    if found.error is not None:
        return "error"
    if found.abstained:
        return "abstained"
    if found.answer is not None:
        return "answered"
    return "unasked" if failed is None else "failed"


def _scored(
    question: Question,
    result: QuestionResult,
    found: ArmResult,
    outcome: Outcome,
    similarity: Similarity | None,
) -> Mark:
    answer = found.answer if outcome == "answered" else None
    match = _match(question, result, found) if answer is not None else None
    rows = _rows(question, answer, found.curie, match, similarity)
    return Mark(
        question.id,
        question.kind,
        found.arm,
        outcome,
        retrieval_of(question, result),
        right=match is not None,
        by=match[1] if match else None,
        gold=question.golds[match[0]].name if match else None,
        substring=rows.substring > 0 if rows else None,
        rows=rows,
        places=_places(question, result, found, answer),
        given=_given(question, found.context),
        citations=_citations(found) if answer is not None and found.context else None,
        cosine=_likest(answer, question.golds, similarity),
        cosine_model=getattr(similarity, "name", "unnamed") if similarity else None,
        calls=found.calls,
        prompt_tokens=found.prompt_tokens,
        completion_tokens=found.completion_tokens,
        cost=found.cost,
        seconds=found.seconds,
        error=found.error or (result.error if outcome == "failed" else None),
    )


# --- right or wrong -----------------------------------------------------------------------------


def _match(question: Question, result: QuestionResult, found: ArmResult) -> tuple[int, How] | None:
    """Which gold the answer is; a candidate that the run knew for a gold is one by identifier."""
    at = _known_candidate(question, result, found.curie)
    if at is not None:
        return at, "identifier"
    return matching(found.answer, question.golds, found.curie)


def _known_candidate(question: Question, result: QuestionResult, curie: str | None) -> int | None:
    """The gold whose rank is that of the candidate with this identifier.

    The run compares candidates with golds by every equivalent identifier, of which the questions
    hold only some.
    """
    if curie is None:
        return None
    folded = fold_curie(curie)
    ranks = {r for r, c in enumerate(result.candidates, 1) if fold_curie(c.curie) == folded}
    golds = (at for at, g in enumerate(question.golds) if result.ranks.get(g.name) in ranks)
    return next(golds, None)


def _rows(
    question: Question,
    answer: str | None,
    curie: str | None,
    match: tuple[int, How] | None,
    similarity: Similarity | None,
) -> Rows | None:
    published = question.published
    if not published:
        return None
    own = [_gold_of_row(name, question.golds) for name in published]
    named = question.golds[match[0]] if match else None
    right = [
        named is not None and (gold == named or names_gold(answer, gold, curie) is not None)
        for gold in own
    ]
    return Rows(
        len(published),
        sum(right),
        sum(substring_rule(answer, name) for name in published),
        tuple(_cosine(answer, name, similarity) for name in published) if similarity else (),
    )


def _gold_of_row(name: str, golds: Sequence[Gold]) -> Gold:
    """The gold that a published row means, with all its names and identifiers."""
    wanted = spelling(name)
    by_name = (g for g in golds if spelling(g.name) == wanted)
    by_synonym = (g for g in golds if wanted in map(spelling, g.synonyms))
    return next(by_name, None) or next(by_synonym, None) or Gold(name, ())


def _likest(
    answer: str | None, golds: Sequence[Gold], similarity: Similarity | None
) -> float | None:
    found = [_cosine(answer, gold.name, similarity) for gold in golds]
    return max((one for one in found if one is not None), default=None)


def _cosine(answer: str | None, gold: str, similarity: Similarity | None) -> float | None:
    """As published, an empty name is not scored."""
    if similarity is None or answer is None or not answer.strip() or not gold.strip():
        return None
    return similarity(answer, gold)


# --- places, contexts, citations ----------------------------------------------------------------


def _places(
    question: Question, result: QuestionResult, found: ArmResult, answer: str | None
) -> Places:
    if found.arm == _RANKING and result.ranks:
        return _ranks(question, result)
    if answer is None:
        return Places((None,) * len(question.golds))
    known = _known_candidate(question, result, found.curie)
    items = found.items or (answer,)
    first: dict[int, int] = {}
    for place, item in enumerate(items, start=1):
        own = spelling(item) == spelling(answer)
        for at, gold in enumerate(question.golds):
            if (own and at == known) or names_gold(item, gold, found.curie if own else None):
                first.setdefault(at, place)
    return Places(tuple(first.get(at) for at in range(len(question.golds))))


def _ranks(question: Question, result: QuestionResult) -> Places:
    return Places(tuple(result.ranks.get(gold.name) for gold in question.golds))


def _given(question: Question, context: Context | None) -> Given | None:
    if context is None:
        return None
    golds = Places(tuple(context.gold_at.get(gold.name) for gold in question.golds))
    return Given(context.sentences, context.tokens, golds)


def _citations(found: ArmResult) -> Citations:
    keys = {line.key for line in found.cited}
    about = [line.supports for line in found.cited if line.supports is not None]
    return Citations(
        len(found.citations),
        sum(key in keys for key in found.citations),
        len(about),
        sum(about),
    )


def retrieval_of(question: Question, result: QuestionResult) -> Retrieval:
    """What is the same for all arms of a question, whichever of them ran."""
    things = {"drug": question.drug, "disease": question.disease, "process": question.process}
    named = {role for role, thing in things.items() if thing is not None}
    roles = [entity.role for entity in result.entities]
    asked = [state for state in result.services.values() if state not in NOT_ASKED]
    nothing = Given(0, 0, Places((None,) * len(question.golds)))
    return Retrieval(
        failed=result.error is not None,
        named=len(named),
        named_found=len(named & set(roles)),
        found=len(roles),
        found_right=sum(role in named for role in roles),
        everything=_given(question, result.retrieved) or nothing,
        page=_given(question, result.page) or nothing,
        candidates=_ranks(question, result),
        edges=result.edges,
        left_out=result.left_out,
        asked=len(asked),
        answered=sum(state in _ANSWERED for state in asked),
        calls=result.calls,
        seconds=result.seconds,
    )
