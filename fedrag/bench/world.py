"""The closed world: DrugMechDB served by ``fedrag.testing``, on loopback, in its own process.

The child ends when its stdin closes: however this process ends, no server outlives it.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import orjson

from fedrag.config import ServiceConfig
from fedrag.errors import ConfigError
from fedrag.metakg import shipped_names

__all__ = ["CLOSED_WORLD", "closed_world"]

CLOSED_WORLD = "infores:fedrag-testing"  # who the loopback federation says it is
_PACE = 1_000_000.0


@contextmanager
def closed_world(drugmechdb: Path) -> Iterator[dict[str, ServiceConfig]]:
    """Serve the whole corpus, and give the services that are it, with all that ship switched off.

    Documents of a registry are not among these: a session over it must read none.

    :raises ConfigError: the federation does not start; its own words say why.
    """
    flags = ("--drugmechdb", str(drugmechdb), "--json", "--until-stdin-closes")
    with subprocess.Popen(  # noqa: S603  (our own module, in our own interpreter)
        [sys.executable, "-m", "fedrag.testing", *flags],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as process:
        try:
            assert process.stdout is not None
            first = process.stdout.readline()
            if not first:
                assert process.stderr is not None
                told = process.stderr.read().decode("utf-8", "replace").strip().splitlines()
                raise ConfigError(
                    f"the closed world did not start: {told[-1] if told else 'no reason given'}",
                    hint='it needs DrugMechDB\'s indication_paths.json and pip install ".[test]"',
                )
            yield _settings(orjson.loads(first))
        finally:
            process.terminate()


def _settings(urls: dict[str, str]) -> dict[str, ServiceConfig]:
    off = {name: ServiceConfig(enabled=False) for name in shipped_names() - urls.keys()}
    on = {
        name: ServiceConfig(
            base_url=url, protocol="trapi" if name == "bte" else None, per_minute=_PACE
        )
        for name, url in urls.items()
        if name != "llm"
    }
    return off | on
