"""Responses of ``fedrag query`` and answers of ``fedrag ask`` before the field's own validators.

Queries of many shapes are asked of the loopback federation, each answered in TRAPI 1.5, 1.6 and
2.0; questions to its services are answered as TRAPI 1.5 and as KGX. TRAPI is judged by
``reasoner-validator`` (TRAPI and Biolink) and ``translator-tom`` (typed models, semantic checks),
KGX by ``kgx``, in environments of their own: the extra ``oracles``, and for TRAPI 1.5 and 1.6
the last reasoner-validator that knows them. Errors fail the run, warnings are counted. Spoiled ones
are judged too: a validator that passes them is asleep, and that fails too.

``python benchmarks/oracles.py [--envs FOLDER]``: environments in FOLDER are made once and kept.
Needs the corpora (``FEDRAG_CORPORA`` or ``../shared/data``) for the TRAPI schemas.
"""

from __future__ import annotations

import argparse
import copy
import json
import os
import subprocess
import sys
import tempfile
import time
import tomllib
import venv
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import fedrag
from fedrag.query import TrapiVersion
from fedrag.session import query_graph
from fedrag.testing import Federation
from fedrag.testing.apis import APIS
from fedrag.testing.facts import FactBook, Statement
from fedrag.testing.federation import Trapi

HERE = Path(__file__).resolve().parent
VERSIONS: tuple[TrapiVersion, ...] = ("1.5", "1.6", "2.0")
# reasoner-validator 7 knows TRAPI 2.0 alone; 6 is the last that knows 1.5 and 1.6.
OLDER = "reasoner-validator==6.0.2"
# kgx asks for databases and converters (and a long time to resolve them) that its validator never
# loads: these are what it does load, and kgx itself is installed without the rest.
KGX = "kgx==2.7.0"
KGX_NEEDS = (
    "biolink-model>=4.4.6",
    "bmt>=1.4.8,<2",
    "cachetools<6",
    "deprecation<3",
    "inflection<1",
    "pandas>=2.2",
    "prefixcommons<1",
    "stringcase<2",
    "validators<1",
)
JUDGES: tuple[tuple[str, str, tuple[str, ...]], ...] = (
    ("reasoner-validator", "older", ("1.5", "1.6")),
    ("reasoner-validator", "oracles", ("2.0",)),
    ("translator-tom", "oracles", VERSIONS),
    ("kgx", "kgx", ("kgx",)),
)
# Answers that hold publications, qualifiers, variants, negations and categories of many kinds.
QUESTIONS = {
    "gene": "Which gene plays the most significant mechanistic role in how imatinib treats "
    "chronic myeloid leukemia?",
    "targets": "What are the targets of imatinib?",
    "diseases": "Which diseases is BRAF associated with?",
    "partners": "Which proteins interact with TP53?",
    "pathways": "Which pathways involve BRAF?",
    "tissues": "In which tissues is ALB expressed?",
    "symptoms": "What are the symptoms of pyruvate dehydrogenase E3 deficiency?",
    "mined": "What is the link between hydrocortisone and chronic fatigue syndrome?",
    "variant": "Which diseases is rs429358 associated with?",
}
UNCHECKED = (
    "workflows: their schema is on another site, so anything passes (fedrag writes none)",
    "deprecated predicates: bmt's mapping of them is not in a wheel, so it is empty",
    "infores identifiers: the catalog of information resources is on another site",
    "TRAPI 1.5 by translator-tom: it has no model of it, the one of 1.6 is used",
    "Biolink: the model of the biolink-model wheel, for translator-tom the 4.4.4 it ships",
    "kgx: its JSON-LD context is on another site, the prefixes of the biolink-model wheel are used",
    "kgx: combinations of drugs, which it refuses since Biolink has no prefix for them",
)
HYPERTENSION, SUBTYPE, THIAZIDE = "MONDO:0005044", "MONDO:0001134", "MESH:D006852"
Graph = dict[str, Any]


