"""What the services call a variant: CIViC's profile, the genomic variant, its gene.

Both services are asked at once; either may be off or down, which costs what it would have told.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeVar

from fedrag.datamodel import EntityCandidate
from fedrag.entities import variant_civic as civic
from fedrag.entities import variant_myvariant as myvariant
from fedrag.entities.variant_change import is_substitution, spellings
from fedrag.entities.variant_known import Gene, Known, alone, exactly, informal, put_together, same
from fedrag.entities.variant_myvariant import Hit
from fedrag.entities.variant_profiles import Profile
from fedrag.entities.variant_sequences import genes_of_sequence
from fedrag.entities.variants import Spotted
from fedrag.errors import ServiceError

if TYPE_CHECKING:
    from fedrag.net import Caller, Endpoint

__all__ = ["VARIANT", "Desk", "VariantServices", "civic_name", "look_up_variant"]

T = TypeVar("T")
_CIVIC, _MYVARIANT, _MYGENE = "CIViC", "MyVariant.info", "MyGene.info"
VARIANT = ("biolink:SequenceVariant",)


@dataclass(frozen=True, slots=True)
class VariantServices:
    """Where variants are looked up; ``None`` for a service that is off."""

    civic: Endpoint | None = None
    myvariant: Endpoint | None = None
    mygene: Endpoint | None = None  # which gene a sequence is of


@dataclass(slots=True)
class Desk:
    """How to ask, and what went wrong, by the service's name for people."""

    caller: Caller
    services: VariantServices
    failures: dict[str, list[ServiceError]] = field(default_factory=dict)

    @property
    def answering(self) -> tuple[str, ...]:
        """The services that are on and have not failed."""
        on = ((_CIVIC, self.services.civic), (_MYVARIANT, self.services.myvariant))
        return tuple(name for name, there in on if there and name not in self.failures)

    async def civic(
        self, ask: Callable[[Caller, Endpoint, T], Awaitable[list[Profile]]], value: T
    ) -> list[Profile] | None:
        """What CIViC says; ``None`` where it is off or failed."""
        endpoint = self.services.civic
        if endpoint is None:
            return None
        return await self._safely(_CIVIC, ask(self.caller, endpoint, value))

    async def myvariant(self, curie: str) -> list[Hit] | None:
        """The genomic variants of an identifier; ``None`` as above."""
        endpoint = self.services.myvariant
        if endpoint is None:
            return None
        made = myvariant.by_identifier(self.caller, endpoint, curie)
        return await self._safely(_MYVARIANT, made)

    async def genes_of(self, accession: str) -> list[Gene]:
        """The genes of a sequence; none where MyGene.info is off or failed."""
        endpoint = self.services.mygene
        if endpoint is None:
            return []
        found = await self._safely(_MYGENE, genes_of_sequence(self.caller, endpoint, accession))
        return [Gene(symbol, curie) for symbol, curie in found or ()]

    async def protein_change(self, gene: str, change: str) -> list[Hit] | None:
        """The genomic variants behind a protein change; ``None`` as above."""
        endpoint = self.services.myvariant
        if endpoint is None or not is_substitution(change):
            return None
        made = myvariant.by_protein_change(self.caller, endpoint, gene, change)
        return await self._safely(_MYVARIANT, made)

    async def _safely(self, name: str, asked: Awaitable[list[T]]) -> list[T] | None:
        try:
            return await asked
        except ServiceError as error:
            self.failures.setdefault(name, []).append(error)
            return None


def civic_name(spotted: Spotted, genes: Sequence[Gene]) -> str:
    """How CIViC writes a variant.

    >>> civic_name(Spotted("", 0, 0, "fusion", change="Fusion"), [Gene("EML4"), Gene("ALK")])
    'EML4::ALK Fusion'
    """
    if spotted.kind == "fusion":
        partners = [gene.symbol for gene in genes]
        return f"{'::'.join(partners if len(partners) > 1 else ['v', *partners])} Fusion"
    return f"{genes[0].symbol} {spotted.change}" if genes else spotted.change


