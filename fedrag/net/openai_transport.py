"""Calls to a language model, made by the ``openai`` package, go through this room as well.

The package reads a dozen ``OPENAI_*`` variables and turns some into headers (organisation,
project, administration key, arbitrary ones). None may have an effect, so nothing of the request
is passed on but its method, path and JSON body.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

import httpx2
import orjson

from fedrag.errors import ConfigError, ServiceTimeoutError
from fedrag.net.call import Call
from fedrag.net.endpoint import Endpoint
from fedrag.net.key import call_key

if TYPE_CHECKING:
    from fedrag.net.caller import Caller

__all__ = ["OpenAITransport", "openai_client"]


def openai_client(caller: Caller, endpoint: Endpoint, key: str | None) -> httpx2.AsyncClient:
    """See :meth:`fedrag.net.Caller.openai_client`."""
    return httpx2.AsyncClient(
        transport=OpenAITransport(caller, endpoint, key), trust_env=False, timeout=None
    )


class OpenAITransport(httpx2.AsyncBaseTransport):
    """Turns a request of the ``openai`` package into a :class:`~fedrag.net.call.Call`."""

    def __init__(self, caller: Caller, endpoint: Endpoint, key: str | None) -> None:
        self._caller = caller
        self._endpoint = endpoint
        self._key = key

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        """Answer a request; 4xx and 5xx are responses, other failures are raised.

        :raises httpx2.ReadTimeout: from a :class:`ServiceTimeoutError`.
        :raises FedragError: what else went wrong; ``openai`` wraps it, and
            :func:`fedrag.net.underlying` finds it again.
        """
        call = self._call(request, await request.aread())
        try:
            reply = await self._caller.exchange(call)
        except ServiceTimeoutError as error:
            raise httpx2.ReadTimeout(str(error), request=request) from error
        return httpx2.Response(
            reply.status, headers=dict(reply.headers), content=reply.body, request=request
        )

    def _call(self, request: httpx2.Request, content: bytes) -> Call:
        path = self._path(request.url)
        body = _json(self._endpoint.service, content)
        query = tuple(request.url.params.multi_items())
        keyed = self._key is not None
        return Call(
            endpoint=self._endpoint,
            method=request.method,
            path=path,
            key=call_key(self._endpoint.service, request.method, path, query, body, keyed),
            query=query,
            json=body,
            headers={"authorization": f"Bearer {self._key or 'none'}"},
            credentialed=keyed,
            secrets=(self._key,) if self._key else (),
            timeout=self._endpoint.timeout,
            store=_repeatable(body),
            raw=True,
        )

    def _path(self, url: httpx2.URL) -> str:
        """The path below the endpoint; a request to anywhere else is never sent."""
        base = urlsplit(self._endpoint.base_url)
        root = base.path.rstrip("/") + "/"
        asked = httpx2.URL(self._endpoint.base_url)
        same = (url.scheme, url.host, url.port) == (asked.scheme, asked.host, asked.port)
        if not same or not url.path.startswith(root):
            raise ConfigError(
                f"a language model call would go to {url.host}, not to {base.netloc}",
                hint="pass base_url to openai.AsyncOpenAI",
            )
        return "/" + url.path[len(root) :]


def _json(service: str, content: bytes) -> Any:
    if not content:
        return None
    try:
        return orjson.loads(content)
    except orjson.JSONDecodeError as error:
        raise ConfigError(f"only JSON is sent to {service}: {error}") from error


def _repeatable(body: Any) -> bool:
    """Whether the same request should give the same answer, so that it may be kept."""
    return isinstance(body, dict) and body.get("temperature") == 0 and not body.get("stream")
