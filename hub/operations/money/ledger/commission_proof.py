"""What the entries of an account add up to and say, compared with each of its commissions."""

from __future__ import annotations

from typing import Final

from hub.domain.books.ledger import PLACE_OF_STATE, Head, standing
from hub.domain.money import money_shown
from hub.operations.money.ledger.commission_sums import CommissionSums, Noted, Said
from hub.operations.money.ledger.faults import Proof
from hub.storage import Row, Store

PAGE: Final = 5_000


async def check_commissions(store: Store, head: Head, sums: CommissionSums, proof: Proof) -> None:
    """Compare what the entries add up to with every commission of the account."""
    after = ""
    expected = sums.in_order()
    noted = next(expected, None)
    while True:
        async with store.read() as tx:
            rows = await tx.all("commission_standings", account_id=head.account_id, after=after, limit=PAGE)
        for row in rows:
            while noted is not None and noted[0] < row["commission_id"]:
                _check_missing(head, noted, proof)
                noted = next(expected, None)
            balance: dict[str, int] = {}
            if noted is not None and noted[0] == row["commission_id"]:
                said, balance, noted = noted[2], noted[1], next(expected, None)
                _check_said(head, row, said, proof)
            if not agrees(row["state"], row["amount_minor"], balance):
                await _look_again(store, head, row, balance, proof)
        if len(rows) < PAGE:
            break
        after = rows[-1]["commission_id"]
    while noted is not None:
        _check_missing(head, noted, proof)
        noted = next(expected, None)


def _check_said(head: Head, row: Row, said: Said, proof: Proof) -> None:
    """Compare whose a commission is, its currency, and when and by what it was paid, with what its entries say."""
    now = Said(row["currency"], row["affiliate_id"], said.paid_at, said.cause)
    if said.cause is not None and row["state"] == "PAID":
        run, reference = said.cause, row["payout_reference"]
        now = now._replace(paid_at=row["paid_at"], cause=run if run in (reference, f"payment {reference}") else None)
    if now != said:
        message = (
            f"Commission {row['commission_id']} is not the one that its entries are about: {_differences(now, said)}."
        )
        proof.add(head.account_id, message, commission_id=row["commission_id"])


def _differences(now: Said, said: Said) -> str:
    names = ("its currency", "its affiliate", "when it was paid", "what paid it")
    return " and ".join(name for name, one, other in zip(names, now, said, strict=True) if one != other) + " differ"


def _check_missing(head: Head, noted: Noted, proof: Proof) -> None:
    """Report a commission that does not exist, unless nothing is left of it: emptying a test account deletes some."""
    commission_id, balance, _ = noted
    if any(balance.values()):
        message = f"Entries name a commission {commission_id} that does not exist."
        proof.add(head.account_id, message, commission_id=commission_id)


def agrees(state: str, amount_minor: int, balance: dict[str, int]) -> bool:
    """Return whether a commission's entries leave its amount in the one place that its state says, and nothing else.

    A paid one is in `payout` while its run is under way, then in `bank`.
    """
    left = {place: minor for place, minor in balance.items() if minor and place not in ("merchant", "fees", "deposit")}
    if state == "PAID":
        return left in ({}, {"payout": amount_minor}, {"bank": amount_minor}) and bool(left) == bool(amount_minor)
    if state not in PLACE_OF_STATE:
        return False
    place, minor = standing(state, amount_minor)
    return left == ({} if place is None else {place: minor})


async def _look_again(store: Store, head: Head, row: Row, balance: dict[str, int], proof: Proof) -> None:
    """Compare a commission once more, with the entries that came after the head; report it if they do not explain it.

    An entry that is added between the two readings of the ledger belongs to a commission that moved meanwhile.
    """
    commission_id = row["commission_id"]
    async with store.read() as tx:
        rows = await tx.all(
            "commission_standing_since", account_id=head.account_id, commission_id=commission_id, after=head.entries
        )
    now = dict(balance)
    for each in rows:
        if each["entry_no"] is not None:
            now[each["debit"]] = now.get(each["debit"], 0) - each["moved_minor"]
            now[each["credit"]] = now.get(each["credit"], 0) + each["moved_minor"]
    if rows and agrees(rows[0]["state"], rows[0]["amount_minor"], now):
        return
    shown = {place: money_shown(minor, row["currency"]) for place, minor in now.items() if minor}
    amount = f"{money_shown(row['amount_minor'], row['currency'])} {row['currency']}"
    proof.add(
        head.account_id,
        f"Commission {commission_id} is {row['state']} with {amount}, but its entries add up to {shown or 'nothing'}.",
        commission_id=commission_id,
    )
