"""A page that begins before its answer is there: the form at once, progress, then the rest.

Browsers draw it as it comes, without a script. Its status is 200 from the start, also where the
answer then is an error, which the page tells.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Mapping
from typing import Any

from markupsafe import Markup
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from fedrag.errors import FedragError
from fedrag.web.page.render import content_html
from fedrag.web.page.wording import clean
from fedrag.web.stream import ClientGone, while_there

__all__ = ["Unfolding"]

_LINE = Markup("<p>{}</p>\n")
_BROKEN: Mapping[str, Any] = {
    "error": FedragError("internal error", hint="the log of the server says more"),
    "unrecorded": False,
    "mention": "",
    "meant": (),
    "request": None,
}


class Unfolding(Response):
    """``before``, a line for each thing ``said``, and once ``work`` is done its content.

    :param work: a task, which is cancelled when the client goes.
    :param said: lines of progress, as they come.
    """

    media_type = "text/html; charset=utf-8"

    def __init__(
        self,
        before: str,
        after: str,
        work: asyncio.Task[Any],
        said: asyncio.Queue[str],
        headers: Mapping[str, str],
    ) -> None:
        super().__init__(headers=headers)
        del self.headers["content-length"]  # nobody knows it yet
        self._before, self._after = before, after
        self._work, self._said = work, said

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """As ASGI has it: the work is cancelled when the client goes."""
        try:
            with contextlib.suppress(ClientGone):
                await while_there(Request(scope, receive), self._send(send))
        finally:
            self._work.cancel()

    async def _send(self, send: Send) -> None:
        start = {"type": "http.response.start", "status": 200, "headers": self.raw_headers}
        await send(start)
        async for part in self._parts():
            body = part.encode("utf-8", "replace")
            await send({"type": "http.response.body", "body": body, "more_body": True})
        await send({"type": "http.response.body", "body": b"", "more_body": False})

    async def _parts(self) -> AsyncIterator[str]:
        yield self._before
        while not self._work.done():
            line = asyncio.ensure_future(self._said.get())
            await asyncio.wait((self._work, line), return_when=asyncio.FIRST_COMPLETED)
            if line.done():
                yield _LINE.format(clean(line.result()))
            line.cancel()
        try:
            view, _ = self._work.result()
        except Exception:  # its status went out long ago: the page must still end
            yield f"</div>\n{content_html(_BROKEN)}{self._after}"
            raise
        yield f"</div>\n{await asyncio.to_thread(content_html, view)}{self._after}"
