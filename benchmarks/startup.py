"""Start-up: `fedrag --version` and `--help` as a ratio to a bare `import httpx2`."""

from __future__ import annotations

import statistics
import subprocess
import sys
import time
from pathlib import Path

RUNS = 9
FEDRAG = str(Path(sys.executable).with_name("fedrag"))
BASE = [sys.executable, "-c", "import httpx2"]


def seconds(command: list[str]) -> float:
    """Wall-clock seconds of one run of a command."""
    start = time.perf_counter()
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    return time.perf_counter() - start


def main() -> None:
    """Interleave the runs, so that a drifting machine drifts for both."""
    commands = {"--version": [FEDRAG, "--version"], "--help": [FEDRAG, "--help"]}
    taken: dict[str, list[float]] = {"base": [], **{name: [] for name in commands}}
    for _ in range(RUNS + 1):
        taken["base"].append(seconds(BASE))
        for name, command in commands.items():
            taken[name].append(seconds(command))
    median = {name: statistics.median(values[1:]) for name, values in taken.items()}
    print(f'python -c "import httpx2"  {median["base"] * 1000:6.0f} ms')
    for name in commands:
        ratio = median[name] / median["base"]
        print(f"fedrag {name:<18} {median[name] * 1000:6.0f} ms   ratio {ratio:.2f} (limit 2)")


if __name__ == "__main__":
    main()