async def look_up_variant(spotted: Spotted, genes: Sequence[Gene], desk: Desk) -> Known | None:
    """What a variant is called; ``None`` where nothing can be said of it.

    :param genes: the genes it names, as far as they are genes.
    """
    if spotted.kind in ("alteration", "fusion"):
        return await _of_gene(spotted, genes, desk)
    if spotted.kind == "change":
        if spotted.change.startswith("c."):
            return await _coding(genes[0], spotted.change, desk) if genes else None
        return await _change(genes[0], spotted.change, desk) if genes else None
    if spotted.kind == "bare":
        return await _bare(spotted.change, desk)
    if spotted.kind == "profile":
        return await _profile(spotted, desk)
    return await _identifier(spotted, genes, desk)


# --- gene and change -----------------------------------------------------------------------------


async def _change(gene: Gene, change: str, desk: Desk) -> Known:
    """A change of one gene: usable under its own name even where no service knows it."""
    name = f"{gene.symbol} {change}"
    asked = desk.civic(civic.profiles_named, name)
    profiles, hits = await asyncio.gather(asked, desk.protein_change(gene.symbol, change))
    wanted = [f"{gene.symbol} {form}" for form in spellings(change)]
    profile = exactly(wanted, profiles or ())
    return put_together(
        name, gene, profile, hits or (), [informal(gene.symbol, change)], profiles or ()
    )


async def _coding(gene: Gene, change: str, desk: Desk) -> Known:
    """A change of a gene's coding sequence: CIViC can only be asked for all that the gene has."""
    found = await desk.civic(civic.variants_of_gene, gene.symbol)
    profile = _described(found or (), change)
    name = f"{gene.symbol} {change}"
    return put_together(name, gene, profile, (), [informal(gene.symbol, change)], ())


def _described(profiles: Sequence[Profile], description: str) -> Profile | None:
    """The one that HGVS describes so; none where several are."""
    fitting = [p for p in profiles if not p.combined and p.is_described(description)]
    return fitting[0] if len({p.id for p in fitting}) == 1 else None


async def _of_gene(spotted: Spotted, genes: Sequence[Gene], desk: Desk) -> Known | None:
    """An amplification, an exon's deletion, a fusion: only CIViC has identifiers for these."""
    name = civic_name(spotted, genes)
    if not genes:
        return None
    profiles = await desk.civic(civic.profiles_named, name)
    profile = exactly([name, f"{name} Mutation"], profiles or ())
    if profile is None:
        return None
    return put_together(profile.name, genes[-1], profile, (), [], profiles or ())


async def _bare(change: str, desk: Desk) -> Known | None:
    """A change without its gene: of the gene that CIViC has most evidence for, others as rivals."""
    found = await desk.civic(civic.variants_named, change)
    fitting = [p for p in found or () if any(same(a, change) for a in p.aliases)]
    if not fitting:
        return None
    best, *others = sorted(fitting, key=lambda p: (-p.evidence, p.id))
    gene = Gene(*best.genes[0]) if best.genes else None
    rivals = tuple(EntityCandidate(p.curie, p.name, VARIANT, matched=change) for p in others)
    further = [informal(gene.symbol, change)] if gene else []
    known = put_together(best.name, gene, best, (), further, ())
    note = f'"{change}" names no gene; it was read as {best.name}, as CIViC has it'
    return Known(known.name, known.identifiers, gene, (note,), rivals)


# --- identifiers ---------------------------------------------------------------------------------


async def _profile(spotted: Spotted, desk: Desk) -> Known | None:
    """CIViC's own identifiers of profiles and of variants."""
    curie = spotted.curie or ""
    kind, _, number = curie.partition(":")
    ask = civic.profile_by_id if kind == "civic.mpid" else civic.profiles_of_variant
    found = await desk.civic(ask, int(number))
    alone = [p for p in found or () if kind == "civic.mpid" or not p.combined]
    if alone:
        profile = alone[0]
        gene = Gene(*profile.genes[0]) if profile.genes else None
        return put_together(profile.name, gene, profile, (), [], ())
    return Known(curie, (curie,), found=False) if found is None else None


