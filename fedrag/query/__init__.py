"""Answers a TRAPI query graph over every service that can serve its edges.

``read`` (with ``readedge``, ``check``, ``constraints``) turns JSON into a request, ``plan`` says
who is asked each edge, ``run`` asks them round by round (``order``: which next), ``found`` judges
what comes (``fit``: what answers; ``domains``: what may still stand where; ``hops`` and
``journal``: how it went), ``join`` makes results, ``respond`` (with ``knowledge`` and ``graphs``)
writes TRAPI 1.5, 1.6 or 2.0.
"""

from fedrag.query.answer import Desk, QueryAnswer, answer_query
from fedrag.query.graph import QueryRequest
from fedrag.query.knowledge import TrapiVersion
from fedrag.query.read import as_request, parse_query, read_query
from fedrag.query.run import Limits

__all__ = [
    "Desk",
    "Limits",
    "QueryAnswer",
    "QueryRequest",
    "TrapiVersion",
    "answer_query",
    "as_request",
    "parse_query",
    "read_query",
]
