"""The measures of a drawing: how wide its boxes are, where they stand, how its links run.

All of it in the drawing's own units, which are pixels at its natural size. Nothing here is markup.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from fedrag.web.page.layout import Placed

__all__ = ["KINDS", "Box", "Drawing", "Hop", "Link", "box", "draw"]

KINDS = ("gene", "drug", "disease", "process", "other")  # what boxes are coloured by
_BOX_HEIGHT, _ROW, _GAP, _MARGIN = 28.0, 40.0, 92.0, 16.0
_LETTER, _BOLD, _PADDING = 7.5, 8.3, 20.0  # of the type that the style sheet sets in a box
_LONGEST = 24  # letters of a name in a box; the whole name is its title
_APART = 12.0  # parallel links
_NEAR, _NEXT = 28.0, 34.0  # from a box to the label of its first link, and of each further one
_AROUND = 60.0  # below, for a hop of a plan that passes what stands between
_WIDEST = 320.0  # between two columns

Point = tuple[float, float]
Curve = tuple[Point, Point, Point, Point]


@dataclass(frozen=True, slots=True)
class Box:
    """A node: its middle and width, in the drawing's own units."""

    id: str
    name: str
    label: str  # the name, shortened to fit
    detail: str
    kind: str
    role: str  # "given", "answer" or ""
    x: float
    y: float
    width: float
    height: float = _BOX_HEIGHT


@dataclass(frozen=True, slots=True)
class Link:
    """A curve from one box to another, with the place of its label."""

    key: str
    source: str
    target: str
    path: str
    x: float
    y: float
    title: str
    label: str
    polarity: str = "context"
    weight: float = 1.0
    mined: bool = False  # by text mining alone


@dataclass(frozen=True, slots=True)
class Drawing:
    """Boxes and links within ``width`` times ``height`` units; empty where there is nothing."""

    boxes: tuple[Box, ...]
    links: tuple[Link, ...]
    width: float
    height: float

    @property
    def kinds(self) -> tuple[str, ...]:
        """The kinds of things in it, for its legend."""
        drawn = {one.kind for one in self.boxes}
        return tuple(kind for kind in KINDS if kind in drawn)


@dataclass(frozen=True, slots=True)
class Hop:
    """A link that is wanted, before it has its place.

    :ivar chip: its label is a small chip by an end; else words along its middle.
    """

    key: str
    source: str
    target: str
    title: str
    label: str
    polarity: str = "context"
    weight: float = 1.0
    mined: bool = False
    chip: bool = True


def box(id: str, name: str, detail: str, kind: str, role: str) -> Box:
    """A box as wide as its label, not placed yet.

    >>> box("CHEBI:1", "imatinib", "", "drug", "").width
    80.0
    """
    label = name if len(name) <= _LONGEST else name[: _LONGEST - 1].rstrip() + "…"
    width = len(label) * (_BOLD if role else _LETTER) + _PADDING
    return Box(id, name, label, detail, kind, role, 0.0, 0.0, round(width, 1))


def draw(boxes: Mapping[str, Box], placed: Mapping[str, Placed], wanted: Sequence[Hop]) -> Drawing:
    """Boxes at their places, and the links between them.

    :raises KeyError: a box has no place, or a link no box.
    """
    columns = len({spot.column for spot in placed.values()})
    standing = _standing(boxes, placed, _gap(wanted, columns))
    links = _links(standing, placed, wanted)
    width = max((one.x + one.width / 2 for one in standing.values()), default=0.0)
    lowest = [one.y + _BOX_HEIGHT / 2 for one in standing.values()] + [link.y for link in links]
    height = max(lowest, default=0.0)
    bulge = any(placed[w.source].column == placed[w.target].column for w in wanted)
    return Drawing(
        tuple(standing.values()),
        links,
        round(width + _MARGIN + (_GAP / 2 if bulge else 0.0), 1),
        round(height + _MARGIN, 1),
    )


def _gap(wanted: Sequence[Hop], columns: int) -> float:
    """Room between columns: for the labels that stand there, and for a fan to open."""
    words = max((len(w.label) for w in wanted if not w.chip), default=0) * 6.2
    pairs = Counter(frozenset((w.source, w.target)) for w in wanted)
    parallel = max(pairs.values(), default=1) - 1
    fan = 60.0 if columns <= 3 and not words else 0.0
    return min(_GAP + fan + words + 2 * (_NEXT - 6.0) * parallel, max(_WIDEST, _GAP + words))


