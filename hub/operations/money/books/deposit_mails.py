"""The mail to a merchant whose deposit has become too small."""

from __future__ import annotations

from attrs import frozen

from hub.config.sections import ServerSettings
from hub.domain.money import format_money
from hub.mail.outbox import Mail, Outbox
from hub.operations.affiliates.links import public_root_in
from hub.processing.deposits import Shortage
from hub.processing.notices import tell
from hub.storage import Tx


@frozen
class ShortageMails:
    """Writes the mail about a shortage into the outbox."""

    outbox: Outbox
    server: ServerSettings

    async def add(self, tx: Tx, shortage: Shortage, now: int) -> None:
        """Store a mail to the merchant in the transaction that finds the shortage."""
        merchant = await tx.one("merchant_to_mail", account_id=shortage.account_id)
        if merchant is None:
            return
        currency = shortage.currency
        values = {
            "merchant": merchant["name"],
            "currency": currency,
            "balance": format_money(shortage.balance_minor, currency),
            "waiting": format_money(shortage.waiting_minor, currency),
            "shortage": format_money(shortage.waiting_minor - shortage.balance_minor, currency),
        }
        link = f"{(await public_root_in(tx, self.server)).rstrip('/')}/merchant/statements/deposit"
        await self.outbox.add(tx, now, Mail(merchant["email"], "deposit-short", values, link=link))
        words = f"Your deposit is short by {values['shortage']} {currency}."
        await tell(tx, now, "deposit-short", merchant["merchant_id"], words, "/merchant/statements/deposit?mode=live")
