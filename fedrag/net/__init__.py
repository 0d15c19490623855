"""The only room that meets the network: calls, their pace, their cache and their recordings.

Importing it costs little: the HTTP library, the retry library and the cache store are imported
when a call first needs them, so a replay never loads the HTTP library at all.
"""

from __future__ import annotations

from fedrag.net.blobs import Blobs
from fedrag.net.cache import Cache
from fedrag.net.call import CallRecord, Reply
from fedrag.net.caller import Caller, underlying
from fedrag.net.cassette import Cassette
from fedrag.net.client import Net
from fedrag.net.endpoint import Endpoint, check_address
from fedrag.net.key import call_key
from fedrag.net.store import Store

__all__ = [
    "Blobs",
    "Cache",
    "CallRecord",
    "Caller",
    "Cassette",
    "Endpoint",
    "Net",
    "Reply",
    "Store",
    "call_key",
    "check_address",
    "underlying",
]
