"""The retrieved edges for pandas and networkx (extra ``frames``)."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from fedrag.datamodel import Answer
from fedrag.errors import ConfigError
from fedrag.export.network import flat_facts, network
from fedrag.export.rows import COLUMNS, edge_rows

if TYPE_CHECKING:
    import networkx
    import pandas

__all__ = ["answer_to_dataframe", "answer_to_networkx"]


def answer_to_dataframe(answer: Answer, *, flat: bool = False) -> pandas.DataFrame:
    """One row for each retrieved edge, the columns of the TSV with values of their own type.

    Lists are tuples, ``qualifiers`` is a dictionary, ``negated`` a bool, ``retrieved_at`` a UTC
    timestamp (``NaT`` where unknown).

    :param flat: lists and ``qualifiers`` as one text, joined by ``|``, for what compares or stores
        whole cells (``drop_duplicates``, Parquet, a database).
    :raises ConfigError: pandas is not installed.
    """
    pandas = _extra("pandas", "a data frame")
    rows = map(flat_facts, edge_rows(answer)) if flat else edge_rows(answer)
    frame = pandas.DataFrame(list(rows), columns=list(COLUMNS))
    told = frame["retrieved_at"].where(frame["retrieved_at"] != "")
    frame["retrieved_at"] = pandas.to_datetime(told, utc=True, format="ISO8601", errors="coerce")
    frame["negated"] = frame["negated"].astype(bool)
    return frame


def answer_to_networkx(answer: Answer, *, flat: bool = False) -> networkx.MultiDiGraph[str]:
    """A directed multigraph: nodes are CURIEs, edges keep their id as ``key``.

    Nodes have ``name``, ``category``, ``taxa`` and ``role`` (``given``, ``candidate`` with ``rank``
    and ``score``, or ``other``); edges have the columns of the TSV with values of their own type.

    :param flat: lists and ``qualifiers`` as one text, joined by ``|``, which is all that networkx
        can write to GraphML, GEXF or Pajek.
    :raises ConfigError: networkx is not installed.
    """
    library = _extra("networkx", "a network")
    net, facts_of = network(answer), flat_facts if flat else dict
    graph = library.MultiDiGraph(question=answer.question, answer=answer.text)
    graph.add_nodes_from((curie, facts_of(facts)) for curie, facts in net.nodes.items())
    graph.add_edges_from(
        (link.source, link.target, link.id, facts_of(link.facts)) for link in net.links
    )
    return graph


def _extra(name: str, what: str) -> Any:
    try:
        return import_module(name)
    except ImportError as error:
        raise ConfigError(
            f"{what} of an answer needs {name}", hint="pip install 'fedrag-bio[frames]'"
        ) from error
