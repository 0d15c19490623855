"""A question's mentions to entities: one Name Resolver call, one pair of Node Normalizer calls.

A second Name Resolver call follows only where something is left: names that matched genes of other
species alone are asked again for the wanted taxon, misspelt names by their beginnings.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from fedrag.entities.assemble import Found, assemble
from fedrag.entities.choose import Reading, choose, is_fixed
from fedrag.entities.heads import whole_names
from fedrag.entities.mentions import Mention
from fedrag.entities.rounds import Work, first_round, mentions_of, other_species, overlaps
from fedrag.entities.second import Unresolved, second_round
from fedrag.entities.variant_names import (
    Variants,
    VariantServices,
    name_variants,
    spotted_in,
    with_genes,
)

if TYPE_CHECKING:
    from fedrag.datamodel import Entity
    from fedrag.entities.normalize import Normalizer
    from fedrag.errors import ServiceError
    from fedrag.net import Caller, Endpoint

__all__ = ["Resolution", "Unresolved", "resolve"]


@dataclass(frozen=True, slots=True)
class Resolution:
    """The entities of a question in order of appearance, what was noted, and what is unresolved.

    ``failures`` are those of Name Resolver calls that the question could be read without,
    ``naming_failures`` those of services that were to say what a variant is called there;
    ``parts`` holds what is asked besides a combination of variants, by the combination's CURIE;
    ``unused`` are phrases of the question that nothing was made of, words that limit it ("oral",
    "in children") among them; ``genes`` holds the gene of
    each variant, by the variant's CURIE, in its place: what is asked where the variant cannot be.
    """

    entities: tuple[Entity, ...]
    notes: tuple[str, ...] = ()
    unresolved: tuple[Unresolved, ...] = ()
    failures: tuple[ServiceError, ...] = ()
    unused: tuple[str, ...] = ()
    genes: Mapping[str, Entity] = field(default_factory=dict)
    naming_failures: tuple[ServiceError, ...] = ()
    parts: Mapping[str, tuple[str, ...]] = field(default_factory=dict)


async def resolve(
    question: str,
    caller: Caller,
    *,
    resolver: Endpoint,
    normalizer: Normalizer,
    pins: Mapping[str, str] | None = None,
    taxon: str = "NCBITaxon:9606",
    extra_mentions: Sequence[Mention] = (),
    variants: VariantServices | None = None,
) -> Resolution:
    """The entities a question names.

    :param pins: mention → CURIE; they are taken as said, and need not be in the question.
    :param taxon: genes and proteins stated to be of other species are not taken.
    :param extra_mentions: what a language model found; looked up and judged like any other, and
        left out when it is not in the question.
    :param variants: where variants are looked up; none of these is asked where none is named.
    :raises ServiceError: the Name Resolver or the Node Normalizer failed.
    """
    work = Work(question, caller, resolver, taxon)
    mentions = mentions_of(question, pins or {}, extra_mentions)
    spotted = spotted_in(question, mentions)
    await first_round(work, with_genes(mentions, spotted))
    await other_species(work)
    named = Variants()
    if spotted:
        named = await name_variants(work, spotted, variants or VariantServices(), normalizer)
    whole = whole_names(question, *choose(work.readings))
    guesses, missing = await second_round(work, whole)
    found = [*(Found(r) for r in _not_replaced(whole.accepted, guesses)), *guesses]
    entities, notes, unknown = await assemble(found, normalizer)
    aside = _aside(whole.aside, entities)
    notes = [*named.notes, *work.notes, *aside.values(), *notes]
    unresolved = [*named.unresolved, *(Unresolved(*u) for u in unknown), *missing]
    return Resolution(
        named.finished(entities),
        tuple(dict.fromkeys(notes)),
        tuple(unresolved),
        tuple(work.failures),
        tuple(dict.fromkeys([*aside, *work.unused])),
        named.genes,
        tuple(named.failures),
        named.parts,
    )


def _not_replaced(accepted: Sequence[Reading], guesses: Sequence[Found]) -> list[Reading]:
    """Without the short exact matches that a longer corrected name contains."""
    longer = [(f.reading.mention.start, f.reading.mention.end) for f in guesses]
    return [r for r in accepted if is_fixed(r.mention) or not overlaps(r.mention, longer)]


def _aside(aside: Sequence[Reading], entities: Sequence[Entity]) -> dict[str, str]:
    """What was recognised but is not what the question is about, and a note on each."""
    taken = {(e.start, e.end) for e in entities}
    return {
        r.mention.text: f'"{r.mention.text}" ({r.best.hit.label}, {r.best.hit.curie}) was not '
        + "taken as an entity: "
        + ("it names the kind of answer" if r.wanted else "it only says where")
        for r in aside
        if r.best is not None and (r.mention.start, r.mention.end) not in taken
    }
