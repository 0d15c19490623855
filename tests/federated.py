"""Asking a loopback federation from tests."""

from __future__ import annotations

from typing import Any

import fedrag
from fedrag.datamodel import Answer, ServiceReport
from fedrag.testing import Federation

GENE_QUESTION = (
    "Which gene plays the most significant mechanistic role in how Drug hydrochlorothiazide "
    "treats or impacts the Disease hypertension?"
)


def ask(federation: Federation, question: str = GENE_QUESTION, **options: Any) -> Answer:
    """One question to the federation, past the cache unless told otherwise."""
    options.setdefault("cache", False)
    return fedrag.ask(question, services=federation.service_configs(), **options)


def report(answer: Answer, service: str) -> ServiceReport:
    """The row of one service."""
    return next(row for row in answer.services if row.service == service)


def flags(federation: Federation) -> list[str]:
    """The command line's flags that reach the federation, and nothing else."""
    pairs = [(name, url) for name, url in federation.base_urls.items() if name != "llm"]
    knowledge = [name for name, _ in pairs if name not in ("nodenorm", "nameres")]
    chosen = [flag for name in knowledge for flag in ("--only", name)]
    return [*chosen, *(flag for name, url in pairs for flag in ("--base-url", f"{name}={url}"))]
