"""What lets the user in at a service: out of his environment, never written anywhere."""

from __future__ import annotations

import os
from urllib.parse import urlsplit

from fedrag.errors import NeedsKeyError
from fedrag.metakg import Service

__all__ = ["credentials_of"]


def credentials_of(service: Service) -> dict[str, str]:
    """The header that a service's document asks for, with the user's key.

    :raises NeedsKeyError: the service wants a key, and there is none.
    """
    auth = service.auth
    if auth is None or urlsplit(service.endpoint.base_url).hostname in auth.open_hosts:
        return {}
    key = os.environ.get(auth.env, "").strip()
    if key:
        return {auth.header: f"{auth.scheme} {key}".strip()}
    raise NeedsKeyError(
        f"{service.name} wants a key", service=service.name, hint=f"set {auth.env} to your own"
    )