def graphs() -> dict[str, Graph]:
    """Query graphs of the shapes that responses differ by."""
    disease = {"ids": ["MESH:D006973"], "categories": ["biolink:Disease"]}
    drug, gene = {"categories": ["biolink:ChemicalEntity"]}, {"categories": ["biolink:Gene"]}
    treats = {"subject": "drug", "predicates": ["biolink:treats"], "object": "disease"}
    affects = {"subject": "drug", "predicates": ["biolink:affects"], "object": "gene"}
    down = {
        "qualifier_type_id": "biolink:object_direction_qualifier",
        "qualifier_value": "decreased",
    }
    nobody = {"sources": {"behavior": "ALLOW", "values": ["infores:nobody"]}}
    nodes = {"disease": disease, "drug": drug, "gene": gene}
    return {
        "one-hop": {"nodes": {"disease": disease, "drug": drug}, "edges": {"e": treats}},
        "two-hops": {"nodes": nodes, "edges": {"e0": treats, "e1": affects}},
        "qualified": {
            "nodes": {"drug": {"ids": [THIAZIDE]}, "gene": gene},
            "edges": {"e": affects | {"qualifier_constraints": [{"qualifier_set": [down]}]}},
        },
        "inverse": {
            "nodes": {"disease": disease, "drug": drug},
            "edges": {
                "e": {"subject": "disease", "predicates": ["biolink:treated_by"], "object": "drug"}
            },
        },
        "both-ends": {
            "nodes": {"disease": disease, "drug": {"ids": [THIAZIDE, "DRUGBANK:DB00999"]}},
            "edges": {"e": treats},
        },
        "collated": {
            "nodes": {"disease": disease, "drug": drug | {"set_interpretation": "COLLATE"}},
            "edges": {"e": treats},
        },
        "empty-hop": {
            "nodes": nodes,
            "edges": {"e0": treats, "e1": affects | {"constraints": nobody}},
        },
    }


def facts() -> FactBook:
    """The demo's facts, and a kind of hypertension that a drug is said to treat."""
    kind = FactBook.from_statements(
        [
            Statement(SUBTYPE, "biolink:subclass_of", HYPERTENSION, primary="infores:mondo"),
            Statement("DRUGBANK:DB00999", "biolink:treats", SUBTYPE),
        ]
    )
    return FactBook.demo().merged(kind)


def respond(folder: Path) -> int:
    """Write every response to a file named after its query and version; how many."""
    known = facts()
    with Federation(known, trapi={"bte": Trapi(known, expand=True)}, kps=1) as running:
        for name, graph in graphs().items():
            for version in VERSIONS:
                answer = query_graph(
                    graph,
                    services=running.service_configs(),
                    only=tuple(running.trapi),
                    trapi=version,
                    cache=False,
                )
                (folder / f"{name}-{version}.json").write_text(json.dumps(answer.response))
                if name == "one-hop":
                    spoiled = spoil(answer.response)
                    (folder / f"spoiled-{version}.json").write_text(json.dumps(spoiled))
    return len(list(folder.glob("*.json")))


def write_answers(folder: Path) -> int:
    """Write the answer of each question as KGX and as TRAPI 1.5, one KGX spoiled; how many."""
    with Federation(apis=tuple(APIS)) as running:
        for name, question in QUESTIONS.items():
            answer = fedrag.ask(
                question, services=running.service_configs(), cache=False, log=False
            )
            graph = answer.to_kgx()
            (folder / f"answer-{name}-kgx.json").write_text(json.dumps(graph))
            (folder / f"answer-{name}-1.5.json").write_text(json.dumps(answer.to_trapi()))
    del graph["edges"][0]["knowledge_level"]
    graph["nodes"][0]["category"] = ["biolink:NoSuchCategory"]
    (folder / "spoiled-kgx.json").write_text(json.dumps(graph))
    return 2 * len(QUESTIONS) + 1


def spoil(response: Mapping[str, Any]) -> dict[str, Any]:
    """A response that no validator may pass: an edge without a subject and a predicate of none."""
    spoiled = copy.deepcopy(dict(response))
    edge = next(iter(spoiled["message"]["knowledge_graph"]["edges"].values()))
    del edge["subject"]
    edge["predicate"] = "biolink:no_such_predicate"
    return spoiled


# --- environments -------------------------------------------------------------------------------


