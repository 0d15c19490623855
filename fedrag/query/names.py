"""What the identifiers of a query are called: canonical CURIEs, categories, equivalents."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from fedrag.biolink import biolink
from fedrag.datamodel import Edge, Entity, NormalizedNode, QueryNode
from fedrag.errors import PlanError
from fedrag.execute import Canonicaliser
from fedrag.metakg import Service
from fedrag.plan.families import categories_to_ask
from fedrag.query.graph import GraphNode, QueryRequest
from fedrag.query.journal import Journal

__all__ = ["Names"]


@dataclass(slots=True)
class Names:
    """The identifiers a query gives, and those that are found, in the Node Normalizer's words."""

    canon: Canonicaliser
    given: dict[str, dict[str, str]] = field(default_factory=dict)  # node → canonical → as given

    async def learn(self, request: QueryRequest, services: Sequence[Service], log: Journal) -> None:
        """Normalise what the query gives.

        Without the Node Normalizer identifiers are asked and joined as they are written.

        :raises PlanError: it knows none of a node's identifiers, and no service takes their prefix.
        """
        await self.canon.learn_ids(i for node in request.nodes.values() for i in node.ids)
        failure = self.canon.canon.failure
        if failure is not None:
            log.failed(failure.state, f"identifiers are as written: {failure.message}")
        for node in request.nodes.values():
            if node.ids:
                self.given[node.key] = {}
                for curie in node.ids:
                    self.given[node.key].setdefault(self.canonical(curie), curie)
                if failure is None:
                    self._check_known(node, services, log)

    def _check_known(self, node: GraphNode, services: Sequence[Service], log: Journal) -> None:
        known = self.canon.canon.conflated
        unknown = [curie for curie in node.ids if known.get(curie) is None]
        if not unknown:
            return
        named = ", ".join(unknown[:5]) + (f" and {len(unknown) - 5} more" if unknown[5:] else "")
        if len(unknown) == len(node.ids) and not _taken(unknown, services):
            raise PlanError(
                f"nodes.{node.key}: the Node Normalizer does not know {named}",
                hint=_spelling(unknown[0]) or "check the identifier; `fedrag resolve` finds them",
            )
        log.add("WARNING", f"nodes.{node.key}: the Node Normalizer does not know {named}")

    def canonical(self, curie: str) -> str:
        """The canonical CURIE with conflation, or the identifier itself where it is unknown."""
        return self.canon.canon.canonical(curie)

    def node(self, curie: str) -> NormalizedNode | None:
        """What is known of an identifier without conflation (with it, where that is all)."""
        canon = self.canon.canon
        return canon.plain.get(curie) or canon.conflated.get(curie)

    async def equivalents(self, ids: Sequence[str]) -> dict[str, NormalizedNode | None]:
        """What else these identifiers are called, for services that take others."""
        await self.canon.learn_ids(ids)
        return {curie: self.canon.canon.conflated.get(curie) for curie in ids}

    def query_nodes(self, request: QueryRequest) -> dict[str, QueryNode]:
        """The nodes as services are asked them: given ones with the categories they are of."""
        return {
            key: QueryNode(key, categories=self._categories(node), ids=node.ids)
            for key, node in request.nodes.items()
        }

    def _categories(self, node: GraphNode) -> tuple[str, ...]:
        if node.categories or not node.ids:
            return node.categories
        found: dict[str, None] = {}
        for entity in self.entities([node]):
            if entity.categories:
                found |= dict.fromkeys(categories_to_ask(entity))
        return tuple(found)

    def entities(self, nodes: Iterable[GraphNode]) -> list[Entity]:
        """What the query gives as entities, which is what the filter of organisms knows."""
        known = self.canon.canon.conflated
        entities = []
        for node in nodes:
            for curie in node.ids:
                found = known.get(curie)
                entities.append(
                    Entity(
                        mention=curie,
                        start=-1,
                        end=-1,
                        curie=found.curie if found else curie,
                        name=(found.name if found else None) or curie,
                        categories=found.categories if found else node.categories,
                        how="curie",
                        taxa=found.taxa if found else (),
                    )
                )
        return entities


def _taken(curies: Iterable[str], services: Iterable[Service]) -> bool:
    """Whether a service's own calls take identifiers of such a prefix."""
    prefixes = {curie.partition(":")[0] for curie in curies}
    return any(
        operation.input_prefix in prefixes
        for service in services
        if service.enabled
        for operation in service.operations
    )


def _spelling(curie: str) -> str | None:
    written = biolink().parse_curie(curie)
    return f"Translator writes it {written}" if written and written != curie else None


def kinds_of(edges: Iterable[Edge], asked: Mapping[str, object]) -> dict[str, frozenset[str]]:
    """Something more specific → those of what was asked that services say it is a kind of.

    From ``subclass_of`` edges, which services put beside the edges they found through them.
    """
    kinds: dict[str, set[str]] = {}
    for edge in edges:
        narrower, wider = edge.subject.canonical, edge.object.canonical
        if edge.predicate == "biolink:superclass_of":
            narrower, wider = wider, narrower
        elif edge.predicate != "biolink:subclass_of":
            continue
        if wider in asked and narrower != wider:
            kinds.setdefault(narrower, set()).add(wider)
    return {narrower: frozenset(wider) for narrower, wider in kinds.items()}
