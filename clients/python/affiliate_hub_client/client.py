"""The two clients of the merchant API: one blocks, the other awaits."""

from __future__ import annotations

from typing import Any, Self

import httpx

from affiliate_hub_client.changes import AsyncFollower, Follower
from affiliate_hub_client.credentials import credentials_of, key_from_environment
from affiliate_hub_client.models import ChangeList
from affiliate_hub_client.operations import AsyncOperations, Operations
from affiliate_hub_client.retries import Retries
from affiliate_hub_client.sending import AsyncSender, OnAnswer, Sender


class Hub(Sender, Operations, Follower[ChangeList]):
    """A client that blocks; it signs with a key, or sends a token. Threads may share it."""

    def __init__(
        self,
        base_url: str,
        key: str = "",
        secret: str = "",
        *,
        token: str = "",
        retries: Retries | None = None,
        http: httpx.Client | None = None,
        on_answer: OnAnswer | None = None,
    ) -> None:
        super().__init__(base_url, credentials_of(base_url, key, secret, token), retries, http, on_answer)

    @classmethod
    def from_environment(cls, **options: Any) -> Self:
        """Return a client with HUB_BASE_URL, and HUB_KEY and HUB_SECRET or HUB_TOKEN; raise `MissingSetting`."""
        return cls(**{**key_from_environment(), **options})


class AsyncHub(AsyncSender, AsyncOperations, AsyncFollower[ChangeList]):
    """A client to await; it signs with a key, or sends a token."""

    def __init__(
        self,
        base_url: str,
        key: str = "",
        secret: str = "",
        *,
        token: str = "",
        retries: Retries | None = None,
        http: httpx.AsyncClient | None = None,
        on_answer: OnAnswer | None = None,
    ) -> None:
        super().__init__(base_url, credentials_of(base_url, key, secret, token), retries, http, on_answer)

    @classmethod
    def from_environment(cls, **options: Any) -> Self:
        """Return a client with HUB_BASE_URL, and HUB_KEY and HUB_SECRET or HUB_TOKEN; raise `MissingSetting`."""
        return cls(**{**key_from_environment(), **options})
