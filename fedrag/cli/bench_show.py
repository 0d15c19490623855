"""What ``fedrag bench run`` writes: how far it is, the scores, what failed; and its exit code."""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import click

from fedrag.cli.output import echo_json, plain, progress_line

if TYPE_CHECKING:
    from fedrag.bench.results import Run

__all__ = ["Bar", "never_asked", "show"]

FAILED = 3
# Of all scores (--json has them) these are shown.
_RETRIEVAL = ("entities_joint", "gold_in_evidence", "gold_in_page", "gold_in_candidates")
_ARM = (
    *("accuracy", "hits@1", "hits@5", "mrr", "context_gold"),
    *("citations_exist", "citations_support", "abstained"),
)
_TOLD = ("set", "n", "part", "evidence", "recorded_from", "leave_one_out", "excluded")
_LEGEND = (
    "accuracy counts an answer that is a gold by identifier or by one of its names; "
    "hits and mrr go by identifier alone"
)
_SHOWN = 120  # characters of an error


def show(run: Run, *, as_json: bool) -> int:
    """Print the scores of a run and what failed in it.

    :returns: 3 where a call was nowhere recorded, or an arm failed on every question; else 0.
    """
    from fedrag.bench.missed import arm_errors, not_recorded
    from fedrag.bench.scores import run_scores

    meta, results = run.meta, list(run.results.values())
    missed = [result.id for result in results if not_recorded(result.error)]
    errors = arm_errors(results, meta["arms"])
    scores = run_scores(run.questions, results, meta["arms"])
    if as_json:
        told = {key: meta.get(key) for key in _TOLD}
        failures = {"errors": errors, "not_recorded": missed}
        echo_json({**told, "out": str(run.folder), **failures, "scores": scores})
    else:
        _as_text(run, scores, errors)
        _unrecorded(len(missed), len(results))
    nothing = bool(results) and all(result.error is not None for result in results)
    dead = any(one["failed"] == one["asked"] for one in errors.values())
    return FAILED if missed or nothing or dead else 0


def _as_text(run: Run, scores: Mapping[str, Any], errors: Mapping[str, Any]) -> None:
    meta, part = run.meta, scores
    which = "outside the development split"
    if not scores["n"]:  # what was asked is all of the other side
        part = scores["strata"]["development"]
        which = "of the development split: tuned on, no figures to report"
    click.echo(
        f"{meta['set']}: {meta['n']} questions, evidence: {meta['evidence']}; "
        f"scores are over the {part['n']} {which}"
    )
    _table("retrieval", part["retrieval"], _RETRIEVAL)
    shown = [_arm(arm, values, errors.get(arm)) for arm, values in part["arms"].items()]
    if any(shown):
        click.echo(f"({_LEGEND})")
    _of_cosines(meta)
    for name, error in scores["failed"].items():
        click.echo(plain(f"not run: {name}: {_short(error)}"))
    click.echo(f"results: {run.folder}")


def _arm(arm: str, scores: Mapping[str, Any], failed: Mapping[str, Any] | None) -> bool:
    """One arm; whether it has answers that were scored. One that only failed has no scores."""
    if failed is not None:
        reason = next(iter(failed["reasons"]))
        click.echo(
            plain(f"{arm}: {failed['failed']} of {failed['asked']} failed: {_short(reason)}")
        )
        if failed["failed"] == failed["asked"]:
            return False
    _table(arm, scores, _ARM)
    return all(scores.get(name, {}).get("value") is not None for name in ("accuracy", "hits@1"))


def _of_cosines(meta: Mapping[str, Any]) -> None:
    from fedrag.bench.arms import PERCENTILE_ARMS

    pruned = [arm for arm in meta["arms"] if arm in PERCENTILE_ARMS]
    if pruned and meta["embedder"] == "lexical":
        click.echo(
            f"{', '.join(pruned)}: pruned by cosines of the lexical embedder, not by those of the "
            "published model: this says nothing of the published pruning"
        )


def _unrecorded(missed: int, of: int) -> None:
    if missed:
        click.echo(
            f"{missed} of {of} questions could not be run, as a call of theirs was not recorded; "
            "--resume asks them again",
            err=True,
        )


def _short(error: str) -> str:
    line = " ".join(error.split())
    return line if len(line) <= _SHOWN else f"{line[: _SHOWN - 1]}…"


def _table(title: str, scores: Mapping[str, Any], names: tuple[str, ...]) -> None:
    shown = [(name, scores[name]) for name in names if name in scores]
    told = [f"{name} {_score(one)}" for name, one in shown if one["value"] is not None]
    if told:
        click.echo(f"{title}: " + ", ".join(told))


def _score(one: Mapping[str, Any]) -> str:
    if one["low"] is None:
        return f"{one['value']:.3f} (n={one['n']})"
    return f"{one['value']:.3f} [{one['low']:.3f}, {one['high']:.3f}] (n={one['n']})"


def never_asked(run: Run, options: Mapping[str, Any]) -> None:
    """Say once that a replay asks nobody, where arms failed for that alone."""
    from fedrag.bench.missed import not_recorded

    arms = [arm for result in run.results.values() for arm in result.arms.values()]
    missed = sum(not_recorded(arm.error) for arm in arms)
    if options["replay"] and missed:
        click.echo(
            f"a replay never asks a model: {missed} answers of {run.meta['llm']['model']} are not "
            "in the cassette, and are errors of their arms",
            err=True,
        )


class Bar:
    """How far the run is, on a terminal."""

    def __init__(self) -> None:
        self._started = time.monotonic()

    def __call__(self, done: int, of: int) -> None:
        """So many of so many questions are done."""
        filled = 30 * done // max(1, of)
        spent = time.monotonic() - self._started
        progress_line(f"[{'#' * filled}{'.' * (30 - filled)}] {done}/{of} questions, {spent:.0f} s")
