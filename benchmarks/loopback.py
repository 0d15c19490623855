"""Loopback services in a process of their own, apart from the client's interpreter."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager

from fedrag.config import ServiceConfig
from fedrag.metakg import shipped_names


@contextmanager
def loopback(*, latency: float = 0.0, services: int = 1) -> Iterator[dict[str, ServiceConfig]]:
    """Start the demo's federation and give the service settings that reach it.

    :param latency: seconds that every answer takes.
    :param services: how many TRAPI services; the first is ``bte``, further ones ``kp2``, ...
    """
    names = ["bte", *(f"kp{n}" for n in range(2, services + 1))]
    command = [
        sys.executable, "-m", "fedrag.testing", "--demo", "--port", "0", "--json",
        "--latency", str(latency), "--trapi", ",".join(names),
    ]  # fmt: skip
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        urls: dict[str, str] = json.loads(process.stdout.readline())
        try:
            yield {
                name: ServiceConfig(
                    base_url=url,
                    protocol="trapi" if name in names else None,
                )
                for name, url in urls.items()
                if name != "llm"
            } | {
                # What ships and is not stood in for is never asked.
                name: ServiceConfig(enabled=False)
                for name in shipped_names() - urls.keys()
            }
        finally:
            process.terminate()
