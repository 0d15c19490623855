"""The x-bte annotation language: from an operation to requests, from answers to records.

``template`` renders values (``filters`` in a ``sandbox``), ``request`` builds calls, ``lookup``
asks for a service's own identifiers first, ``outputs`` for what they stand for in the end,
``paging`` for the next page. ``pairing`` finds out which hit answers which input, ``mapping``
evaluates response mappings, ``answer`` puts records together, ``failure`` sees an error told
with HTTP 200, and ``shape`` what cannot be an answer at all.
"""

from fedrag.xbte.answer import NOBODY, read_answer
from fedrag.xbte.failure import failure_of
from fedrag.xbte.lookup import build_lookups, read_lookup, stands_for
from fedrag.xbte.outputs import build_output_lookups, read_output_lookup, with_outputs
from fedrag.xbte.paging import came_before, next_request, records_remain, why_cut
from fedrag.xbte.record import Reading, Record, Request
from fedrag.xbte.request import build_requests
from fedrag.xbte.shape import misshapen

__all__ = [
    "NOBODY",
    "Reading",
    "Record",
    "Request",
    "build_lookups",
    "build_output_lookups",
    "build_requests",
    "came_before",
    "failure_of",
    "misshapen",
    "next_request",
    "read_answer",
    "read_lookup",
    "read_output_lookup",
    "records_remain",
    "stands_for",
    "why_cut",
    "with_outputs",
]
