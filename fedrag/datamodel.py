"""The typed, immutable things that flow from one stage to the next.

All are frozen, slotted dataclasses: an answer of several megabytes becomes tens of thousands of
them, and nothing here needs validation that the readers have not already done. Predicates,
categories and qualifier keys always carry their ``biolink:`` prefix where TRAPI gives them one
(qualifier *types* do, qualifier *values* do not). CURIEs use Translator casing (``NCBIGene:``).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

if TYPE_CHECKING:
    import networkx
    import pandas

__all__ = [
    "Answer",
    "AnswerKind",
    "Assignment",
    "Attribute",
    "Candidate",
    "Completeness",
    "Edge",
    "EdgeNode",
    "Entity",
    "EntityCandidate",
    "Evidence",
    "Identifier",
    "InPlace",
    "LLMUsage",
    "Mode",
    "NormalizedNode",
    "Polarity",
    "QueryEdge",
    "QueryNode",
    "QueryPlan",
    "RejectedCitation",
    "RetrievalSource",
    "ScoreLine",
    "Sentence",
    "ServiceReport",
    "ServiceState",
    "TreatmentStatus",
]

ServiceState = Literal[
    "ok",
    "empty",
    "truncated",
    "timeout",
    "rate_limited",
    "unavailable",
    "bad_payload",
    "needs_key",
    "inapplicable",
    "skipped",
]
Mode = Literal["live", "cache", "replay"]
AnswerKind = Literal["one", "list", "relation"]
Completeness = Literal["complete", "partial", "unknown"]
Polarity = Literal["support", "against", "context"]
# "established": a curated source asserts that it treats this disease, or that it is approved for
# it; which of the two, ``Candidate.status_detail`` says.
TreatmentStatus = Literal["established", "in_trials", "other_diseases", "preclinical_or_text_mined"]


# --- identifiers and entities -------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Identifier:
    """One equivalent identifier of a node, as the Node Normalizer lists it."""

    curie: str
    label: str | None = None
    taxa: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class NormalizedNode:
    """What the Node Normalizer says of one CURIE (``None`` stands for an unknown CURIE).

    ``categories`` are most specific first, with ``biolink:``; ``taxa`` is the union over the
    equivalent identifiers (``NCBITaxon:9606``), empty where the service names none.
    """

    curie: str
    name: str | None
    categories: tuple[str, ...]
    identifiers: tuple[Identifier, ...] = ()
    taxa: tuple[str, ...] = ()
    information_content: float | None = None


@dataclass(frozen=True, slots=True)
class EntityCandidate:
    """One thing a mention may mean. ``score`` is the Name Resolver's: unbounded, per call."""

    curie: str
    name: str
    categories: tuple[str, ...]
    taxa: tuple[str, ...] = ()
    score: float = 0.0
    matched: str | None = None  # the label or synonym that matched
    match: Literal["exact", "synonym", "fuzzy", "curie", "other"] = "other"


@dataclass(frozen=True, slots=True)
class Entity:
    """A mention of the question, resolved. ``curie`` is canonical with conflation on."""

    mention: str
    start: int  # character offset in the question, -1 when the mention is not in it (pinned)
    end: int
    curie: str
    name: str
    categories: tuple[str, ...]
    how: Literal["marker", "quoted", "curie", "exact", "fuzzy", "pinned", "llm"]
    score: float = 0.0
    taxa: tuple[str, ...] = ()
    identifiers: tuple[Identifier, ...] = ()  # all equivalents, conflation on
    unconflated: str | None = None  # canonical CURIE with conflation off
    candidates: tuple[EntityCandidate, ...] = ()  # the others it may have meant, best first
    conflated: tuple[str, ...] = ()  # what conflation merged, one readable line each
    ambiguous: bool = False
    asked_as: str | None = None  # category the question's wording asks for ("biolink:Disease")


# --- plan ---------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class QueryNode:
    """A node of the query graph: bound (``ids``) or open (``categories`` only)."""

    key: str
    categories: tuple[str, ...] = ()
    ids: tuple[str, ...] = ()
    name: str | None = None
    entity: int | None = None  # index into the question's entities when bound to one


