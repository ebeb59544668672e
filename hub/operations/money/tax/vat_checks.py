"""VAT numbers looked up in VIES, where `[payouts] vies` says so: of merchants, and of businesses that are self-billed.

Nothing waits for an answer: a number that is not proved is a warning beside the bill, and how a bill is taxed stays as
the table has it (hub/domain/books/vat.py). Each question is kept, with who asked.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Final, Protocol, TypedDict

from attrs import evolve, frozen

from hub.clock import Clock
from hub.config.payout_section import PayoutSettings
from hub.config.settings import Settings
from hub.domain.books.vat import received_from, unproved
from hub.domain.books.vies import VatAnswer, is_asked_of
from hub.domain.durations import DAY, HOUR
from hub.domain.instants import format_instant
from hub.domain.words import VatKind, VatOutcome
from hub.ids import new_id
from hub.operations.affiliates.affiliates import require_affiliate
from hub.operations.errors import OperatorFault
from hub.operations.money.payees.payees import load_payees
from hub.operations.money.tax.billing import billing_of, plain_number, recipient_of
from hub.operations.money.tax.issuers import billing_for, self_billed_to
from hub.operations.money.tax.vat_answers import VatKnown, vat_known
from hub.operations.references import merchant_id_of
from hub.operations.trail import TIMER, acting_as, current_actor, note_act
from hub.outbound.vies import Vies
from hub.processing.noted_rows import note_rows
from hub.sealing import Sealer
from hub.storage import Store, Tx

LOOK_SECONDS: Final = 3_600
"""How often numbers are looked for that are to be asked about."""
STANDS_FOR: Final = 30 * DAY
"""How long an answer stands before the number is looked up again."""
AGAIN_AFTER: Final = HOUR
"""How long after a question without an answer it is asked again."""
PARTIES_AT_ONCE: Final = 500
MOST_UNREACHED: Final = 3
"""So many questions in a row without an answer end a turn: VIES is away."""


class VatStanding(TypedDict):
    """A party's VAT number, and what VIES says of it; null is what is not known.

    `vatKind` is how bills between the network and it are taxed. `outcome` is the last answer's, of `checkedAt`, or
    `unreached` without one; `askedAt` is when VIES was asked last, and `fault` why that had no answer. `asks` says
    whether the network has numbers looked up at all, `warning` what a person should know before the next bill.
    """

    partyId: str
    number: str | None
    vatKind: VatKind
    asks: bool
    outcome: VatOutcome | None
    checkedAt: str | None
    consultationNumber: str | None
    askedAt: str | None
    fault: str | None
    warning: str | None


class Register(Protocol):
    """What is asked about numbers."""

    async def check(self, number: str, own: str = "") -> VatAnswer:
        """Return what it says of a number, asked by the owner of another one."""
        ...


@frozen
class _Party:
    """Whose number it is; `subject` is how `vat_checks` names it, `own` the network's number beside it."""

    party_id: str
    number: str
    subject: str
    kind: VatKind
    own: str
    known: VatKnown


def register_of(settings: Settings) -> Vies | None:
    """Return VIES as the settings have it, None if the network does not ask it."""
    root = settings.payouts.vies
    return Vies(root, settings.outbound.allowed_networks) if root else None


async def merchant_vat(store: Store, settings: PayoutSettings, merchant: str) -> VatStanding:
    """Return a merchant's VAT number and what is known of it; raise `OperatorFault` if the merchant is unknown."""
    async with store.read() as tx:
        return _document(await _merchant(tx, settings, await merchant_id_of(tx, merchant)), settings)


async def affiliate_vat(store: Store, sealer: Sealer, settings: PayoutSettings, affiliate: str) -> VatStanding:
    """Return the VAT number of an affiliate's payee and what is known of it; raise `OperatorFault` as the other."""
    async with store.read() as tx:
        affiliate_id = (await require_affiliate(tx, affiliate))["affiliate_id"]
        return _document(await _affiliate(tx, sealer, settings, affiliate_id), settings)


async def check_merchant_vat(
    store: Store, clock: Clock, settings: PayoutSettings, register: Register | None, merchant: str
) -> VatStanding:  # fmt: skip
    """Look a merchant's number up, and return what is known of it then.

    Raise `OperatorFault` if the network does not ask, or the merchant has no number that VIES knows.
    """
    async with store.read() as tx:
        party = await _merchant(tx, settings, await merchant_id_of(tx, merchant))
    return await _asked(store, clock, settings, register, party)


async def check_affiliate_vat(
    store: Store, sealer: Sealer, clock: Clock, settings: PayoutSettings, register: Register | None, affiliate: str
) -> VatStanding:  # fmt: skip
    """Look the number of an affiliate's payee up, as `check_merchant_vat` does."""
    async with store.read() as tx:
        party = await _affiliate(tx, sealer, settings, (await require_affiliate(tx, affiliate))["affiliate_id"])
    return await _asked(store, clock, settings, register, party)


