"""Where and how politely a service is called, and which addresses may be called at all."""

from __future__ import annotations

import ipaddress
import re
import unicodedata
from dataclasses import dataclass
from functools import lru_cache
from urllib.parse import SplitResult, urlsplit

from fedrag.errors import ConfigError

__all__ = ["Endpoint", "check_address"]

# Names that never lead to a public host (RFC 6761, RFC 8375 and customary private zones).
_PRIVATE_ZONES = (
    "localhost",
    "local",
    "internal",
    "intranet",
    "lan",
    "home",
    "corp",
    "private",
    "home.arpa",
)
_NAME = re.compile(r"[^\x00-\x2c/:;<=>?@\[\\\]^`{|}~\x7f]+")
_NUMERIC_LABEL = re.compile(r"0x[0-9a-f]*|[0-9]+")
_NAT64 = ipaddress.ip_network("64:ff9b::/96")


@dataclass(frozen=True, slots=True)
class Endpoint:
    """A service's address and manners.

    :param service: its name in the service table and in keys of calls.
    :param base_url: what every path is put behind; may itself have a path.
    :param trusted: the user gave the address, so plain http and this machine are fine. An address
        out of a document must be https and public.
    :param per_minute: calls a minute the service allows; ``None``: it declares none.
    :param concurrency: calls that may be under way at once.
    :param timeout: seconds for one attempt, from sending it to the last byte of its answer.
    :param retries: further attempts after the first one failed.
    :param max_bytes: an answer longer than this (decompressed) is refused.
    :param mirrors: other addresses of the service; never called, told where this one is down.

    >>> Endpoint("bte", "https://bte.transltr.io/v1", per_minute=15).retries
    2
    """

    service: str
    base_url: str
    trusted: bool = False
    per_minute: float | None = None
    concurrency: int = 8
    timeout: float = 30.0
    retries: int = 2
    max_bytes: int = 100_000_000
    mirrors: tuple[str, ...] = ()


@lru_cache(maxsize=256)
def check_address(url: str, trusted: bool) -> None:
    """Refuse an address that must not be called.

    Only the address as written is judged: a public name that resolves to a private host is left
    to TLS, which every address out of a document has to use.

    :param url: a base URL.
    :param trusted: the user gave it himself: http, private hosts and this machine are allowed.
    :raises ConfigError: with the reason and what would be accepted.

    >>> check_address("https://bte.transltr.io/v1", False)
    >>> check_address("http://127.0.0.1:8000", True)
    >>> check_address("https://10.0.0.8/v1", False)
    Traceback (most recent call last):
    ...
    fedrag.errors.ConfigError: the address https://10.0.0.8/v1 is not a public one (a service \
document must name a public https host; give a private one yourself, with --base-url SERVICE=URL)
    """
    parts = _parts(url)
    if trusted:
        return
    if parts.scheme != "https":
        raise _not_public(url, "is not https")
    host = _plain_host(parts.hostname or "")
    if "." not in host and ":" not in host:
        raise _not_public(url, "is not a public one")
    if _is_numeric(host) or ":" in host:
        _check_ip(url, host)
    elif not _NAME.fullmatch(host) or _in_private_zone(host):
        raise _not_public(url, "is not a public one")


def _parts(url: str) -> SplitResult:
    if any(c.isspace() or not c.isprintable() for c in url) or "\\" in url:
        raise ConfigError(f"the address {url!r} holds a space, control character or backslash")
    try:
        parts = urlsplit(url)
        _ = parts.port  # raises where it is no number
    except ValueError as error:
        raise ConfigError(f"{url!r} is no address: {error}") from error
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise ConfigError(f"{url!r} is no http or https address", hint="write https://HOST/PATH")
    if parts.username is not None or parts.password is not None:
        raise ConfigError(
            f"the address of {parts.hostname} holds a user name or password",
            hint="give credentials as a key, never in an address",
        )
    if parts.query or parts.fragment:
        raise ConfigError(  # which may hold a key
            f"the address of {parts.hostname} has a query or fragment", hint="give a base URL"
        )
    return parts


def _plain_host(host: str) -> str:
    # NFKC turns full-width digits and dots into the ones that name resolution would see.
    return unicodedata.normalize("NFKC", host).replace("\u3002", ".").lower().rstrip(".")


def _is_numeric(host: str) -> bool:
    """Whether a resolver may read the host as an IPv4 address (its last label is a number)."""
    return _NUMERIC_LABEL.fullmatch(host.rpartition(".")[2]) is not None


def _check_ip(url: str, host: str) -> None:
    try:
        address = ipaddress.ip_address(host)
    except ValueError:  # decimal, octal, hexadecimal or short forms: only ever used to hide
        raise _not_public(url, "writes an IP address in an unusual way") from None
    embedded = isinstance(address, ipaddress.IPv6Address) and (
        address.ipv4_mapped or address.sixtofour or address.teredo or address in _NAT64
    )
    if embedded or not address.is_global or address.is_multicast or address.is_reserved:
        raise _not_public(url, "is not a public one")


def _in_private_zone(host: str) -> bool:
    return any(host == zone or host.endswith("." + zone) for zone in _PRIVATE_ZONES)


def _not_public(url: str, why: str) -> ConfigError:
    return ConfigError(
        f"the address {url} {why}",
        hint="a service document must name a public https host; "
        "give a private one yourself, with --base-url SERVICE=URL",
    )
