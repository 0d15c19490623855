"""``fedrag services`` and ``fedrag metakg``: what can be asked, and whether it is up."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import click

from fedrag.cli.options import open_session, session_options
from fedrag.cli.output import echo_json, plain

__all__ = ["metakg", "services"]

NOT_TOLD = 3  # no service said what it holds


@click.command()
@click.option("--check", is_flag=True, help="Call each service once and say how it answered.")
@session_options
def services(check: bool, **options: Any) -> int:
    """List the services: address, pace, licence, and with --check their state."""
    from fedrag.session import run_sync

    session = open_session(options)

    async def work() -> Any:
        async with session:
            return await session.check() if check else {}

    states = run_sync(work())
    rows = [_service_row(service, states.get(service.name)) for service in session.services]
    if options["as_json"]:
        echo_json(rows)
    else:
        click.echo(plain("\n".join(_service_line(row) for row in rows)))
    failed = [r for r in rows if r.get("state") not in (None, "ok", "skipped", "needs_key")]
    return 3 if failed else 0


def _service_row(service: Any, report: Any) -> dict[str, Any]:
    row = {
        "service": service.name,
        "title": service.title,
        "role": service.role,
        "protocol": service.protocol,
        "base_url": service.endpoint.base_url,
        "infores": service.infores,
        "licence": service.licence,
        "per_minute": service.endpoint.per_minute,
        "concurrency": service.endpoint.concurrency,
        "key": service.auth.env if service.auth else None,
        "key_missing": bool(service.missing_key),
        "commercial": service.commercial,
        "operations": len(service.operations),
        "unverified_operations": sum(o.manner.verified is False for o in service.operations),
        "enabled": service.enabled,
        "why_off": service.why_off,
        "verified": service.verified,
    }
    if report is not None:
        row |= {
            "state": report.state,
            "reason": report.reason,
            "seconds": report.seconds,
            "version": report.version,
        }
    return row


def _service_line(row: dict[str, Any]) -> str:
    facts = [row["protocol"], _pace(row)]
    if row["operations"]:
        facts.append(f"{row['operations']} operations")
    if row["key"]:
        facts.append(f"key in {row['key']}" + (" (not set)" if row["key_missing"] else ""))
    facts += _doubts(row)
    line = f"{row['service']:<12} {row['base_url']}  ({', '.join(facts)})"
    line += f"\n{'':<12} {row['title']}; licence: {row['licence']}"
    if not row["enabled"]:
        line += f"\n{'':<12} off: {row['why_off']}"
    if "state" in row:
        version = f", version {row['version']}" if row["version"] else ""
        line += f"\n{'':<12} {row['state']} {row['reason']} ({row['seconds']:.2f} s{version})"
    return line


def _pace(row: dict[str, Any]) -> str:
    return f"{row['per_minute']:g}/min" if row["per_minute"] else "no declared pace"


def _doubts(row: dict[str, Any]) -> list[str]:
    """What was never seen answered, and what may not be used for everything."""
    doubts = [] if row["commercial"] else ["not for commercial use"]
    if not row["verified"]:
        doubts.append("unverified")
    elif row["unverified_operations"]:
        doubts.append(f"{row['unverified_operations']} of them unverified")
    return doubts


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
    """List the category pairs each service can answer."""
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
    """Show the shortest category paths FROM … TO over all services (e.g. Drug Gene)."""
    graph = _read(options)
    found = graph.paths(_category(start), _category(end), max_hops=max_hops)
    if options["as_json"]:
        echo_json(
            [
                [
                    {
                        "subject": step.subject,
                        "object": step.object,
                        "predicates": list(step.predicates),
                        "services": list(step.services),
                    }
                    for step in path
                ]
                for path in found
            ]
        )
    else:
        for path in found:
            stations = [path[0].subject, *(step.object for step in path)]
            services = " | ".join(", ".join(step.services) for step in path)
            click.echo(plain(f"{' → '.join(_bare(s) for s in stations)}  ({services})"))
    if not found:
        click.echo(f"no path of at most {max_hops} hops", err=True)
    return 0 if found else 4


@metakg.command()
@click.argument("path", type=click.Path(exists=True, path_type=Path))
@click.option("--json", "as_json", is_flag=True)
@click.option("--debug", is_flag=True)
def validate(path: Path, as_json: bool, debug: bool) -> int:
    """Check service documents (a file or a folder of YAML); exit 2 when there are errors."""
    from fedrag.metakg import validate_document

    del debug  # read by main, which shows tracebacks
    files = sorted(p for p in path.rglob("*.y*ml")) if path.is_dir() else [path]
    if not files:
        raise click.UsageError(f"there is no YAML document in {path}")
    problems = [problem for file in files for problem in validate_document(file)]
    if as_json:
        errors = [
            {"file": str(p.file), "line": p.line, "where": p.where, "message": p.message}
            for p in problems
        ]
        echo_json({"documents": len(files), "errors": errors})
    else:
        for problem in problems:
            click.echo(plain(f"{problem.file}:{problem.line}: {problem.where}: {problem.message}"))
        click.echo(f"{len(files)} documents, {len(problems)} errors", err=True)
    return 2 if problems else 0


def _bare(name: str) -> str:
    return name.removeprefix("biolink:")


def _category(text: str) -> str:
    from fedrag.biolink import biolink

    category = text if text.startswith("biolink:") else f"biolink:{text}"
    if not biolink().is_category(category):
        raise click.UsageError(f"{text!r} is no Biolink category, like Drug, Gene or Disease")
    return category
