"""``fedrag bench run``."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from fedrag.cli.options import open_session, run_options
from fedrag.cli.output import echo_json, end_progress, progress_line

if TYPE_CHECKING:
    from fedrag.bench.results import Run
    from fedrag.bench.run import Plan
    from fedrag.session import Session

__all__ = ["run"]

KINDS = ("gene", "metabolite", "drug")
_NOTE = "closed world: DrugMechDB (CC0) served by fedrag.testing; no live service was asked"


@click.command()
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
@click.option("--arms", multiple=True, metavar="NAME,...", help="Which arms to run.")
@click.option("--leave-one-out", is_flag=True, help="Drop edges of the question's own record.")
@click.option("--concurrency", type=click.IntRange(1), default=4, show_default=True)
@click.option("--limit", type=click.IntRange(1), help="Only the first questions.")
@click.option(
    "--part",
    type=click.Choice(["all", "development", "rest"]),
    default="all",
    show_default=True,
    help="Questions on which side of the development split.",
)
@click.option("--sample", type=click.IntRange(1), help="So many questions, chosen by --seed.")
@click.option("--seed", type=int, default=1, show_default=True)
@click.option("--top-k", type=int, help="Sentences on the page [40].")
@click.option("--max-tokens", type=int, help="Tokens of evidence on the page [3000].")
@click.option("--embedder", metavar="NAME|PATH", help="lexical, neural, or a model's name or path.")
@click.option("--llm", metavar="MODEL", help="The language model of the arms that have one.")
@click.option("--llm-url", metavar="URL", help="Where it is served (OpenAI-compatible).")
@click.option("--llm-timeout", type=float, default=600.0, show_default=True, help="Seconds a call.")
@click.option("--context-tokens", type=int, default=6000, show_default=True, help="Its window.")
@click.option("--note", default="", help="Kept in run.json and the report: the server, say.")
@run_options
def run(kind: str, **options: Any) -> int:
    """Run a question set and print its scores.

    Results are kept question by question; a run that was stopped goes on with --resume.
    """
    from fedrag.bench.results import read_run
    from fedrag.bench.run import Runner
    from fedrag.session import run_sync

    source = _source(kind, options["questions"])
    if options["replay"] == "":
        options["replay"] = str(_cassette(source))
    folder = options["out"] or _new_folder(kind)
    with _session(options) as session:
        plan = _plan(kind, source, session, options)
        bar = _Bar()

        async def work() -> None:
            async with session:
                runner = Runner(plan, session, bar)
                writer = await runner.run(folder, resume=options["resume"])
                for note in writer.notes:
                    click.echo(note, err=True)

        run_sync(work())
        end_progress()
    _show(read_run(folder), as_json=options["as_json"])
    return 0


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
        settings = replace(base.settings, services=services)
        yield Session(settings, record=options["record"], note=_NOTE)


def _plan(kind: str, source: Path, session: Session, options: Mapping[str, Any]) -> Plan:
    from fedrag.bench.arms import default_arms
    from fedrag.bench.questions import read_questions
    from fedrag.bench.run import Plan, chosen

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
        arms=_arms(options["arms"], llm is not None) or default_arms(llm),
        evidence=_evidence(options),
        recorded_from=_recorded_from(session),
        leave_one_out=options["leave_one_out"],
        llm=llm,
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


def _arms(given: tuple[str, ...], has_model: bool) -> tuple[str, ...]:
    from fedrag.bench.arms import ARMS, needs_model

    names = [name.strip() for value in given for name in value.split(",") if name.strip()]
    for name in names:
        if name not in ARMS:
            raise click.UsageError(f"--arms: there is no arm {name!r}; there are {', '.join(ARMS)}")
        if needs_model(name) and not has_model:
            raise click.UsageError(f"--arms: {name} needs --llm and --llm-url")
    return tuple(dict.fromkeys(names))


def _evidence(options: Mapping[str, Any]) -> str:
    if options["replay"]:
        return "recorded"
    return "closed world" if options["drugmechdb"] else "live"


def _recorded_from(session: Session) -> str | None:
    if not session.recorded:
        return None
    return "closed world" if session.recorded["note"].startswith("closed world") else "live"


class _Bar:
    """How far the run is, on a terminal."""

    def __init__(self) -> None:
        self._started = time.monotonic()

    def __call__(self, done: int, of: int) -> None:
        filled = 30 * done // max(1, of)
        spent = time.monotonic() - self._started
        progress_line(f"[{'#' * filled}{'.' * (30 - filled)}] {done}/{of} questions, {spent:.0f} s")


# Of all scores (--json has them) these are shown.
_RETRIEVAL = ("entities_joint", "gold_in_evidence", "gold_in_page", "gold_in_candidates")
_ARM = ("accuracy", "hits@1", "hits@5", "mrr", "context_gold", "citations_exist", "abstained")


def _show(run: Run, *, as_json: bool) -> None:
    from fedrag.bench.scores import run_scores

    meta = run.meta
    scores = run_scores(run.questions, list(run.results.values()), meta["arms"])
    if as_json:
        told = ("set", "n", "evidence", "recorded_from", "leave_one_out", "excluded")
        echo_json({**{key: meta[key] for key in told}, "out": str(run.folder), "scores": scores})
        return
    click.echo(
        f"{meta['set']}: {meta['n']} questions, evidence: {meta['evidence']}; scores are over the "
        f"{scores['n']} outside the development split"
    )
    _table("retrieval", scores["retrieval"], _RETRIEVAL)
    for arm, values in scores["arms"].items():
        _table(arm, values, _ARM)
    for name, error in scores["failed"].items():
        click.echo(f"not run: {name}: {error}")
    click.echo(f"results: {run.folder}")


def _table(title: str, scores: Mapping[str, Any], names: tuple[str, ...]) -> None:
    shown = [(name, scores[name]) for name in names if name in scores]
    told = [f"{name} {_score(one)}" for name, one in shown if one["value"] is not None]
    if told:
        click.echo(f"{title}: " + ", ".join(told))


def _score(one: Mapping[str, Any]) -> str:
    if one["low"] is None:
        return f"{one['value']:.3f} (n={one['n']})"
    return f"{one['value']:.3f} [{one['low']:.3f}, {one['high']:.3f}] (n={one['n']})"
