"""The answer with a language model: written from the evidence, checked in code, repaired once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from fedrag.answer.against import against_others, unseen_against
from fedrag.answer.cite import Checker
from fedrag.answer.claims import Statement, strip_keys
from fedrag.answer.draft import Draft, Material, Written
from fedrag.answer.lines import against_sentences
from fedrag.answer.llm import LanguageModel, TooLongError
from fedrag.answer.model_answer import ModelAnswer, read_answer
from fedrag.answer.pair import against_pair
from fedrag.answer.prompt import Prompt, answer_prompt, repair_message, safe
from fedrag.answer.wording import caveats, closing, marks, sourced
from fedrag.config import LLMConfig
from fedrag.datamodel import (
    Candidate,
    Completeness,
    Entity,
    Evidence,
    LLMUsage,
    QueryPlan,
    RejectedCitation,
    Sentence,
    ServiceReport,
)
from fedrag.errors import LLMError
from fedrag.net import Caller

__all__ = ["WriteError", "write", "write_from"]

_REPLY_TOKENS = 1500
_HALVINGS = 3  # of a prompt that the server finds too long
_REPEATED = 8  # evidence lines said again when a repair is asked for
_UNSUPPORTED = "[unsupported]"
_Trouble = tuple[str, tuple[str, ...]]  # what was named, and the reasons against it


class WriteError(LLMError):
    """No usable answer came of the language model; the model-free one stands.

    :ivar rejected: the sentences the citation check refused, if it came to that.
    :ivar usage: what was spent, and the error.
    """

    def __init__(
        self, message: str, *, usage: LLMUsage, rejected: tuple[RejectedCitation, ...] = ()
    ) -> None:
        super().__init__(message)
        self.usage = usage
        self.rejected = rejected


@dataclass(frozen=True, slots=True)
class _Checked:
    """A reply after the check: reasons per sentence, and those against the answer itself."""

    reply: ModelAnswer
    reasons: tuple[tuple[str, ...], ...]
    best: Candidate | None
    items: tuple[Candidate, ...]
    trouble: tuple[_Trouble, ...]  # of the answer and the items

    @property
    def faults(self) -> int:
        """How much of the reply was refused."""
        return len(self.trouble) + sum(bool(why) for why in self.reasons)

    @property
    def usable(self) -> bool:
        """At least one sentence holds, and so does the answer's name."""
        named = not any(what.startswith("answer") for what, _ in self.trouble)
        return named and not all(self.reasons)


async def write(
    draft: Draft,
    question: str,
    plan: QueryPlan,
    entities: Sequence[Entity],
    candidates: Sequence[Candidate],
    evidence: Sequence[Evidence],
    *,
    llm: LLMConfig,
    caller: Caller,
    services: Sequence[ServiceReport] = (),
    completeness: Completeness = "complete",
    synonyms: Mapping[str, tuple[str, ...]] | None = None,
) -> Written:
    """Let the language model write the answer, and check every sentence of it.

    Without evidence (``draft.abstained``) the model is never called and the draft returned.

    :param draft: the model-free answer; what it says of the run closes the model's text too.
    :param synonyms: further names by canonical CURIE that the citation check accepts for a node.
    :raises WriteError: an ``LLMError`` with ``rejected`` and ``usage``: the model is down, answers
        unreadably, names no candidate, or no sentence of it holds. The caller falls back to the
        draft.
    :raises OfflineError: a replay that does not hold the call.
    """
    material = Material(
        question,
        plan,
        tuple(entities),
        tuple(candidates),
        tuple(evidence),
        tuple(services),
        completeness,
        synonyms or {},
    )
    return await write_from(draft, material, LanguageModel(llm, caller))


async def write_from(draft: Draft, material: Material, model: LanguageModel) -> Written:
    """:func:`write` for a bundled :class:`Material` and a model of this run."""
    if draft.abstained or not material.by_key():
        return Written(draft, (), model.usage())
    writer = _Writer(draft, material, model)
    try:
        return await writer.run()
    except WriteError:
        raise
    except LLMError as error:
        usage = model.usage(error.message)
        raise WriteError(str(error), usage=usage, rejected=tuple(writer.rejected)) from error


