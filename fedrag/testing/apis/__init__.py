"""Loopback stand-ins for annotated REST and GraphQL services, in the shapes of real answers.

Each module has ``routes()`` (Starlette routes under the service's base path) and says in its
docstring which recorded answer or document its shapes follow. :data:`APIS` lists them by the name
of the document in ``metakg/``.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module

from starlette.routing import BaseRoute

__all__ = ["APIS", "routes_of"]

# service → module of this package
APIS: dict[str, str] = {
    "civic": "civic",
    "oncokb": "oncokb",
    "string": "string",
    "mychem": "biothings",
    "mygene": "biothings",
    "mygene-cpdb": "biothings",
    "mydisease": "biothings",
    "myvariant": "biothings",
    "dgidb": "biothings",
    "diseases": "biothings",
    "go": "biothings",
    "hpo": "biothings",
    "ttd": "biothings",
    "opentargets": "opentargets",
    "chembl": "chembl",
    "ctd": "ctd",
    "reactome": "reactome",
    "quickgo": "quickgo",
    "pubtator3": "pubtator3",
    "hpa": "hpa",
    "gprofiler": "gprofiler",
}


def routes_of(service: str) -> list[BaseRoute]:
    """The routes that stand in for a service (``KeyError`` when there is no stand-in)."""
    module = import_module(f"fedrag.testing.apis.{APIS[service]}")
    routes: Callable[[], list[BaseRoute]] = module.routes
    return routes()
