"""The network's fee: a percentage of each commission that is paid, rounded once for each, halves up, then frozen."""

from __future__ import annotations

from hub.domain.books.ledger import Movement, Place
from hub.domain.money import PERCENTAGE_SCALE, divide_half_up, scaled_percentage


def fee_of(amount_minor: int, percentage: str) -> int:
    """Return the fee for an amount in minor units; that of a negative amount, which is taken back, is negative."""
    return divide_half_up(amount_minor * scaled_percentage(percentage), 100 * PERCENTAGE_SCALE)


def fee_left(charged_minor: int, amount_minor: int, left_minor: int) -> int:
    """Return what is left of the fee that was charged for a commission once so much of the commission is left.

    It is what the frozen rate makes of what is left, so the parts that come back add up to all of it.
    """
    return 0 if amount_minor <= 0 else divide_half_up(charged_minor * max(0, left_minor), amount_minor)


def fee_of_more(before_minor: int, amount_minor: int, percentage: str) -> int:
    """Return the fee of an amount that comes to what was charged before, so that parts of a sum cost what it costs."""
    return fee_of(before_minor + amount_minor, percentage) - fee_of(before_minor, percentage)


def charging(paid: Movement, amount_minor: int, percentage: str | None, *, before_minor: int = 0) -> list[Movement]:
    """Return the entry that charges the merchant its fee; a correction that takes money back repays it.

    `before_minor` is what was booked before of a sum that this amount is the rest of.
    """
    return fee_entry(paid, 0 if percentage is None else fee_of_more(before_minor, amount_minor, percentage))


def fee_entry(move: Movement, fee_minor: int) -> list[Movement]:
    """Return the entry that charges the merchant so much with a move; below nought it gives back, and 0 is none."""
    if not fee_minor:
        return []
    places: tuple[Place, Place] = ("merchant", "fees") if fee_minor > 0 else ("fees", "merchant")
    return [move._replace(kind="fee", debit=places[0], credit=places[1], amount_minor=abs(fee_minor))]
