"""`hub ledger mend`: what the fold of an order's facts says and the ledger lacks is adopted into it, by two people.

A server that writes no entries, because its release has no ledger or another one, leaves commissions whose entries do
not add up to them. The commission is right, because the audit folds it anew from its facts; the ledger is only added
to. One person proposes, which lists the commissions; another one adopts them. Nothing is adopted on top of a chain that
is broken, since somebody changed it, nor for a paid commission: where its money is, a person has to find out.
"""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Mapping, Sequence
from typing import Final, TypedDict

from attrs import frozen

from hub.clock import Clock
from hub.config.payout_section import PayoutSettings
from hub.domain.books.ledger import ChainCheck, Head, Movement, Owner, Place, adopting, standing
from hub.domain.money import format_money
from hub.ids import new_id
from hub.operations.errors import OperatorFault, known
from hub.operations.money.ledger.commission_proof import agrees
from hub.operations.money.ledger.commission_sums import CommissionSums
from hub.operations.money.ledger.ledger import PAGE, chain_ends, entry_pages
from hub.operations.second_person import why_not_second
from hub.operations.trail import current_actor, note_act
from hub.processing.post_entries import post
from hub.storage import Row, Store, Tx

AT_ONCE: Final = 100
"""Commissions that are adopted in one transaction."""
OTHERS: Final = ("merchant", "fees", "deposit")
"""Places that are not an affiliate's."""


class MendedCommission(TypedDict):
    """A commission whose entries do not add up to it; `amount` is decimal text in `currency`, `found` by place."""

    accountId: str
    commissionId: str
    state: str
    amount: str
    currency: str
    found: dict[str, str]


class MendDocument(TypedDict):
    """A proposal: `id` is null if nothing is missing, `adoptedBy` until another person adopts it.

    `paid` are commissions that nobody can adopt because they are paid.
    """

    id: str | None
    proposedBy: str | None
    adoptedBy: str | None
    commissions: list[MendedCommission]
    paid: list[MendedCommission]


@frozen
class _Gap:
    """A commission that its entries up to `head` leave elsewhere than it is."""

    account_id: str
    commission_id: str
    head: int
    balance: Mapping[str, int]


async def propose_mend(store: Store, clock: Clock) -> MendDocument:
    """List what the ledger lacks, and note it as a proposal if there is anything.

    Raise `OperatorFault` if a chain is broken.
    """
    found = [gap async for gap in _gaps(store)]
    async with store.write() as tx:
        now, shown = clock(), [(gap, await _shown(tx, gap)) for gap in found]
        open_ones = [document for _, document in shown if document["state"] != "PAID"]
        paid = [document for _, document in shown if document["state"] == "PAID"]
        if not open_ones:
            return {"id": None, "proposedBy": None, "adoptedBy": None, "commissions": [], "paid": paid}
        mend_id, actor = new_id("mnd"), current_actor().id
        ids = json.dumps([document["commissionId"] for document in open_ones])
        await tx.run("insert_mend", mend_id=mend_id, commissions=ids, proposed_by=actor, now=now)
        await note_act(tx, now, "ledger.mend-proposed", mend_id, after={"commissions": len(open_ones)})
    return {"id": mend_id, "proposedBy": actor, "adoptedBy": None, "commissions": open_ones, "paid": paid}


async def adopt_mend(store: Store, clock: Clock, settings: PayoutSettings, mend_id: str) -> MendDocument:
    """Adopt into the ledger what another person proposed, as far as it is still missing; once.

    A process that is killed leaves some of it, and the same command goes on. Raise `OperatorFault` for an unknown
    proposal, a broken chain, and if the one who acts is no other person than who proposed it.
    """
    async with store.read() as tx:
        row = await _proposal(tx, mend_id)
        why = await why_not_second(tx, clock(), row["proposed_by"], after=settings.second_person_after)
    if row["adopted_at"] is None and why is not None:
        raise OperatorFault(
            f"{mend_id} was proposed by {row['proposed_by']}; another person adopts it: {why}.",
            command="At the terminal that person is named with --by.",
        )
    wanted = set(json.loads(row["commissions"]))
    gaps = [gap async for gap in _gaps(store) if gap.commission_id in wanted] if row["adopted_at"] is None else []
    adopted: list[MendedCommission] = []
    for start in range(0, len(gaps), AT_ONCE):
        adopted += await _adopt(store, clock, mend_id, gaps[start : start + AT_ONCE])
    async with store.write() as tx:
        now, actor = clock(), current_actor().id
        if await tx.run("finish_mend", mend_id=mend_id, adopted_by=actor, now=now):
            await note_act(tx, now, "ledger.mended", mend_id, after={"commissions": len(adopted)})
        row = await _proposal(tx, mend_id)
    return {"id": mend_id, "proposedBy": row["proposed_by"], "adoptedBy": row["adopted_by"], "commissions": adopted,
            "paid": []}  # fmt: skip


