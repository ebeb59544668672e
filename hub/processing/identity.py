"""Which order it is: a number may come again, after a backup was restored or a copy of the shop pushed over it; pure.

An order's birth is what its platform says makes it this one and no other. Where none is stated, the time of placing
says it, and for reports of the merchant's own the click as well: neither changes once the order is there. News of
another order under a known number changes nothing; it waits under a number of its own ("576~2") until a person has said
that it is an order of its own.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final, NamedTuple

from attrs import define, field

from hub.domain.instants import format_instant
from hub.domain.money import format_money
from hub.domain.orders.facts import OrderCreated
from hub.processing.events import Event, EventFacts
from hub.processing.ledger_rows import Conversion, review_key
from hub.storage import Row

OTHER_ORDER: Final = "other_order"
OWN: Final = "~"
"""What stands between a number and which of its orders it is."""
_ADDED: Final = re.compile(rf"{OWN}[0-9]+$")
APART_MS: Final = 86_400_000
"""Times of placing further apart than a day are of two orders; nearer ones may be one order's, as shops round them."""

Key = tuple[str, str]


class Namesake(NamedTuple):
    """A row of `insert_namesakes`: another order under a known number; `report` is JSON of what a report said of it."""

    account_id: str
    external_order_id: str
    born: str
    place: int
    own_number: str
    connection_id: str | None
    report: str | None
    asked_at: int


class Placed(NamedTuple):
    """By which click an order was placed and when, None if that is not stated; times in ms UTC."""

    click_id: str | None
    ordered_at: int | None
    received_at: int


@define
class Namesakes:
    """The other orders under one number: where each counts by its birth, and what a batch adds."""

    key: Key
    numbers: dict[str, str] = field(factory=dict)
    confirmed: set[str] = field(factory=set)
    new: list[Namesake] = field(factory=list)
    awake: set[str] = field(factory=set)
    """The numbers of orders of their own for which the batch has news."""

    def number_of(self, born: str, connection_id: str | None, now: int, report: str | None = None) -> str:
        """Return the number under which another order is kept, given now (ms UTC) if it is new."""
        account_id, order_id = self.key
        if born not in self.numbers:
            place = len(self.numbers) + 2
            number = f"{order_id}{OWN}{place}"
            self.numbers[born] = number
            self.new.append(Namesake(account_id, order_id, born, place, number, connection_id, report, now))
        return self._known(self.numbers[born])

    def newest(self) -> str | None:
        """Return the number of the order that a shop means by the bare number: the last one that it gave it to."""
        return self._known(list(self.numbers.values())[-1]) if self.numbers else None

    def _known(self, number: str) -> str:
        if number in self.confirmed:
            self.awake.add(number)
        return number


class SetAside(NamedTuple):
    """News of another order: the number under which it waits, and the question about it (key, details) if it is one."""

    namesakes: Namesakes
    number: str
    question: tuple[str, dict[str, Any]] | None = None


def number_in_shop(number: str) -> str:
    """Return the number by which a shop knows an order: of one of its own, without what the hub added."""
    return _ADDED.sub("", number)


def as_it_waited(facts: EventFacts) -> EventFacts:
    """Return news with the number that its event was given if it waited as news of an order of its own."""
    number = facts.event.external_order_id
    if number is None or not number.startswith(f"{facts.order_id}{OWN}"):
        return facts
    return facts._replace(order_id=number)


def set_aside(conversion: Conversion, facts: EventFacts, shared: Namesakes | None, now: int) -> SetAside | None:
    """Return what becomes of an event that is of another order of this number, None if it is of this one.

    `shared` are the others that are known; `now` is milliseconds UTC.
    """
    event, order = facts.event, facts.order
    if order is None:
        # What the platform sends without a birth is of the order that has the number now; the hub's own word is exact.
        is_sent = event.connection_id is not None and event.type == "webhook"
        number = shared.newest() if shared is not None and is_sent else None
        return None if shared is None or number is None else SetAside(shared, number)
    born = birth_of_another(conversion, order, event)
    if born is None:
        return None
    shared = shared or Namesakes((conversion.account_id, conversion.external_order_id))
    number = shared.number_of(born, event.connection_id, now)
    if number in shared.confirmed:
        return SetAside(shared, number)
    return SetAside(shared, number, which_order(stated_of_known(conversion), stated_of(order), born, number))


def namesakes_by_order(rows: Iterable[Row]) -> dict[Key, Namesakes]:
    """Return rows of `namesakes_of` by the order whose number they share."""
    found: dict[Key, Namesakes] = {}
    for row in rows:
        key = (row["account_id"], row["external_order_id"])
        namesakes = found.setdefault(key, Namesakes(key))
        namesakes.numbers[row["born"]] = row["own_number"]
        if row["confirmed_at"] is not None:
            namesakes.confirmed.add(row["own_number"])
    return found


def strangers(
    conversions: Mapping[Key, Conversion], by_order: Mapping[Key, Sequence[EventFacts]]
) -> list[Key]:  # fmt: skip
    """Return the known orders under whose numbers others came, in these events or before."""
    return [
        key
        for key, conversion in conversions.items()
        if conversion.namesakes
        or any(birth_of_another(conversion, each.order, each.event) for each in by_order[key] if each.order is not None)
    ]


def birth_of_another(conversion: Conversion, order: OrderCreated, event: Event) -> str | None:
    """Return what makes the order that an event states another one than this, None if it is the same."""
    if order.born is not None and conversion.born is not None:
        return None if order.born == conversion.born else order.born
    # A platform's own news may name another click later on; a merchant that names another reports another order.
    click_id = None if event.connection_id is not None else order.click_id
    told = another(
        Placed(conversion.click_id, conversion.ordered_at, conversion.received_at),
        Placed(click_id, order.ordered_at, event.received_at),
    )
    return None if told is None else order.born or told


def another(known: Placed, reported: Placed) -> str | None:
    """Return what makes a reported order another one than the known one of its number, None if it is the same."""
    clicks = reported.click_id is not None and known.click_id not in (None, reported.click_id)
    # What a report does not state, or states in the future, is the time of receipt.
    apart = (
        known.ordered_at not in (None, known.received_at)
        and reported.ordered_at is not None
        and abs(min(reported.ordered_at, reported.received_at) - (known.ordered_at or 0)) > APART_MS
    )
    if not clicks and not apart:
        return None
    return f"placed {reported.ordered_at or 'unknown'} by {reported.click_id or 'no click'}"


def which_order(
    known: Mapping[str, Any], reported: Mapping[str, Any], born: str, number: str
) -> tuple[str, dict[str, Any]]:  # fmt: skip
    """Return the key and the details of the question whether a report is of another order than the known one.

    Both are {orderAmount, currency, clickId, orderedAt} as JSON values.
    """
    details: dict[str, Any] = {
        name: {"before": known[name], "after": reported[name]} for name in known if reported.get(name) is not None
    }
    details["countsAs"] = number
    return review_key(OTHER_ORDER, {"born": born}), details


def stated_of_known(conversion: Conversion) -> dict[str, Any]:
    """Return what a question shows of the order that is known."""
    return {
        "orderAmount": format_money(conversion.order_minor, conversion.currency),
        "currency": conversion.currency,
        "clickId": conversion.click_id,
        "orderedAt": format_instant(conversion.ordered_at),
    }


def stated_of(order: OrderCreated) -> dict[str, Any]:
    """Return what a question shows of an order that a platform or a webhook states."""
    return {
        "orderAmount": str(order.amount),
        "currency": order.currency,
        "clickId": order.click_id,
        "orderedAt": None if order.ordered_at is None else format_instant(order.ordered_at),
    }
