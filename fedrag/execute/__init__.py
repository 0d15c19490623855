"""Asks services: one query edge with bound identifiers of one service at a time.

``engine`` runs a plan in waves, ``service`` is the protocol every kind of service is asked through
(``trapi_service`` speaks TRAPI), ``normalise`` and ``taxa`` put what comes back on canonical CURIEs
and on the organism that was asked for, ``conflated`` says what was merged, ``reports`` how each
service did, ``weight`` how much one edge counts.
"""

from fedrag.execute.check import check_service
from fedrag.execute.conflated import conflation_notes
from fedrag.execute.engine import execute
from fedrag.execute.reports import completeness, entity_report, failed, in_table_order
from fedrag.execute.retrieval import Retrieval
from fedrag.execute.weight import edge_weight

__all__ = [
    "Retrieval",
    "check_service",
    "completeness",
    "conflation_notes",
    "edge_weight",
    "entity_report",
    "execute",
    "failed",
    "in_table_order",
]
