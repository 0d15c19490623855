"""Imports go one way, and only the rooms meant for it know the HTTP library."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import fedrag

PACKAGE = Path(fedrag.__file__).parent
ORDER = (
    ("errors", "datamodel", "resources", "depth"),
    ("config", "config_cache", "config_sources"),
    ("net",),
    ("biolink",),
    ("weight",),
    ("trapi",),
    ("entities", "metakg"),
    ("xbte",),
    ("plan",),
    ("execute",),
    ("evidence", "query"),
    ("answer",),
    ("pipeline",),
    ("export",),
    ("runs",),
    ("session",),
    ("testing",),
    ("tools", "batch"),
    ("bench",),
    ("mcp", "web"),
    ("cli", "__main__"),
)
RANK = {room: rank for rank, rooms in enumerate(ORDER) for room in rooms}


def modules() -> Iterator[tuple[str, ast.Module]]:
    for path in sorted(PACKAGE.rglob("*.py")):
        room = path.relative_to(PACKAGE).parts[0].removesuffix(".py")
        if room != "__init__":
            yield room, ast.parse(path.read_text(encoding="utf-8"), str(path))


def imported(tree: ast.Module) -> Iterator[str]:
    """Modules imported when the file is: not inside functions, not for types alone."""
    for statement in tree.body:
        if isinstance(statement, ast.ImportFrom) and statement.module:
            yield statement.module
        elif isinstance(statement, ast.Import):
            yield from (alias.name for alias in statement.names)


def test_no_room_imports_one_that_comes_after_it() -> None:
    backwards = {
        (room, name)
        for room, tree in modules()
        for name in imported(tree)
        if name.startswith("fedrag.") and RANK[name.split(".")[1]] > RANK[room]
    }
    assert backwards == set()


def test_only_net_knows_the_http_library() -> None:
    rooms = {
        room
        for room, tree in modules()
        for node in ast.walk(tree)
        if isinstance(node, ast.Import | ast.ImportFrom) and "httpx2" in ast.unparse(node)
    }
    assert rooms == {"net"}
