"""By which model the percentile prunings chose their lines, wherever their figures are shown."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from fedrag.bench.report.collect import Section
from fedrag.bench.report.plotted import PERCENTILES
from fedrag.evidence.embed import DEFAULT_MODEL

__all__ = ["percentile_note"]

_PUBLISHED = ("neural", DEFAULT_MODEL)  # both mean it to `fedrag bench run --embedder`


def percentile_note(arms: Iterable[str], sections: Sequence[Section]) -> str:
    """A sentence for a caption; empty where none of the arms is a percentile pruning.

    :param arms: that the figures are of; of the sections those count that ran such an arm.
    """
    shown = set(arms) & set(PERCENTILES)
    used = dict.fromkeys(_embedder(s) for s in sections if shown & set(s.arms))
    if not used:
        return ""
    said = f" Percentile prunings (T10–T90) by the cosine of {', '.join(used)}"
    others = [name for name in used if name not in _PUBLISHED]
    if not others:
        return f"{said}, the published model."
    which = "" if len(others) == len(used) else f"; of these {', '.join(others)} is"
    model = DEFAULT_MODEL.rpartition("/")[2]
    return f"{said}{which or ','} not the published model ({model}), by which other lines are kept."


def _embedder(section: Section) -> str:
    return str(section.meta.get("embedder", "an unknown model"))
