"""What a proof of the books finds, kept up to a number that is shown."""

from __future__ import annotations

from typing import Final, TypedDict

from attrs import field, frozen

SHOWN: Final = 100
"""At most this many faults are reported, unless all are wanted; one is enough to fail."""
ALL: Final = 2**31
"""More than any proof finds: for who wants every one named."""


class LedgerFault(TypedDict):
    """What does not hold; `entry` is the number of the first entry that does not, null if it is about a commission."""

    accountId: str
    entry: int | None
    commissionId: str | None
    message: str


@frozen
class Proof:
    """The faults that were found, at most so many."""

    most: int = SHOWN
    faults: list[LedgerFault] = field(factory=list)

    def add(self, account_id: str, message: str, *, entry: int | None = None, commission_id: str | None = None) -> None:
        """Add a fault, unless there are enough."""
        if len(self.faults) < self.most:
            found: LedgerFault = {
                "accountId": account_id, "entry": entry, "commissionId": commission_id, "message": message
            }  # fmt: skip
            self.faults.append(found)