class _Writer:
    def __init__(self, draft: Draft, material: Material, model: LanguageModel) -> None:
        self.draft, self.material, self.model = draft, material, model
        self.checker = Checker(material)
        self.rejected: list[RejectedCitation] = []
        self.notes: list[str] = []
        self.reply_tokens = min(_REPLY_TOKENS, model.llm.context_tokens // 3)

    async def run(self) -> Written:
        prompt, reply, text = await self._ask()
        if reply.abstain:
            return self._abstained()
        checked = self._check(reply, prompt)
        first = self._rejects(checked)
        if checked.faults:
            self.rejected = first
            checked, fixed = await self._repaired(prompt, checked, text)
            more = [r for r in self._rejects(checked) if r not in first]
            self.rejected = _marked(first) if fixed else [*first, *more]
        if not checked.usable:
            message = f"the citation check refused what {self.model.llm.model!r} wrote"
            raise WriteError(
                message, usage=self.model.usage(message), rejected=tuple(self.rejected)
            )
        if prompt.dropped:
            self.notes.append(f"{prompt.dropped} evidence lines did not fit the model's context")
        return Written(
            self._assemble(checked), tuple(self.rejected), self.model.usage(), tuple(self.notes)
        )

    async def _ask(self) -> tuple[Prompt, ModelAnswer, str]:
        """The first reply; a prompt that the server finds too long is halved, up to three times."""
        budget = self.model.llm.context_tokens - self.reply_tokens
        prompt = answer_prompt(self.material, budget)
        for _ in range(_HALVINGS):
            try:
                return prompt, *await self._call(prompt.messages, prompt)
            except TooLongError:
                shorter = answer_prompt(self.material, min(budget, prompt.tokens) // 2)
                if len(shorter.keys) == len(prompt.keys):
                    raise
                prompt = shorter
                note = "the language model refused a prompt of that length; it was halved"
                self.notes = [*dict.fromkeys([*self.notes, note])]
        return prompt, *await self._call(prompt.messages, prompt)

    async def _call(
        self, messages: Sequence[dict[str, str]], prompt: Prompt
    ) -> tuple[ModelAnswer, str]:
        return await self.model.structured(
            messages, prompt.schema, read_answer, max_tokens=self.reply_tokens
        )

    def _abstained(self) -> Written:
        model = self.model.llm.model
        text = (
            f"The language model {model!r} judged that the evidence returned does not answer the "
            "question; the candidates and the evidence are listed as they came."
        )
        text = " ".join([text, *self._tail()])
        self.notes.append(f"{model!r} abstained; without it the answer reads: {self.draft.text}")
        draft = Draft(self.draft.kind, text, abstained=True)
        return Written(draft, (), self.model.usage(), tuple(self.notes))

    def _check(self, reply: ModelAnswer, prompt: Prompt) -> _Checked:
        reply = replace(reply, statements=tuple(self._tidied(s) for s in reply.statements))
        reasons = tuple(self.checker.check(s) for s in reply.statements)
        named = self._named(reply, reasons)
        best, trouble = self._answer(reply, prompt, named)
        items = []
        for name in reply.items:
            candidate = self._candidate(name, prompt)
            if candidate is None:
                trouble.append((f"item {name}", ("it is none of the candidates",)))
            elif not _ids(candidate) & named:
                trouble.append((f"item {name}", ("no supported sentence cites evidence on it",)))
            else:
                items.append(candidate)
        return _Checked(reply, reasons, best, tuple(items), tuple(trouble))

    def _tidied(self, statement: Statement) -> Statement:
        """The sentence without the source copied from a line, and without keys of other things."""
        text, keys = statement.text, _keys(statement)
        for key in keys:
            if item := self.checker.evidence.get(key):
                text = text.replace(f" {safe(sourced(item))}", "")
        text, _ = strip_keys(text)
        return replace(statement, text=text, keys=self.checker.bearing(text, keys))

    def _named(self, reply: ModelAnswer, reasons: Sequence[tuple[str, ...]]) -> frozenset[str]:
        """The identifiers at the ends of what the supported sentences cite.

        Evidence against is left out: what harms is not named as the answer for it.
        """
        keys = [
            key
            for statement, why in zip(reply.statements, reasons, strict=True)
            for key in (() if why else _keys(statement))
        ]
        cited = [self.checker.evidence[key] for key in keys]
        edges = [e for item in cited if item.polarity != "against" for e in item.edges]
        ends = [node for edge in edges for node in (edge.subject, edge.object)]
        return frozenset(i for n in ends for i in (n.curie, n.found, n.canonical) if i)

    def _answer(
        self, reply: ModelAnswer, prompt: Prompt, named: frozenset[str]
    ) -> tuple[Candidate | None, list[_Trouble]]:
        wanted = self.draft.kind == "one"
        if not reply.answer:
            return None, [("answer (none)", ("it names no candidate",))] if wanted else []
        best = self._candidate(reply.answer, prompt)
        if best is None:
            return None, [(f"answer {reply.answer}", ("it is none of the candidates",))]
        if not _ids(best) & named:
            return None, [
                (f"answer {reply.answer}", ("no supported sentence cites evidence on it",))
            ]
        return best, []

    def _candidate(self, name: str, prompt: Prompt) -> Candidate | None:
        if name in prompt.labels:
            return prompt.labels[name]
        ids = self.checker.names.resolve(name)
        return next((c for c in self.material.candidates if _ids(c) & ids), None)

    def _rejects(self, checked: _Checked) -> list[RejectedCitation]:
        found = [
            RejectedCitation(strip_keys(s.text)[0], _keys(s), "; ".join(why))
            for s, why in zip(checked.reply.statements, checked.reasons, strict=True)
            if why
        ]
        return found + [RejectedCitation(t, (), "; ".join(why)) for t, why in checked.trouble]

    async def _repaired(
        self, prompt: Prompt, checked: _Checked, text: str
    ) -> tuple[_Checked, bool]:
        """The better of the first answer and the second; whether the second is without fault."""
        reasons = [(r.text, [r.reason]) for r in self.rejected]
        known = self.checker.evidence
        keys = dict.fromkeys(k for r in self.rejected for k in r.citations if k in known)
        message = repair_message(reasons, [known[key] for key in keys][:_REPEATED])
        try:
            reply, _ = await self._call(prompt.with_turn(text, message), prompt)
        except LLMError as error:
            self.notes.append(f"the repair of refused sentences failed: {error.message}")
            return checked, False
        if reply.abstain:
            return checked, False
        again = self._check(reply, prompt)
        better = again.usable and (again.faults <= checked.faults or not checked.usable)
        return (again if better else checked), better and again.faults == 0

    def _assemble(self, checked: _Checked) -> Draft:
        """The model's sentences, between what code has to say of the candidate it chose."""
        material, best = self.material, checked.best
        written = [
            _sentence(statement, why)
            for statement, why in zip(checked.reply.statements, checked.reasons, strict=True)
        ]
        lines = [*(self._caveats(best) if best else ()), *written]
        if best:
            lines += _not_yet_cited(against_sentences(material, best), lines)
            lines += self._ranked_first(best)
        lines += _not_yet_cited(self._against(best), lines)
        named = list(dict.fromkeys([*([best] if best else []), *checked.items]))
        first = named[0] if named and self.draft.kind != "relation" else best
        if material.plan.in_place:
            first = None  # what is told of a gene is no answer to name for its variant
        return Draft(
            self.draft.kind,
            " ".join([*(line.text for line in lines), *self._tail()]),
            name=first.name if first else None,
            curie=first.curie if first else None,
            items=tuple(c.name for c in named),
            sentences=tuple(lines),
        )

    def _caveats(self, best: Candidate) -> list[Sentence]:
        keys = self.material.keys_for(best)[:4]
        if not keys:
            return []
        return [Sentence(f"{t} {marks(keys)}.", keys) for t in caveats(self.material, best)]

    def _against(self, best: Candidate | None) -> list[Sentence]:
        """What speaks against the relation asked about, or against other candidates."""
        if self.draft.kind == "relation":
            return against_pair(self.material)
        return against_others(self.material, [best.curie] if best else [])

    def _ranked_first(self, best: Candidate) -> list[Sentence]:
        """Says so when the model chose another candidate than the evidence ranks first."""
        top = next((c for c in self.material.candidates if c.curie == self.draft.curie), None)
        keys = self.material.keys_for(top)[:2] if top else ()
        if top is None or top.curie == best.curie or not keys:
            return []
        return [Sentence(f"By its evidence alone {top.name} ranks first {marks(keys)}.", keys)]

    def _tail(self) -> tuple[str, ...]:
        """What is said of the run; from the draft when the services were not handed over."""
        material = self.material
        if not material.services:
            return _run_statements(self.draft)
        return (*unseen_against(material), *closing(material))


def _ids(candidate: Candidate) -> frozenset[str]:
    return frozenset({candidate.curie, *candidate.identifiers})


def _keys(statement: Statement) -> tuple[str, ...]:
    return tuple(dict.fromkeys((*statement.keys, *strip_keys(statement.text)[1])))


def _sentence(statement: Statement, why: Sequence[str]) -> Sentence:
    text, _ = strip_keys(statement.text)
    keys = _keys(statement)
    text = f"{text.rstrip('. ')} {marks(keys)}." if keys else text
    return Sentence(f"{_UNSUPPORTED} {text}" if why else text, keys, supported=not why)


def _not_yet_cited(more: Sequence[Sentence], lines: Sequence[Sentence]) -> list[Sentence]:
    told = {key for line in lines if line.supported for key in line.citations}
    return [s for s in more if not set(s.citations) <= told]


def _run_statements(draft: Draft) -> tuple[str, ...]:
    """What the model-free draft says after its last sentence."""
    last = draft.sentences[-1].text if draft.sentences else ""
    tail = draft.text.rpartition(last)[2].strip() if last else ""
    return (tail,) if tail else ()


def _marked(rejected: Sequence[RejectedCitation]) -> list[RejectedCitation]:
    return [replace(r, repaired=True) for r in rejected]
