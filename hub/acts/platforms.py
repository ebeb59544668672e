"""What the hub asks of a store's platform: credentials, readings, webhooks and fetches."""

from __future__ import annotations

from typing import Any, Final, TypedDict

from attrs import evolve

from hub.acts.act import Act, delete, get, post, put
from hub.acts.authority import ADMINS, OWNERS, PROVED_OWNERS
from hub.acts.call import Call
from hub.acts.fields import choice, free, needed, number, text
from hub.domain.connectors.reconciliation import BACKFILL_DAYS, LONGEST_DAYS
from hub.domain.words import LAST_LOOKS
from hub.operations.connections.last_looks import LastLook, set_last_look
from hub.operations.connections.platform_access import (
    GivenCredentials,
    ask_for_read,
    delete_credentials,
    fetch_again,
    give_credentials,
    look_at_webhooks,
)
from hub.operations.connections.platform_documents import PlatformDocument
from hub.operations.connections.platform_view import show_platform
from hub.operations.errors import InvalidFields
from hub.platform_sync.access import Platforms
from hub.platform_sync.webhooks import KeptWebhooks

CONNECTION: Final = "/connections/{connection}"


class AskedReading(TypedDict):
    """A reading that was asked for, or waited already; the running hub does it, and `getPlatform` shows what came."""

    id: str


class DueFetches(TypedDict):
    """How many orders and products are fetched again."""

    fetches: int


def _platforms(c: Call) -> Platforms:
    """Return the platforms over the store that notes the idempotency key."""
    return evolve(c.services.platforms, store=c.store)


async def _show(c: Call) -> Any:
    return await show_platform(_platforms(c), c.path["connection"])


async def _give(c: Call) -> Any:
    given: dict[str, Any] = c.body["values"]
    strange = [name for name, value in given.items() if not isinstance(value, str)]
    if strange:
        raise InvalidFields({"values": f"must be texts, and {strange[0]!r} is not one"})
    days = c.body.get("days", BACKFILL_DAYS)
    return await give_credentials(_platforms(c), c.path["connection"], given, days=days)


async def _delete(c: Call) -> Any:
    return await delete_credentials(_platforms(c), c.path["connection"])


async def _read(c: Call) -> AskedReading:
    kind, since = c.body.get("kind", "RECONCILIATION"), c.body.get("since")
    return {"id": await ask_for_read(_platforms(c), c.path["connection"], since=since, kind=kind)}


async def _webhooks(c: Call) -> Any:
    return await look_at_webhooks(_platforms(c), c.path["connection"])


async def _fetch(c: Call) -> DueFetches:
    return {"fetches": await fetch_again(_platforms(c), c.path["connection"])}


ACTS: Final[tuple[Act, ...]] = (
    Act(get(f"{CONNECTION}/platform", "getPlatform"), "Show how a connection's platform is read", _show,
        PlatformDocument),
    Act(put(f"{CONNECTION}/credentials", "giveCredentials"),
        "Check a platform's credentials with it, store them, and begin to read", _give, GivenCredentials,
        body={"values": needed(free("Each credential by its name, as `getPlatform` lists them.",
                                    {"key": "ck_1234", "secret": "cs_5678"})),
              "days": number("How many days from before are read.", 0, LONGEST_DAYS)},
        trail=("connection.credentials-given",),
        by=(ADMINS, PROVED_OWNERS), commands=("connection credentials",),
        pages=("/merchant/connections/{connection}/credentials",)),
    Act(delete(f"{CONNECTION}/credentials", "deleteCredentials"),
        "Delete a platform's credentials, and the webhooks there", _delete, KeptWebhooks,
        trail=("connection.credentials-deleted",),
        by=(ADMINS, PROVED_OWNERS), commands=("connection credentials",),
        pages=("/merchant/connections/{connection}/credentials/delete",)),
    Act(post(f"{CONNECTION}/readings", "startReading", 202), "Have a platform's orders or its catalogue read", _read,
        AskedReading,
        body={"kind": choice("The orders that changed, or the whole catalogue.", "RECONCILIATION", "CATALOGUE"),
              "since": text("How far to look back, like 3d; left out, to the last certain point.", "3d")},
        trail=("connection.reconciled",),
        by=(ADMINS, OWNERS), commands=("connection reconcile",), pages=("/merchant/connections/{connection}/read",)),
    Act(post(f"{CONNECTION}/webhooks", "keepWebhooks"),
        "Check the webhooks on the platform, and create those again that are disabled or lost", _webhooks, KeptWebhooks,
        trail=("connection.webhooks-kept",),
        by=(ADMINS, OWNERS), commands=("connection webhooks",),
        pages=("/merchant/connections/{connection}/webhooks",)),
    Act(post(f"{CONNECTION}/fetch", "fetchAgain"), "Fetch again what deliveries only named", _fetch, DueFetches,
        trail=("connection.fetches-retried",),
        by=(ADMINS, OWNERS), commands=("connection fetch",), pages=("/merchant/connections/{connection}/fetch",)),
    Act(put(f"{CONNECTION}/last-look", "setLastLook"), "Set whether orders are checked before their holds end",
        lambda c: set_last_look(c.store, c.clock, c.path["connection"], c.body["look"]), LastLook,
        body={"look": needed(choice("Whether the platform is asked once more.", *LAST_LOOKS))},
        trail=("connection.last-look-set",),
        by=(ADMINS, OWNERS), commands=("connection last-look",),
        pages=("/merchant/connections/{connection}/last-look",)),
)  # fmt: skip