async def _identifier(spotted: Spotted, genes: Sequence[Gene], desk: Desk) -> Known:
    """rsIDs, ClinGen alleles, HGVS on a sequence: usable even where no service knows them."""
    curie = spotted.curie or ""
    alias = curie.partition(":")[2].upper() if spotted.kind == "rsid" else ""
    asked = _by_alias(spotted, genes, desk)
    hits, profiles = await asyncio.gather(desk.myvariant(curie), asked)
    gene, change = _of_hits(hits or (), genes, spotted.change)
    profile = exactly([alias], profiles or ()) if alias else alone(profiles or ())
    if profile is None and not profiles:
        profile = await _by_content(hits or (), gene, change, desk)
    name = profile.name if profile else f"{gene.symbol} {change}" if gene and change else ""
    if profile and gene is None and len(profile.genes) == 1:
        gene = Gene(*profile.genes[0])
    several = spotted.kind == "rsid" and len(hits or ()) > 1
    known = put_together(
        name or spotted.text, gene, profile, () if several else hits or (), [curie], ()
    )
    notes = known.notes
    if several:
        alleles = ", ".join(hit.id for hit in hits or ())
        notes = (*notes, f"{spotted.text} stands for {len(hits or ())} alleles: {alleles}")
    further = [informal(gene.symbol, change)] if gene and change and not several else []
    identifiers = tuple(dict.fromkeys((*known.identifiers, *further)))
    found = bool(hits) or profile is not None
    return Known(known.name, identifiers, known.gene, notes, found=found)


async def _by_alias(
    spotted: Spotted, genes: Sequence[Gene], desk: Desk
) -> Sequence[Profile] | None:
    """CIViC's profiles of a ClinGen allele, with an rsID among their aliases, or so described."""
    prefix, _, local = (spotted.curie or "").partition(":")
    if prefix == "CAID":
        return await desk.civic(civic.profiles_of_allele, local)
    if prefix == "DBSNP":
        return await _of_rsid(local.upper(), desk)
    found: Sequence[Profile] | None = None
    if spotted.change:
        found = await desk.civic(civic.variants_named, spotted.change)
    elif genes := genes or await desk.genes_of(local.partition(":")[0]):
        found = await desk.civic(civic.variants_of_gene, genes[0].symbol)
    profile = _described(found or (), local)
    return [profile] if profile else None


async def _of_rsid(alias: str, desk: Desk) -> Sequence[Profile] | None:
    """Profiles keep rsIDs among their aliases, alone or behind the gene; variants alone."""
    found = await desk.civic(civic.profiles_named, alias)
    if found is None or exactly([alias], found):
        return found
    return await desk.civic(civic.variants_named, alias)


async def _by_content(
    hits: Sequence[Hit], gene: Gene | None, change: str, desk: Desk
) -> Profile | None:
    """The profile of the one allele that was found, else of its gene and change."""
    allele = hits[0].allele if len(hits) == 1 else None
    if allele and (found := await desk.civic(civic.profiles_of_allele, allele)):
        return alone(found)
    if gene is None or not change:
        return None
    name = f"{gene.symbol} {change}"
    return exactly([name], await desk.civic(civic.profiles_named, name) or ())


def _of_hits(hits: Sequence[Hit], genes: Sequence[Gene], change: str) -> tuple[Gene | None, str]:
    """Gene and protein change, where what was found leaves no doubt of them."""
    symbols = {symbol for hit in hits for symbol in hit.genes}
    gene = genes[0] if genes else Gene(symbols.pop()) if len(symbols) == 1 else None
    told = {c for hit in hits for c in hit.changes}
    return gene, change or (told.pop() if len(told) == 1 else "")
