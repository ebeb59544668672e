"""What a merchant does with an API key to links and open reviews: the acts of the commands and the pages."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

from attrs import asdict, evolve

from hub.http.errors import ApiError, invalid, not_found
from hub.http.response import Reply
from hub.intake.submission import Answer, Replayed
from hub.merchant_api.endpoint import Call
from hub.merchant_api.v1.list_queries import AttributionInput, LinkInput, LinkQuery, wanted_of
from hub.merchant_api.v1.reading import answered, asked_next
from hub.merchant_api.writes import write_once
from hub.operations.affiliates import links
from hub.operations.affiliates.link_lists import account_link_records
from hub.operations.errors import OperatorFault
from hub.operations.orders import reviews
from hub.operations.trail import Actor, acting_as
from hub.records.wire import encode
from hub.storage import Tx

Act = Callable[[Tx], Awaitable[Any]]


async def list_links(call: Call) -> Reply:
    """Return a page of the account's links, by their codes."""
    query: LinkQuery = call.query
    services = call.services
    wanted = evolve(wanted_of(query), sort="code")
    root, following = await services.public_root(), await asked_next(call)
    found = account_link_records(services.store, root, call.caller.account_id, wanted)
    return await answered(call, found, **following)


async def create_link(call: Call) -> Answer | Replayed:
    """Create a link of an affiliate."""
    body: LinkInput = call.body
    _require_id(body.affiliate_id)
    root, caller = await call.services.public_root(), call.caller
    given = {name: value for name, value in asdict(body, recurse=False).items() if value is not None}
    wanted = links.NewLink(caller.merchant_id, caller.mode, **given)
    return await act_once(call, 201, lambda tx: links.create_link(tx, call.services.clock, root, wanted))


async def disable_link(call: Call) -> Answer | Replayed:
    """Disable a link: it leads buyers on, and records no click."""
    services, code = call.services, call.reference("id", "link")
    root = await services.public_root()

    async def disable(tx: Tx) -> Any:
        row = await tx.one("link_of_account", account_id=call.caller.account_id, code=code)
        if row is None:
            raise not_found("link")
        return await links.enable_link(tx, services.clock, root, code, enabled=False)

    return await act_once(call, 200, disable)


async def attribute_conversion(call: Call) -> Answer | Replayed:
    """Attribute a conversion that waits for a review to an affiliate."""
    body: AttributionInput = call.body
    _require_id(body.affiliate_id)
    services, conversion_id = call.services, call.reference("id", "conversion")

    async def attribute(tx: Tx) -> Any:
        await _require_conversion(tx, call, conversion_id)
        return await reviews.attribute_conversion(
            tx,
            services.clock,
            services.policy,
            conversion_id,
            affiliate=body.affiliate_id,
            campaign=body.campaign_id,
        )

    return await act_once(call, 200, attribute)


async def dismiss_conversion(call: Call) -> Answer | Replayed:
    """Close a review without a commission."""
    conversion_id = call.reference("id", "conversion")

    async def dismiss(tx: Tx) -> Any:
        await _require_conversion(tx, call, conversion_id)
        return await reviews.dismiss_conversion(tx, call.services.clock, conversion_id)

    return await act_once(call, 200, dismiss)


async def act_once(call: Call, status: int, act: Act) -> Answer | Replayed:
    """Run an act in the transaction that spends the signature, in the name of the key."""

    async def step(tx: Tx) -> Answer:
        # Within the step: a transaction may run in another request's task, where this one's actor is not known.
        with acting_as(actor_of(call)):
            return Answer(status, encode(await act(tx)))

    try:
        return await write_once(call, step)
    except OperatorFault as fault:
        raise ApiError(400, fault.reason, "act_refused") from None


def actor_of(call: Call) -> Actor:
    """Return in whose name a caller acts: the person's whose token it is, or the key's or token's own."""
    key_id, user_id = call.caller.key_id or "", call.caller.user_id
    if user_id is None:
        return Actor("system", key_id, "api", call.client)
    return Actor("user", user_id, "api", call.client, key_id)


async def _require_conversion(tx: Tx, call: Call, conversion_id: str) -> None:
    """Raise the 404 of a conversion that is not the caller's."""
    row = await tx.one("conversion_id_of_account", account_id=call.caller.account_id, conversion_id=conversion_id)
    if row is None:
        raise not_found("conversion")


def _require_id(reference: str) -> None:
    """Raise the 400 of what is not an affiliate's id: names and addresses of others must not be found out here."""
    if not reference.startswith("aff_"):
        raise invalid(["`affiliateId` must be an affiliate's id"])
