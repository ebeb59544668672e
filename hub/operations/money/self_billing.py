"""Self-billed invoices: what the network writes for an affiliate that is a business, for each supply once."""

from __future__ import annotations

from hub.storage import Row, Tx


async def bill_item(tx: Tx, item: Row, now: int) -> None:
    """Invoice what an item of a run supplies that no earlier invoice has, in the transaction that releases it.

    Nothing is invoiced for a payee that is no business or did not agree, and no number is spent if a returned payment
    is all that is paid again. Call it under the lock of runs: numbers have no gap.
    """
    key = {name: item[name] for name in ("payout_id", "affiliate_id", "currency")}
    row = await tx.one("supplies_to_invoice", **key)
    if row is None:
        return
    if row["supplies_minor"]:
        corrected = [str(each["invoice_no"]) for each in await tx.all("invoices_taken_back", **key)]
        await tx.run(
            "issue_invoice", **key, amount_minor=row["supplies_minor"], corrects=",".join(corrected) or None,
            sealed_payee=row["sealed"], now=now,
        )  # fmt: skip
    await tx.run("mark_item_invoiced", **key)
