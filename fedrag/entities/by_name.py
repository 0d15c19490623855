"""Things that a service names with identifiers the Node Normalizer does not know.

CIViC's drugs are NCIt codes and other services give a symbol alone, so that what they say would
never meet what others say of the same thing. Such a thing is looked up by its name: an exact label
or synonym of a fitting category, one that no other name of that call contests, is taken for it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from fedrag.datamodel import Identifier, NormalizedNode
from fedrag.entities.match import match_hits
from fedrag.entities.nameres import NameHit, look_up

if TYPE_CHECKING:
    from fedrag.entities.normalize import Normalizer
    from fedrag.net import Caller, Endpoint

__all__ = ["MOST_NAMES", "Stranger", "find_by_name"]

MOST_NAMES = 200  # that are worth one call
_SURE = 2.0  # the cost of a match up to which only plural and blanks differ


@dataclass(frozen=True, slots=True)
class Stranger:
    """An identifier nobody knows, with the name and categories its service gives."""

    curie: str
    name: str
    categories: tuple[str, ...]


async def find_by_name(
    strangers: Sequence[Stranger],
    normalizer: Normalizer,
    caller: Caller,
    resolver: Endpoint,
    *,
    taxon: str = "",
) -> None:
    """Let the normalizer know what the strangers are, where their names tell it.

    :param strangers: at most ``MOST_NAMES``, all of them in one call.
    :raises ServiceError: a call failed; nothing was learned then.
    """
    asked = {one.curie: one for one in strangers if one.name}
    hits = await look_up(caller, resolver, (one.name for one in asked.values()))
    meant = {
        one.curie: curie
        for one in asked.values()
        if (curie := _meant(one, hits.get(one.name, ()), taxon))
    }
    merged = await normalizer.normalize(set(meant.values()), conflate=True)
    apart = await normalizer.normalize(set(meant.values()), conflate=False)
    for stranger, curie in meant.items():
        _introduce(asked[stranger], normalizer, merged.get(curie), apart.get(curie))


def _meant(stranger: Stranger, hits: Sequence[NameHit], taxon: str) -> str | None:
    """The one thing of that name and kind; None where there is none, or more than one."""
    ranked = match_hits([stranger.name], hits, expects=stranger.categories, taxon=taxon).ranked
    sure = [match for match in ranked if match.fits and match.cost <= _SURE]
    if not sure or (len(sure) > 1 and sure[1].cost <= sure[0].cost):
        return None
    return sure[0].hit.curie


def _introduce(
    stranger: Stranger,
    normalizer: Normalizer,
    merged: NormalizedNode | None,
    apart: NormalizedNode | None,
) -> None:
    if merged is None and apart is None:
        return
    own = Identifier(stranger.curie, stranger.name)
    known: Mapping[bool, NormalizedNode | None] = {True: merged or apart, False: apart or merged}
    for conflate, node in known.items():
        if node is not None:
            whole = replace(node, identifiers=(*node.identifiers, own))
            normalizer.know(stranger.curie, whole, conflate=conflate)
