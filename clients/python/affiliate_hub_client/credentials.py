"""How a request proves whose it is: by a signature, or by a token."""

from __future__ import annotations

import os
from typing import Any, Protocol

from affiliate_hub_client.errors import MissingSetting
from affiliate_hub_client.signing import signed_headers


class Credentials(Protocol):
    """What proves each attempt anew."""

    def headers(self, method: str, target: str, body: bytes, /) -> dict[str, str]:
        """Return the headers that prove it; `target` is the path with its query as they are sent."""
        ...


class Signed:
    """A key with its secret, which never leaves the program."""

    def __init__(self, key: str, secret: str) -> None:
        self._key, self._secret = key, secret

    def headers(self, method: str, target: str, body: bytes) -> dict[str, str]:
        """Return the headers of a signature with a new moment and nonce."""
        return signed_headers(self._key, self._secret, method, target, body)


class Bearer:
    """A token, which is sent as it is."""

    def __init__(self, token: str) -> None:
        self._token = token

    def headers(self, _method: str, _target: str, _body: bytes, /) -> dict[str, str]:
        """Return the header of the token, which covers nothing else."""
        return {"Authorization": f"Bearer {self._token}"}


def credentials_of(base_url: str, key: str, secret: str, token: str) -> Credentials:
    """Return a token if there is one, else a key; raise `MissingSetting` naming what is empty."""
    wanted = {"base_url": base_url} if token else {"base_url": base_url, "key": key, "secret": secret}
    _refuse_missing([name for name, value in wanted.items() if not value])
    return Bearer(token) if token else Signed(key, secret)


def token_of(base_url: str, token: str) -> Credentials:
    """Return a token; raise `MissingSetting` naming what is empty."""
    _refuse_missing([name for name, value in {"base_url": base_url, "token": token}.items() if not value])
    return Bearer(token)


def key_from_environment() -> dict[str, Any]:
    """Return HUB_BASE_URL with HUB_KEY and HUB_SECRET, or with HUB_TOKEN if there is no key."""
    if os.environ.get("HUB_TOKEN") and not os.environ.get("HUB_KEY"):
        return token_from_environment()
    return _environment("HUB_BASE_URL", "HUB_KEY", "HUB_SECRET")


def token_from_environment() -> dict[str, Any]:
    """Return HUB_BASE_URL and HUB_TOKEN; raise `MissingSetting` naming those that are missing."""
    return _environment("HUB_BASE_URL", "HUB_TOKEN")


def _environment(*names: str) -> dict[str, Any]:
    _refuse_missing([name for name in names if not os.environ.get(name)])
    return {name.removeprefix("HUB_").lower(): os.environ[name] for name in names}


def _refuse_missing(names: list[str]) -> None:
    if names:
        raise MissingSetting(
            f"Set {' and '.join(names)}: the hub's address with /api at its end, and a key's two parts, or a token."
        )
