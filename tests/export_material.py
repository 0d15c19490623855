"""Answers that the tests of the exports write in every form."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

from evidence_material import DECREASES, edge, node

import fedrag
from fedrag.datamodel import Answer, Edge, Evidence, RetrievalSource
from fedrag.testing.questions import demo_questions

EVIL = "<script>alert(1)</script>]]>&\"'\x1b[2J\x00\nER  - \r\nTY  - JOUR}, url = {javascript:x}"
FORMULA = "=cmd|' /C calc'!A0"


@cache
def demo() -> Answer:
    """The first answer of the demo: 252 edges of one source, 40 candidates."""
    return fedrag.ask(demo_questions()[0].question, replay="demo")


def of_edges(*edges: Edge, cited: int = 1) -> Answer:
    """The demo's answer with these edges, the first ``cited`` on its page, and no candidates."""
    evidence = tuple(
        Evidence(f"E{number}", f"Statement {number}", (shown,), "support")
        for number, shown in enumerate(edges[:cited], start=1)
    )
    text = "Something [E1]." if evidence else "Nothing."
    return replace(demo(), all_edges=edges, evidence=evidence, candidates=(), text=text)


def full_edge() -> Edge:
    """A statement that has everything: qualifiers, a chain of sources, publications, records."""
    stated = edge(
        node("DRUGBANK:DB00999", "hydrochlorothiazide", "chemical", found="CHEBI:5778"),
        "affects",
        node("NCBIGene:6559", "SLC12A3", taxa=("NCBITaxon:9606",)),
        qualifiers=DECREASES,
        publications=("PMID:15774254", "PMC:8568632", "doi:10.1000/x_y", "NCT01297777"),
    )
    chain = (
        RetrievalSource(
            "infores:drugcentral", "primary_knowledge_source", (), ("https://d.org/1",)
        ),
        RetrievalSource("infores:hub", "aggregator_knowledge_source", ("infores:drugcentral",)),
        RetrievalSource("infores:trials", "supporting_data_source"),
    )
    return replace(
        stated,
        sources=chain,
        record_urls=("https://d.org/1",),
        cited_by_record=("PMID:99", "PMID:15774254"),
        answered_by=("bte",),
        retrieved_at="2026-11-30T08:24:44Z",
    )


def hostile() -> Answer:
    """An answer in which every text from outside tries to be something else."""
    bad = replace(
        full_edge(),
        subject=node("X:1", EVIL, "chemical"),
        object=node("X:2", FORMULA),
        qualifiers=((f"biolink:{EVIL}", EVIL),),
        publications=("https://e.org/}{a b\n@misc{c", f"PMID:1{EVIL}", "javascript:alert(1)"),
        record_urls=("javascript:alert(1)", "http://[", f"https://e.org/{EVIL}"),
        knowledge_level=EVIL,
        answered_by=(EVIL,),
        retrieved_at=EVIL,
    )
    answer = of_edges(bad)
    report = replace(answer.services[0], reason=EVIL)
    entity = replace(answer.entities[0], name=EVIL, mention=EVIL)
    sentence = replace(answer.evidence[0], sentence=EVIL)
    return replace(
        answer,
        question=EVIL,
        text=f"{EVIL} [E1] [E9]",
        entities=(entity,),
        evidence=(sentence,),
        services=(report,),
        notes=(EVIL,),
    )
