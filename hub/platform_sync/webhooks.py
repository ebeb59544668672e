"""The webhooks of a connection on its platform: looked at, and woken or made anew if they were disabled or lost."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final, TypedDict

import orjson
import structlog
from attrs import evolve, frozen

from hub.domain.connectors.requests import Webhooks
from hub.outbound.platform_client import PlatformClient, PlatformFault
from hub.outbound.platform_hooks import Hook, delete_hook, listed_hooks, make_hook, revive_hook
from hub.outbound.platform_tokens import REFRESH
from hub.platform_sync.access import Access, Platforms
from hub.platform_sync.made_secrets import end_secrets_without_webhook, hooks_with_secrets, keep_made_secret

NOT_ASKED: Final = ("unreachable", "budget")

log = structlog.get_logger(__name__)


class HookDocument(TypedDict):
    """A webhook as the platform last listed it; one with several topics is there once for each."""

    id: str
    topic: str
    alive: bool


class KeptWebhooks(TypedDict):
    """The webhooks after they were looked at: the topics made or woken, and those whose dead ones were deleted."""

    webhooks: list[HookDocument]
    made: list[str]
    deleted: list[str]


@frozen
class _Plan:
    """What is to be done: the topics of each webhook that is missing, those woken instead, the ids of what is spare."""

    missing: Sequence[tuple[str, ...]]
    asleep: Mapping[tuple[str, ...], str]
    spare: Sequence[str]


async def keep_webhooks(platforms: Platforms, access: Access, client: PlatformClient) -> KeptWebhooks:
    """Make what is missing among a connection's webhooks, delete what is dead or double, and note what there is.

    A dead one is woken if the platform can do that: some refuse a second one of the same topic and URL. Otherwise a new
    one is made before the dead one is deleted. Raise `PlatformFault`.
    """
    declared = access.requests.webhooks
    if declared is None or (declared.is_of_consent and REFRESH not in access.values):
        return {"webhooks": [], "made": [], "deleted": []}
    url = f"{await platforms.root()}/connect/{access.connection_id}"
    usable = await hooks_with_secrets(platforms, access) if declared.secret else None
    found = await _listed(client, url, usable)
    documents = await _note(platforms, access, found)
    plan = _plan(declared, found, usable)
    signed_by = access.values.get(access.requests.signs_with, "") or platforms.signing_secret(access)
    for topics in plan.missing:
        if topics in plan.asleep:
            await revive_hook(client, plan.asleep[topics], topics[0], url, signed_by)
        elif (made := await make_hook(client, topics[0], url, signed_by)) is not None:
            await keep_made_secret(platforms, access, made)
    for hook_id in plan.spare:
        await delete_hook(client, hook_id)
    made_topics = [topic for topics in plan.missing for topic in topics]
    if plan.missing or plan.spare:
        log.info("webhooks were made anew", connection=access.connection_id, made=made_topics, deleted=len(plan.spare))
        usable = await hooks_with_secrets(platforms, access) if declared.secret else None
        documents = await _note(platforms, access, await _listed(client, url, usable))
    if declared.secret:
        await end_secrets_without_webhook(platforms, access, {each["id"] for each in documents})
    deleted = [each.topic for each in found if each.hook_id in plan.spare]
    return {"webhooks": documents, "made": made_topics, "deleted": deleted}


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
    found = list(dict.fromkeys(each.hook_id for each in await listed_hooks(client) if each.url == url))
    for hook_id in found:
        await delete_hook(client, hook_id)
    declared = access.requests.webhooks
    if declared is not None and declared.secret:
        await end_secrets_without_webhook(platforms, access, ())
    return len(found)


async def _listed(client: PlatformClient, url: str, usable: frozenset[str] | None) -> list[Hook]:
    """Return the webhooks that send to a connection; one that is not usable is as good as dead. None: all are."""
    found = [each for each in await listed_hooks(client) if each.url == url]
    return [each if usable is None or each.hook_id in usable else evolve(each, is_alive=False) for each in found]


def _plan(declared: Webhooks, found: Sequence[Hook], usable: frozenset[str] | None) -> _Plan:
    """Return what is to be done about webhooks: the first living one of a topic is kept, all others are spare."""
    wanted = [declared.topics] if declared.is_one else [(topic,) for topic in declared.topics]
    topics_of: dict[str, set[str]] = {}
    for each in found:
        topics_of.setdefault(each.hook_id, set()).add(each.topic)
    alive = {each.hook_id for each in found if each.is_alive}
    can_wake = topics_of.keys() if usable is None else usable
    kept, missing, asleep = set[str](), [], dict[tuple[str, ...], str]()
    for topics in wanted:
        fitting = [hook_id for hook_id, has in topics_of.items() if has.issuperset(topics)]
        living = next((each for each in fitting if each in alive), None)
        if living is not None:
            kept.add(living)
            continue
        missing.append(topics)
        sleeping = [each for each in fitting if each in can_wake]
        if sleeping and declared.revive is not None:
            asleep[topics] = sleeping[-1]
    of_ours = (hook_id for hook_id, has in topics_of.items() if not has.isdisjoint(declared.topics))
    return _Plan(missing, asleep, [each for each in of_ours if each not in kept | set(asleep.values())])


async def _note(platforms: Platforms, access: Access, found: list[Hook]) -> list[HookDocument]:
    """Store the webhooks as they are, so that a page shows what is missing even if it cannot be made."""
    documents = [_document(each) for each in found]
    async with platforms.store.write() as tx:
        await tx.run("write_hooks", **access.key, hooks=orjson.dumps(documents).decode(), now=platforms.clock())
    return documents


def _document(hook: Hook) -> HookDocument:
    return {"id": hook.hook_id, "topic": hook.topic, "alive": hook.is_alive}
