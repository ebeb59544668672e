"""The network's fee: a percentage of each commission that is paid, rounded once for each, halves up."""

from __future__ import annotations

from hub.domain.ledger import Movement, Place
from hub.domain.money import PERCENTAGE_SCALE, divide_half_up, scaled_percentage


def fee_of(amount_minor: int, percentage: str) -> int:
    """Return the fee for an amount in minor units; that of a negative amount, which is taken back, is negative."""
    return divide_half_up(amount_minor * scaled_percentage(percentage), 100 * PERCENTAGE_SCALE)


def charging(paid: Movement, amount_minor: int, percentage: str | None) -> list[Movement]:
    """Return the entry that charges the merchant its fee; a correction that takes money back repays it."""
    fee = 0 if percentage is None else fee_of(amount_minor, percentage)
    if not fee:
        return []
    places: tuple[Place, Place] = ("merchant", "fees") if fee > 0 else ("fees", "merchant")
    return [paid._replace(kind="fee", debit=places[0], credit=places[1], amount_minor=abs(fee))]
