"""The names of those who acted, for readers who do not know ids."""

from __future__ import annotations

from collections.abc import Iterable

from hub.operations.trail import TIMER
from hub.storage import Store


async def names_of_actors(store: Store, actors: Iterable[str | None]) -> dict[str, str]:
    """Return the name of each actor of the trail: a user's own, else the id, which names a system user or a rule."""
    wanted = sorted({actor for actor in actors if actor})
    async with store.read() as tx:
        rows = await tx.all("user_names", users=[each for each in wanted if each.startswith("usr_")])
    names = {row["user_id"]: row["name"] or row["email"] for row in rows}
    return {actor: names.get(actor, actor) for actor in wanted} | {TIMER.id: "the clock"}


async def names_of_affiliates(store: Store, affiliates: Iterable[str]) -> dict[str, str]:
    """Return the names of these affiliates, by id."""
    async with store.read() as tx:
        rows = await tx.all("affiliate_names", affiliates=sorted(set(affiliates)))
    return {row["affiliate_id"]: row["name"] for row in rows}
