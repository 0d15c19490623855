"""What went wrong with an attempt, in the words and classes of the error tree."""

from __future__ import annotations

import os
import ssl
from collections.abc import Iterator
from typing import NoReturn
from urllib.parse import urlsplit

from fedrag.errors import (
    BadPayloadError,
    NeedsKeyError,
    RateLimitedError,
    ServiceError,
    ServiceTimeoutError,
    TruncatedError,
    UnavailableError,
)
from fedrag.net.call import Call, Reply, first_words
from fedrag.net.redact import redact
from fedrag.net.retry import Again

__all__ = [
    "garbled",
    "raise_for_status",
    "raise_unreachable",
    "timed_out",
    "too_much",
    "unsendable",
]

# A language model's 500 is often an answer ("unsupported response_format"), not a mishap.
_PASSING = frozenset({429, 502, 503, 504})


def too_much(call: Call) -> TruncatedError:
    """The answer is longer than may be read."""
    return TruncatedError(
        f"{call.service} answered more than {call.endpoint.max_bytes:,} bytes",
        service=call.service,
        hint="ask for less, or raise the setting max_answer_bytes",
    )


def timed_out(call: Call) -> ServiceTimeoutError:
    """The attempt took too long."""
    return ServiceTimeoutError(
        f"{call.service} did not answer within {call.timeout:g} s", service=call.service
    )


def garbled(call: Call, error: Exception) -> BadPayloadError:
    """The body does not decompress."""
    return BadPayloadError(
        f"{call.service} answered bytes that cannot be decompressed: {error}", service=call.service
    )


def unsendable(call: Call) -> UnavailableError:
    """The request is no valid HTTP. What is wrong with it is not quoted: it may be a key."""
    return UnavailableError(
        f"{call.service} was not asked: a header of the request cannot be sent",
        service=call.service,
        hint="see that its key is one line of plain characters",
    )


def raise_unreachable(call: Call, error: Exception) -> NoReturn:
    """The connection failed: for good where TLS is at fault, else for now."""
    host = urlsplit(call.endpoint.base_url).netloc
    tls = _tls_cause(error)
    if tls is not None:  # no retry heals a certificate
        raise UnavailableError(
            f"{call.service} could not be reached safely: TLS with {host} failed: {tls}",
            service=call.service,
            hint="check the host's name and its certificate; SSL_CERT_FILE can add an authority",
        ) from error
    what = redact(_reason(error), call.secrets)
    raise Again(
        UnavailableError(
            f"{call.service} could not be reached at {host}: {what}", service=call.service
        )
    ) from error


def _chain(error: BaseException) -> Iterator[BaseException]:
    """An error and what caused it, the root last."""
    link: BaseException | None = error
    while link is not None:
        yield link
        if isinstance(link, BaseExceptionGroup):  # one error for each address that was tried
            link = link.exceptions[0]
        else:
            link = link.__cause__ or link.__context__


def _tls_cause(error: BaseException) -> str | None:
    """What TLS complained about, where it did."""
    for link in _chain(error):
        if isinstance(link, ssl.SSLError):
            return getattr(link, "verify_message", None) or link.reason or str(link)
    return None


def _reason(error: BaseException) -> str:
    """The most telling words in the chain: the operating system's, else the library's."""
    told = [_told(link) for link in _chain(error) if isinstance(link, OSError) and link.errno]
    return told[-1] if told else str(error) or type(error).__name__


def _told(error: OSError) -> str:
    """asyncio puts an address in the place of the words; name resolution has its own words."""
    if error.errno is not None and error.errno > 0:
        return os.strerror(error.errno)
    return error.strerror or str(error)


def raise_for_status(call: Call, reply: Reply, after: float | None) -> None:
    """Pass a 2xx reply; raise what any other means."""
    status = reply.status
    if 200 <= status < 300:
        return
    error = _status_error(call, reply)
    if call.raw:
        if status in _PASSING:
            raise Again(error, after=after, reply=reply)
    elif status == 429 or status >= 500:
        raise Again(error, after=after)
    else:
        raise error


def _status_error(call: Call, reply: Reply) -> ServiceError:
    status, service = reply.status, call.service
    if status == 429:
        return RateLimitedError(f"{service} answered 429", service=service, status=status)
    words = redact(first_words(reply.body, 160), call.secrets)
    said = f": {words}" if words else ""
    text = f"{service} answered {status} to {call.method} {call.path}{said}"
    if status in (401, 403):
        return NeedsKeyError(
            text, service=service, status=status, hint=f"give a valid key for {service}"
        )
    return UnavailableError(text, service=service, status=status)