async def _gaps(store: Store) -> AsyncIterator[_Gap]:
    """Yield the commissions that their entries leave elsewhere; raise `OperatorFault` if a chain is broken."""
    for end in await chain_ends(store):
        with CommissionSums() as sums:
            await _add_up(store, end.head, sums)
            noted = {commission_id: balance for commission_id, balance, _ in sums.in_order()}
        after = ""
        while True:
            async with store.read() as tx:
                rows = await tx.all("commission_standings", account_id=end.head.account_id, after=after, limit=PAGE)
            for row in rows:
                balance = noted.get(row["commission_id"], {})
                if not agrees(row["state"], row["amount_minor"], balance):
                    yield _Gap(end.head.account_id, row["commission_id"], end.head.entries, balance)
            if len(rows) < PAGE:
                break
            after = rows[-1]["commission_id"]


async def _add_up(store: Store, head: Head, sums: CommissionSums) -> None:
    check = ChainCheck(head.account_id)
    async for page in entry_pages(store, head):
        for entry in page:
            fault = check.fault(entry)
            if fault is not None:
                raise OperatorFault(
                    f"Entry {check.head.entries + 1} of {head.account_id} {fault}: nothing is adopted on top of a "
                    "broken chain. Restore a backup, or find out who changed it."
                )
        sums.add(page)


async def _adopt(store: Store, clock: Clock, mend_id: str, gaps: Sequence[_Gap]) -> list[MendedCommission]:
    """Adopt some commissions in one transaction, each as it is under the lock of its order; return those adopted."""
    async with store.write() as tx:
        orders = [(gap.account_id, (await _commission(tx, gap))["external_order_id"]) for gap in gaps]
        await tx.lock_orders(sorted(set(orders)))
        movements: list[tuple[str, Movement]] = []
        adopted = []
        for gap in gaps:
            row = await _commission(tx, gap)
            if row["state"] == "PAID":
                continue
            owner = Owner(row["currency"], row["affiliate_id"], gap.commission_id, row["external_order_id"])
            made = adopting(owner, await _balance(tx, gap), standing(row["state"], row["amount_minor"]), mend_id)
            if made:
                adopted.append(await _shown(tx, gap))
                movements += [(gap.account_id, each) for each in made]
        await post(tx, movements, clock())
    return adopted


async def _balance(tx: Tx, gap: _Gap) -> dict[Place, int]:
    """Return what a commission's entries leave in the affiliate's places by now."""
    balance = dict(gap.balance)
    for row in await tx.all(
        "commission_standing_since", account_id=gap.account_id, commission_id=gap.commission_id, after=gap.head
    ):
        if row["entry_no"] is not None:
            balance[row["debit"]] = balance.get(row["debit"], 0) - row["moved_minor"]
            balance[row["credit"]] = balance.get(row["credit"], 0) + row["moved_minor"]
    return {place: minor for place, minor in balance.items() if minor and place not in OTHERS}  # type: ignore[misc]  # places


async def _shown(tx: Tx, gap: _Gap) -> MendedCommission:
    row = await _commission(tx, gap)
    currency = row["currency"]
    return {
        "accountId": gap.account_id, "commissionId": gap.commission_id, "state": row["state"],
        "amount": format_money(row["amount_minor"], currency), "currency": currency,
        "found": {place: format_money(minor, currency) for place, minor in (await _balance(tx, gap)).items()},
    }  # fmt: skip


async def _commission(tx: Tx, gap: _Gap) -> Row:
    row = await tx.one("commission_anywhere", commission_id=gap.commission_id)
    return known(row, "commission", gap.commission_id)


async def _proposal(tx: Tx, mend_id: str) -> Row:
    row = await tx.one("mend_by_id", mend_id=mend_id)
    return known(row, "proposal", mend_id, command="`hub ledger mend` makes one.")
