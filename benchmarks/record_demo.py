"""Records ``cassettes/demo.json`` from the loopback services that hold the demo's facts.

Run it again when a query, a template or the demo's facts change. Every question is asked once, live
over HTTP against 127.0.0.1, with no cache; abstentions and unresolved names are recorded too.
"""

from __future__ import annotations

import asyncio
from dataclasses import replace
from pathlib import Path

from fedrag.config import load_settings
from fedrag.datamodel import Answer
from fedrag.errors import EntityError
from fedrag.session import Session
from fedrag.testing import Federation
from fedrag.testing.questions import demo_questions

DEMO = Path(__file__).resolve().parent.parent / "cassettes" / "demo.json"
NOTE = (
    "Recorded from the loopback services of fedrag.testing, which hold a part of DrugMechDB (CC0); "
    "no live service was asked"
)


async def ask(session: Session, question: str) -> Answer | EntityError:
    """One question; a name that nothing was found for is part of the demo."""
    try:
        return await session.ask(question)
    except EntityError as error:
        return error


async def record(path: Path) -> list[tuple[str, Answer | EntityError]]:
    """Ask every question of the demo and write the cassette."""
    with Federation() as federation:
        services = {
            name: replace(config, protocol=None, trapi_version=None, infores=None, per_minute=None)
            for name, config in federation.service_configs().items()
        }
        settings = load_settings({"services": services, "cache": False}, environ={})
        async with Session(settings, record=path, note=NOTE) as session:
            return [(q.question, await ask(session, q.question)) for q in demo_questions()]


def main() -> None:
    """Replace the demo, and say what each question came to."""
    DEMO.unlink(missing_ok=True)
    for question, outcome in asyncio.run(record(DEMO)):
        said = str(outcome) if isinstance(outcome, EntityError) else outcome.text
        print(f"{question}\n    {said.splitlines()[0][:160]}")
    print(f"{DEMO.name}: {DEMO.stat().st_size / 1e6:.1f} MB")


if __name__ == "__main__":
    main()
