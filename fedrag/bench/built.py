"""The folder of a build: three question files, and ``build.json`` that says how they were made."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import orjson

from fedrag import __version__
from fedrag.bench.build import QuestionSet
from fedrag.bench.compare import Difference
from fedrag.bench.drugmechdb import Corpus
from fedrag.bench.model import Kind
from fedrag.bench.questions import write_questions
from fedrag.bench.steps import accessions_of
from fedrag.bench.symbols import Symbols
from fedrag.errors import ConfigError

__all__ = ["prepared", "summary", "write_build"]

FORMAT = 1


def prepared(folder: Path) -> Path:
    """The folder, made where it was missing, and writable.

    :raises ConfigError: it is not.
    """
    probe = folder / ".fedrag-write"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        probe.write_bytes(b"")
        probe.unlink()
    except OSError as error:
        raise ConfigError(
            f"cannot write into {folder}: {error.strerror}", hint="name another folder with --out"
        ) from error
    return folder


def summary(
    corpus: Corpus,
    symbols: Symbols | None,
    sets: Mapping[Kind, QuestionSet],
    differences: Sequence[Difference],
    notes: Sequence[str],
) -> dict[str, Any]:
    """What a build made, of what: the content of ``build.json`` and of ``--json``."""
    return {
        "format": FORMAT,
        **{kind: made.to_dict() for kind, made in sets.items()},
        "drugmechdb": {
            "file": corpus.file,
            "sha256": corpus.sha256,
            "records": len(corpus.records),
        },
        "symbols": None if symbols is None else _of_symbols(symbols, accessions_of(corpus)),
        "differences": [difference.to_dict() for difference in differences],
        "notes": list(notes),
        "fedrag_version": __version__,
    }


def _of_symbols(symbols: Symbols, accessions: Sequence[str]) -> dict[str, Any]:
    """Where they are from, and of how many of the accessions that are asked about."""
    return {
        "from": symbols.source,
        "sha256": symbols.sha256 or None,
        "accessions": len(accessions),
        "without": symbols.without(accessions),
        "several": {accession: list(all_) for accession, all_ in symbols.several.items()},
    }


def write_build(folder: Path, sets: Mapping[Kind, QuestionSet], told: Mapping[str, Any]) -> None:
    """Write a file for each set that was built, then ``build.json``.

    :raises ConfigError: a file cannot be written.
    """
    for kind, made in sets.items():
        if made.questions is not None:
            write_questions(folder / f"{kind}.jsonl", made.questions)
    path = folder / "build.json"
    half = path.with_name(".build.json.half")
    try:
        half.write_bytes(orjson.dumps(dict(told), option=orjson.OPT_INDENT_2))
        os.replace(half, path)
    except OSError as error:
        raise ConfigError(f"cannot write {path}: {error.strerror}") from error
