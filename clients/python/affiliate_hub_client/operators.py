"""The clients of the operators' API, which is asked with a token: one blocks, the other awaits."""

from __future__ import annotations

from affiliate_hub_client.changes import AsyncFollower, Follower
from affiliate_hub_client.operators_models import ChangesDocument
from affiliate_hub_client.operators_operations import AsyncOperatorsOperations, OperatorsOperations
from affiliate_hub_client.token_sending import AsyncTokenSender, TokenSender


class OperatorsHub(TokenSender, OperatorsOperations, Follower[ChangesDocument]):
    """A client that blocks. Threads may share it."""


class AsyncOperatorsHub(AsyncTokenSender, AsyncOperatorsOperations, AsyncFollower[ChangesDocument]):
    """A client to await."""
