"""The web service: ask, resolve, plan, TRAPI, and one page, over one session (extra ``web``).

``app`` puts it together. ``desk`` is where requests become runs (``turns``: whose turn it is;
``flights``: the same request is worked on once; ``beside``: the session's own thread), ``api`` the
JSON endpoints (``read``, ``shapes``: what comes in and goes out; ``stream``: server-sent events),
``trapi`` those of TRAPI (with ``metagraph``), ``openapi`` the document, ``refuse`` and ``failure``
errors as answers, ``guard``, ``target`` and ``bodies`` what is let in, ``server`` uvicorn,
``ending`` how it ends, ``page`` the page.
"""

from __future__ import annotations

from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

from fedrag.errors import ConfigError

if TYPE_CHECKING:
    from starlette.applications import Starlette

__all__ = ["create_app", "require"]


def create_app(*arguments: Any, **options: Any) -> Starlette:
    """The service as an ASGI application: :func:`fedrag.web.app.create_app`.

    :raises ConfigError: the extra ``web`` is not installed; else as there.

    >>> create_app(replay="demo").url_path_for("query")
    '/query'
    """
    require()
    from fedrag.web.app import create_app as create

    return create(*arguments, **options)


def require() -> None:
    """See to it that the extra ``web`` is there.

    :raises ConfigError: it is not.
    """
    for name in ("starlette", "uvicorn"):
        if find_spec(name) is None:
            raise ConfigError(
                f"the web service needs {name}, which is not installed",
                hint="pip install 'fedrag-bio[web]'",
            )