@dataclass(frozen=True, slots=True)
class QueryEdge:
    """One hop. ``wave`` 1 starts from given entities; wave n starts from what wave n-1 found.

    ``cap`` bounds how many of the best-ranked nodes found so far are asked onwards (waves > 1).
    ``qualifiers`` are TRAPI qualifier constraints: ``(("biolink:object_direction_qualifier",
    "decreased"), ...)``.
    """

    key: str
    subject: str  # QueryNode.key
    object: str
    predicates: tuple[str, ...] = ()
    qualifiers: tuple[tuple[str, str], ...] = ()
    wave: int = 1
    cap: int | None = None
    from_node: str = ""  # the QueryNode.key this hop starts from (bound by then)


@dataclass(frozen=True, slots=True)
class Assignment:
    """Whether a service will be asked one query edge, and why (not)."""

    edge: str
    service: str
    asked: bool
    reason: str


@dataclass(frozen=True, slots=True)
class InPlace:
    """A gene that is asked about in place of one of its variants; what is found is of the gene.

    :ivar why: what is to be told of the variant: "nothing was returned on".
    :ivar others: whether statements on other variants of the gene are asked for.
    """

    gene: str  # CURIE
    name: str
    variant: str  # its name
    why: str
    others: bool = False


@dataclass(frozen=True, slots=True)
class QueryPlan:
    """What will be asked. ``answer_node`` is the key of the node whose bindings are candidates.

    In a ``relation`` the answer node is the intermediate that links the given entities.
    ``also_answer`` lists further nodes whose bindings count as candidates when their category fits.
    """

    template: str
    title: str
    kind: AnswerKind
    nodes: tuple[QueryNode, ...]
    edges: tuple[QueryEdge, ...]
    answer_node: str
    answer_categories: tuple[str, ...]
    also_answer: tuple[str, ...] = ()
    must_reach_all: bool = False  # intersection: candidates that miss a given entity are dropped
    treatment: bool = False  # candidates carry a treatment status; harm counts against them
    understood: str = ""  # one line: what the question was taken to ask
    assignments: tuple[Assignment, ...] = ()
    notes: tuple[str, ...] = ()
    unapplied: tuple[str, ...] = ()  # words of the question that limit it and were not applied
    response: str = ""  # the one asked for, "sensitivity" or "resistance": the other is against
    in_place: tuple[InPlace, ...] = ()  # genes that are asked about instead of their variants

    def node(self, key: str) -> QueryNode:
        """The node with this key (``KeyError`` when there is none)."""
        return next(node for node in self.nodes if node.key == key)


# --- edges --------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Attribute:
    """A TRAPI attribute, kept whole; ``value`` is whatever JSON the source sent."""

    type_id: str
    value: Any
    source: str | None = None
    value_url: str | None = None
    attributes: tuple[Attribute, ...] = ()


@dataclass(frozen=True, slots=True)
class RetrievalSource:
    """One link of an edge's provenance: an infores, its role, and where it has it from."""

    resource_id: str
    role: str  # primary_knowledge_source | aggregator_knowledge_source | supporting_data_source
    upstream: tuple[str, ...] = ()
    record_urls: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class EdgeNode:
    """One end of an edge.

    ``curie`` is canonical without conflation (equal to ``found`` until normalised), ``canonical``
    with conflation (candidates and joins use it), ``found`` as the service returned it, ``asked``
    the identifier of the question when this end was bound to it and differs.
    """

    curie: str
    name: str
    categories: tuple[str, ...] = ()
    found: str = ""
    found_name: str | None = None
    asked: str | None = None
    canonical: str = ""
    taxa: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Edge:
    """A statement with its passport. ``id`` is a hash of subject, predicate, object, qualifiers,
    negation and primary source; two edges merge exactly when these six are equal."""

    id: str
    subject: EdgeNode
    predicate: str
    object: EdgeNode
    qualifiers: tuple[tuple[str, str], ...] = ()
    negated: bool = False
    sources: tuple[RetrievalSource, ...] = ()
    publications: tuple[str, ...] = ()  # CURIEs (PMID:..., PMC..., doi:...) or URLs
    cited_by_record: tuple[str, ...] = ()  # publications the source's *record* cites
    record_urls: tuple[str, ...] = ()
    knowledge_level: str = "not_provided"
    agent_type: str = "not_provided"
    attributes: tuple[Attribute, ...] = ()
    answered_by: tuple[str, ...] = ()  # services (never sources)
    retrieved_at: str = ""  # ISO 8601 UTC, when the call was first made

    @property
    def primary_source(self) -> str:
        """The infores of the primary knowledge source (the service's own where none is named)."""
        for source in self.sources:
            if source.role == "primary_knowledge_source":
                return source.resource_id
        return self.sources[0].resource_id if self.sources else "infores:unknown"

    @property
    def aggregators(self) -> tuple[str, ...]:
        """The infores of the aggregators the statement came through."""
        return tuple(s.resource_id for s in self.sources if s.role == "aggregator_knowledge_source")


