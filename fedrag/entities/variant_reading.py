"""One variant of a question after the other: is it meant, of which gene, and what is it called?"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from fedrag.entities.choose import choose
from fedrag.entities.mentions import How
from fedrag.entities.rounds import Work
from fedrag.entities.second import Unresolved
from fedrag.entities.variant_civic import profiles_named
from fedrag.entities.variant_known import Gene, Known
from fedrag.entities.variant_lookup import Desk, civic_name, look_up_variant
from fedrag.entities.variants import Spotted

__all__ = ["Named", "Room"]

Named = tuple[Spotted, Known, How]


@dataclass(slots=True)
class Room:
    """Where one spotted variant is read, and what is to be told of it.

    :ivar misread: regions of the question that no sense could be made of.
    """

    work: Work
    desk: Desk
    notes: list[str] = field(default_factory=list)
    unresolved: list[Unresolved] = field(default_factory=list)
    misread: list[tuple[int, int]] = field(default_factory=list)

    async def read(self, spotted: Spotted, how: How) -> list[Named]:
        """The variant; several for a combination that is unknown as one; none for what is none."""
        if spotted.wrong:
            self.unresolved.append(Unresolved(spotted.text, (), spotted.wrong))
            self.misread.append((spotted.start, spotted.end))
            return []
        if spotted.kind == "all":
            return await self._combination(spotted, how)
        if self._is_one_name(spotted):
            return []
        genes, known = self._genes(spotted), None
        if spotted.kind == "change" and not genes:
            spotted = self._without_gene(spotted)
        if spotted.kind == "bare":
            if not spotted.sure and self._names(*spotted.core):
                return []
            known = await self._of_the_gene(spotted)
        known = known or await look_up_variant(spotted, genes, self.desk)
        if known is None:
            self._tell_unknown(spotted, genes)
            return []
        if not known.found:
            self.notes.append(self._unknown_note(known))
        self.notes += known.notes
        return [(spotted, known, how)]

    async def _combination(self, spotted: Spotted, how: How) -> list[Named]:
        """One profile where CIViC has the combination whole, else its variants apart."""
        names = [civic_name(part, self._genes(part)) for part in spotted.parts]
        whole = f" {spotted.change} ".join(names)
        found = await self.desk.civic(profiles_named, whole) or []
        for profile in found:
            if profile.name.casefold() == whole.casefold():
                gene = Gene(*profile.genes[0]) if len(profile.genes) == 1 else None
                return [(spotted, Known(profile.name, (profile.curie,), gene), how)]
        self.notes.append(f"{whole} is not known as one; its variants are asked apart")
        return [piece for part in spotted.parts for piece in await self.read(part, how)]

    def _genes(self, spotted: Spotted) -> list[Gene]:
        """The genes it names, by official symbol; fusion partners stay as written if unknown."""
        found = []
        for text, _, _ in spotted.genes:
            gene = self._gene(text)
            if gene is None and spotted.kind == "fusion" and text.isupper():
                gene = Gene(text)
            found += [gene] if gene else []
        return found

    def _gene(self, text: str) -> Gene | None:
        for reading in self.work.readings:
            if reading.mention.text == text:
                for match in reading.matches.ranked:
                    if match.group == "gene":
                        return Gene(match.hit.label, match.hit.curie)
        return None

    def _without_gene(self, spotted: Spotted) -> Spotted:
        """ "V600E in CRC": what was taken for the gene is none, so the change stands alone."""
        start, end = spotted.core
        if spotted.sure or start < 0:
            return spotted
        text = self.work.question[start:end]
        return replace(spotted, text=text, start=start, end=end, kind="bare", genes=())

    async def _of_the_gene(self, spotted: Spotted) -> Known | None:
        """A bare change as one of the only gene the question names, where a service knows it."""
        accepted, _ = choose(self.work.readings)
        hits = {r.best.hit.curie: r.best.hit for r in accepted if r.best and r.best.group == "gene"}
        if len(hits) != 1:
            return None
        hit = next(iter(hits.values()))
        of_gene = replace(spotted, kind="change")
        known = await look_up_variant(of_gene, [Gene(hit.label, hit.curie)], self.desk)
        if known is None or not known.found:
            return None
        note = f'"{spotted.text}" names no gene; it was read as {known.name}, of the gene named'
        return replace(known, notes=(note, *known.notes))

    def _is_one_name(self, spotted: Spotted) -> bool:
        """Whether gene and change in one word name something whole: RAD51D is a gene."""
        gene = spotted.genes[0] if spotted.kind == "change" and spotted.genes else None
        together = gene is not None and gene[2] == spotted.core[0]
        return gene is not None and together and self._names(gene[1], spotted.core[1])

    def _names(self, start: int, end: int) -> bool:
        """Whether the Name Resolver knows just this text: T47D is a cell line."""
        return any(
            r.best is not None and (r.mention.start, r.mention.end) == (start, end)
            for r in self.work.readings
        )

    def _tell_unknown(self, spotted: Spotted, genes: Sequence[Gene]) -> None:
        told = spotted.text
        if spotted.kind in ("alteration", "fusion") and genes:
            self.notes.append(
                f'"{told}" has no identifier as a variant{self._asked()}; read as '
                f"{' and '.join(gene.symbol for gene in genes)}, at the level of the gene"
            )
        elif spotted.kind == "bare" and spotted.sure:
            if failures := [e for several in self.desk.failures.values() for e in several]:
                self.unresolved.append(Unresolved(told, (), self._asked().strip(), failures[0]))
                return
            why = 'it is a change without its gene; write both, as in "BRAF V600E"'
            self.unresolved.append(Unresolved(told, (), why))
        elif spotted.kind == "change" and spotted.sure and spotted.genes:
            why = f'no human gene called "{spotted.genes[0][0]}" was found'
            self.unresolved.append(Unresolved(told, (), why))
        elif spotted.kind == "profile":
            why = f"CIViC has no single variant {spotted.curie}" + self._asked()
            self.unresolved.append(Unresolved(told, (), why))

    def _unknown_note(self, known: Known) -> str:
        return f"{known.name} was found by no service that names variants{self._asked()}"

    def _asked(self) -> str:
        """Who answered, in brackets."""
        told = self.desk.answering
        return f" ({', '.join(told)})" if told else " (none answered)"
