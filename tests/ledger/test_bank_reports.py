"""A bank's XML about a run: each payment's status, notices among others' movements, and what is refused whole."""

from __future__ import annotations

from typing import Any

import pytest

from hub.operations.errors import OperatorFault
from hub.operations.money.payouts.payout_documents import end_to_end_id
from hub.operations.money.payouts.payout_results import results_in
from hub.operations.money.payouts.payout_settlement import settle_run
from tests.ledger.test_payouts import create, payable, release, written
from tests.ledger.test_verify import holds
from tests.processing.harness import Harness

PAIN = "urn:iso:std:iso:20022:tech:xsd:pain.002.001.10"
CAMT = "urn:iso:std:iso:20022:tech:xsd:camt.054.001.08"


async def released(harness: Harness) -> tuple[str, str]:
    """A released run of one payment of 5.00 USD, and the message id of its file."""
    await payable(harness, "100.00")
    run = str((await release(harness, (await create(harness))["id"]))["id"])
    file = (await written(harness, run)).document["file"]
    assert file is not None
    return run, file.message_id


def status(message: str, *payments: tuple[str, str], group: str = "PART", amount: str = "5.00") -> bytes:
    """A pain.002 with the statuses of payments by their end-to-end ids."""
    single = "".join(
        f"<TxInfAndSts><OrgnlEndToEndId>{name}</OrgnlEndToEndId><TxSts>{word}</TxSts><StsRsnInf><Rsn><Cd>AC04</Cd></Rsn>"
        f"<AddtlInf>Account closed</AddtlInf></StsRsnInf><OrgnlTxRef><Amt><InstdAmt Ccy='USD'>{amount}</InstdAmt></Amt>"
        "</OrgnlTxRef></TxInfAndSts>"
        for name, word in payments
    )
    return (
        f"<?xml version='1.0' encoding='UTF-8'?><Document xmlns='{PAIN}'><CstmrPmtStsRpt><OrgnlGrpInfAndSts>"
        f"<OrgnlMsgId>{message}</OrgnlMsgId><GrpSts>{group}</GrpSts></OrgnlGrpInfAndSts><OrgnlPmtInfAndSts>{single}"
        "</OrgnlPmtInfAndSts></CstmrPmtStsRpt></Document>"
    ).encode()


def notice(*movements: tuple[str, str, bool]) -> bytes:
    """A camt.054 with booked movements: end-to-end id, DBIT or CRDT, and whether the payment came back."""
    entries = "".join(
        f"<Ntry><Amt Ccy='USD'>5.00</Amt><CdtDbtInd>{side}</CdtDbtInd><Sts><Cd>BOOK</Cd></Sts><NtryDtls><TxDtls><Refs>"
        f"<EndToEndId>{name}</EndToEndId></Refs>{'<RtrInf><Rsn><Cd>AC01</Cd></Rsn></RtrInf>' if back else ''}</TxDtls>"
        "</NtryDtls></Ntry>"
        for name, side, back in movements
    )
    inner = f"<BkToCstmrDbtCdtNtfctn><Ntfctn>{entries}</Ntfctn></BkToCstmrDbtCdtNtfctn>"
    return f"<Document xmlns='{CAMT}'>{inner}</Document>".encode()


async def settle(harness: Harness, run: str, content: bytes) -> dict[str, Any]:
    """Settle a run by a file, twice: the second time changes nothing."""
    first, again = [
        await settle_run(harness.store, harness.clock, run, "BANK-1", results_in(content, "answer.xml"))
        for _ in range(2)
    ]
    assert first["items"] == again["items"]
    assert (again["settled"], again["returned"]) == (0, 0)
    await holds(harness.store)
    return dict(first["items"][0])


async def test_a_status_settles_and_returns_single_payments(sqlite_live: Harness) -> None:
    """By the reference that the exported file gave them; what is only accepted so far stays under way."""
    harness = sqlite_live
    run, message = await released(harness)
    payment = end_to_end_id(run, harness.affiliate_id)
    assert (await settle(harness, run, status(message, (payment, "ACSP"))))["status"] == "RELEASED"
    assert (await settle(harness, run, status(message, (payment, "ACSC"))))["status"] == "SETTLED"
    item = await settle(harness, run, status(message, (payment, "RJCT")))
    assert (item["status"], item["returnedReason"]) == ("RETURNED", "AC04 Account closed")


async def test_a_status_of_the_whole_file_counts_for_each_payment(sqlite_live: Harness) -> None:
    run, message = await released(sqlite_live)
    assert (await settle(sqlite_live, run, status(message, group="RJCT")))["status"] == "RETURNED"


async def test_an_accounts_notice_is_read_for_what_the_run_paid(sqlite_live: Harness) -> None:
    """Others' movements are passed over; a payment that comes back later is returned."""
    harness = sqlite_live
    run, _ = await released(harness)
    payment = end_to_end_id(run, harness.affiliate_id)
    item = await settle(harness, run, notice(("RENT-11", "DBIT", False), (payment, "DBIT", False)))
    assert item["status"] == "SETTLED"
    item = await settle(harness, run, notice((payment, "CRDT", True), ("CUSTOMER", "CRDT", False)))
    assert (item["status"], item["returnedReason"]) == ("RETURNED", "AC01")


async def test_csv_may_name_a_payment_by_its_reference(sqlite_live: Harness) -> None:
    run, _ = await released(sqlite_live)
    payment = end_to_end_id(run, sqlite_live.affiliate_id)
    item = await settle(sqlite_live, run, f"endToEndId,status\n{payment},PAID\n".encode())
    assert (item["status"], item["reference"]) == ("SETTLED", "BANK-1")


async def test_what_does_not_fit_the_run_is_refused_whole(sqlite_live: Harness) -> None:
    """An unknown reference, another file, another amount: nothing is done, not even for the payments that fit."""
    harness = sqlite_live
    run, message = await released(harness)
    payment = end_to_end_id(run, harness.affiliate_id)
    cases = {
        "no payment of the run is called": status(message, (payment, "ACSC"), ("0123/unknown", "ACSC")),
        "which no file of payout": status("another", (payment, "ACSC")),
        "another amount": status(message, (payment, "ACSC"), amount="6.00"),
    }
    for words, content in cases.items():
        with pytest.raises(OperatorFault, match=words):
            await settle(harness, run, content)
    assert (await settle(harness, run, status(message, (payment, "PDNG"))))["status"] == "RELEASED"


BOMB = (
    b"<!DOCTYPE a [<!ENTITY b 'bbbbbbbb'><!ENTITY c '&b;&b;&b;'>]><Document xmlns='%s'>&c;</Document>" % PAIN.encode()
)


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (BOMB, "is not XML that the hub reads"),
        (b"<!DOCTYPE a SYSTEM 'file:///etc/passwd'><a/>", "is not XML that the hub reads"),
        (b"<Document><a>", "is not XML that the hub reads"),
        (b"<Document xmlns='urn:iso:std:iso:20022:tech:xsd:pain.001.001.09'/>", "is neither pain.002"),
        (f"<Document xmlns='{PAIN}'/>".encode(), "does not say which file it answers"),
        (status("1", ("a/b", "ACSC"), amount="-5"), "an amount that"),
    ],
    ids=["entities", "an outside document", "broken", "another message", "no reference", "no amount"],
)
def test_a_file_that_is_something_else_is_named(content: bytes, words: str) -> None:
    with pytest.raises(OperatorFault, match=words):
        results_in(content, "answer.xml")
