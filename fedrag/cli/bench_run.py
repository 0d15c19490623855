"""``fedrag bench run``."""

from __future__ import annotations

import asyncio
import math
import signal
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from fedrag.cli.bench_arms import WithArms, arms_of
from fedrag.cli.bench_show import Bar, never_asked, show
from fedrag.cli.options import open_session, run_options
from fedrag.cli.output import end_progress

if TYPE_CHECKING:
    from fedrag.bench.run import Plan
    from fedrag.session import Session

__all__ = ["run"]

KINDS = ("gene", "metabolite", "drug")
_COUNT = click.IntRange(1, 2**31 - 1)
_SEED = click.IntRange(-(2**63), 2**63 - 1)  # as far as JSON holds it
_WINDOW = click.IntRange(1024, 2**31 - 1)  # less has no room for one line of evidence
_NOTE = "closed world: DrugMechDB (CC0) served by fedrag.testing; no live service was asked"


def _seconds(_: click.Context, __: click.Parameter, value: float) -> float:
    if not (math.isfinite(value) and value > 0):
        raise click.BadParameter(f"{value} is not a number of seconds above 0")
    return value


@click.command(cls=WithArms)
@click.argument("kind", type=click.Choice(KINDS), metavar="gene|metabolite|drug")
@click.option(
    "--questions",
    type=click.Path(path_type=Path),
    help="A built folder, a question file, or a published CSV [the small set of the checkout].",
)
@click.option(
    "--drugmechdb",
    type=click.Path(path_type=Path),
    help="Ask the closed world: this indication_paths.json, served on loopback.",
)
@click.option("--out", type=click.Path(path_type=Path), help="Folder of the results [a new one].")
@click.option("--resume", is_flag=True, help="Go on with what --out holds.")
@click.option("--arms", multiple=True, metavar="NAME,...", help="Which arms to run: see below.")
@click.option("--leave-one-out", is_flag=True, help="Drop edges of the question's own record.")
@click.option(
    "--concurrency",
    type=_COUNT,
    default=4,
    show_default=True,
    metavar="N",
    help="Questions at a time.",
)
@click.option("--limit", type=_COUNT, metavar="N", help="Only the first questions.")
@click.option(
    "--part",
    type=click.Choice(["all", "development", "rest"]),
    default="all",
    show_default=True,
    help="Questions on which side of the development split.",
)
@click.option("--sample", type=_COUNT, metavar="N", help="So many questions, chosen by --seed.")
@click.option(
    "--seed",
    type=_SEED,
    default=1,
    show_default=True,
    metavar="N",
    help="Which sample --sample takes.",
)
@click.option("--top-k", type=_COUNT, metavar="N", help="Sentences on the page [40].")
@click.option(
    "--max-tokens", type=_COUNT, metavar="N", help="Tokens of evidence on the page [3000]."
)
@click.option("--embedder", metavar="NAME|PATH", help="lexical, neural, or a model's name or path.")
@click.option("--llm", metavar="MODEL", help="The language model of the arms that have one.")
@click.option("--llm-url", metavar="URL", help="Where it is served (OpenAI-compatible).")
@click.option(
    "--llm-timeout",
    type=float,
    callback=_seconds,
    default=600.0,
    show_default=True,
    help="Seconds a call.",
)
@click.option(
    "--context-tokens",
    type=_WINDOW,
    metavar="N",
    default=6000,
    show_default=True,
    help="Its window; what the full arm shows is cut to it, with a model or without.",
)
@click.option("--note", default="", help="Kept in run.json and the report: the server, say.")
@run_options
def run(kind: str, **options: Any) -> int:
    """Run a question set and print its scores.

    Results are kept question by question; a run that was stopped goes on with --resume.
    """
    from fedrag.bench.results import read_run
    from fedrag.bench.run import Runner
    from fedrag.session import run_sync

    _check(options)
    source = _source(kind, options["questions"])
    if options["replay"] == "":
        options["replay"] = str(_cassette(source))
    folder = options["out"] or _new_folder(kind)
    if options["resume"] and not (folder / "run.json").is_file():
        click.echo(f"{folder} holds no run: there is nothing to resume, so one is begun", err=True)
    with _session(options) as session:
        plan = _plan(kind, source, session, options)

        async def work() -> None:
            _until_terminated()
            async with session:
                runner = Runner(plan, session, Bar())
                writer = await runner.run(folder, resume=options["resume"])
                for note in writer.notes:
                    click.echo(note, err=True)

        try:
            run_sync(work())
        except asyncio.CancelledError:
            raise click.Abort from None
        finally:
            end_progress()
    done = read_run(folder)
    never_asked(done, options)
    return show(done, as_json=options["as_json"])


