"""``x-fedrag``: a closed vocabulary, each key read, and each needed by a document."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import asdict, fields
from typing import Any

import orjson
import pytest
import yaml
from jsonschema import Draft202012Validator

from fedrag.metakg.document import document_files
from fedrag.metakg.manners import merged, read_auth, read_manner, restored_manner, x_fedrag_problems
from fedrag.metakg.overlays import overlays_bytes
from fedrag.metakg.xfedrag import (
    Auth,
    Combine,
    Condition,
    Ends,
    Lookup,
    Manner,
    OutputLookup,
    Pagination,
    PrefixFrom,
    SourcesFrom,
)
from fedrag.resources import metakg_dir, schema_path

SCHEMA = orjson.loads(schema_path("x-fedrag").read_bytes())
EVERYTHING: dict[str, Any] = {
    "input_like": "*:p.*",
    "batch_size": 50,
    "pagination": {"kind": "cursor", "parameter": "variables.after", "place": "body", "next": "n"},
    "echo_field": "q",
    "ends": {"first": "a", "second": "b", "first_name": "c"},
    "split": {"p": "|"},
    "prefix_from": {"path": "x", "prefixes": {"mesh": "MESH"}},
    "where": {
        "one": "RESISTANCE",
        "several": [1, True],
        "none": {"not": ["x", "y"]},
        "more": {"above": 0.4},
        "less": {"below": 0.05},
        "there": {"exists": True},
    },
    "negated": {"direction": "DOES_NOT_SUPPORT"},
    "qualifiers_from": {
        "biolink:disease_context_qualifier": {"path": "d.doid", "prefix": "DOID"},
        "species_context_qualifier": "d.species",
    },
    "sources_from": {"primary": "p", "aggregators": "a"},
    "combine": {"id": "t.id", "name": "t.name", "prefix": "civic", "when": {"t.type": "AND"}},
    "taxon_field": "t",
    "confidence_field": "c",
    "lookup": {"method": "post", "path": "/ids", "id": "stringId", "echo_index": "queryIndex"},
    "output_lookup": {
        "method": "get",
        "path": "/target",
        "parameters": {"ids": "{{ queryInputs }}"},
        "id": "ts.accession",
        "echo": "ts.id",
        "prefix": "UniProtKB",
        "name": "ts.name",
        "taxon": "ts.tax_id",
        "batch_size": 50,
    },
    "empty_status": [404],
    "error_field": "errors",
    "settings": {"required_score": 400},
    "verified": False,
}


def test_every_key_is_read() -> None:
    assert list(x_fedrag_problems(EVERYTHING, operation=True)) == []
    manner = read_manner(EVERYTHING)
    assert manner.pagination == Pagination("cursor", "variables.after", "body", next="n")
    assert manner.ends == Ends("a", "b", "c")
    assert manner.prefix_from == PrefixFrom("x", {"mesh": "MESH"})
    assert manner.where == (
        Condition("one", ("RESISTANCE",)),
        Condition("several", ("1", "true")),
        Condition("none", ("x", "y"), negate=True),
        Condition("more", above=0.4),
        Condition("less", below=0.05),
        Condition("there", exists=True),
    )
    assert manner.negated == (Condition("direction", ("DOES_NOT_SUPPORT",)),)
    assert manner.qualifiers_from == {
        "disease_context_qualifier": "d.doid",
        "species_context_qualifier": "d.species",
    }
    assert manner.qualifier_prefixes == {"disease_context_qualifier": "DOID"}
    assert manner.sources_from == SourcesFrom("p", "a")
    assert manner.combine == Combine(
        "t.id", "t.name", "civic", when=(Condition("t.type", ("AND",)),)
    )
    assert manner.lookup == Lookup("post", "/ids", "stringId", echo_index="queryIndex")
    assert manner.output_lookup == OutputLookup(
        "get",
        "/target",
        "ts.accession",
        {"ids": "{{ queryInputs }}"},
        echo="ts.id",
        batch_size=50,
        prefix="UniProtKB",
        name="ts.name",
        taxon="ts.tax_id",
    )
    assert manner.input_like == "*:p.*"
    assert (manner.batch_size, manner.echo_field, manner.split) == (50, "q", {"p": "|"})
    assert (manner.taxon_field, manner.confidence_field, manner.error_field) == ("t", "c", "errors")
    assert (manner.empty_status, manner.settings, manner.verified) == (
        (404,),
        {"required_score": 400},
        False,
    )


def test_a_manner_survives_being_written_as_json() -> None:
    manner = read_manner(EVERYTHING)
    assert restored_manner(orjson.loads(orjson.dumps(asdict(manner)))) == manner


def test_negated_true_holds_for_every_record() -> None:
    (always,) = read_manner({"negated": True}).negated
    assert always == Condition("", negate=True)


def test_the_schema_says_what_the_reader_reads() -> None:
    Draft202012Validator.check_schema(SCHEMA)
    on_operations = SCHEMA["$defs"]["operation"]["properties"].keys()
    assert on_operations == {f.name for f in fields(Manner)} - {"qualifier_prefixes"}
    assert on_operations < SCHEMA["properties"].keys()
    assert SCHEMA["additionalProperties"] is False
    assert SCHEMA["$defs"]["operation"]["additionalProperties"] is False
    assert SCHEMA["properties"]["auth"]["properties"].keys() <= {f.name for f in fields(Auth)}


@pytest.mark.parametrize(
    ("raw", "place", "told"),
    [
        ({"tiemout": 1}, ("tiemout",), "unknown key; known: auth, batch_size"),
        ({"pace": {"hurry": 1}}, ("pace", "hurry"), "unknown key; known: concurrency, per_minute"),
        ({"timeout": True}, ("timeout",), "True is not of type 'number'"),
        ({"timeout": 0}, ("timeout",), "0 is less than or equal to the minimum of 0"),
        ({"auth": {"env": "K"}}, ("auth",), "'header' is a required property"),
        ({"auth": {"oauth": "K"}}, ("auth", "oauth"), "unknown key; known: env, header"),
        ({"where": {"a": {"abov": 3}}}, ("where", "a"), "{'abov': 3} does not fit: What stands"),
        ({"negated": False}, ("negated",), "False does not fit: Records that say it is not so"),
        (
            {"qualifiers_from": {"a": {"path": "x", "prefx": "D"}}},
            ("qualifiers_from", "a"),
            "{'path': 'x', 'prefx': 'D'} does not fit: a path, or {path: ..., prefix: ...}",
        ),
        ({"pagination": {"kind": "offset"}}, ("pagination",), "'parameter' is a required property"),
        ({"input_like": "*" * 101}, ("input_like",), f"'{'*' * 101}' is too long"),
        (
            {"output_lookup": {"method": "get", "path": "/t", "id": "i"}},
            ("output_lookup",),
            "'prefix' is a required property",
        ),
        (
            {"output_lookup": {"method": "get", "path": "/t", "id": "i", "prefix": "P", "ids": 1}},
            ("output_lookup", "ids"),
            "unknown key; known: batch_size, echo",
        ),
        ({"empty_status": [200]}, ("empty_status", 0), "200 is less than the minimum of 400"),
        ("text", (), "'text' is not of type 'object'"),
    ],
)
def test_what_does_not_belong_is_told_with_its_place(
    raw: Any, place: tuple[Any, ...], told: str
) -> None:
    found = list(x_fedrag_problems(raw))
    assert place in [at for at, _ in found]
    assert any(message.startswith(told) for at, message in found if at == place)


def test_keys_of_the_whole_service_may_not_stand_on_an_operation() -> None:
    for key in SCHEMA["properties"].keys() - SCHEMA["$defs"]["operation"]["properties"].keys():
        ((place, message),) = x_fedrag_problems({key: None}, operation=True)
        assert (place, message.split(";")[0]) == ((key,), "unknown key")


def test_merged_keeps_settings_and_pace_key_by_key() -> None:
    below = {"pace": {"per_minute": 60}, "where": {"a": 1}, "settings": {"x": 1}}
    above = {"pace": {"concurrency": 1}, "where": {"b": 2}, "settings": {"x": 2}}
    assert merged(below, above) == {
        "pace": {"per_minute": 60, "concurrency": 1},
        "where": {"b": 2},
        "settings": {"x": 2},
    }


def test_credentials_are_named_and_never_held() -> None:
    auth = read_auth({"auth": {"env": "ONCOKB_TOKEN", "header": "Authorization", "scheme": "B"}})
    assert auth == Auth("ONCOKB_TOKEN", header="Authorization", scheme="B")
    assert read_auth({}) is None


def test_every_key_of_the_schema_is_needed_by_a_document() -> None:
    """Those that ship, and the overlays for those of the registry."""
    used = {key for raw in _all_x_fedrag() for key in _keys(raw)}
    assert _schema_keys() - used == set()


def _all_x_fedrag() -> Iterator[Mapping[str, Any]]:
    overlays = orjson.loads(overlays_bytes())
    for table in ("servers", "titles", "infores"):
        yield from overlays[table].values()
    for path in document_files(metakg_dir()):
        document = yaml.safe_load(path.read_text(encoding="utf-8"))
        yield document["info"]["x-fedrag"]
        for listed in document.get("components", {}).get("x-bte-kgs-operations", {}).values():
            each = listed if isinstance(listed, list) else [listed]
            yield from (one["x-fedrag"] for one in each if "x-fedrag" in one)


def _keys(raw: Mapping[str, Any]) -> Iterator[str]:
    """Keys of an ``x-fedrag``, with those inside the tables that have fixed keys."""
    for key, value in raw.items():
        yield key
        if isinstance(value, Mapping) and "properties" in _resolved(key):
            yield from (f"{key}.{inner}" for inner in value)


def _schema_keys() -> set[str]:
    inner = {f"{key}.{k}" for key in SCHEMA["properties"] for k in _properties(_resolved(key))}
    return set(SCHEMA["properties"]) | inner


def _resolved(key: str) -> dict[str, Any]:
    operation: dict[str, Any] = SCHEMA["$defs"]["operation"]["properties"]
    found: dict[str, Any] = operation.get(key) or SCHEMA["properties"][key]
    return found


def _properties(schema: Mapping[str, Any]) -> list[str]:
    return list(schema.get("properties", {}))
