"""The variants of a question as entities: gene verified, looked up, normalised, joined to the rest.

Nothing here calls anyone for a question that names no variant. What a variant is also called is
handed to the Normalizer, so that whoever asks it afterwards knows a CIViC profile as the variant.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from fedrag.biolink import biolink
from fedrag.datamodel import Entity, Identifier, NormalizedNode
from fedrag.entities.choose import Reading
from fedrag.entities.match import match_hits
from fedrag.entities.mentions import GENE, How, Mention
from fedrag.entities.nameres import look_up
from fedrag.entities.rounds import Work, overlaps
from fedrag.entities.second import Unresolved
from fedrag.entities.variant_known import Gene, Known, combinations_note
from fedrag.entities.variant_lookup import VARIANT, Desk, VariantServices
from fedrag.entities.variant_reading import Named, Room
from fedrag.entities.variant_together import Together, together
from fedrag.entities.variants import Spotted, find_variants, read_variant

if TYPE_CHECKING:
    from fedrag.entities.normalize import Normalizer
    from fedrag.errors import ServiceError

__all__ = ["Variants", "VariantServices", "name_variants", "spotted_in", "with_genes"]

# What the Node Normalizer may know; of these the first says what allele it is, not only where.
_NORMALISED = ("CAID", "DBSNP")
# A service that hangs must not take the time that the question needs.
_MOST_SECONDS, _SHARE = 15.0, 0.25


@dataclass(slots=True)
class Variants:
    """What became of the variants of a question.

    ``genes`` are those of its variants, as entities in the variant's place, by variant CURIE;
    ``failures`` are look-ups of names that a service did not answer; ``parts`` are the variants
    that a combination is asked with besides, by its CURIE.
    """

    readings: list[Reading] = field(default_factory=list)
    unresolved: list[Unresolved] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    genes: dict[str, Entity] = field(default_factory=dict)
    failures: list[ServiceError] = field(default_factory=list)
    parts: dict[str, tuple[str, ...]] = field(default_factory=dict)
    misread: list[tuple[int, int]] = field(default_factory=list)  # where no sense could be made
    _known: dict[str, Named] = field(default_factory=dict)

    @property
    def regions(self) -> list[tuple[int, int]]:
        """Where the variants stand."""
        return [*((r.mention.start, r.mention.end) for r in self.readings), *self.misread]

    def finished(self, entities: Iterable[Entity]) -> tuple[Entity, ...]:
        """The entities with what only is known here of those that are variants."""
        return tuple(self._finished(entity) for entity in entities)

    def _finished(self, entity: Entity) -> Entity:
        if entity.curie not in self._known:
            return entity
        _, known, how = self._known[entity.curie]
        return replace(entity, how=how, candidates=known.rivals, ambiguous=bool(known.rivals))


def spotted_in(question: str, mentions: Sequence[Mention]) -> list[tuple[Spotted, How]]:
    """The variants a question writes, and those that are pinned; a pin is taken as said."""
    pins = [m for m in mentions if m.how == "pinned"]
    taken = [(m.start, m.end) for m in pins if m.start >= 0]
    found: list[tuple[Spotted, How]] = []
    for spotted in find_variants(question):
        if not any(spotted.start < b and spotted.end > a for a, b in taken):
            found.append((spotted, "curie" if spotted.curie else "exact"))
    for pin in pins:
        if pin.curie and (pinned := read_variant(pin.curie)):
            genes = tuple((name, -1, -1) for name, _, _ in pinned.genes)
            placed = replace(pinned, text=pin.text, start=pin.start, end=pin.end, genes=genes)
            found.append((placed, "pinned"))
    return found


def with_genes(
    mentions: Sequence[Mention], spotted: Sequence[tuple[Spotted, How]]
) -> tuple[Mention, ...]:
    """The mentions, and the variants' genes where these are none yet: all are looked up at once."""
    known = {(m.start, m.end) for m in mentions}
    parts = {part for one, _ in spotted for each in (one, *one.parts) for part in each.genes}
    new = sorted(p for p in parts if (p[1], p[2]) not in known or p[1] < 0)
    return (*mentions, *(Mention(text, a, b, "exact", GENE) for text, a, b in new))


async def name_variants(
    work: Work,
    spotted: Sequence[tuple[Spotted, How]],
    services: VariantServices,
    normalizer: Normalizer,
) -> Variants:
    """Look the variants up, hand what they are called to the Normalizer, and take their places.

    In ``work``, the readings of what lies inside a variant are taken out and the variant's put in.

    :raises ServiceError: the Node Normalizer failed. What CIViC and MyVariant.info fail in is
        among the ``failures``.
    """
    seconds = min(_MOST_SECONDS, work.caller.remaining() * _SHARE)
    desk = Desk(work.caller.within(seconds), services)
    rooms = [Room(work, desk) for _ in spotted]
    reading = (room.read(one, how) for room, (one, how) in zip(rooms, spotted, strict=True))
    pieces = await asyncio.gather(*reading)
    named = [piece for several in pieces for piece in several]
    made = Variants(
        notes=[note for room in rooms for note in room.notes],
        unresolved=[missing for room in rooms for missing in room.unresolved],
        misread=[region for room in rooms for region in room.misread],
    )
    for service, problems in sorted(desk.failures.items()):
        what = f"{service} could not be asked what variants are called"
        made.notes.append(f"{what}: {problems[-1].message}")
        made.failures += problems
    combined = together(work.question, named)
    made.notes += _notes_on_combinations(named, combined)
    named = await _with_gene_curies(work, [*named, *(c.whole for c in combined)])
    nodes = await normalizer.normalize(_to_normalise(named)) if named else {}
    inside = [part[0] for c in combined for part in c.parts]
    for one, known, how in named:
        if one in inside:
            normalizer.adopt(_node(known, nodes))
        else:
            _place(made, one, known, how, nodes, normalizer)
    for c in combined:
        made.parts[c.profile.curie] = tuple(_node(part[1], nodes).curie for part in c.parts)
    _settle(work, made)
    return made


