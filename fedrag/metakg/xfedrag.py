"""What ``x-fedrag`` says of how a call is made and its answer read, beyond what x-bte can say.

On ``info`` it holds for every operation of the document, on an operation for that one (over what
``info`` says). The vocabulary is closed: ``fedrag/schemas/x-fedrag.json``. A *path* is a plain dot
path into the answer, as in a response mapping; arrays on the way are gone through.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

__all__ = [
    "Auth",
    "Combine",
    "Condition",
    "EchoAligned",
    "Ends",
    "Lookup",
    "Manner",
    "OutputLookup",
    "Pagination",
    "PrefixFrom",
    "Reshape",
    "SourcesFrom",
]


@dataclass(frozen=True, slots=True)
class Auth:
    """Credentials the user gives in an environment variable; never written anywhere.

    They go into ``header``, after ``scheme`` (``Bearer``). Without them the service is
    ``needs_key``, unless the user chose one of ``open_hosts`` as its base URL.
    """

    env: str
    header: str = "Authorization"
    scheme: str = ""
    open_hosts: tuple[str, ...] = ()  # hosts of the service that are open without a key


@dataclass(frozen=True, slots=True)
class Pagination:
    """How the next page is asked for.

    ``offset``: ``parameter`` grows by ``size``; ``page``: it counts from ``start``; ``cursor``: it
    takes what ``next`` holds, as long as ``more`` (where given) is true. ``total`` is the path of
    the count of all records, ``items`` of the array a page fills (a page with fewer than ``size``
    is the last). In a JSON body ``parameter`` is a dot path (``variables.after``).
    """

    kind: Literal["offset", "page", "cursor"]
    parameter: str
    place: Literal["query", "body"] = "query"
    size: int | None = None
    start: int = 0
    total: str | None = None
    items: str | None = None
    next: str | None = None
    more: str | None = None
    max_pages: int = 50
    limit: int | None = None  # records beyond which the service gives none


@dataclass(frozen=True, slots=True)
class Condition:
    """What a record must hold at ``path``: one of ``values`` (compared as text, without case).

    ``negate``: none of them. ``above`` and ``below``: a number greater, or less, than that.
    ``exists``: anything, or nothing.
    """

    path: str
    values: tuple[str, ...] = ()
    negate: bool = False
    above: float | None = None
    exists: bool | None = None
    below: float | None = None


@dataclass(frozen=True, slots=True)
class Ends:
    """A record whose two ends are alike: the asked one may be either, the other is the output."""

    first: str
    second: str
    first_name: str | None = None
    second_name: str | None = None


@dataclass(frozen=True, slots=True)
class PrefixFrom:
    """An output prefix that the data decides: the value at ``path``, or its part before ``:``.

    ``prefixes`` maps what stands there to Biolink prefixes; a record with another is left out.
    """

    path: str
    prefixes: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Reshape:
    """How an identifier is made of a value: what stands behind ``behind``, after ``add``.

    ``table`` turns a name into its identifier (Human Protein Atlas: tissues have names alone); a
    name that is not in it makes no record.
    """

    behind: str | None = None
    add: str = ""
    table: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class EchoAligned:
    """A record that tells by position which inputs it is about (g:Profiler's enrichment).

    ``names`` is a list of inputs beside the records; ``flags`` a list in each record, in the same
    order, whose element is empty for an input that the record is not about.
    """

    names: str
    flags: str


@dataclass(frozen=True, slots=True)
class Combine:
    """Several things that a record names together (a combination of drugs) stay one node.

    Where ``when`` holds (or always), the ids at ``id`` become one CURIE, ``prefix:id1+id2`` with
    ids sorted, the names at ``name`` are joined with `` + ``; ``side`` says which end it is.
    """

    id: str
    name: str
    prefix: str
    side: Literal["input", "output"] = "output"
    when: tuple[Condition, ...] = ()


@dataclass(frozen=True, slots=True)
class Lookup:
    """A call made first, that turns identifiers into the service's own (STRING's get_string_ids).

    ``echo`` is the field that names the identifier asked, ``echo_index`` the one that gives its
    position among those asked; ``id`` the service's own identifier.
    """

    method: str
    path: str
    id: str
    parameters: Mapping[str, Any] = field(default_factory=dict)
    body: Mapping[str, Any] | str | None = None
    body_type: Literal["form", "json"] = "form"
    echo: str | None = None
    echo_index: str | None = None
    batch_size: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class OutputLookup(Lookup):
    """A call made last, over what an answer names in the service's own identifiers.

    ChEMBL's mechanisms are of its targets, which are asked for the protein they are. ``id`` holds
    identifiers under ``prefix``, ``name`` what they are called, ``taxon`` their organism; a record
    whose output it does not know is left out.
    """

    prefix: str
    name: str | None = None
    taxon: str | None = None


@dataclass(frozen=True, slots=True)
class SourcesFrom:
    """Paths of the infores of the primary source and of the aggregators, told by each record."""

    primary: str
    aggregators: str | None = None


@dataclass(frozen=True, slots=True)
class Manner:
    """Everything ``x-fedrag`` may say of one operation; the default is what x-bte says alone."""

    input_like: str | None = None  # shell-style pattern of inputs, prefix left out
    batch_size: int | None = None
    pagination: Pagination | None = None
    echo_field: str | None = None
    echo_aligned: EchoAligned | None = None
    rows_from: str | None = None  # path of an object read as an array of {name, value}
    ends: Ends | None = None
    split: Mapping[str, str] = field(default_factory=dict)  # path → separator
    prefix_from: PrefixFrom | None = None
    reshape: Mapping[str, Reshape] = field(default_factory=dict)  # path of an identifier → how
    min_inputs: int | None = None  # a question about a set is not asked of fewer
    # Mapped path → what must hold beside it for its value to count (a citation that is no PMID).
    only_where: Mapping[str, tuple[Condition, ...]] = field(default_factory=dict)
    nest_under: str | None = None  # mapping name of the attribute that holds the record's others
    where: tuple[Condition, ...] = ()
    negated: tuple[Condition, ...] = ()  # a record for which all hold says that it is not so
    qualifiers_from: Mapping[str, str] = field(default_factory=dict)  # qualifier type → path
    # Qualifier type → prefix put before a bare identifier (CIViC's ``doid`` is digits alone).
    qualifier_prefixes: Mapping[str, str] = field(default_factory=dict)
    sources_from: SourcesFrom | None = None
    combine: Combine | None = None
    taxon_field: str | None = None
    confidence_field: str | None = None
    lookup: Lookup | None = None
    output_lookup: OutputLookup | None = None
    empty_status: tuple[int, ...] = ()  # statuses that say "nothing known of it"
    error_field: str | None = None  # a path that holds something only when the call failed
    settings: Mapping[str, Any] = field(default_factory=dict)  # template variables, with defaults
    verified: bool | None = None