def environments(folder: Path) -> dict[str, Path]:
    """The Python of each environment, made where it is not there yet."""
    project = tomllib.loads((HERE.parent / "pyproject.toml").read_text(encoding="utf-8"))
    extra: list[str] = project["project"]["optional-dependencies"]["oracles"]
    return {
        "oracles": environment(folder / "oracles", extra),
        "older": environment(folder / "older", [OLDER]),
        "kgx": environment(folder / "kgx", KGX_NEEDS, bare=(KGX,)),
    }


def environment(folder: Path, packages: Sequence[str], bare: Sequence[str] = ()) -> Path:
    """An environment that holds these packages, and ``bare`` ones without what they ask for."""
    python = folder / "bin" / "python"
    if not python.exists():
        start = time.perf_counter()
        venv.create(folder, with_pip=True)
        install = [str(python), "-m", "pip", "install", "--quiet"]
        subprocess.run([*install, *packages], check=True)
        if bare:
            subprocess.run([*install, "--no-deps", *bare], check=True)
        print(f"installed {', '.join((*packages, *bare))}: {time.perf_counter() - start:.0f} s")
    return python


# --- verdicts -----------------------------------------------------------------------------------


def judged(
    python: Path, judge: str, folder: Path, schemas: Path, versions: Sequence[str]
) -> dict[str, dict[str, list[str]]]:
    """The verdicts of one validator on the responses of these versions."""
    with tempfile.TemporaryDirectory() as chosen:
        for path in folder.glob("*.json"):
            if path.stem.rpartition("-")[2] in versions:
                (Path(chosen) / path.name).symlink_to(path)
        command = [str(python), str(HERE / "oracle_judge.py"), judge, chosen, str(schemas)]
        done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True)
    verdicts: dict[str, dict[str, list[str]]] = json.loads(done.stdout.splitlines()[-1])
    return verdicts


def show(judge: str, verdicts: Mapping[str, Mapping[str, Sequence[str]]]) -> int:
    """Print what a validator said; how much of it fails the run."""
    failures = 0
    warnings: Counter[str] = Counter()
    for name, verdict in verdicts.items():
        errors = [*verdict.get("critical errors", ()), *verdict.get("errors", ())]
        if name.startswith("spoiled"):
            failures += not errors
            if not errors:
                print(f"  {name}: PASSED, so the validator is asleep")
            continue
        failures += len(errors)
        for error in errors[:5]:
            print(f"  {name}: {error[:300]}")
        warnings.update(
            line.partition(": ")[0].split(" / edge_id")[0] for line in verdict["warnings"]
        )
    count = sum(not name.startswith("spoiled") for name in verdicts)
    print(f"{judge}: {count} responses, {failures} failures, {warnings.total()} warnings")
    for line, times in sorted(warnings.items()):
        print(f"  {times} × {line[:160]}")
    return failures


def main() -> int:
    """Everything in one run; exit code 1 when a validator finds errors, or sleeps."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--envs", type=Path, help="keep the environments here")
    options = parser.parse_args()
    corpora = Path(os.environ.get("FEDRAG_CORPORA", HERE.parent.parent / "shared" / "data"))
    if not (corpora / "trapi").is_dir():
        print(f"the TRAPI schemas are not in {corpora}: set FEDRAG_CORPORA", file=sys.stderr)
        return 2
    start = time.perf_counter()
    failures = 0
    with tempfile.TemporaryDirectory() as made:
        folder = Path(made) / "responses"
        folder.mkdir()
        print(f"{respond(folder)} responses, one of each version spoiled on purpose")
        print(f"{write_answers(folder)} answers as TRAPI and KGX, one spoiled on purpose")
        pythons = environments(options.envs.resolve() if options.envs else Path(made))
        for judge, room, versions in JUDGES:
            verdicts = judged(pythons[room], judge, folder, corpora / "trapi", versions)
            on = "KGX" if judge == "kgx" else f"TRAPI {', '.join(versions)}"
            failures += show(f"{judge} on {on}", verdicts)
    print("left unchecked:", *UNCHECKED, sep="\n  ")
    print(f"{time.perf_counter() - start:.0f} s in all, {failures} failures")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