async def _asked(
    store: Store, clock: Clock, settings: PayoutSettings, register: Register | None, party: _Party
) -> VatStanding:  # fmt: skip
    if register is None:
        raise OperatorFault(
            "VAT numbers are checked by their form alone.", command="To have them looked up: [payouts] vies = ..."
        )
    if not is_asked_of(party.number):
        raise OperatorFault(f"{party.party_id} has no VAT number of the European Union that could be looked up.")
    answer = await register.check(party.number, party.own)
    async with store.write() as tx:
        now, check_id = clock(), new_id("vat")
        await tx.run(
            "insert_vat_check", check_id=check_id, party_id=party.party_id, subject=party.subject,
            **answer._asdict(), asked_by=current_actor().id, now=now,
        )  # fmt: skip
        await note_rows(tx, now, {"vat_checks": [(check_id,)]})
        await note_act(tx, now, "vat.checked", party.party_id, after=answer._asdict())
        known = await vat_known(tx, party.party_id, party.subject)
    return _document(evolve(party, known=known), settings)


async def _merchant(tx: Tx, settings: PayoutSettings, merchant_id: str) -> _Party:
    billing = await billing_for(tx, merchant_id, billing_of("", settings))
    recipient = await recipient_of(tx, merchant_id)
    number = recipient.vat_number
    known = await vat_known(tx, merchant_id, number)
    return _Party(merchant_id, number, number, recipient.taxed(billing).kind, plain_number(billing.vat_number), known)


async def _affiliate(tx: Tx, sealer: Sealer, settings: PayoutSettings, affiliate_id: str) -> _Party:
    """Return a payee that is a business; its number is sealed, so what is kept names the moment of its change."""
    payee = (await load_payees(tx, sealer, [affiliate_id])).get(affiliate_id)
    row = await tx.one("payee_of", affiliate_id=affiliate_id)
    number = plain_number(payee.tax_id or "") if payee is not None and payee.is_business else ""
    subject = "" if row is None else str(row["changed_at"])
    company = await self_billed_to(tx, affiliate_id, billing_of("", settings))
    country = "" if payee is None else payee.country
    kind = received_from(country, company.country, has_number=bool(number))
    known = await vat_known(tx, affiliate_id, subject)
    return _Party(affiliate_id, number, subject, kind, plain_number(company.vat_number), known)


def _document(party: _Party, settings: PayoutSettings) -> VatStanding:
    known = party.known
    return {
        "partyId": party.party_id,
        "number": party.number or None,
        "vatKind": party.kind,
        "asks": bool(settings.vies),
        "outcome": known.outcome,
        "checkedAt": None if known.answered_at is None else format_instant(known.answered_at),
        "consultationNumber": known.consultation or None,
        "askedAt": None if known.asked_at is None else format_instant(known.asked_at),
        "fault": known.fault or None,
        "warning": unproved(party.kind, known.outcome) or None,
    }


@frozen
class VatLooks:
    """Has numbers looked up by the clock: new ones, those without an answer, and those whose answer is old."""

    store: Store
    sealer: Sealer
    clock: Clock
    settings: PayoutSettings
    register: Register

    async def look(self) -> int:
        """Ask about what is due; return about how many numbers. Each question is an act of the clock."""
        asked = unreached = 0
        with acting_as(TIMER):
            async for party in self._parties():
                if not is_asked_of(party.number) or not self._is_due(party.known):
                    continue
                standing = await _asked(self.store, self.clock, self.settings, self.register, party)
                asked += 1
                unreached = unreached + 1 if standing["fault"] and standing["outcome"] == "unreached" else 0
                if unreached == MOST_UNREACHED:
                    break
        return asked

    def _is_due(self, known: VatKnown) -> bool:
        now = self.clock()
        if known.asked_at is None:
            return True
        old = known.answered_at is None or now - known.answered_at >= STANDS_FOR
        return old and now - known.asked_at >= AGAIN_AFTER

    async def _parties(self) -> AsyncIterator[_Party]:
        async for merchant_id in self._ids("merchants_after", "merchant_id"):
            async with self.store.read() as tx:
                party = await _merchant(tx, self.settings, merchant_id)
            yield party
        async for affiliate_id in self._ids("self_billed_after", "affiliate_id"):
            async with self.store.read() as tx:
                party = await _affiliate(tx, self.sealer, self.settings, affiliate_id)
            yield party

    async def _ids(self, query: str, column: str) -> AsyncIterator[str]:
        after = ""
        while True:
            async with self.store.read() as tx:
                rows = await tx.all(query, after=after, limit=PARTIES_AT_ONCE)
            for row in rows:
                yield row[column]
            if len(rows) < PARTIES_AT_ONCE:
                return
            after = rows[-1][column]
