"""Compiling SmartAPI documents as a ratio to the bare parse of the same files, and from the cache.

``python benchmarks/compile.py [FOLDER]``; without a folder, the corpora's registry documents.
"""

from __future__ import annotations

import statistics
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

from documents import folder_of

RUNS = 5
CACHED_RUNS = 9

# Each is run in a process of its own: nothing is kept from one measurement to the next.
PARSE = """
import sys, time, yaml
from pathlib import Path
files = sorted(p for p in Path(sys.argv[1]).iterdir() if p.suffix in ('.yaml', '.yml'))
start = time.perf_counter()
for file in files:
    try:
        yaml.load(file.read_text(encoding='utf-8'), Loader=yaml.CSafeLoader)
    except yaml.YAMLError:
        pass
print(time.perf_counter() - start, len(files))
"""
COMPILE = """
import sys, time
from pathlib import Path
import yaml, jsonschema
from fedrag.errors import ConfigError
from fedrag.metakg.document import document_files, load_service
start, operations = time.perf_counter(), 0
for file in document_files(Path(sys.argv[1])):
    try:
        operations += len(load_service(file, Path(sys.argv[2])).operations)
    except ConfigError:
        pass
print(time.perf_counter() - start, operations)
"""


def measured(code: str, *arguments: str) -> tuple[float, int]:
    """Seconds and count that a piece of code prints."""
    command = [sys.executable, "-c", code, *arguments]
    out = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    seconds, count = out.split()
    return float(seconds), int(count)


def compiled(folder: Path) -> tuple[float, int]:
    """All documents compiled anew and written to an empty cache."""
    with tempfile.TemporaryDirectory() as cache:
        return measured(COMPILE, str(folder), cache)


def cached(folder: Path) -> list[float]:
    """The same services from a cache that holds all of them."""
    with tempfile.TemporaryDirectory() as cache:
        measured(COMPILE, str(folder), cache)
        return [measured(COMPILE, str(folder), cache)[0] for _ in range(CACHED_RUNS)]


def main() -> None:
    """Interleave parse and compilation, so that a drifting machine drifts for both."""
    folder = folder_of(sys.argv)
    steps: dict[str, Callable[[], tuple[float, int]]] = {
        "parse": lambda: measured(PARSE, str(folder)),
        "compile": lambda: compiled(folder),
    }
    taken: dict[str, list[float]] = {name: [] for name in steps}
    counts: dict[str, int] = {}
    for _ in range(RUNS):
        for name, step in steps.items():
            seconds, counts[name] = step()
            taken[name].append(seconds)
    parse, anew = (statistics.median(taken[name]) for name in steps)
    again = statistics.median(cached(folder))
    print(f"bare parse (CSafeLoader)   {parse:6.2f} s   {counts['parse']} files")
    print(
        f"parsed and compiled        {anew:6.2f} s   {counts['compile']:,} meta-edges   "
        f"ratio {anew / parse:.2f} (limit 2)"
    )
    print(f"from the compiled cache    {again:6.3f} s   ratio {again / parse:.3f} (limit 0.15 s)")


if __name__ == "__main__":
    main()
