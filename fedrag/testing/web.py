"""How the loopback services answer: JSON bodies, and FastAPI's way of refusing a bad request."""

from __future__ import annotations

from typing import Any

import orjson
from starlette.responses import Response

__all__ = ["answer", "refuse"]


def answer(content: Any, status: int = 200) -> Response:
    """A JSON answer."""
    return Response(orjson.dumps(content), status, media_type="application/json")


def refuse(status: int, where: str, field: str, message: str = "Field required") -> Response:
    """A refusal as FastAPI words it: ``{"detail": [{"loc": [...], "msg": ..., "type": ...}]}``."""
    detail = {"loc": [where, field], "msg": message, "type": "missing"}
    return answer({"detail": [detail]}, status)
