"""The network's fee where merchants are billed what becomes payable: it comes, shrinks and goes with the commission.

The percentage is the one in force when the commission became payable, and stays: after each move the fee is that of
what is left, so parts that come back add up to all of it. What the payout charges where merchants are billed what is
paid is charged here, and nothing at the payout.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from hub.domain.books.fees import fee_entry, fee_of
from hub.domain.books.ledger import Movement
from hub.storage import Tx


async def with_payable_fees(tx: Tx, moved: Mapping[str, Sequence[Movement]]) -> Mapping[str, Sequence[Movement]]:
    """Return movements by account, each commission's that came to what is payable or left it with its fee behind.

    Call it when the commissions are written and the accounts' chains are locked: under these locks alone it changes
    what is billed.
    """
    last = {
        (account_id, each.commission_id): number
        for account_id, movements in moved.items()
        for number, each in enumerate(movements)
        if "payable" in (each.debit, each.credit) and each.kind != "paid" and each.commission_id is not None
    }
    rows = await tx.all("fees_of_payable", commissions=sorted(last)) if last else []
    behind = dict[tuple[str, int], list[Movement]]()
    for row in rows:
        account_id, number = row["account_id"], last[row["account_id"], row["commission_id"]]
        due = 0 if row["percentage"] is None else fee_of(row["amount_minor"], row["percentage"])
        behind[account_id, number] = fee_entry(moved[account_id][number], due - row["charged_minor"])
    if not behind:
        return moved
    return {
        account_id: [
            made for number, each in enumerate(movements) for made in (each, *behind.get((account_id, number), ()))
        ]
        for account_id, movements in moved.items()
    }