def _check(options: Mapping[str, Any]) -> None:
    """Refuse options that contradict each other."""
    if options["replay"] is not None and options["drugmechdb"] is not None:
        raise click.UsageError(
            "--replay answers from a cassette, --drugmechdb from a closed world: use one of the two"
        )
    if options["resume"] and options["out"] is None:
        raise click.UsageError("--resume goes on with a run: name its folder with --out")


def _until_terminated() -> None:
    """Let SIGTERM end the run as Ctrl-C does: what was done is written, and the services stop."""
    task = asyncio.current_task()
    assert task is not None
    with suppress(NotImplementedError, RuntimeError, ValueError):  # no such signals, or a thread
        asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, task.cancel)


def _source(kind: str, given: Path | None) -> Path:
    from fedrag.errors import ConfigError
    from fedrag.resources import benchmark_sets_dir

    path = given or benchmark_sets_dir()
    file = path / f"{kind}.jsonl" if path.is_dir() else path
    if not file.is_file():
        raise ConfigError(
            f"there are no {kind} questions at {path}",
            hint="make them with `fedrag bench build`, or name a file with --questions",
        )
    return file


def _cassette(source: Path) -> Path:
    from fedrag.errors import ConfigError

    path = source.with_suffix(".cassette.json.zst")
    if not path.exists():
        raise ConfigError(
            f"{source.name} has no cassette of its own beside it",
            hint="name one with --replay FILE, or run it live or with --drugmechdb",
        )
    return path


def _new_folder(kind: str) -> Path:
    stem = time.strftime(f"bench-{kind}-%Y%m%d-%H%M%S")
    path, more = Path(stem), 1
    while path.exists():
        path, more = Path(f"{stem}-{more}"), more + 1
    return path


@contextmanager
def _session(options: Mapping[str, Any]) -> Iterator[Session]:
    """The session that the options name, over the closed world where they ask for it."""
    from fedrag.bench.world import closed_world
    from fedrag.session import Session

    # The language model belongs to arms, not to the session: ranking alone must not call it.
    plain = {**options, "llm": None, "llm_url": None}
    if options["drugmechdb"] is None:
        yield open_session(plain)
        return
    with closed_world(options["drugmechdb"]) as services:
        base = open_session({**plain, "no_cache": True, "record": None, "replay": None})
        settings = replace(base.settings, services=services, registry=None)
        yield Session(settings, record=options["record"], note=_NOTE)


def _plan(kind: str, source: Path, session: Session, options: Mapping[str, Any]) -> Plan:
    from fedrag.bench.arms import default_arms
    from fedrag.bench.questions import read_questions
    from fedrag.bench.run import Plan, chosen
    from fedrag.session import cassette_path

    questions, refused = read_questions(source, kind)  # type: ignore[arg-type]
    for one in refused:
        click.echo(f"{source.name}, row {one.row}: {one.reason}; left out", err=True)
    llm = _llm(options)
    sample, limit = options["sample"], options["limit"]
    return Plan(
        kind=kind,
        questions=chosen(
            questions, part=options["part"], sample=sample, seed=options["seed"], limit=limit
        ),
        source=source,
        arms=arms_of(options["arms"], llm is not None) or default_arms(llm),
        evidence=_evidence(options),
        recorded_from=_recorded_from(session, options),
        services=tuple(sorted(one.name for one in session.knowledge if not one.why_off)),
        corpus=options["drugmechdb"],
        cassette=cassette_path(options["replay"]) if options["replay"] else None,
        leave_one_out=options["leave_one_out"],
        llm=llm,
        context_tokens=options["context_tokens"],
        concurrency=options["concurrency"],
        part=options["part"],
        sample=(sample, options["seed"]) if sample else None,
        limit=limit,
        refused=tuple(refused),
        note=options["note"],
    )


def _llm(options: Mapping[str, Any]) -> Any:
    from fedrag.config import load_settings

    told = {"model": options["llm"], "url": options["llm_url"]}
    llm = load_settings({"llm": told}, path=options["config"]).llm
    if llm is None:
        return None
    window = options["context_tokens"]
    return replace(llm, timeout=options["llm_timeout"], context_tokens=window)


def _evidence(options: Mapping[str, Any]) -> str:
    if options["drugmechdb"]:
        return "closed world"
    return "recorded" if options["replay"] or options["offline"] else "live"


def _recorded_from(session: Session, options: Mapping[str, Any]) -> str | None:
    """Whom recorded evidence is of: a cassette says so; a cache is of services that were asked."""
    if not session.recorded:
        return "live" if _evidence(options) == "recorded" else None
    return "closed world" if session.recorded["note"].startswith("closed world") else "live"
