"""Makes ``benchmarks/sets`` again: small question sets and the calls that answer them.

``python benchmarks/record_sets.py --drugmechdb FILE --symbols hgnc.tsv``: builds the
full sets, takes a seeded sample of each, and records its runs over the closed world, once whole
and once with ``--leave-one-out``, into one cassette.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
from pathlib import Path

from fedrag.bench.questions import read_questions, write_questions
from fedrag.bench.run import chosen

SETS = Path(__file__).parent / "sets"
SIZES = {"gene": 60, "metabolite": 30, "drug": 40}
SEED = 1


def fedrag(*arguments: str) -> None:
    subprocess.run([sys.executable, "-m", "fedrag", "bench", *arguments], check=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--drugmechdb", type=Path, required=True)
    parser.add_argument("--symbols", type=Path, help="UniProt accessions and symbols")
    parser.add_argument("--built", type=Path, help="a folder of `fedrag bench build`, instead")
    options = parser.parse_args()
    corpus = str(options.drugmechdb)
    with tempfile.TemporaryDirectory() as work:
        built = options.built or Path(work) / "built"
        if options.built is None:
            fedrag("build", "--drugmechdb", corpus, "--symbols", str(options.symbols),
                   "--out", str(built))  # fmt: skip
        SETS.mkdir(exist_ok=True)
        for kind, size in SIZES.items():
            every, _ = read_questions(built / f"{kind}.jsonl")
            path, cassette = SETS / f"{kind}.jsonl", SETS / f"{kind}.cassette.json.zst"
            write_questions(path, chosen(every, sample=size, seed=SEED, limit=None))
            cassette.unlink(missing_ok=True)
            # Without a question's own record later hops ask from other things: other calls.
            for name, more in (("whole", ()), ("left-out", ("--leave-one-out",))):
                out = Path(work) / kind / name
                fedrag("run", kind, "--questions", str(path), "--drugmechdb", corpus, *more,
                       "--record", str(cassette), "--out", str(out))  # fmt: skip


if __name__ == "__main__":
    main()
