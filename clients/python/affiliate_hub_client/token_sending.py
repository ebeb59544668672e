"""What the clients of the APIs for tokens have in common."""

from __future__ import annotations

from typing import Any, Self

import httpx

from affiliate_hub_client.credentials import token_from_environment, token_of
from affiliate_hub_client.retries import Retries
from affiliate_hub_client.sending import AsyncSender, OnAnswer, Sender


class TokenSender(Sender):
    """What blocks, with a token."""

    def __init__(
        self,
        base_url: str,
        token: str,
        *,
        retries: Retries | None = None,
        http: httpx.Client | None = None,
        on_answer: OnAnswer | None = None,
    ) -> None:
        super().__init__(base_url, token_of(base_url, token), retries, http, on_answer)

    @classmethod
    def from_environment(cls, **options: Any) -> Self:
        """Return a client with HUB_BASE_URL and HUB_TOKEN; raise `MissingSetting` if one is not set."""
        return cls(**{**token_from_environment(), **options})


class AsyncTokenSender(AsyncSender):
    """What is awaited, with a token."""

    def __init__(
        self,
        base_url: str,
        token: str,
        *,
        retries: Retries | None = None,
        http: httpx.AsyncClient | None = None,
        on_answer: OnAnswer | None = None,
    ) -> None:
        super().__init__(base_url, token_of(base_url, token), retries, http, on_answer)

    @classmethod
    def from_environment(cls, **options: Any) -> Self:
        """Return a client with HUB_BASE_URL and HUB_TOKEN; raise `MissingSetting` if one is not set."""
        return cls(**{**token_from_environment(), **options})
