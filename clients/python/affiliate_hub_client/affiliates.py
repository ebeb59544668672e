"""The clients of the affiliates' API, which is asked with a token: one blocks, the other awaits."""

from __future__ import annotations

from affiliate_hub_client.affiliates_models import ChangesDocument
from affiliate_hub_client.affiliates_operations import AffiliatesOperations, AsyncAffiliatesOperations
from affiliate_hub_client.changes import AsyncFollower, Follower
from affiliate_hub_client.token_sending import AsyncTokenSender, TokenSender


class AffiliatesHub(TokenSender, AffiliatesOperations, Follower[ChangesDocument]):
    """A client that blocks. Threads may share it."""


class AsyncAffiliatesHub(AsyncTokenSender, AsyncAffiliatesOperations, AsyncFollower[ChangesDocument]):
    """A client to await."""
