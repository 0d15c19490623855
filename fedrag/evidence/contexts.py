"""In which disease a statement on a response holds, against the disease that was asked about.

That a variant makes a drug work is said in one disease. Said of the disease asked, or of a kind of
it, it counts in full; said of another, for less, and so does resistance there.
"""

from __future__ import annotations

import re
from functools import lru_cache

from fedrag.biolink import biolink
from fedrag.datamodel import Edge
from fedrag.evidence.clinical import context_name, context_of, is_response, level_worth
from fedrag.evidence.scope import Scope
from fedrag.weight import edge_weight

__all__ = ["given_context", "holds_elsewhere", "statement_weight", "weight_against"]

_GRADED = 0.9  # what a curated response of the best level weighs
_ELSEWHERE = 0.2  # what is left of a statement's weight where it holds in another disease
_DISEASE = "biolink:DiseaseOrPhenotypicFeature"
_WORD = re.compile(r"[a-z0-9]+")
# Words that say that something is a tumour, and nothing of which.
_TUMOUR = frozenset(
    """cancer cancers carcinoma adenocarcinoma tumor tumors tumour tumours neoplasm neoplasms
    malignancy malignant solid advanced metastatic of the all""".split()  # noqa: SIM905
)


def given_context(edge: Edge, scope: Scope) -> str | None:
    """The given disease in which a statement holds: told by identifier, or by a name that is it or
    a kind of it. ``None`` where no disease is told or it is another."""
    curie = context_of(edge)
    if curie is None and not is_response(edge):
        return None
    name = context_name(edge)
    at = scope.known_as(curie) if curie else None
    for one in scope.given:
        if not biolink().is_a(one.categories, _DISEASE):
            continue
        if at == one.curie or (name and _is_kind_of(name, one.name)):
            return one.curie
    return None


def weight_against(edge: Edge, scope: Scope) -> float:
    """What a statement against a candidate weighs: a resistance is of the disease it is told of,
    so it counts in full only where just that is asked about."""
    weight = statement_weight(edge, scope)
    of_one = is_response(edge) and bool(context_of(edge) or context_name(edge))
    asked = given_context(edge, scope) is not None or holds_elsewhere(edge, scope)
    return weight * _ELSEWHERE if of_one and not asked else weight


def statement_weight(edge: Edge, scope: Scope) -> float:
    """A statement's weight; of a response by the level of its evidence and where it holds."""
    weight = edge_weight(edge)
    if not is_response(edge):
        return weight
    worth = level_worth(edge)
    if worth is not None:
        weight = _GRADED * worth
    return weight * (_ELSEWHERE if holds_elsewhere(edge, scope) else 1.0)


def holds_elsewhere(edge: Edge, scope: Scope) -> bool:
    """Whether a disease was asked about, and the statement is told of another."""
    if not any(biolink().is_a(one.categories, _DISEASE) for one in scope.given):
        return False
    name = context_name(edge)
    if not is_response(edge) or (context_of(edge) is None and not name):
        return False
    general, _, excluded = name.partition("(excluding ")
    if general and not set(_words(general)) - _TUMOUR:  # "solid tumours" may be the one asked about
        return any(_is_kind_of(one.name, excluded.rstrip(")")) for one in scope.given if excluded)
    return given_context(edge, scope) is None


@lru_cache(maxsize=4096)
def _words(name: str) -> tuple[str, ...]:
    return tuple(_WORD.findall(name.casefold().replace("leukaemia", "leukemia")))


@lru_cache(maxsize=4096)
def _is_kind_of(name: str, asked: str) -> bool:
    """Whether a disease's name says that it is the one asked, or a kind of it.

    >>> _is_kind_of("Lung Non-small Cell Carcinoma", "lung cancer"), _is_kind_of("Skin Melanoma",
    ...     "melanoma"), _is_kind_of("Melanoma", "uveal melanoma")
    (True, True, False)
    """
    wanted, told = set(_words(asked)), set(_words(name))
    if wanted == told:
        return True
    telling = wanted - _TUMOUR
    of_tumours = not wanted & _TUMOUR or bool(told & _TUMOUR)
    return bool(telling) and telling <= told and of_tumours