def _notes_on_combinations(named: Sequence[Named], combined: Sequence[Together]) -> list[str]:
    asked = [c.profile for c in combined]
    told = [note for _, known, _ in named for note in combinations_note(known, asked)]
    return [*(c.note for c in combined), *told]


async def _with_gene_curies(work: Work, named: Sequence[Named]) -> list[Named]:
    """The genes that only a symbol is known of, looked up; most are known by now."""
    genes = (known.gene for _, known, _ in named)
    symbols = list(dict.fromkeys(g.symbol for g in genes if g and g.curie is None))
    hits = await look_up(work.caller, work.resolver, symbols)
    found: dict[str, str] = {}
    for symbol in symbols:
        ranked = match_hits([symbol], hits.get(symbol, ()), expects=GENE, taxon=work.taxon).ranked
        curies = [match.hit.curie for match in ranked if match.group == "gene"]
        found.update({symbol: curies[0]} if curies else {})

    def completed(known: Known) -> Known:
        gene = known.gene
        if gene is None or gene.curie is not None:
            return known
        return replace(known, gene=Gene(gene.symbol, found.get(gene.symbol)))

    return [(spotted, completed(known), how) for spotted, known, how in named]


# --- identifiers ---------------------------------------------------------------------------------


def _to_normalise(named: Sequence[Named]) -> list[str]:
    """What the Node Normalizer may know: identifiers of the variants, and their genes."""
    curies = [i for _, known, _ in named for i in known.identifiers if _is_normalised(i)]
    genes = [known.gene.curie for _, known, _ in named if known.gene and known.gene.curie]
    return list(dict.fromkeys([*curies, *genes]))


def _is_normalised(curie: str) -> bool:
    return curie.partition(":")[0] in _NORMALISED


def _place(
    made: Variants,
    spotted: Spotted,
    known: Known,
    how: How,
    nodes: Mapping[str, NormalizedNode | None],
    normalizer: Normalizer,
) -> None:
    """Put one variant into the readings, its node into the Normalizer, its gene beside it."""
    node = _node(known, nodes)
    normalizer.adopt(node)
    mention = Mention(spotted.text, spotted.start, spotted.end, "curie", curie=node.curie)
    made.readings.append(Reading(mention))
    made._known[node.curie] = (spotted, known, how)
    gene = nodes.get(known.gene.curie) if known.gene and known.gene.curie else None
    if gene is not None:
        made.genes[node.curie] = Entity(
            mention=spotted.text,
            start=spotted.start,
            end=spotted.end,
            curie=gene.curie,
            name=gene.name or gene.curie,
            categories=gene.categories,
            how="exact",
            taxa=gene.taxa,
            identifiers=gene.identifiers,
        )


def _node(known: Known, nodes: Mapping[str, NormalizedNode | None]) -> NormalizedNode:
    """All names of a variant under one CURIE: the Node Normalizer's where it knows one."""
    order = sorted(known.identifiers, key=_rank)
    found = (nodes.get(curie) for curie in order if _is_normalised(curie))
    theirs = next((n for n in found if n and biolink().is_a(n.categories, VARIANT[0])), None)
    own = {curie: Identifier(curie) for curie in order}
    if theirs is not None:
        own |= {i.curie: replace(i, label=None) for i in theirs.identifiers}
    curie = theirs.curie if theirs else order[0]
    categories = theirs.categories if theirs else biolink().category_ancestors(VARIANT[0])
    ordered = sorted(own.values(), key=lambda i: i.curie != curie)
    return NormalizedNode(curie, known.name, categories, tuple(ordered))


def _rank(curie: str) -> tuple[int, str]:
    """Alleles first, then places, then what people call it; CIViC's own number last."""
    prefix, _, local = curie.partition(":")
    order = ("CAID", "DBSNP", "HGVS", "CLINVAR")
    place = order.index(prefix) if prefix in order else len(order)
    return (place, "" if local.startswith(("chr", "N")) else local)


def _settle(work: Work, made: Variants) -> None:
    """The variants in place of what was read of their parts."""
    regions = [region for region in made.regions if region[0] >= 0]
    named = {(r.mention.text, r.mention.start) for r in made.readings}

    def stays(mention: Mention) -> bool:
        if mention.how == "pinned":
            return (mention.text, mention.start) not in named
        return mention.start >= 0 and not overlaps(mention, regions)

    work.readings = [r for r in work.readings if stays(r.mention)] + made.readings
