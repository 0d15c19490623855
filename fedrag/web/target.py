"""Request targets in absolute form (``GET http://127.0.0.1:8000/health``), as proxies send them."""

from __future__ import annotations

from urllib.parse import unquote, urlsplit

from starlette.types import ASGIApp, Receive, Scope, Send

__all__ = ["AnyTarget"]

_SCHEMES = (b"http://", b"https://")


class AnyTarget:
    """Takes a target in absolute form for what it says: its path here, and the name it calls us.

    That name stands over the ``Host`` header (RFC 9112, 3.2.2), so that the guards see the one.
    """

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """As ASGI has it."""
        absolute = scope.get("raw_path", b"").lower().startswith(_SCHEMES)
        await self.app(_relative(scope) if absolute else scope, receive, send)


def _relative(scope: Scope) -> Scope:
    try:
        parts = urlsplit(scope["raw_path"].decode("latin-1"))
    except ValueError:  # brackets that hold no address: there is no such path
        return scope
    path = parts.path or "/"
    others = [pair for pair in scope["headers"] if pair[0].lower() != b"host"]
    return {
        **scope,
        "path": unquote(path),
        "raw_path": path.encode("latin-1"),
        "headers": [(b"host", parts.netloc.encode("latin-1")), *others],
    }
