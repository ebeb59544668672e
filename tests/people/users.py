"""Who signs in to a hub of a test."""

from __future__ import annotations

from hub.operations.lists import Wanted
from hub.operations.users.users import UserDocument, users_part
from hub.storage import Store


async def everybody(store: Store) -> list[UserDocument]:
    """Return the users, oldest first; a test has fewer than a page of them."""
    found = await users_part(store, Wanted())
    assert found.following is None
    return found.entries
