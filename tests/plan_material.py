"""Meta-knowledge graphs and plans for the tests of planning."""

from __future__ import annotations

from collections.abc import Iterable

from fedrag.datamodel import QueryPlan
from fedrag.metakg import MetaEdge, MetaKG, Service
from fedrag.net import Endpoint
from fedrag.plan import plan
from fedrag.plan.examples import read_example

Triple = tuple[str, str, str]


def service(name: str = "bte", *, enabled: bool = True, why_off: str = "") -> Service:
    """A TRAPI service; nothing is ever sent to it here."""
    return Service(
        name=name,
        title=name.upper(),
        protocol="trapi",
        role="knowledge",
        endpoint=Endpoint(name, f"https://{name}.transltr.io"),
        infores=f"infores:{name}",
        enabled=enabled,
        why_off=why_off,
    )


def telling_nothing() -> MetaKG:
    """One service that did not say what it holds, so it is asked everything."""
    return MetaKG([service()], {"bte": None})


def telling(triples: Iterable[Triple], name: str = "bte") -> MetaKG:
    """One service that holds exactly these ``(subject, predicate, object)``."""
    edges = tuple(
        MetaEdge(f"biolink:{s}", f"biolink:{p}", f"biolink:{o}", name) for s, p, o in triples
    )
    return MetaKG([service(name)], {name: edges})


def planned(example: str, metakg: MetaKG | None = None, template: str | None = None) -> QueryPlan:
    """The plan of a marked question (``Which drugs target {gene:EGFR}?``)."""
    question, entities = read_example(example)
    return plan(question, entities, metakg or telling_nothing(), template=template)
