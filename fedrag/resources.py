"""Where the documents, templates and the demo live: the packaged copy, else the checkout.

The one place that knows this, so that an installed fedrag, editable or not, works from any folder.
"""

from __future__ import annotations

from pathlib import Path

from fedrag.errors import ConfigError

__all__ = ["benchmark_sets_dir", "cassettes_dir", "metakg_dir", "schema_path", "templates_dir"]

_PACKAGE = Path(__file__).resolve().parent


def _folder(name: str) -> Path:
    for place in (_PACKAGE / "_resources" / name, _PACKAGE.parent / name):
        if place.is_dir():
            return place
    raise ConfigError(
        f"the folder {name!r} that ships with fedrag is missing", hint="reinstall fedrag-bio"
    )


def metakg_dir() -> Path:
    """The folder of service documents that ship.

    >>> (metakg_dir() / "bte.yaml").is_file()
    True
    """
    return _folder("metakg")


def templates_dir() -> Path:
    """The folder of query-graph templates that ship."""
    return _folder("trapi_templates")


def cassettes_dir() -> Path:
    """The folder of cassettes that ship (the demo)."""
    return _folder("cassettes")


def benchmark_sets_dir() -> Path:
    """The folder of the small benchmark sets, which are in a checkout and not in the wheel.

    :raises ConfigError: there is no checkout here.
    """
    path = _PACKAGE.parent / "benchmarks" / "sets"
    if path.is_dir():
        return path
    raise ConfigError(
        "the small benchmark sets are not installed with fedrag",
        hint="run it in a clone of the repository, or name a folder with --questions",
    )


def schema_path(name: str) -> Path:
    """The JSON Schema called ``name`` (``"answer"``, ``"template"``, ``"x-fedrag"``, ...)."""
    return _PACKAGE / "schemas" / f"{name}.json"
