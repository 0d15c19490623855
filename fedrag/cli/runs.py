"""``fedrag runs``: the runs that were kept, to be looked at and asked again."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from fedrag.cli.ask import FORMATS, exit_code
from fedrag.cli.options import open_session, session_options
from fedrag.cli.output import columns, echo_json, end_progress, plain, progress_line
from fedrag.errors import FedragError

if TYPE_CHECKING:
    from fedrag.datamodel import Answer
    from fedrag.runs import RunLog, RunRecord, RunSummary

__all__ = ["runs"]

_CONFIG = click.option("--config", type=click.Path(path_type=Path), help="A TOML file of settings.")
_FORMAT = click.option("--format", "form", type=click.Choice(FORMATS), help="The answer alone.")
_DEBUG = click.option("--debug", is_flag=True, help="Show tracebacks.")


@click.group()
def runs() -> None:
    """Look at the runs that were kept, and ask them again.

    ID is a run's identifier, the beginning of one that fits no other, or `last`.
    """


@runs.command("list")
@click.option("--limit", type=click.IntRange(1), default=20, show_default=True)
@click.option("--json", "as_json", is_flag=True)
@_CONFIG
@_DEBUG
def list_runs(limit: int, as_json: bool, **options: Any) -> int:
    """List the newest runs, newest first."""
    log = _log(options)
    summaries = log.list(limit)
    if as_json:
        echo_json([summary.to_dict() for summary in summaries])
    else:
        for line in _table(summaries, columns()):
            click.echo(plain(line))
    if log.unreadable:
        names = ", ".join(log.unreadable)
        click.echo(f"{_count(len(log.unreadable))} cannot be read: {names}", err=True)
    if not summaries:
        click.echo(f"no runs in {log.folder}", err=True)
    return 0


@runs.command()
@click.argument("run", metavar="ID", default="last")
@_FORMAT
@click.option("--json", "as_json", is_flag=True, help="All of the run as JSON.")
@_CONFIG
@_DEBUG
def show(run: str, form: str | None, as_json: bool, **options: Any) -> int:
    """Show the run ID: what was asked, with what, what came of it, and the answer."""
    from fedrag.errors import RunError

    record = _log(options).get(run)
    if as_json:
        echo_json(record.to_dict())
        return 0
    answer = record.restored()
    if form is None:
        click.echo(plain("\n".join(_facts(record))))
    elif answer is None:
        told = record.error or {}
        raise RunError(
            f"the run {record.id} has no answer: {told.get('message', 'it failed')}",
            hint=f"`fedrag runs rerun {record.id}` asks again",
        )
    if answer is not None:
        if form is None:
            click.echo()
        _write(answer, form or "text")
    return 0


@runs.command()
@click.argument("run", metavar="ID", default="last")
@_FORMAT
@click.option("--live", is_flag=True, help="Ask the services, though the run was a replay.")
@click.option("--changes", "only_changes", is_flag=True, help="Print what changed, not the answer.")
@session_options
def rerun(run: str, **options: Any) -> int:
    """Ask the run ID again, as it was asked: question, pinned entities, template and settings.

    A replayed run is replayed again, unless --live, --record or --replay says otherwise; any other
    option goes over the setting of the run. The answer goes to stdout, what changed since to
    stderr. Exit codes as of `fedrag ask`. Calls younger than a week may come from the cache:
    --no-cache asks the services anew.
    """
    from fedrag.session import run_sync

    record = _log(options).get(run)
    options["replay"] = _cassette(record, options)
    session = open_session(options, then=record.settings)

    async def work() -> Answer:
        async with session:
            return await session.ask(
                record.question,
                pins=record.pins,
                template=record.template,
                progress=progress_line,
            )

    click.echo(plain(f"run {record.id}, asked again: {record.question}"), err=True)
    try:
        answer = run_sync(work())
    except FedragError as error:
        end_progress()
        if error.answer is not None:
            _tell(record, error.answer, options)
        raise
    end_progress()
    _tell(record, answer, options)
    return exit_code(answer)


@runs.command()
@click.option("--keep", type=click.IntRange(0), default=0, help="But for so many, the newest.")
@_CONFIG
@_DEBUG
def clear(keep: int, **options: Any) -> int:
    """With --keep N, forget all runs but the newest N; without it, every run.

    A run whose file cannot be removed stays and is named; the exit code is then 2.
    """
    log = _log(options)
    click.echo(f"{_count(log.clear(keep))} forgotten", err=True)
    if log.left:
        names = ", ".join(f"{run} ({why})" for run, why in log.left.items())
        told = f"{_count(len(log.left))} cannot be removed from {log.folder}: {names}"
        click.echo(plain(told), err=True)
    return 2 if log.left else 0


def _log(options: Mapping[str, Any]) -> RunLog:
    from fedrag.config import load_settings
    from fedrag.runs import open_log

    return open_log(load_settings(path=options.get("config")))


def _cassette(record: RunRecord, options: Mapping[str, Any]) -> str | None:
    """What to replay: what the user names, else what the run was replayed from."""
    if options["replay"] or options["live"] or options["record"]:
        named: str | None = options["replay"]
        return named
    if not record.cassette or record.cassette["how"] != "replayed":
        return None
    path = record.cassette["path"]
    return path if Path(path).exists() else record.cassette["name"]


def _tell(record: RunRecord, answer: Answer, options: Mapping[str, Any]) -> None:
    from fedrag.runs import cassette_facts, changes
    from fedrag.session import cassette_path

    tape = cassette_path(options["replay"]) if options["replay"] else None
    found = changes(record, answer, cassette_facts(tape) if tape else None)
    if options["only_changes"]:
        if options["as_json"]:
            echo_json(found.to_dict())
        else:
            click.echo(plain("\n".join(found.lines())))
        return
    _write(answer, "json" if options["as_json"] else options["form"] or "text")
    click.echo(plain("\n".join(f"- {line}" for line in found.lines())), err=True)


def _write(answer: Answer, form: str) -> None:
    if form == "text":
        from fedrag.export import answer_to_text

        click.echo(plain(answer_to_text(answer, width=columns())), nl=False)
    else:
        from fedrag.export.forms import render

        click.echo(render(answer, form), nl=False)


# --- what a person reads ------------------------------------------------------------------------


def _table(summaries: Sequence[RunSummary], width: int) -> Iterator[str]:
    """One line a run: identifier, mode, seconds, how it ended, the question."""
    ends = [_end(summary) for summary in summaries]
    wide = min(max((len(end) for end in ends), default=0), 24)
    for summary, end in zip(summaries, ends, strict=True):
        begun = f"{summary.id}  {summary.mode:<6} {summary.seconds:>6.1f} s  {_cut(end, wide)}  "
        yield begun + _cut(summary.question, max(width - len(begun), 20)).rstrip()


def _end(summary: RunSummary) -> str:
    if summary.outcome == "answered":
        partial = "" if summary.completeness == "complete" else f" ({summary.completeness})"
        return (summary.answer or "answered") + partial
    return summary.error or summary.outcome


def _count(number: int) -> str:
    return f"{number:,} {'run' if number == 1 else 'runs'}"


def _cut(text: str, width: int) -> str:
    text = " ".join(text.split())
    return text.ljust(width) if len(text) <= width else text[: width - 1] + "…"


def _facts(record: RunRecord) -> Iterator[str]:
    """What is known of a run beside its answer."""
    yield f"Run {record.id}"
    yield f"  question: {record.question}"
    yield from (f"  entity: {mention} = {curie}" for mention, curie in record.pins.items())
    if record.template:
        yield f"  template: {record.template}"
    yield f"  asked: {record.started[:19]}Z, {record.mode}, {record.seconds:.2f} s"
    biolink = f", Biolink {record.biolink_version}" if record.biolink_version else ""
    yield f"  by: fedrag {record.fedrag_version}{biolink}, Python {record.python}"
    if tape := record.cassette:
        yield f"  {tape['how']}: {tape['name']}, SHA-256 {tape['sha256']}"
    yield from (f"  setting: {key} = {value}" for key, value in _unusual(record.settings))
    if record.sources:
        counts = ", ".join(f"{name} {count:,}" for name, count in record.sources.items())
        yield f"  edges by primary source: {counts}"
    if record.error:
        hint = f" ({record.error['hint']})" if record.error.get("hint") else ""
        yield f"  failed: {record.error['kind']}: {record.error['message']}{hint}"


def _unusual(settings: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    """Settings that are not what they are when nothing is said."""
    import json

    from fedrag.config import Settings
    from fedrag.runs import settings_to_dict

    usual = settings_to_dict(Settings())
    for key, value in settings.items():
        if value != usual.get(key):
            yield key, json.dumps(value, ensure_ascii=False) if value else value
