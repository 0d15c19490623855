"""Asks services: one query edge with bound identifiers of one service at a time.

``engine`` runs a plan in waves, ``service`` is the protocol every kind of service is asked by:
``trapi_service`` speaks TRAPI, ``annotated`` REST and GraphQL: the ``identifiers`` an operation
takes, the user's ``credentials``, the calls (``desk``) and the ``edges`` that are made of records.
``normalise`` and ``taxa`` put what comes back on canonical CURIEs and on the organism that was
asked for, ``conflated`` says what was merged, ``reports`` how each service did, ``weight`` how much
one edge counts, ``check`` whether a service is up.
"""

from fedrag.execute.check import ServiceCheck, check_service
from fedrag.execute.conflated import conflation_notes
from fedrag.execute.engine import execute, executors
from fedrag.execute.normalise import Canon, Canonicaliser, Naming, naming_for
from fedrag.execute.reports import completeness, entity_report, failed, in_table_order
from fedrag.execute.retrieval import Retrieval
from fedrag.execute.service import Ask, EdgeService, Outcome
from fedrag.weight import edge_weight

__all__ = [
    "Ask",
    "Canon",
    "Canonicaliser",
    "EdgeService",
    "Naming",
    "Outcome",
    "Retrieval",
    "ServiceCheck",
    "check_service",
    "completeness",
    "conflation_notes",
    "edge_weight",
    "entity_report",
    "execute",
    "executors",
    "failed",
    "in_table_order",
    "naming_for",
]
