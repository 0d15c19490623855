"""``fedrag bench``: question sets from DrugMechDB, runs over them, and reports."""

from __future__ import annotations

import click

from fedrag.cli.bench_build import build
from fedrag.cli.bench_report import report
from fedrag.cli.bench_run import run

__all__ = ["bench"]


@click.group()
def bench() -> None:
    """Measure fedrag on the DrugMechDB questions."""


for command in (build, run, report):
    bench.add_command(command)
