"""The page's address and what it asks: one question is one address, to share and to come back to.

``?q=QUESTION&entity=MENTION%3DCURIE&only=SERVICE&exclude=SERVICE&template=ID``. The form's own
fields ``pin:MENTION=CURIE`` are read as well, so that identifiers can be chosen without a script.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from urllib.parse import urlencode

from fedrag.web.desk import AskRequest

__all__ = ["address", "asked"]

_PIN = "pin:"


def asked(fields: Iterable[tuple[str, str]]) -> AskRequest | None:
    """What the fields of an address ask; None where they hold no question.

    An ``entity`` without ``=`` is left out. Of several identifiers for one mention the last counts.

    >>> asked([("q", "what does imatinib target?"), ("entity", "imatinib=CHEBI:45783")]).pins
    (('imatinib', 'CHEBI:45783'),)
    """
    given = [(name, value.strip()) for name, value in fields if value.strip()]
    question = next((value for name, value in given if name == "q"), "")
    if not question:
        return None
    return AskRequest.of(
        question,
        dict(_pins(given)),
        template=next((value for name, value in given if name == "template"), None),
        only=tuple(sorted({value for name, value in given if name == "only"})),
        exclude=tuple(sorted({value for name, value in given if name == "exclude"})),
    )


def _pins(given: Iterable[tuple[str, str]]) -> Iterable[tuple[str, str]]:
    for name, value in given:
        mention, curie = name.removeprefix(_PIN), value
        if name == "entity":
            mention, _, curie = (part.strip() for part in value.rpartition("="))
        elif not name.startswith(_PIN):
            continue
        if mention and curie:
            yield mention, curie


def address(request: AskRequest, path: str = "./", **more: str) -> str:
    """The address that asks this, relative to the page.

    >>> address(AskRequest.of("imatinib?", {"imatinib": "CHEBI:45783"}))
    './?q=imatinib%3F&entity=imatinib%3DCHEBI%3A45783'
    """
    fields = [("q", request.question)]
    fields += [("entity", f"{mention}={curie}") for mention, curie in request.pins]
    fields += [("template", request.template)] if request.template else []
    fields += [("only", service) for service in request.only]
    fields += [("exclude", service) for service in request.exclude]
    return f"{path}?{urlencode([*fields, *_sorted(more)])}"


def _sorted(more: Mapping[str, str]) -> list[tuple[str, str]]:
    return sorted(more.items())