# --- evidence and answer ------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Evidence:
    """One sentence and the edges that say it (they differ in source alone)."""

    key: str  # "E1"; "" until a key is given
    sentence: str
    edges: tuple[Edge, ...]
    polarity: Polarity = "context"
    score: float = 0.0  # cosine between question and sentence, 0 until pruned
    rank: float = 0.0  # weight of the evidence, from the ranking
    query_edges: tuple[str, ...] = ()  # QueryEdge.key's whose hop found it


@dataclass(frozen=True, slots=True)
class ScoreLine:
    """One line of a candidate's score, for ``--explain``. Points add up to the score."""

    label: str
    points: float
    detail: str = ""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A possible answer, grouped on its conflated identifier. ``score`` is not a probability."""

    curie: str
    name: str
    categories: tuple[str, ...]
    score: float
    explanation: tuple[ScoreLine, ...] = ()
    status: TreatmentStatus | None = None
    status_detail: str | None = None  # "phase 3", ...
    reaches: tuple[str, ...] = ()  # canonical CURIEs of the given entities it is connected to
    identifiers: tuple[str, ...] = ()
    parent: str | None = None  # for a salt, its parent's name
    support: tuple[str, ...] = ()  # edge ids
    against: tuple[str, ...] = ()  # edge ids
    evidence_keys: tuple[str, ...] = ()  # keys of support on the page, filled after pruning
    against_keys: tuple[str, ...] = ()
    text_mined_only: bool = False


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence of the answer with the keys it cites. ``supported`` is the citation check's."""

    text: str
    citations: tuple[str, ...] = ()
    supported: bool = True


@dataclass(frozen=True, slots=True)
class RejectedCitation:
    """A sentence the citation check refused, why, and whether the model then mended it."""

    text: str
    citations: tuple[str, ...]
    reason: str
    repaired: bool = False


@dataclass(frozen=True, slots=True)
class LLMUsage:
    """What the language model was and cost. ``cost`` is in US dollars, None where unknown."""

    model: str
    url: str
    calls: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0
    cost: float | None = None
    structured: str | None = None  # json_schema | json_object | prompt
    error: str | None = None


_TABLE = (
    "service",
    "title",
    "infores",
    "role",
    "state",
    "reason",
    "calls",
    "failed",
    "cached",
    "edges",
    "dropped",
)


@dataclass(frozen=True, slots=True)
class ServiceReport:
    """How one service did in this run. Exactly one per service."""

    service: str
    state: ServiceState
    reason: str = ""
    infores: str | None = None
    title: str = ""
    role: Literal["entities", "knowledge", "llm"] = "knowledge"
    calls: int = 0
    failed: int = 0
    cached: int = 0
    edges: int = 0
    dropped: tuple[tuple[str, int], ...] = ()  # (reason, count) of edges that could not be read
    seconds: float = 0.0

    def to_dict(self) -> dict[str, Any]:
        """One row of the service table; seconds are left to ``timings`` so that replays are equal.

        >>> ServiceReport("bte", "ok", calls=2).to_dict()["calls"]
        2
        """
        return {name: getattr(self, name) for name in _TABLE} | {"dropped": dict(self.dropped)}


