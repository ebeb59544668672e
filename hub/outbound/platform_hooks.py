"""A platform's webhooks as its connector declares them: listed, made, woken and deleted."""

from __future__ import annotations

from attrs import field, frozen

from hub.domain.connectors.request_pages import text_in, texts_in, value_in
from hub.outbound.platform_client import PlatformClient, PlatformFault


@frozen
class Hook:
    """A webhook as the platform lists it."""

    hook_id: str
    topic: str
    url: str
    is_alive: bool


@frozen
class MadeHook:
    """A webhook that was just made, with the secret that the platform made for it."""

    hook_id: str
    secret: str = field(repr=False)


async def listed_hooks(client: PlatformClient) -> list[Hook]:
    """Return the webhooks that a platform lists, one with several topics once for each; raise `PlatformFault`."""
    declared = client.requests.webhooks
    if declared is None:
        return []
    return [
        Hook(
            text_in(each, declared.id),
            topic,
            text_in(each, declared.url),
            not declared.state or text_in(each, declared.state) in declared.alive,
        )
        async for page in client.pages(declared.listing, 0)
        for each in page.items
        for topic in texts_in(each, declared.topic)
    ]


async def make_hook(client: PlatformClient, topic: str, url: str, secret: str) -> MadeHook | None:
    """Make a webhook; return it if its secret is the platform's. Raise `PlatformFault`."""
    declared = client.requests.webhooks
    if declared is None:
        return None
    answer = await client.call(declared.create, {"topic": topic, "url": url, "webhook_secret": secret})
    if not declared.secret:
        return None
    about = value_in(answer.body, declared.made)
    made = MadeHook(text_in(about, declared.id), text_in(about, declared.secret))
    if not made.hook_id or not made.secret:
        raise PlatformFault("The platform made a webhook, but its answer has no secret for its deliveries.")
    return made


async def revive_hook(client: PlatformClient, hook_id: str, topic: str, url: str, secret: str) -> None:
    """Wake a webhook that the platform turned off; raise `PlatformFault`."""
    declared = client.requests.webhooks
    if declared is not None and declared.revive is not None:
        values = {"webhook_id": hook_id, "topic": topic, "url": url, "webhook_secret": secret}
        await client.call(declared.revive, values)


async def delete_hook(client: PlatformClient, hook_id: str) -> None:
    """Delete a webhook; raise `PlatformFault`."""
    if client.requests.webhooks is not None:
        await client.call(client.requests.webhooks.delete, {"webhook_id": hook_id})
