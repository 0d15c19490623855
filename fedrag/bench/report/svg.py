"""matplotlib's SVG as a part of a page: its own ids, the page's colours and type, no date.

Charts are drawn with stand-in colours that become CSS variables here, so that the same figure reads
in the light, in the dark and on paper. Text stays text (``svg.fonttype: none``).
"""

from __future__ import annotations

import io
import re
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from typing import TYPE_CHECKING, Any

from fedrag.bench.report.markup import Html, text
from fedrag.errors import ConfigError

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["DASHES", "GRID", "INK", "MARKERS", "MUTED", "SURFACE", "colour", "figure", "to_svg"]

INK, MUTED, GRID, SURFACE = "#0b0001", "#0b0002", "#0b0003", "#0b0004"
MARKERS = ("o", "s", "D", "^", "v", "P", "X", "h")  # told apart without colour as well
DASHES = ("-", (0, (6, 2)), (0, (2, 1.5)), (0, (7, 2, 1.5, 2)))
WIDTH = 400  # of every figure, in points; a phone shows it nearly at its own size
_SERIES = 8
_VARIABLES = {INK: "var(--ink)", MUTED: "var(--muted)", GRID: "var(--rule)", SURFACE: "var(--bg)"}

# The page's own type: "font: 10px 'DejaVu Sans'" or "font-family: 'DejaVu Sans'", by version.
_FONT = re.compile(r"font: (?:\w+ )*([\d.]+)px [^;\"]*|; font-family: [^;\"]*")

_STYLE: dict[str, Any] = {
    "svg.fonttype": "none",
    "svg.hashsalt": "fedrag",
    "text.parse_math": False,
    "font.family": ["DejaVu Sans"],
    "font.size": 11,
    "axes.labelsize": 11,
    "xtick.labelsize": 10.5,
    "ytick.labelsize": 10.5,
    "text.color": INK,
    "axes.labelcolor": INK,
    "axes.edgecolor": MUTED,
    "axes.facecolor": "none",
    "figure.facecolor": "none",
    "xtick.color": MUTED,
    "ytick.color": MUTED,
    "xtick.labelcolor": INK,
    "ytick.labelcolor": INK,
    "grid.color": GRID,
    "grid.linewidth": 0.8,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.axisbelow": True,
    "lines.linewidth": 1.8,
    "lines.markersize": 5,
}


def colour(number: int) -> str:
    """The stand-in colour of a series; eight are told apart, published curves are grey.

    >>> colour(0), colour(9)
    ('#0a0000', '#0a0001')
    """
    return f"#0a00{number % _SERIES:02x}"


@contextmanager
def figure(height: float) -> Iterator[Figure]:
    """A new figure, :data:`WIDTH` points wide, drawn in the house style and known to nobody else.

    :raises ConfigError: matplotlib (the extra ``bench``) is not installed.
    """
    try:
        matplotlib = import_module("matplotlib")
    except ImportError as error:
        raise ConfigError(
            "the figures of a report need matplotlib, which is not installed",
            hint="pip install 'fedrag-bio[bench]'",
        ) from error
    from matplotlib.figure import Figure

    with matplotlib.rc_context(_STYLE):
        yield Figure(figsize=(WIDTH / 72, height / 72), layout="constrained")


def to_svg(drawn: Figure, key: str, label: str) -> Html:
    """The figure as inline SVG. Called inside :func:`figure`, whose style it is written in.

    :param key: unique on the page; every id of the figure begins with it.
    :param label: what the figure shows, for those who do not see it.
    """
    out = io.StringIO()
    with warnings.catch_warnings():
        # The reader's own fonts draw the text, not the one that it is measured with.
        warnings.filterwarnings("ignore", message="Glyph .* missing from")
        drawn.savefig(out, format="svg", metadata={"Date": None, "Creator": None})
    body = out.getvalue()
    body = body[body.index("<svg") :]
    body = re.sub(r"<metadata>.*?</metadata>|<style[^>]*>.*?</style>", "", body, flags=re.DOTALL)
    body = re.sub(r"<defs>\s*</defs>", "", body)
    body = re.sub(r'\bid="', lambda _: f'id="{text(key)}-', body)
    body = re.sub(r'(xlink:href|href)="#', lambda _: f'href="#{text(key)}-', body)
    body = body.replace("url(#", f"url(#{text(key)}-")
    body = _FONT.sub(lambda found: f"font-size: {found[1]}px" if found[1] else "", body)
    body = re.sub(r"#0[ab]00[0-9a-f]{2}", lambda found: _variable(found[0]), body)
    body = re.sub(r">\s+<", "><", body)
    head, _, rest = body.partition(">")
    box = re.search(r'viewBox="[^"]*"', head)
    return Html(f'<svg role="img" aria-label="{text(label)}" {box[0] if box else ""}>{rest}')


def _variable(stand_in: str) -> str:
    return _VARIABLES.get(stand_in) or f"var(--s{int(stand_in[-2:], 16)})"
