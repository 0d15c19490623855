"""What is different when a run is asked again."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from fedrag import __version__
from fedrag.biolink import biolink
from fedrag.datamodel import Answer, Edge, Entity
from fedrag.runs.record import RunRecord

__all__ = ["Changes", "changes"]

_TOLD = 10  # edges told one by one, of each kind


@dataclass(frozen=True, slots=True)
class Changes:
    """What a run's second answer has that its first had not, and the other way round.

    :ivar answer: ``(then, now)`` names of the answer where they differ, else ``None``.
    :ivar text: whether the words of the answer differ.
    :ivar entities: mention → ``(then, now)`` CURIEs.
    :ivar services: service → ``(then, now)`` states; ``"not asked"`` where there was none.
    :ivar added: edges that only the second retrieved; :ivar gone: only the first.
    :ivar around: ``(then, now)`` of what lies outside the question: versions, the cassette.
    """

    failure: str | None  # what the first ended in, where it had no answer
    answer: tuple[str, str] | None
    text: bool
    completeness: tuple[str, str] | None
    entities: Mapping[str, tuple[str, str]]
    services: Mapping[str, tuple[str, str]]
    added: tuple[Edge, ...]
    gone: tuple[Edge, ...]
    around: Mapping[str, tuple[str, str]]

    def __bool__(self) -> bool:
        """Whether anything that was found or said differs."""
        found = (self.failure, self.answer, self.text, self.completeness, self.entities)
        return any((*found, self.services, self.added, self.gone))

    def lines(self) -> Iterator[str]:
        """What a person reads, one thing a line."""
        for what, pair in self.around.items():
            yield _turned(what, pair)
        if self.failure:
            yield f"it had failed: {self.failure}"
        yield from self._said()
        for name, pair in self.services.items():
            yield _turned(name, pair)
        yield from _edges("+", "added", self.added)
        yield from _edges("-", "gone", self.gone)
        if not self:
            yield "nothing changed: the same answer from the same edges, services in the same state"

    def _said(self) -> Iterator[str]:
        for mention, pair in self.entities.items():
            yield _turned(f'"{mention}"', pair)
        if self.answer:
            yield _turned("answer", self.answer)
        elif self.text:
            yield "answer: the same, in other words"
        if self.completeness:
            yield _turned("completeness", self.completeness)

    def to_dict(self) -> dict[str, Any]:
        """As plain JSON values; edges by their identifiers."""
        return {
            "changed": bool(self),
            "failure": self.failure,
            "answer": _pair(self.answer),
            "text": self.text,
            "completeness": _pair(self.completeness),
            "entities": {key: _pair(pair) for key, pair in self.entities.items()},
            "services": {key: _pair(pair) for key, pair in self.services.items()},
            "edges_added": [edge.id for edge in self.added],
            "edges_gone": [edge.id for edge in self.gone],
            "around": {key: _pair(pair) for key, pair in self.around.items()},
        }


def changes(then: RunRecord, now: Answer, cassette: Mapping[str, str] | None = None) -> Changes:
    """What is different in ``now``, the answer to the same question.

    :param cassette: what the second answer was replayed from, as a record has it.
    :raises RunError: the answer of ``then`` cannot be read.
    """
    before = then.restored()
    around = _different(_around(then), _around_now(cassette))
    if before is None:
        told = then.error or {}
        failure = f"{told.get('kind', 'unknown')}: {told.get('message', '')}"
        return Changes(failure, None, False, None, {}, {}, (), (), around)
    return Changes(
        failure=None,
        answer=_differ(_answer(before), _answer(now)),
        text=before.text != now.text,
        completeness=_differ(before.completeness, now.completeness),
        entities=_different(_curies(before.entities), _curies(now.entities)),
        services=_different(_states(before), _states(now)),
        added=_only(now.all_edges, before.all_edges),
        gone=_only(before.all_edges, now.all_edges),
        around=around,
    )


def _around(then: RunRecord) -> dict[str, str]:
    cassette = then.cassette or {}
    replayed = cassette.get("how") == "replayed"
    return {
        "fedrag": then.fedrag_version,
        **({"Biolink": then.biolink_version} if then.biolink_version else {}),
        "cassette": _tape(cassette if replayed else None),
    }


def _around_now(cassette: Mapping[str, str] | None) -> dict[str, str]:
    version = biolink().version
    return {"fedrag": __version__, "Biolink": version, "cassette": _tape(cassette)}


def _tape(cassette: Mapping[str, str] | None) -> str:
    return f"{cassette['name']} {cassette['sha256'][:12]}" if cassette else "none"


def _answer(answer: Answer) -> str:
    if answer.abstained:
        return "none (abstained)"
    listed = ", ".join(answer.items)
    named = (answer.name, listed) if answer.kind == "one" else (listed, answer.name)
    return named[0] or named[1] or answer.text.partition("\n")[0]


def _curies(entities: Sequence[Entity]) -> dict[str, str]:
    return {entity.mention: f"{entity.name} ({entity.curie})" for entity in entities}


def _states(answer: Answer) -> dict[str, str]:
    return {report.service: report.state for report in answer.services}


def _only(these: Sequence[Edge], those: Sequence[Edge]) -> tuple[Edge, ...]:
    known = {edge.id for edge in those}
    return tuple(edge for edge in these if edge.id not in known)


def _differ(then: str, now: str) -> tuple[str, str] | None:
    return None if then == now else (then, now)


def _different(then: Mapping[str, str], now: Mapping[str, str]) -> dict[str, tuple[str, str]]:
    """Keys whose values differ; one that a side does not have was not asked there."""
    absent = "not asked"
    pairs = {k: (then.get(k, absent), now.get(k, absent)) for k in dict.fromkeys([*then, *now])}
    return {key: pair for key, pair in pairs.items() if pair[0] != pair[1]}


def _pair(pair: tuple[str, str] | None) -> list[str] | None:
    return list(pair) if pair else None


def _turned(what: str, pair: tuple[str, str]) -> str:
    return f"{what}: {pair[0]} → {pair[1]}"


def _edges(sign: str, what: str, edges: Sequence[Edge]) -> Iterator[str]:
    if not edges:
        return
    yield f"{len(edges):,} {'edge' if len(edges) == 1 else 'edges'} {what}"
    for edge in edges[:_TOLD]:
        predicate = edge.predicate.removeprefix("biolink:").replace("_", " ")
        negated = "not " if edge.negated else ""
        said = f"{edge.subject.name} {negated}{predicate} {edge.object.name}"
        yield f"  {sign} {said} ({edge.primary_source}; edge {edge.id})"
    if len(edges) > _TOLD:
        yield f"  … and {len(edges) - _TOLD:,} more"
