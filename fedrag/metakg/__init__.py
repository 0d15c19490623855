"""What can be asked of whom: service documents, and the meta-knowledge graph over them.

``document`` reads one SmartAPI document into a :class:`Service` (with ``operations``: its x-bte
annotations), ``check`` says what is wrong with a document, ``configured`` puts the user's settings
over the documents, ``graph`` answers which service serves a query edge (by ``fit``), ``routes``
finds paths of categories over it, ``choose`` which operations answer a query edge, ``remote`` reads
what TRAPI services say of themselves, ``sync`` fetches the SmartAPI registry, which
``registry`` reads.
``compiled`` keeps documents as they are after reading.
"""

from fedrag.metakg.check import Problem, Report, check_document, validate_document
from fedrag.metakg.choose import Operations, goes_onward, promise
from fedrag.metakg.configured import (
    known_names,
    narrowed,
    services_from_settings,
    shipped_names,
)
from fedrag.metakg.document import Service, load_service, load_services
from fedrag.metakg.graph import NEEDS_KEY, MetaEdge, MetaKG
from fedrag.metakg.operations import Operation
from fedrag.metakg.remote import read_metakg
from fedrag.metakg.routes import Step
from fedrag.metakg.sync import Synced, sync_registry

__all__ = [
    "NEEDS_KEY",
    "MetaEdge",
    "MetaKG",
    "Operation",
    "Operations",
    "Problem",
    "Report",
    "Service",
    "Step",
    "Synced",
    "check_document",
    "goes_onward",
    "known_names",
    "load_service",
    "load_services",
    "narrowed",
    "promise",
    "read_metakg",
    "services_from_settings",
    "shipped_names",
    "sync_registry",
    "validate_document",
]