def _standing(boxes: Mapping[str, Box], placed: Mapping[str, Placed], gap: float) -> dict[str, Box]:
    """Boxes at their places: a column is as wide as its widest box.

    Those of the left half end together and those of the right half begin together, so that the
    labels of their links stand in a line.
    """
    widths: dict[int, float] = defaultdict(float)
    for id, one in boxes.items():
        widths[placed[id].column] = max(widths[placed[id].column], one.width)
    left, x = {}, _MARGIN
    for column in sorted(widths):
        left[column] = x
        x += widths[column] + gap
    top = _MARGIN + _BOX_HEIGHT / 2
    standing = {}
    for id, one in boxes.items():
        column = placed[id].column
        spare = widths[column] - one.width if column * 2 < len(widths) - 1 else 0.0
        x, y = left[column] + spare + one.width / 2, top + placed[id].row * _ROW
        standing[id] = replace(one, x=round(x, 1), y=round(y, 1))
    return standing


def _links(
    boxes: Mapping[str, Box], placed: Mapping[str, Placed], wanted: Sequence[Hop]
) -> tuple[Link, ...]:
    together: dict[frozenset[str], list[Hop]] = defaultdict(list)
    degree: Counter[str] = Counter()
    for one in wanted:
        together[frozenset((one.source, one.target))].append(one)
        degree.update((one.source, one.target))
    made = {}
    for bundle in together.values():
        for number, one in enumerate(bundle):
            offset = (number - (len(bundle) - 1) / 2) * _APART
            around = _AROUND if not one.chip and _skips(one, placed) else 0.0
            points = _points(boxes[one.source], boxes[one.target], placed, offset + around)
            hub = degree[one.source] - degree[one.target]
            label = _label_place(points, hub, number) if one.chip else _at(points, 0.5)
            made[one.key] = _link(one, points, label)
    return tuple(made[one.key] for one in wanted)


def _skips(one: Hop, placed: Mapping[str, Placed]) -> bool:
    return abs(placed[one.source].column - placed[one.target].column) > 1


def _link(one: Hop, points: Curve, label: Point) -> Link:
    (x0, y0), (x1, y1), (x2, y2), (x3, y3) = points
    return Link(
        key=one.key,
        source=one.source,
        target=one.target,
        path=f"M{x0:.1f} {y0:.1f}C{x1:.1f} {y1:.1f} {x2:.1f} {y2:.1f} {x3:.1f} {y3:.1f}",
        x=round(label[0], 1),
        y=round(label[1], 1),
        title=one.title,
        label=one.label,
        polarity=one.polarity,
        weight=one.weight,
        mined=one.mined,
    )


def _points(source: Box, target: Box, placed: Mapping[str, Placed], offset: float) -> Curve:
    same = placed[source.id].column == placed[target.id].column
    return (_around if same else _across)(source, target, offset)


def _label_place(curve: Curve, hub: int, number: int) -> Point:
    """Where a link's label stands: by the end with fewer links, where it is nobody else's.

    :param hub: how many more links the source has than the target.
    :param number: which of several links between the same two it is: their labels stand in a row.
    """
    steps = [step / 40 for step in range(1, 22)]
    for step in steps:
        x, y = _at(curve, 1 - step if hub >= 0 else step)
        if abs(x - curve[3 if hub >= 0 else 0][0]) >= _NEAR + _NEXT * number:
            break
    return x, y


def _at(curve: Curve, t: float) -> Point:
    weights = ((1 - t) ** 3, 3 * (1 - t) ** 2 * t, 3 * (1 - t) * t * t, t**3)
    x = sum(w * point[0] for w, point in zip(weights, curve, strict=True))
    y = sum(w * point[1] for w, point in zip(weights, curve, strict=True))
    return x, y


def _across(source: Box, target: Box, offset: float) -> Curve:
    """From side to side; parallel ones part in the middle."""
    way = 1.0 if source.x < target.x else -1.0
    start = (source.x + way * source.width / 2, source.y + offset / 4)
    end = (target.x - way * (target.width / 2 + 3), target.y + offset / 4)
    pull = max(abs(end[0] - start[0]) * 0.45, 24.0) * way
    return (
        start,
        (start[0] + pull, start[1] + offset),
        (end[0] - pull, end[1] + offset),
        end,
    )


def _around(source: Box, target: Box, offset: float) -> Curve:
    """Out to the right and back, for two of one column (and for a thing and itself)."""
    start = (source.x + source.width / 2, source.y - (6.0 if source is target else 0.0))
    end = (target.x + target.width / 2 + 3, target.y + (6.0 if source is target else 0.0))
    out = max(start[0], end[0]) + 44.0 + abs(offset)
    return start, (out, start[1]), (out, end[1]), end
