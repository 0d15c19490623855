"""`fedrag ask --replay demo`: the whole process, against a bare `import httpx2`."""

from __future__ import annotations

import statistics

from startup import BASE, FEDRAG, RUNS, seconds

QUESTION = (
    "Which gene plays the most significant mechanistic role in how Drug hydrochlorothiazide "
    "treats or impacts the Disease hypertension?"
)


def main() -> None:
    """Median of interleaved runs after one warm-up."""
    command = [FEDRAG, "ask", "--replay", "demo", "--json", QUESTION]
    base, asked = [], []
    for _ in range(RUNS + 1):
        base.append(seconds(BASE))
        asked.append(seconds(command))
    whole, bare = statistics.median(asked[1:]), statistics.median(base[1:])
    print(f"ask --replay demo  {whole:.2f} s (limit 1 s), {whole / bare:.1f} × import httpx2")


if __name__ == "__main__":
    main()