@dataclass(frozen=True, slots=True)
class Answer:
    """The result of one question: the answer and everything needed to check it."""

    question: str
    mode: Mode
    kind: AnswerKind
    text: str
    entities: tuple[Entity, ...]
    plan: QueryPlan | None
    candidates: tuple[Candidate, ...]
    evidence: tuple[Evidence, ...]
    services: tuple[ServiceReport, ...]
    completeness: Completeness
    unused: tuple[str, ...] = ()  # phrases of the question that the answer is not limited by
    name: str | None = None
    curie: str | None = None
    items: tuple[str, ...] = ()
    abstained: bool = False
    sentences: tuple[Sentence, ...] = ()
    rejected_citations: tuple[RejectedCitation, ...] = ()
    notes: tuple[str, ...] = ()
    llm: LLMUsage | None = None
    all_edges: tuple[Edge, ...] = ()  # every edge retrieved, for --format tsv and to_trapi()
    timings: Mapping[str, Any] = field(default_factory=dict)
    recorded: Mapping[str, str] = field(default_factory=dict)  # cassette facts when replayed
    run: str = field(default="", compare=False)  # its identifier in the log of runs, "": not kept

    @property
    def edges(self) -> tuple[Edge, ...]:
        """Every edge that was retrieved, best evidence first."""
        return self.all_edges

    def to_dict(self) -> dict[str, Any]:
        """The documented JSON form (``fedrag/schemas/answer.json``)."""
        from fedrag.export import answer_to_dict

        return answer_to_dict(self)

    def to_trapi(self) -> dict[str, Any]:
        """The retrieved edges as a TRAPI 1.5 response."""
        from fedrag.export import answer_to_trapi

        return answer_to_trapi(self)

    def to_text(self) -> str:
        """What ``fedrag ask`` prints; ``print(answer)`` does the same."""
        return self._rendered("text")

    def to_json(self) -> str:
        """:meth:`to_dict` as indented JSON."""
        return self._rendered("json")

    def to_tsv(self) -> str:
        """The retrieved edges, one a line, tab-separated with a header line."""
        return self._rendered("tsv")

    def to_csv(self) -> str:
        """The same table, comma-separated."""
        return self._rendered("csv")

    def to_html(self) -> str:
        """One HTML page that stands alone: answer, evidence, sources, publications."""
        return self._rendered("html")

    def to_graphml(self) -> str:
        """The retrieved edges as GraphML (Gephi, yEd, igraph, networkx)."""
        return self._rendered("graphml")

    def to_ris(self) -> str:
        """The publications as RIS: identifiers, addresses and what each is cited for."""
        return self._rendered("ris")

    def to_bibtex(self) -> str:
        """The publications as BibTeX: identifiers, addresses and what each is cited for."""
        return self._rendered("bibtex")

    def to_pmids(self) -> tuple[str, ...]:
        """The PMIDs of the publications, numbers alone, best evidence first."""
        from fedrag.export import answer_to_pmids

        return answer_to_pmids(self)

    def to_kgx(self) -> dict[str, Any]:
        """The retrieved edges as a KGX file: ``nodes`` and ``edges`` in Biolink's terms."""
        from fedrag.export import answer_to_kgx

        return answer_to_kgx(self)

    def to_cytoscape(self) -> dict[str, Any]:
        """The retrieved edges as Cytoscape JSON (Cytoscape, Cytoscape.js, networkx)."""
        from fedrag.export import answer_to_cytoscape

        return answer_to_cytoscape(self)

    def to_dataframe(self, *, flat: bool = False) -> pandas.DataFrame:
        """The retrieved edges as a table, one a row (extra ``frames``).

        :param flat: lists and qualifiers as one text, joined by ``|``.
        :raises ConfigError: pandas is not installed.
        """
        from fedrag.export import answer_to_dataframe

        return answer_to_dataframe(self, flat=flat)

    def to_networkx(self, *, flat: bool = False) -> networkx.MultiDiGraph[str]:
        """The retrieved edges as a directed multigraph of CURIEs (extra ``frames``).

        :param flat: lists and qualifiers as one text, as networkx can write it to a file.
        :raises ConfigError: networkx is not installed.
        """
        from fedrag.export import answer_to_networkx

        return answer_to_networkx(self, flat=flat)

    def _rendered(self, form: str) -> str:
        from fedrag.export import render

        return render(self, form)

    def __str__(self) -> str:
        from fedrag.export import answer_to_text

        return answer_to_text(self)

    def _repr_html_(self) -> str:
        from fedrag.export import answer_to_html

        return answer_to_html(self)
