"""``fedrag services``: what can be asked, and whether it is up."""

from __future__ import annotations

from typing import Any

import click

from fedrag.cli.options import open_session, session_options
from fedrag.cli.output import echo_json, plain

__all__ = ["services"]


@click.command()
@click.option("--check", is_flag=True, help="Call each service once and say how it answered.")
@session_options
def services(check: bool, **options: Any) -> int:
    """List the services: address, pace, licence, and with --check their state.

    Exit code 3 when, with --check, a service that is on did not answer.
    """
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
        facts.append(f"{row['operations']} operation" + "s" * (row["operations"] != 1))
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
