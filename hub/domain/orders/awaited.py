"""What an order waits for before its affiliate is paid."""

from __future__ import annotations

from typing import Final, Literal

Awaited = Literal["REVIEW", "ORDER_STATUS", "HOLD_END", "PLATFORM", "DEPOSIT", "PAYOUT"]
_OF_STATE: Final[dict[str, Awaited]] = {
    "PENDING": "ORDER_STATUS",
    "HOLD": "HOLD_END",
    "APPROVED": "HOLD_END",
    "PAYABLE": "PAYOUT",
}


def awaited(
    review: str | None, state: str | None, *, needs_deposit: bool, unseen: bool = False, holds: bool = True
) -> Awaited | None:
    """Return what an order waits for, None if nothing more happens by itself.

    A person decides (REVIEW), the shop reports what becomes of it (ORDER_STATUS), the hold ends (HOLD_END), the
    order is seen in its shop once more (PLATFORM), the merchant pays in advance what its commissions come to (DEPOSIT),
    or the network pays the affiliate (PAYOUT). `unseen` says that the hold has ended and the shop was not asked since.
    `state` is that of its commission, None without one; `needs_deposit` says that the hold has ended and the deposit
    does not cover it; `holds` is whether its hold has an end, which it has not in a state that nobody knows.
    """
    if review == "OPEN":
        return "REVIEW"
    if unseen and state in ("HOLD", "APPROVED"):
        return "PLATFORM"
    if needs_deposit and state in ("HOLD", "APPROVED"):
        return "DEPOSIT"
    if state in ("HOLD", "APPROVED") and not holds:
        return "ORDER_STATUS"
    return None if state is None else _OF_STATE.get(state)
