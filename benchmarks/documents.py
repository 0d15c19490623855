"""The folder of SmartAPI documents that benchmarks read."""

from __future__ import annotations

import os
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parents[1]


def folder_of(arguments: list[str]) -> Path:
    """The folder that is named, else the corpora's (one line and exit code 2 without any)."""
    named = os.environ.get("FEDRAG_CORPORA")
    corpora = (Path(named) if named else HERE.parent / "shared" / "data") / "smartapi"
    folder = Path(arguments[1]) if len(arguments) > 1 else corpora
    if not (folder.is_dir() and any(p.suffix in (".yaml", ".yml") for p in folder.iterdir())):
        hint = "name a folder of SmartAPI documents, or set FEDRAG_CORPORA"
        print(f"{folder} holds no YAML documents ({hint})", file=sys.stderr)
        sys.exit(2)
    return folder
