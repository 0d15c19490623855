"""A loopback STRING: name mapping, partners in three networks, enrichment of a set, version.

Shapes follow STRING's help page and a recorded network of BRAF; those of the regulatory network
(source and target, a sign, scores under other names) and of enrichment follow what clients read and
the help page. The functional and physical scores between CDC37 and its partners are recorded ones,
everything else is of the right shape and made small. Errors are a list with an ``Error``, as STRING
words them, with 400 or 404.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any
from urllib.parse import parse_qsl

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from fedrag.testing.apis.string_facts import (
    ASSOCIATIONS,
    CHANNELS,
    PROTEINS,
    REGULATION,
    TERMS,
    Protein,
)
from fedrag.testing.web import answer

__all__ = ["routes"]

_HUMAN = "9606"
_UNNAMED_LIMIT = 10  # proteins above which STRING wants to know the species
_MEDIUM = 400


class _Refused(Exception):
    """What STRING answers instead: a status and an error."""

    def __init__(self, status: int, error: str, message: str) -> None:
        super().__init__(message)
        self.status, self.error = status, error


def routes() -> list[BaseRoute]:
    """The service's paths, for GET and POST alike."""
    methods = ["GET", "POST"]
    return [
        Route("/json/get_string_ids", _mapping, methods=methods),
        Route("/json/interaction_partners", _partners, methods=methods),
        Route("/json/enrichment", _enrichment, methods=methods),
        Route("/json/version", _version, methods=["GET"]),
    ]


async def _version(_: Request) -> Response:
    return answer(
        [{"string_version": "12.5", "string_stable_address": "https://version-12-5.string-db.org"}]
    )


async def _mapping(request: Request) -> Response:
    """One row for each name that is known; those that are not have none."""
    try:
        given = await _given(request)
        rows = [
            {
                **({"queryItem": name} if given.get("echo_query") == "1" else {}),
                "queryIndex": index,
                "stringId": f"{_HUMAN}.{protein.ensp}",
                "ncbiTaxonId": int(_HUMAN),
                "taxonName": "Homo sapiens",
                "preferredName": protein.symbol,
                "annotation": protein.annotation,
            }
            for index, name in enumerate(_names(given))
            if (protein := _protein(name)) is not None
        ]
        return answer(rows)
    except _Refused as refused:
        return _told(refused)


async def _partners(request: Request) -> Response:
    try:
        given = await _given(request)
        asked = _asked(given)
        floor = _floor(given)
        network = given.get("network_type", "functional")
        if network == "regulatory":
            return answer(list(_regulation(asked, floor)))
        if network not in ("functional", "physical"):
            raise _Refused(400, "wrong parameter", f"unknown network_type {network!r}")
        limit = int(given.get("limit", "0")) or None
        return answer(list(_associations(asked, floor, network, limit)))
    except _Refused as refused:
        return _told(refused)


async def _enrichment(request: Request) -> Response:
    """Terms that at least two of the proteins have. Of one, its neighbours are tested, silently."""
    try:
        asked = _asked(await _given(request))
        if len(asked) == 1:
            near = (p for row in ASSOCIATIONS for p in row.pair if asked[0] in row.pair)
            asked = list(dict.fromkeys((*asked, *near)))
        return answer(list(_terms(asked)))
    except _Refused as refused:
        return _told(refused)


# --- what is asked ------------------------------------------------------------------------------


async def _given(request: Request) -> dict[str, str]:
    given = dict(request.query_params)
    given |= dict(parse_qsl((await request.body()).decode(), keep_blank_values=True))
    if not given.get("identifiers"):
        raise _Refused(400, "missing parameter", "no identifiers were given")
    species = given.get("species", "")
    if species not in ("", _HUMAN):
        raise _Refused(404, "not found", f"organism {species!r} is not in this database")
    if not species and len(_names(given)) > _UNNAMED_LIMIT:
        raise _Refused(400, "missing parameter", "name the species of more than 10 proteins")
    return given


def _names(given: Mapping[str, str]) -> list[str]:
    return [name for name in given["identifiers"].replace("%0d", "\r").split("\r") if name]


def _asked(given: Mapping[str, str]) -> list[str]:
    found = [p.symbol for name in _names(given) if (p := _protein(name)) is not None]
    if not found:
        raise _Refused(404, "not found", "none of the proteins is in this database")
    return list(dict.fromkeys(found))


def _protein(name: str) -> Protein | None:
    """By symbol, accession or identifier, without case."""
    wanted = name.upper().removeprefix(f"{_HUMAN}.")
    return next((p for p in PROTEINS if wanted in (p.symbol, p.uniprot, p.ensp)), None)


def _floor(given: Mapping[str, str]) -> float:
    """The score asked for, between 0 and 1, whichever way it was written."""
    asked = float(given.get("required_score") or _MEDIUM)
    return asked / 1000 if asked > 1 else asked


def _told(refused: _Refused) -> Response:
    told = {"Error": refused.error, "ErrorMessage": str(refused)}
    return answer([told], refused.status)


# --- what is answered ---------------------------------------------------------------------------


def _associations(
    asked: Iterable[str], floor: float, network: str, limit: int | None
) -> Iterator[dict[str, Any]]:
    """The surest partners first; the protein that was asked is A."""
    for symbol in asked:
        rows = [row for row in ASSOCIATIONS if symbol in row.pair and row.network in (network, "")]
        rows.sort(key=lambda row: -row.score)
        for row in [row for row in rows if row.score >= floor][:limit]:
            other = row.pair[1] if row.pair[0] == symbol else row.pair[0]
            yield {
                "stringId_A": _id(symbol),
                "stringId_B": _id(other),
                "preferredName_A": symbol,
                "preferredName_B": other,
                "ncbiTaxonId": _HUMAN,
                "score": row.score,
                **dict(zip(CHANNELS, row.channels, strict=True)),
            }


def _regulation(asked: Iterable[str], floor: float) -> Iterator[dict[str, Any]]:
    """What the proteins regulate, and what regulates them."""
    wanted = set(asked)
    for source, target, sign, score, text, experiments, databases in REGULATION:
        if score >= floor and wanted & {source, target}:
            yield {
                "source_string_id": _id(source),
                "target_string_id": _id(target),
                "source_preferred_name": source,
                "target_preferred_name": target,
                "sign": sign,
                "combined_score": score,
                "textmining_score": text,
                "experimental_score": experiments,
                "database_score": databases,
            }


def _terms(asked: Iterable[str]) -> Iterator[dict[str, Any]]:
    wanted = list(asked)
    for category, term, description, background, members in TERMS:
        hits = [symbol for symbol in wanted if symbol in members]
        if len(hits) < 2:
            continue
        value = round((background / 19_699) ** len(hits), 12)
        yield {
            "category": category,
            "term": term,
            "number_of_genes": len(hits),
            "number_of_genes_in_background": background,
            "ncbiTaxonId": int(_HUMAN),
            "inputGenes": [_id(symbol) for symbol in hits],
            "preferredNames": hits,
            "p_value": value,
            "fdr": min(1.0, value * len(TERMS)),
            "description": description,
        }


def _id(symbol: str) -> str:
    return f"{_HUMAN}.{next(p.ensp for p in PROTEINS if p.symbol == symbol)}"
