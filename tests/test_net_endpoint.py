"""Which addresses may be called: a document's must be https and public, a user's need not."""

from __future__ import annotations

import pytest

from fedrag.errors import ConfigError
from fedrag.net import Endpoint, Net, check_address

PUBLIC = [
    "https://bte.transltr.io/v1",
    "https://string-db.org:443/api",
    "https://8.8.8.8/x",
    "https://[2606:4700:4700::1111]/x",
    "https://bücher.example.org/",
]
NOT_PUBLIC = [
    "http://bte.transltr.io/v1",
    "https://localhost/v1",
    "https://LOCALHOST./v1",
    "https://a.localhost/v1",
    "https://printer.local/",
    "https://vault.internal/",
    "https://router.lan/",
    "https://intranet/",
    "https://127.0.0.1/",
    "https://127.0.0.1./",
    "https://10.1.2.3/",
    "https://172.16.0.1/",
    "https://192.168.0.1/",
    "https://169.254.169.254/latest",
    "https://100.64.0.1/",
    "https://0.0.0.0/",
    "https://224.0.0.1/",
    "https://255.255.255.255/",
    "https://[::1]/",
    "https://[::]/",
    "https://[fe80::1]/",
    "https://[fc00::1]/",
    "https://[ff02::1]/",
    "https://[::ffff:127.0.0.1]/",
    "https://[::ffff:8.8.8.8]/",
    "https://[2002:7f00:1::]/",
    "https://[64:ff9b::7f00:1]/",
    "https://2130706433/",
    "https://0x7f000001/",
    "https://0x7f.0.0.1/",
    "https://0177.0.0.1/",
    "https://127.1/",
    "https://127。0。0。1/",
    "https://１２７.0.0.1/",
    "https://%6c%6f%63alhost.x/",
]
NO_ADDRESS = [
    "",
    "bte.transltr.io",
    "ftp://bte.transltr.io",
    "file:///etc/passwd",
    "https://",
    "https://user:secret@bte.transltr.io/",
    "https://user@bte.transltr.io/",
    "https://bte.transltr.io:port/",
    "https://bte.transltr.io/a b",
    "https://bte.transltr.io\\@127.0.0.1/",
    "https://bte.transltr.io/\r\nHost: x",
    "https://bte.transltr.io/?x=1",
    "https://bte.transltr.io/#x",
    "https://[::1",
]


@pytest.mark.parametrize("url", PUBLIC)
def test_a_public_https_address_may_come_out_of_a_document(url: str) -> None:
    assert check_address(url, False) is None


@pytest.mark.parametrize("url", NOT_PUBLIC)
def test_any_other_address_out_of_a_document_is_refused(url: str) -> None:
    with pytest.raises(ConfigError, match=r"is not|unusual way") as caught:
        check_address(url, False)
    assert caught.value.exit_code == 2
    assert "--base-url" in str(caught.value)


@pytest.mark.parametrize("url", ["http://127.0.0.1:8000/bte", "http://localhost", "http://nas/x"])
def test_an_address_the_user_gives_may_be_plain_and_private(url: str) -> None:
    assert check_address(url, True) is None


@pytest.mark.parametrize("url", NO_ADDRESS)
@pytest.mark.parametrize("trusted", [True, False])
def test_what_is_no_plain_web_address_is_refused_from_anyone(url: str, trusted: bool) -> None:
    with pytest.raises(ConfigError):
        check_address(url, trusted)


def test_a_password_in_an_address_is_not_repeated_in_the_message() -> None:
    with pytest.raises(ConfigError) as caught:
        check_address("https://me:hunter22@bte.transltr.io/", True)
    assert "hunter22" not in str(caught.value)


async def test_a_call_to_a_private_address_out_of_a_document_is_not_made() -> None:
    async with Net() as net:
        caller = net.caller_for()
        with pytest.raises(ConfigError, match="not https"):
            await caller.send(Endpoint("x", "http://127.0.0.1:9"), "GET", "/")
    assert caller.trace == []
