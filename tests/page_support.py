"""What the page's tests share: its addresses, and a world whose every name is hostile."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlencode

from web_api_support import Served

from fedrag.testing import FactBook, Federation
from fedrag.testing.facts import FactNode, Statement
from fedrag.web import create_app

PCSK9 = "What links PCSK9 and hypercholesterolemia?"
FABRY = "Which drugs treat Fabry disease?"
PULMONARY = "Which drugs treat pulmonary hypertension?"

# Names that get out of text, attributes, scripts, comments, templates and lines of text.
HOSTILE = (
    "<img src=x onerror=window.stolen=1>",
    '"><script>window.stolen=1</script>',
    "' autofocus onfocus=window.stolen=1 x='",
    "</title></svg></style><script>window.stolen=1</script>",
    "--><script>window.stolen=1</script><!--",
    "{{ 7 * 7 }}${7*7}",
    "right\u202eleft\u0000\u0007",
    "<svg/onload=window.stolen=1>" + "x" * 400,
)


def address(question: str, *more: tuple[str, str], path: str = "/") -> str:
    """Where the page answers a question."""
    return f"{path}?{urlencode([('q', question), *more])}"


def hostile_facts() -> FactBook:
    """Drugs of one disease; every text that a service can send is an attack."""
    disease = FactNode(
        "MONDO:0010526",
        "Fabry disease",
        ("biolink:Disease",),
        (("MONDO:0010526", "Fabry disease"), ("OMIM:301500", HOSTILE[0])),
        synonyms=(HOSTILE[1],),
    )
    drugs = [
        FactNode(f"CHEBI:{n}", name, ("biolink:SmallMolecule",), ((f"CHEBI:{n}", name),))
        for n, name in enumerate(HOSTILE, start=1)
    ]
    attribute = {
        "attribute_type_id": HOSTILE[0],
        "value": HOSTILE[1],
        "value_url": "javascript:window.stolen=1",
    }
    statements = [
        Statement(
            drug.curie,
            "biolink:treats",
            disease.curie,
            records=("r",),
            primary=f"infores:{HOSTILE[2]}",
            publications=("javascript:window.stolen=1", HOSTILE[0], "PMID:15774254"),
            attributes=(attribute,),
        )
        for drug in drugs
    ]
    records = {"r": ("javascript:window.stolen=1", "https://example.org/<script>", HOSTILE[0])}
    nodes = {node.curie: node for node in (disease, *drugs)}
    return FactBook(nodes, tuple(statements), records)


def endless_facts() -> FactBook:
    """Drugs of one disease; every text that a service can send is a word without an end."""
    word = "W" * 3_000
    disease = FactNode(
        "MONDO:0010526", "Fabry disease", ("biolink:Disease",), (("MONDO:0010526", word),),
        synonyms=(word,),
    )  # fmt: skip
    names = [f"{word}{n}" for n in range(3)]
    drugs = [
        FactNode(f"CHEBI:{n}", name, ("biolink:SmallMolecule",), ((f"CHEBI:{n}", name),))
        for n, name in enumerate(names, start=1)
    ]
    attribute = {"attribute_type_id": word, "value": word, "value_url": f"https://x.example/{word}"}
    statements = [
        Statement(
            drug.curie, "biolink:treats", disease.curie, records=("r",),
            primary=f"infores:{word}", publications=(word, f"https://x.example/{word}"),
            attributes=(attribute,),
        )
        for drug in drugs
    ]  # fmt: skip
    records = {"r": (f"https://x.example/{word}", word)}
    return FactBook({n.curie: n for n in (disease, *drugs)}, tuple(statements), records)


def live(world: Federation, **options: Any) -> Served:
    """The service over a loopback federation; nothing is cached or kept."""
    services = world.service_configs()
    return Served(create_app(services=services, cache=False, log=False, **options))
