"""Choosing operations for a query edge among those of a whole folder of documents.

``python benchmarks/choose.py [FOLDER]``; without a folder, the corpora's registry documents
(SEMMEDDB's 5,075 operations among them). For each edge, every service is judged and, where it
serves, the operations to call are taken from either end. Nothing is remembered of an edge that was
chosen for before; ``cold`` also forgets which categories and predicates lie below which.
"""

from __future__ import annotations

import gc
import statistics
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from documents import folder_of

from fedrag.errors import ConfigError
from fedrag.metakg import MetaKG, Service, choose, fit, load_service
from fedrag.metakg.document import document_files

RUNS = 7
LIMIT = 5.0  # ms an edge
CAUSES_LESS = (
    ("biolink:qualified_predicate", "biolink:causes"),
    ("biolink:object_aspect_qualifier", "activity_or_abundance"),
    ("biolink:object_direction_qualifier", "decreased"),
)


@dataclass(frozen=True)
class Wanted:
    """A query edge: categories of its ends, predicates and qualifiers, without their prefix."""

    subjects: tuple[str, ...]
    predicates: tuple[str, ...]
    objects: tuple[str, ...]
    qualifiers: tuple[tuple[str, str], ...] = ()

    def __str__(self) -> str:
        said = "/".join(self.predicates) or "anything"
        return f"{'/'.join(self.subjects)} –{said}→ {'/'.join(self.objects)}"

    @property
    def query(self) -> tuple[list[str], list[str], list[str], tuple[tuple[str, str], ...]]:
        """As the meta-knowledge graph takes it."""
        names = (self.subjects, self.predicates, self.objects)
        subjects, predicates, objects = ([f"biolink:{one}" for one in each] for each in names)
        return subjects, predicates, objects, self.qualifiers


EDGES = (
    Wanted(("SmallMolecule",), ("affects", "interacts_with"), ("Gene", "Protein")),
    Wanted(("ChemicalEntity",), ("affects",), ("Gene", "Protein"), CAUSES_LESS),
    Wanted(("SmallMolecule",), ("treats_or_applied_or_studied_to_treat",), ("Disease",)),
    Wanted(("ChemicalEntity",), ("related_to",), ("DiseaseOrPhenotypicFeature",)),
    Wanted(("Gene", "Protein"), ("associated_with",), ("Disease", "PhenotypicFeature")),
    Wanted(("Gene", "Protein"), ("participates_in",), ("BiologicalProcess", "Pathway")),
    Wanted(("Gene", "Protein"), ("regulates", "interacts_with"), ("Gene", "Protein")),
    Wanted(("Gene", "Protein"), ("expressed_in",), ("GrossAnatomicalStructure", "Cell")),
    Wanted(("Disease",), ("has_phenotype",), ("PhenotypicFeature",)),
    Wanted(("Disease",), ("caused_by", "contribution_from"), ("Gene", "Protein")),
    Wanted(("SequenceVariant",), ("related_to",), ("ChemicalEntity", "Disease")),
    Wanted(("Pathway",), (), ("Disease",)),
)
EVERYTHING = Wanted(("NamedThing",), (), ("NamedThing",))  # all operations, from both ends


def services_of(folder: Path) -> list[Service]:
    """What the documents of a folder describe, those whose address is refused at run time too."""
    found = []
    with tempfile.TemporaryDirectory() as cache:
        for path in document_files(folder):
            try:
                service = load_service(path, Path(cache))
            except ConfigError:
                continue  # one that cannot be parsed
            if service.operations:
                found.append(replace(service, enabled=True, name=path.stem))
    return found


def chosen(known: MetaKG, wanted: Wanted) -> int:
    """How many operations are taken for an edge, over all services."""
    count = 0
    for service in known.services:
        if known.serves(service, *wanted.query)[0]:
            operations = known.operations(service.name)
            count += len(operations.from_subject(*wanted.query))
            count += len(operations.from_object(*wanted.query))
    return count


def forget() -> None:
    """Drop what is remembered between edges."""
    for remembered in (fit.below, fit.readings, choose._kin):
        remembered.cache_clear()


def measured(services: Sequence[Service], wanted: Wanted, *, cold: bool) -> tuple[float, int]:
    """Median ms to choose for one edge, and how many operations were chosen."""
    taken, count = [], 0
    for _ in range(RUNS):
        known = MetaKG(services, {})
        for service in known.services:
            known.operations(service.name)  # the index is made once for a process
        if cold:
            forget()
        start = time.perf_counter()
        count = chosen(known, wanted)
        taken.append((time.perf_counter() - start) * 1000)
    return statistics.median(taken), count


def main() -> None:
    """Every edge, cold and warm, in ms."""
    folder = folder_of(sys.argv)
    services = services_of(folder)
    total = sum(len(service.operations) for service in services)
    print(f"{len(services)} services, {total:,} meta-edges")
    print(f"{'cold ms':>8} {'warm ms':>8}  chosen  edge")
    gc.freeze()
    slowest = max(shown(services, wanted) for wanted in EDGES)
    print(f"{slowest:8.2f} ms is the slowest (limit {LIMIT:g}); what asks for everything there is:")
    shown(services, EVERYTHING)


def shown(services: Sequence[Service], wanted: Wanted) -> float:
    """The line of one edge; the slower of its two times."""
    cold, count = measured(services, wanted, cold=True)
    warm, _ = measured(services, wanted, cold=False)
    print(f"{cold:8.2f} {warm:8.2f} {count:7,}  {wanted}")
    return max(cold, warm)


if __name__ == "__main__":
    main()
