"""Judges TRAPI responses and KGX files with the field's own validators; run by ``oracles.py`` in an
environment that holds them and not fedrag.

``python oracle_judge.py VALIDATOR FOLDER SCHEMAS``: every ``*.json`` of FOLDER is judged, verdicts
go to stdout as JSON. Nothing is asked of the network: the Biolink Model is that of the
``biolink-model`` wheel, the TRAPI schemas are the files in SCHEMAS with workflows left open, and
bmt's predicate mapping (for predicates that older releases deprecated) is empty.
"""

from __future__ import annotations

import importlib
import json
import socket
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any, NoReturn

Verdict = dict[str, list[str]]


def closed(*_: Any, **__: Any) -> NoReturn:
    """What every attempt to reach the network gets."""
    raise OSError("an oracle tried to reach the network")


def offline_bmt() -> Path:
    """The model that ships in a wheel, and no mapping of deprecated predicates."""
    toolkit: Any = importlib.import_module("bmt.toolkit")
    mapping = SimpleNamespace(text="predicate mappings: []", raise_for_status=lambda: None)
    toolkit.requests = SimpleNamespace(get=lambda *_, **__: mapping)
    package: Any = importlib.import_module("biolink_model.schema")
    return Path(package.__path__[0]) / "biolink_model.yaml"


# --- reasoner-validator -------------------------------------------------------------------------


def reasoner_validator(schemas: Path) -> Callable[[dict[str, Any], str], Verdict]:
    """The Translator consortium's validator of TRAPI and Biolink."""
    model = offline_bmt()
    linkml: Any = importlib.import_module("linkml_runtime.utils.schemaview")
    biolink: Any = importlib.import_module("reasoner_validator.biolink")
    trapi: Any = importlib.import_module("reasoner_validator.trapi")
    validator: Any = importlib.import_module("reasoner_validator.validator")
    view = linkml.SchemaView(str(model))
    biolink.get_biolink_schema = lambda *_, **__: view
    trapi.TRAPISchemaValidator.check_validation_metadata = classmethod(lambda _: None)
    trapi.requests = SimpleNamespace(get=lambda url: SimpleNamespace(text=_schema(schemas, url)))

    def judge(response: dict[str, Any], version: str) -> Verdict:
        one = validator.TRAPIResponseValidator(
            trapi_version=_release(version), biolink_version=response["biolink_version"]
        )
        one.check_compliance_of_trapi_response(response)
        kinds: Any = importlib.import_module("reasoner_validator.message").MessageType
        return {
            kind.value: sorted(_flat(one.get_all_messages_of_type(kind)))
            for kind in kinds
            if kind.name != "skipped"
        }

    return judge


def _release(version: str) -> str:
    return {"1.5": "1.5.0", "1.6": "1.6.0-beta", "2.0": "2.0.0-beta2"}[version]


def _schema(schemas: Path, url: str) -> str:
    """The schema a URL names; its workflows, defined elsewhere, may be anything."""
    yaml: Any = importlib.import_module("yaml")
    version = next(v for v in ("1.5", "1.6", "2.0") if f"/v{v}" in url or f"/{v}" in url)
    (path,) = schemas.glob(f"TranslatorReasonerAPI.*{version}*.yaml")
    document = yaml.load(path.read_text(encoding="utf-8"), yaml.CSafeLoader)
    return str(json.dumps(_opened(document)))  # JSON is YAML


def _opened(value: Any) -> Any:
    if isinstance(value, list):
        return [_opened(item) for item in value]
    if not isinstance(value, dict):
        return value
    if str(value.get("$ref", "")).startswith("http"):
        return {}
    return {key: _opened(item) for key, item in value.items()}


def _flat(value: Any, path: str = "") -> Iterator[str]:
    """The leaves of a validator's nested report, each with the way to it; the code comes first."""
    if isinstance(value, dict) and value:
        for key, item in value.items():
            yield from _flat(item, f"{path} / {key}" if path else str(key))
    elif isinstance(value, list) and value:
        for item in value:
            yield from _flat(item, path)
    elif path:
        yield f"{path}: {value}" if value else path


# --- translator-tom -----------------------------------------------------------------------------


def translator_tom(_: Path) -> Callable[[dict[str, Any], str], Verdict]:
    """The consortium's typed models of TRAPI 1.6 and 2.0, with their semantic checks."""
    offline_bmt()

    def judge(response: dict[str, Any], version: str) -> Verdict:
        room = "v2_0" if version == "2.0" else "v1_6"  # 1.5 is a part of 1.6
        models: Any = importlib.import_module(f"translator_tom.{room}")
        checks: Any = importlib.import_module(f"translator_tom.{room}.validation")
        try:
            read = models.Response.from_json(json.dumps(response))
        except ValueError as error:  # pydantic's is one
            return {"critical errors": [f"unreadable: {error}"]}
        warnings, errors = checks.semantic_validate(read)
        return {"errors": sorted(map(str, errors)), "warnings": sorted(map(str, warnings))}

    return judge


# --- kgx ----------------------------------------------------------------------------------------


def kgx(_: Path) -> Callable[[dict[str, Any], str], Verdict]:
    """KGX's own validator on nodes and edges as its reader hands them on.

    Its default model and its JSON-LD context are on other sites: the ``biolink-model`` wheel has
    both.
    """
    model = offline_bmt()
    toolkit: Any = importlib.import_module("bmt.toolkit").Toolkit
    default = toolkit.__init__
    toolkit.__init__ = lambda self, *_, **__: default(self, str(model))
    context = model.parent.parent / "prefixmaps" / "biolink_model_prefix_map.json"
    importlib.import_module("kgx.config").jsonld_context_map["biolink"] = json.loads(
        context.read_bytes()
    )
    tools: Any = importlib.import_module("kgx.utils.kgx_utils")
    validation: Any = importlib.import_module("kgx.validator")

    def judge(graph: dict[str, Any], _: str) -> Verdict:
        one = validation.Validator(error_log=None)
        for node in graph["nodes"]:
            one.analyse_node(node.get("id"), tools.sanitize_import(dict(node)))
        for edge in graph["edges"]:
            ends = edge.get("subject"), edge.get("object")
            one.analyse_edge(*ends, edge.get("id"), tools.sanitize_import(dict(edge)))
        verdict: Verdict = {
            f"{level}s".lower(): sorted(_flat(found)) for level, found in one.errors.items()
        }
        return {"errors": [], "warnings": [], **verdict}

    return judge


VALIDATORS = {
    "reasoner-validator": reasoner_validator,
    "translator-tom": translator_tom,
    "kgx": kgx,
}


def main(name: str, folder: Path, schemas: Path) -> None:
    """Judge every response of a folder."""
    judge = VALIDATORS[name](schemas)
    socket.socket.connect = closed  # type: ignore[method-assign]
    verdicts = {}
    for path in sorted(folder.glob("*.json")):
        response = json.loads(path.read_bytes())
        verdicts[path.stem] = judge(response, path.stem.rpartition("-")[2])
    print(json.dumps(verdicts, default=str))


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]), Path(sys.argv[3]))
