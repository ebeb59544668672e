"""The webhooks of a connection on its platform: looked at, and woken or made anew if they were disabled or lost."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, TypedDict

import orjson
import structlog

from hub.outbound.platform_client import Hook, PlatformClient, PlatformFault
from hub.platform_sync.access import Access, Platforms

NOT_ASKED: Final = ("unreachable", "budget")

log = structlog.get_logger(__name__)


class HookDocument(TypedDict):
    """A webhook as the platform last listed it."""

    id: str
    topic: str
    alive: bool


class KeptWebhooks(TypedDict):
    """The webhooks after they were looked at: the topics made or woken, and those whose dead ones were deleted."""

    webhooks: list[HookDocument]
    made: list[str]
    deleted: list[str]


async def keep_webhooks(platforms: Platforms, access: Access, client: PlatformClient) -> KeptWebhooks:
    """Make what is missing among a connection's webhooks, delete what is dead or double, and note what there is.

    A dead one is woken if the platform can do that: some refuse a second one of the same topic and URL. Otherwise a new
    one is made before the dead one is deleted. Raise `PlatformFault`.
    """
    declared = access.requests.webhooks
    if declared is None:
        return {"webhooks": [], "made": [], "deleted": []}
    url = f"{await platforms.root()}/connect/{access.connection_id}"
    found = [each for each in await client.hooks() if each.url == url]
    documents = await _note(platforms, access, found)
    alive = {each.topic for each in found if each.is_alive}
    missing = [topic for topic in declared.topics if topic not in alive]
    signed_by = access.values.get(access.requests.signs_with, "") or platforms.signing_secret(access)
    asleep = {each.topic: each.hook_id for each in found} if declared.revive is not None else {}
    woken = {asleep[topic] for topic in missing if topic in asleep}
    for topic in missing:
        if topic in asleep:
            await client.revive_hook(asleep[topic], topic, url, signed_by)
        else:
            await client.make_hook(topic, url, signed_by)
    spare = [each for each in _spare(found, frozenset(declared.topics)) if each.hook_id not in woken]
    for each in spare:
        await client.delete_hook(each.hook_id)
    if missing or spare:
        log.info("webhooks were made anew", connection=access.connection_id, made=missing, deleted=len(spare))
        documents = await _note(platforms, access, [each for each in await client.hooks() if each.url == url])
    return {"webhooks": documents, "made": missing, "deleted": [each.topic for each in spare]}


async def try_to_keep_webhooks(platforms: Platforms, access: Access, client: PlatformClient) -> None:
    """Keep a connection's webhooks, but go on if the platform lets the hub make none: orders are found by asking.

    Raise `PlatformFault` if the platform cannot be asked at all.
    """
    try:
        await keep_webhooks(platforms, access, client)
    except PlatformFault as fault:
        if fault.code in NOT_ASKED:
            raise
        log.warning("webhooks could not be kept", connection=access.connection_id, fault=str(fault))


async def remove_webhooks(platforms: Platforms, access: Access, client: PlatformClient) -> int:
    """Delete the connection's webhooks from its platform; return how many. Raise `PlatformFault`."""
    url = f"{await platforms.root()}/connect/{access.connection_id}"
    found = [each for each in await client.hooks() if each.url == url]
    for each in found:
        await client.delete_hook(each.hook_id)
    return len(found)


def _spare(found: list[Hook], topics: frozenset[str]) -> Iterator[Hook]:
    """Yield those of the declared topics that are dead, and all but the first living one of a topic."""
    seen = set[str]()
    for each in found:
        if each.topic in topics and (not each.is_alive or each.topic in seen):
            yield each
        elif each.is_alive:
            seen.add(each.topic)


async def _note(platforms: Platforms, access: Access, found: list[Hook]) -> list[HookDocument]:
    """Store the webhooks as they are, so that a page shows what is missing even if it cannot be made."""
    documents = [_document(each) for each in found]
    async with platforms.store.write() as tx:
        await tx.run("write_hooks", **access.key, hooks=orjson.dumps(documents).decode(), now=platforms.clock())
    return documents


def _document(hook: Hook) -> HookDocument:
    return {"id": hook.hook_id, "topic": hook.topic, "alive": hook.is_alive}
