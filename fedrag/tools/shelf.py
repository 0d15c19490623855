"""The last answers, so that their evidence can be read again and their pages turned.

Bounded twice, since an answer may hold ten edges or fifty thousand: by answers and by edges.
"""

from __future__ import annotations

import secrets
import threading
from collections import OrderedDict
from collections.abc import Hashable, Iterator
from dataclasses import dataclass

from fedrag.datamodel import Answer, Edge, Evidence

__all__ = ["Shelf", "Shelved"]


@dataclass(frozen=True, slots=True)
class Shelved:
    """An answer under its run; ``asked`` is what equal calls have in common.

    :ivar client: who asked; ``None``: one of several who cannot be told apart.
    """

    run: str
    answer: Answer
    asked: Hashable = None
    client: str | None = ""

    def evidence(self, key: str) -> Evidence | None:
        """The evidence under a key (``E1``), where the page has it."""
        return next((e for e in self.answer.evidence if e.key == key), None)

    def edge(self, edge_id: str) -> Edge | None:
        """An edge of the page, or any other that was retrieved."""
        return next((edge for edge in self._edges() if edge.id == edge_id), None)

    def behind(self, edge: Edge) -> Evidence | None:
        """The first evidence that an edge stands behind; ``None`` where no claim rests on it."""
        lines = self.answer.evidence
        return next((e for e in lines if any(one.id == edge.id for one in e.edges)), None)

    def _edges(self) -> Iterator[Edge]:
        for evidence in self.answer.evidence:
            yield from evidence.edges
        yield from self.answer.all_edges


class Shelf:
    """Answers by run, the oldest gone first; safe to use from several threads.

    :param most: answers that are kept.
    :param most_edges: edges of all kept answers together; the newest answer stays in any case.
    """

    def __init__(self, most: int = 64, most_edges: int = 100_000) -> None:
        self.most = most
        self.most_edges = most_edges
        self._kept: OrderedDict[str, Shelved] = OrderedDict()
        self._lock = threading.Lock()

    def add(self, answer: Answer, asked: Hashable = None, client: str | None = "") -> Shelved:
        """Keep an answer; one that was not logged gets a run of its own, good in this process."""
        run = answer.run or f"unlogged-{secrets.token_hex(8)}"
        shelved = Shelved(run, answer, asked, client)
        with self._lock:
            self._kept[run] = shelved
            self._kept.move_to_end(run)
            while len(self._kept) > 1 and self._full():
                self._kept.popitem(last=False)
        return shelved

    def _full(self) -> bool:
        edges = sum(len(shelved.answer.all_edges) for shelved in self._kept.values())
        return len(self._kept) > self.most or edges > self.most_edges

    def newest(self, client: str = "") -> Iterator[Shelved]:
        """What a client asked and is kept, the newest first."""
        return (shelved for shelved in self._newest() if shelved.client == client)

    def _newest(self) -> Iterator[Shelved]:
        with self._lock:
            kept = list(self._kept.values())
        return reversed(kept)

    def get(self, run: str) -> Shelved | None:
        """The answer of a run, where it is still kept."""
        with self._lock:
            return self._kept.get(run)

    def like(self, asked: Hashable) -> Shelved | None:
        """The newest answer to an equal call."""
        return next((shelved for shelved in self._newest() if shelved.asked == asked), None)
