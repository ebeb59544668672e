"""What is kept of a commission and told of it: rows in their columns' order, and JSON as it was always written."""

from __future__ import annotations

from typing import Any

import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hub.domain.commission import OrderLine, Refund, Rule, resolve, settle, terms_from_json, terms_to_json
from hub.domain.instants import instant_or_none
from hub.domain.money import format_money
from hub.processing.records import Commission, Conversion
from hub.processing.settlement import Pricing, explain_commission, open_commission
from hub.storage import Store

NAMES = {"lines_text": "lines", "terms_text": "terms"}

rules = st.one_of(
    st.builds(Rule, st.just("PERCENTAGE"), st.sampled_from(["5", "8.25", "0"])),
    st.builds(Rule, st.just("FIXED"), st.sampled_from(["1.50", "3"])),
)
products = st.sampled_from(["SKU-1", 'S"\\ü', "SKU-3"])
lines = st.lists(st.builds(OrderLine, st.one_of(st.none(), products), st.integers(0, 4), st.integers(0, 9_000)))
pricings = st.builds(
    Pricing, st.just("USD"), lines.map(tuple), st.dictionaries(products, rules), st.dictionaries(products, rules),
    st.one_of(st.none(), rules), st.one_of(st.none(), rules), st.just(Rule("PERCENTAGE", "5")), st.just(1_000),
)  # fmt: skip
refunds = st.lists(st.builds(Refund, st.integers(0, 500), st.just(())), max_size=2)


def conversion_of(pricing: Pricing, order_minor: int, currency: str) -> Conversion:
    """A conversion with these lines."""
    text = orjson.dumps([[*line] for line in pricing.lines]).decode()
    return Conversion(
        "acc", "cnv", "evt", "O-1", order_minor, order_minor, currency, text, None, None, None, 1, 1, "HIGH", "matched",
        "aff", None, None, None, 1,
    )  # fmt: skip


def explained(commission: Commission, conversion: Conversion, refunds: list[Refund]) -> dict[str, Any]:
    """The same explanation, as a dictionary that nobody spliced."""
    terms = terms_from_json(orjson.loads(commission.terms_text))
    if refunds:
        terms = terms._replace(lines=settle(terms, conversion.paid_minor, conversion.lines, refunds).lines)
    return {
        "state": commission.state,
        "amount": format_money(commission.amount_minor, commission.currency),
        "base": format_money(commission.base_minor, commission.currency),
        "holdUntil": instant_or_none(commission.hold_until),
        **terms_to_json(terms),
    }


@given(pricings, st.integers(0, 20_000), st.sampled_from(["USD", "JPY", "KWD"]), refunds, st.none() | st.just(10**12))
def test_an_explanation_is_the_json_of_its_parts(
    pricing: Pricing, order_minor: int, currency: str, refunds: list[Refund], hold_until: int | None
) -> None:
    """Byte for byte, with and without refunds, whatever the products are called."""
    conversion = conversion_of(pricing, order_minor, currency)
    commission = open_commission(conversion, "aff", pricing, "com", 1)._replace(hold_until=hold_until)
    told = explain_commission(commission, conversion, refunds)
    assert orjson.dumps({"commission": told}) == orjson.dumps({
        "commission": explained(commission, conversion, refunds)
    })  # fmt: skip


@given(pricings, st.integers(0, 20_000))
def test_a_commission_opens_with_what_its_rules_resolve_to(pricing: Pricing, order_minor: int) -> None:
    """Pricing names its fields in the order in which `resolve` takes them; here each goes by its name."""
    commission = open_commission(conversion_of(pricing, order_minor, "USD"), "aff", pricing, "com", 7)
    terms = resolve(
        order_minor, "USD", merchant_currency=pricing.merchant_currency, lines=pricing.lines,
        product_rules=pricing.product_rules, product_campaign_rules=pricing.product_campaign_rules,
        campaign_rule=pricing.campaign_rule, merchant_rule=pricing.merchant_rule, platform_rule=pricing.platform_rule,
    )  # fmt: skip
    assert commission == Commission(
        account_id="acc", commission_id="com", conversion_id="cnv", affiliate_id="aff", state="PENDING",
        amount_minor=terms.amount_minor, base_minor=terms.base_minor, currency="USD", source=terms.source,
        terms_text=orjson.dumps(terms_to_json(terms)).decode(), hold_ms=pricing.hold_ms, hold_until=None, paid_at=None,
        payout_reference=None, created_at=7, updated_at=7,
    )  # fmt: skip


@pytest.mark.parametrize(("record", "query"), [(Conversion, "insert_conversions"), (Commission, "write_commissions")])
async def test_a_record_is_its_row(sqlite_url: str, record: type[Conversion | Commission], query: str) -> None:
    """Its fields are the columns of its query, in their order; from a row they are read by name."""
    async with await Store.open(sqlite_url, migrate=True) as store:
        (batch,) = store.queries[query].parameters
    assert [NAMES.get(name, name) for name in record._fields] == [name for name, _ in batch.columns]
    row = {name: f"the {name}" for name, _ in reversed(batch.columns)}
    assert record.from_row(row).to_row() == tuple(f"the {name}" for name, _ in batch.columns)
