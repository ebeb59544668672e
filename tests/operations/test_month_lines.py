"""A merchant's month by order: a commission and the network's fee for it are one line, and no page parts them."""

from __future__ import annotations

from hub.operations.money.invoices.merchant_months import OwedLine, by_order, whole_lines


def line(entry: int, what: str, commission: str, amount: str, deposit: str = "0.00") -> OwedLine:
    return {
        "entry": entry, "postedAt": "2026-11-11T00:00:00.000Z", "what": what, "externalOrderId": f"F-{commission}",
        "affiliateId": "aff_1", "affiliateName": "Ada", "commissionId": commission, "adjustmentId": None,
        "reason": None, "amount": amount, "currency": "USD", "payment": "pay_1", "deposit": deposit,
    }  # fmt: skip


LINES = [line(1, "commission", "a", "3.00", "-1.00"), line(2, "fee", "a", "0.45"), line(3, "commission", "b", "5.55"),
         line(4, "correction", "c", "-1.20"), line(5, "fee", "c", "-0.18")]  # fmt: skip


def test_an_order_is_one_line_with_its_fee_and_what_both_make() -> None:
    found = [(each["commissionId"], each["amount"], each["fee"], each["total"]) for each in by_order(LINES)]
    assert found == [("a", "3.00", "0.45", "3.45"), ("b", "5.55", None, "5.55"), ("c", "-1.20", "-0.18", "-1.38")]
    assert by_order(LINES)[0]["deposit"] == "-1.00"


def test_a_fee_of_another_commission_stands_by_itself() -> None:
    (first, fee) = by_order([LINES[0], line(2, "fee", "b", "0.45")])
    assert (first["fee"], fee["what"], fee["fee"], fee["total"]) == (None, "fee", "0.45", "0.45")


def test_a_page_ends_behind_a_fee_not_before_it() -> None:
    """The control: one line later nothing is parted, so the page has its length."""
    assert [len(whole_lines(LINES, most)) for most in (1, 2, 3, 4, 9)] == [2, 2, 3, 5, 5]
