"""Reports of benchmark runs: a page that is one file, Markdown tables, and a summary as JSON."""

from fedrag.bench.report.build import build_report

__all__ = ["build_report"]
