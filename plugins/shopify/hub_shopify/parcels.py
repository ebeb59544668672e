"""Deliveries and returns: what counts as delivered, from an order's parcels or from news of one parcel."""

from __future__ import annotations

from collections.abc import Iterator

from hub.api import Body, Context, Fact, OrderDelivered, OrderReturned, Uninteresting, Unmappable, status_key
from hub_shopify.options import options_of
from hub_shopify.payloads import ARRIVED, Fulfillment, read_fulfillment
from hub_shopify.values import identity, instant, own_id, record, records, word

DAY = 86_400_000
RETURNED = {"close": frozenset({"closed"}), "approve": frozenset({"open", "closed"}), "never": frozenset[str]()}
"""The statuses of a return that send the order back, by the option `returned_on`."""


def delivered_of(order: Body, order_id: str, context: Context) -> Iterator[OrderDelivered]:
    """Give the delivery of an order once all of its parcels arrived, or count as arrived by the store's options."""
    parcels = [parcel for parcel in map(read_fulfillment, records(order.get("fulfillments"))) if parcel.counts]
    if not parcels or word(order.get("fulfillment_status")) == "partial":
        return
    options = options_of(context)
    shipped = _latest(*(parcel.created_at for parcel in parcels))
    if options.delivered == "fulfilled":
        yield _delivered("delivered", order_id, shipped)
    elif all(parcel.arrived for parcel in parcels):
        yield _delivered("delivered", order_id, _latest(*(parcel.updated_at for parcel in parcels)) or shipped)
    elif options.delivered == "after_days":
        yield from _after_days(order_id, shipped, context)


def of_fulfillment(body: Body, context: Context) -> Iterator[Fact]:
    """Give the delivery of one parcel; how many more the order has is not said, so each has a key of its own."""
    parcel, order_id = read_fulfillment(body), _order_of(body, "fulfilment")
    own_id(body, "fulfilment")
    options = options_of(context)
    if not parcel.counts:
        raise Uninteresting(f"the fulfilment was {parcel.status}")
    if parcel.arrived:
        yield _parcel_arrived(parcel.id, order_id, parcel.updated_at)
    elif options.delivered == "fulfilled":
        yield _parcel_arrived(parcel.id, order_id, parcel.created_at)
    else:
        raise Uninteresting(f"the parcel is shipped, not delivered ({_state(parcel)})")


def of_fulfillment_event(body: Body, _: Context) -> Iterator[Fact]:
    """Give the delivery that a carrier reported; all other news of the way are of no interest."""
    status = word(body.get("status"))
    if status not in ARRIVED:
        raise Uninteresting(f"the parcel is on its way: {status or 'no status'}")
    order_id = _order_of(body, "fulfilment event")
    at = instant(body.get("happened_at")) or instant(body.get("created_at"))
    yield _parcel_arrived(identity(body.get("fulfillment_id")), order_id, at)


def of_return(body: Body, context: Context) -> Iterator[Fact]:
    """Give the return of an order at the step that the store chose; raises `Uninteresting` for every other step."""
    order_id = identity(body.get("order_id")) or identity(record(body.get("order")).get("id"))
    status = word(body.get("status"))
    if order_id is None:
        raise Uninteresting("news of a return that does not name its order")
    if status not in RETURNED[options_of(context).returned_on]:
        raise Uninteresting(f"the return is {status or 'without a status'}, which does not send the order back yet")
    at = next(
        (moment for name in ("closed_at", "updated_at", "created_at") if (moment := instant(body.get(name)))), None
    )
    yield OrderReturned(status_key("returned", None), order_id, at, None, None)


def _after_days(order_id: str, shipped: int | None, context: Context) -> Iterator[OrderDelivered]:
    """Return a delivery some days after the shipping, once those have passed: nobody can state the future."""
    if shipped is not None:
        due = shipped + options_of(context).delivered_after_days * DAY
        if due <= context.received_at:
            yield _delivered("delivered@after_days", order_id, due)


def _parcel_arrived(parcel: str | None, order_id: str, at: int | None) -> OrderDelivered:
    return _delivered("delivered" if parcel is None else f"delivered@{parcel}", order_id, at)


def _delivered(key: str, order_id: str, at: int | None) -> OrderDelivered:
    return OrderDelivered(key, order_id, at, None, None)


def _latest(*moments: int | None) -> int | None:
    return max((moment for moment in moments if moment is not None), default=None)


def _state(parcel: Fulfillment) -> str:
    return parcel.shipment_status or "no word of the carrier yet"


def _order_of(body: Body, what: str) -> str:
    order_id = identity(body.get("order_id"))
    if order_id is None:
        raise Unmappable(f"the {what} does not say of which order it is: `order_id` is missing")
    return order_id
