"""``fedrag metakg``: what can be asked of whom, whether documents are sound, and the registry."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from fedrag.cli.options import open_session, session_options
from fedrag.cli.output import echo_json, plain

if TYPE_CHECKING:
    from fedrag.metakg import Problem

__all__ = ["metakg"]

NOT_TOLD = 3  # no service said what it holds


@click.group()
def metakg() -> None:
    """Look at the meta-knowledge graph: who can answer what."""


def _read(options: dict[str, Any]) -> Any:
    from fedrag.session import run_sync

    session = open_session(options)

    async def work() -> Any:
        async with session:
            return await session.metakg()

    graph, notes = run_sync(work())
    for note in notes:
        click.echo(plain(f"- {note}"), err=True)
    return graph


@metakg.command("list")
@session_options
def list_(**options: Any) -> int:
    """List the category pairs each service can answer.

    Exit code 3 when no service says what it holds.
    """
    graph = _read(options)
    pairs = Counter((e.service, e.subject, e.object) for e in graph.triples())
    rows = [
        {"service": name, "subject": subject, "object": object_, "meta_edges": count}
        for (name, subject, object_), count in sorted(pairs.items())
    ]
    if options["as_json"]:
        echo_json(rows)
    else:
        for row in rows:
            click.echo(
                plain(
                    f"{row['service']:<12} {_bare(row['subject'])} → {_bare(row['object'])}  "
                    f"{row['meta_edges']} meta-edges"
                )
            )
    return 0 if rows else NOT_TOLD


@metakg.command()
@click.argument("service")
@session_options
def show(service: str, **options: Any) -> int:
    """Show every meta-edge of SERVICE."""
    graph = _read(options)
    if service not in {s.name for s in graph.services}:
        known = ", ".join(s.name for s in graph.services)
        raise click.UsageError(f"no knowledge service is called {service!r}; there are: {known}")
    edges = [edge for edge in graph.triples() if edge.service == service]
    if options["as_json"]:
        echo_json(
            [
                {
                    "subject": e.subject,
                    "predicate": e.predicate,
                    "object": e.object,
                    "qualifiers": [list(pair) for pair in e.qualifiers],
                }
                for e in edges
            ]
        )
    else:
        for e in edges:
            click.echo(plain(f"{_bare(e.subject)} – {_bare(e.predicate)} → {_bare(e.object)}"))
    return 0 if edges else NOT_TOLD


@metakg.command()
@click.argument("start")
@click.argument("end")
@click.option("--max-hops", type=click.IntRange(1, 3), default=3, show_default=True)
@session_options
def paths(start: str, end: str, max_hops: int, **options: Any) -> int:
    """Show the shortest paths from category START to END over all services (e.g. Drug Gene).

    Exit code 4 when there is none.
    """
    graph = _read(options)
    found = graph.paths(_category(start), _category(end), max_hops=max_hops)
    if options["as_json"]:
        echo_json([[_step(step) for step in path] for path in found])
    else:
        for path in found:
            stations = [path[0].subject, *(step.object for step in path)]
            services = " | ".join(", ".join(step.services) for step in path)
            click.echo(plain(f"{' → '.join(_bare(s) for s in stations)}  ({services})"))
    if not found:
        click.echo(f"no path of at most {max_hops} hops", err=True)
    return 0 if found else 4


def _step(step: Any) -> dict[str, Any]:
    return {
        "subject": step.subject,
        "object": step.object,
        "predicates": list(step.predicates),
        "services": list(step.services),
    }


@metakg.command()
@click.argument("path", type=click.Path(exists=True, path_type=Path))
@click.option("--json", "as_json", is_flag=True)
@click.option("--debug", is_flag=True)
def validate(path: Path, as_json: bool, debug: bool) -> int:
    """Check service documents (a file or a folder of them); exit 2 when there are errors.

    An error is what does not compile or is refused; a warning costs nothing else.
    """
    from fedrag.metakg import check_document

    del debug  # read by main, which shows tracebacks
    files = _files(path)
    reports = [check_document(file) for file in files]
    problems = [problem for report in reports for problem in report.problems]
    errors = [problem for problem in problems if problem.level == "error"]
    warnings = [problem for problem in problems if problem.level == "warning"]
    counts = {
        "documents": len(files),
        "operations": sum(report.annotations for report in reports),
        "meta_edges": sum(report.meta_edges for report in reports),
    }
    if as_json:
        told = {"errors": _rows(errors), "warnings": _rows(warnings)}
        echo_json({**counts, **told})
    else:
        for problem in problems:
            click.echo(plain(str(problem)))
        words = [f"{count:,} {name.replace('_', '-')}" for name, count in counts.items()]
        words += [f"{len(errors)} errors", f"{len(warnings)} warnings"]
        click.echo(", ".join(words), err=True)
    return 2 if errors else 0


def _files(path: Path) -> list[Path]:
    if not path.is_dir():
        return [path]
    files = sorted(p for p in path.rglob("*") if p.suffix in (".yaml", ".yml", ".json"))
    files = [file for file in files if not file.name.startswith(".")]
    if not files:
        raise click.UsageError(f"there is no YAML or JSON document in {path}")
    return files


def _rows(problems: list[Problem]) -> list[dict[str, Any]]:
    return [
        {
            "file": str(p.file),
            "line": p.line,
            "operation": p.operation,
            "where": p.where,
            "message": p.message,
        }
        for p in problems
    ]


@metakg.command()
@click.option("--url", metavar="URL", help="Another registry than smart-api.info.")
@session_options
def sync(url: str | None, **options: Any) -> int:
    """Fetch the annotated documents of the SmartAPI registry into the cache.

    They are used with `--registry synced`, offline too.
    """
    from fedrag.session import run_sync

    session = open_session({**options, "registry": None})

    async def work() -> Any:
        async with session:
            return await session.sync_registry(url)

    got = run_sync(work())
    if options["as_json"]:
        echo_json(
            {
                "folder": str(got.folder),
                "changed": got.changed,
                "documents": got.documents,
                "others": got.others,
                "unread": got.unread,
                "missing": got.missing,
            }
        )
        return 0
    state = "fetched" if got.changed else "unchanged since the last time"
    click.echo(plain(f"{got.documents} annotated documents in {got.folder} ({state})"))
    for count, words in (
        (got.others, "documents without annotations were left out"),
        (got.unread, "entries could not be read"),
        (got.missing, "documents were not sent: the registry holds more than one answer"),
    ):
        if count:
            click.echo(f"- {count} {words}", err=True)
    return 0


def _bare(name: str) -> str:
    return name.removeprefix("biolink:")


def _category(text: str) -> str:
    from fedrag.biolink import biolink

    category = text if text.startswith("biolink:") else f"biolink:{text}"
    if not biolink().is_category(category):
        raise click.UsageError(f"{text!r} is no Biolink category, like Drug, Gene or Disease")
    return category
