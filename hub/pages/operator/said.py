"""What an operator's page says after an act, by the word in its address."""

from __future__ import annotations

from typing import Final

from hub.pages.replays import replayed_words
from hub.pages.visit import Visit

DONE: Final = {
    "created": "It is created.",
    "saved": "Saved.",
    "looked-up": "The VAT number was looked up.",
    "approved": "It is approved.",
    "rejected": "It is rejected.",
    "suspended": "It is suspended.",
    "closed": "It is closed.",
    "on": "It is switched on.",
    "off": "It is switched off.",
    "kept": "The requests to erase it are revoked.",
    "granted": "Live access is granted.",
    "refused": "Live access is refused.",
    "attributed": "The order is attributed.",
    "dismissed": "The review is closed; nobody earns from the order.",
    "sent": "Your message is sent.",
    "replayed": "It is queued again.",
    "separated": "The other orders under this number now count on their own.",
    "answered": "The questions about the order are closed.",
    "due": "The mail is due at once.",
    "trusted": "The clocks that jumped are trusted again within a second.",
    "paid": "The commission is marked as paid.",
    "reserved": "The run is created: what it pays is reserved, and nothing is paid until it is released.",
    "released": "The run is released. Its payments are in progress until they are settled.",
    "settled": "The bank's results are recorded.",
    "cancelled": "The run is cancelled: what it had reserved is payable again.",
    "withdrawn": "The file is withdrawn: its payments may be in another one.",
    "reinstated": "The return is undone.",
    "held": "Nothing is paid to the affiliate until the hold ends.",
    "freed": "The affiliate is paid again.",
    "returned": "The payment is back in the affiliate's balance, for the next run.",
    "issued": "The invoices of the month are issued.",
    "nothing-owed": "Nothing is owed for that month, so there is nothing to invoice.",
    "noted": "The payment is recorded.",
    "read": "The statement is read. What it leaves open is a question below.",
    "assigned": "The payment is on the invoice.",
    "taken-back": "The payment is off its invoices, which are open again.",
    "set-off": "The credit note is set off.",
    "close-proposed": "It is proposed. Another person closes the month.",
    "month-closed": "The month is closed: nothing more is booked into it.",
    "rates-proposed": "The rates are proposed. Another person approves them.",
    "rates-approved": "Runs created from now on use these rates.",
    "rates-dropped": "The rates are deleted.",
    "drafted": "The rate is saved as a draft. Nothing changes until it is published.",
    "published": "The rate applies to orders from now on.",
    "dropped": "The draft is deleted.",
    "proposed": "The correction is proposed. Another person approves it.",
}


def said_of(visit: Visit) -> str | None:
    """Return the sentence for what was just done, None for nothing."""
    done = visit.query.get("done", "")
    return replayed_words(done) or DONE.get(done)
