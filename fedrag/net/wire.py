"""One attempt at a call: send, read within the limits, and name what went wrong.

The only module, besides the language model's transport, that touches the HTTP library.
"""

from __future__ import annotations

import asyncio
from http.cookiejar import CookieJar, DefaultCookiePolicy
from urllib.parse import urlencode

import httpx2
import orjson

from fedrag import __version__
from fedrag.errors import ConfigError, UnavailableError
from fedrag.net.call import Call, Reply, now, utc_now
from fedrag.net.failures import (
    garbled,
    raise_for_status,
    raise_unreachable,
    timed_out,
    too_much,
    unsendable,
)
from fedrag.net.retry import Again, retry_after

__all__ = ["Wire", "address"]

_REDIRECTS = frozenset({301, 302, 303, 307, 308})
_MAX_REDIRECTS = 3
_LOOPBACK = ("all://localhost", "all://127.0.0.1", "all://[::1]")
_DEFAULT_PORTS = {"http": 80, "https": 443}


def address(base_url: str, path: str) -> str:
    """The full address of a path, whatever slashes either brings.

    An identifier in a path cannot open a query or a fragment.

    >>> address("http://127.0.0.1:80/v1/", "/query")
    'http://127.0.0.1:80/v1/query'
    """
    safe = path.lstrip("/").replace("?", "%3F").replace("#", "%23")
    return base_url.rstrip("/") + "/" + safe


class Wire:
    """The connections of a :class:`~fedrag.net.Net`.

    Proxy variables of the environment (``HTTPS_PROXY``, ``NO_PROXY``, ...) and ``SSL_CERT_FILE``
    are honoured, since many institutes have no other way out; this machine is never asked for
    through a proxy. Cookies are neither kept nor sent.
    """

    def __init__(self, *, caller: str, transport: httpx2.AsyncBaseTransport | None) -> None:
        self._client = httpx2.AsyncClient(
            transport=transport,
            mounts=dict.fromkeys(_LOOPBACK) if transport is None else None,
            cookies=CookieJar(policy=DefaultCookiePolicy(allowed_domains=[])),
            headers={"user-agent": user_agent(caller), "accept": "application/json"},
            limits=httpx2.Limits(max_connections=200, max_keepalive_connections=40),
            follow_redirects=False,
        )

    async def aclose(self) -> None:
        """Close all connections."""
        await self._client.aclose()

    async def attempt(self, call: Call) -> Reply:
        """Make the call once.

        :raises Again: it failed in a way that may pass.
        :raises ServiceError: it failed for good.
        """
        started = now()
        try:
            async with asyncio.timeout(call.timeout):
                status, headers, body = await self._exchange(call)
        except (TimeoutError, httpx2.TimeoutException) as error:
            if call.raw:  # a language model that was too slow would be as slow again
                raise timed_out(call) from error
            raise Again(timed_out(call)) from error
        except httpx2.InvalidURL as error:
            raise ConfigError(f"{call.service}: {error}") from error
        except httpx2.DecodingError as error:
            raise Again(garbled(call, error)) from error
        except (UnicodeEncodeError, httpx2.LocalProtocolError) as error:
            raise unsendable(call) from error
        except httpx2.TransportError as error:
            raise_unreachable(call, error)
        kept = {k: v for k, v in headers.items() if k.lower() in ("content-type", "etag")}
        reply = Reply(
            status, kept, body, utc_now(), "live", now() - started, call.service, call.key
        )
        raise_for_status(call, reply, retry_after(headers.get("retry-after")))
        return reply

    async def _exchange(self, call: Call) -> tuple[int, httpx2.Headers, bytes]:
        """Send, and follow the few redirects that stay on the host."""
        request = self._request(call)
        for _ in range(_MAX_REDIRECTS + 1):
            response = await self._client.send(request, stream=True)
            try:
                if response.status_code not in _REDIRECTS:
                    body = await _read(call, response)
                    return response.status_code, response.headers, body
                request = self._redirected(call, request, response)
            finally:
                await response.aclose()
        raise UnavailableError(
            f"{call.service} redirected more than {_MAX_REDIRECTS} times", service=call.service
        )

    def _request(self, call: Call) -> httpx2.Request:
        content, headers = _content(call)
        return self._client.build_request(
            call.method,
            address(call.endpoint.base_url, call.path),
            params=list(call.query) or None,
            content=content,
            headers={**headers, **call.headers},
            timeout=call.timeout,
        )

    def _redirected(
        self, call: Call, request: httpx2.Request, response: httpx2.Response
    ) -> httpx2.Request:
        target = request.url.join(response.headers.get("location", ""))
        if not _same_host(request.url, target):
            raise UnavailableError(
                f"{call.service} redirects to {target.scheme}://{target.host}, which is not asked",
                service=call.service,
                status=response.status_code,
                hint=f"if that is its new address, give --base-url {call.service}=URL",
            )
        as_get = response.status_code == 303
        return self._client.build_request(
            "GET" if as_get else request.method,
            target,
            content=None if as_get else request.content,
            headers=request.headers,
            timeout=call.timeout,
        )


def _content(call: Call) -> tuple[bytes | None, dict[str, str]]:
    """The body of a call and the header that tells its kind."""
    if call.form is not None:
        kind = "application/x-www-form-urlencoded"
        return urlencode(call.form).encode("ascii"), {"content-type": kind}
    if call.json is not None:
        return orjson.dumps(call.json), {"content-type": "application/json"}
    return None, {}


def user_agent(caller: str) -> str:
    """How fedrag introduces itself; ``caller`` is an address or name the user wants told.

    >>> user_agent("me@example.org")
    'fedrag/0.1.0 (me@example.org)'
    """
    plain = "".join(c for c in caller if c.isascii() and c.isprintable() and c not in "()")
    return f"fedrag/{__version__}" + (f" ({plain})" if plain else "")


def _same_host(old: httpx2.URL, new: httpx2.URL) -> bool:
    if new.scheme not in _DEFAULT_PORTS or (old.scheme, new.scheme) == ("https", "http"):
        return False
    ports = [url.port or _DEFAULT_PORTS[url.scheme] for url in (old, new)]
    upgraded = old.scheme != new.scheme and ports == [80, 443]
    return old.host == new.host and not new.userinfo and (ports[0] == ports[1] or upgraded)


async def _read(call: Call, response: httpx2.Response) -> bytes:
    """The whole body, unless it is longer than may be read."""
    limit = call.endpoint.max_bytes
    length = response.headers.get("content-length", "")
    if length.isdigit() and int(length) > limit and "content-encoding" not in response.headers:
        raise too_much(call)
    body = bytearray()
    async for chunk in response.aiter_bytes():
        body += chunk
        if len(body) > limit:
            raise too_much(call)
    return bytes(body)
