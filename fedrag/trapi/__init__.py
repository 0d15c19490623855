"""Reads and writes TRAPI, the Translator Reasoner API, in every version from 1.2 to 2.0.

``reader`` turns a response into edges (``bindings``: which edges the results use; ``edges``, with
``attributes``, ``sources`` and ``publications``: one edge; ``outcome``: failures told with HTTP
200), ``merge`` unites equal edges and turns them to Biolink's canonical direction, ``writer`` makes
query graphs, ``metagraph`` reads a service's meta knowledge graph.
"""

from fedrag.trapi.attributes import attribute_to_trapi, curie_typed, name_of, original_name
from fedrag.trapi.merge import canonical_direction, edge_id, merge_edges
from fedrag.trapi.metagraph import MetaTriple, read_meta_knowledge_graph
from fedrag.trapi.reader import ReadResult, read_response
from fedrag.trapi.writer import write_graph, write_query

__all__ = [
    "MetaTriple",
    "ReadResult",
    "attribute_to_trapi",
    "canonical_direction",
    "curie_typed",
    "edge_id",
    "merge_edges",
    "name_of",
    "original_name",
    "read_meta_knowledge_graph",
    "read_response",
    "write_graph",
    "write_query",
]
