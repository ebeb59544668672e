"""What is kept of a commission and told of it: rows in their columns' order, and JSON as it was always written."""

from __future__ import annotations

from typing import Any

import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hub.domain.instants import instant_or_none
from hub.domain.money import format_money
from hub.domain.orders.commission import (
    Level,
    OrderLine,
    Refund,
    Rule,
    Terms,
    resolve,
    settle,
    terms_from_json,
    terms_to_json,
)
from hub.domain.orders.facts import ORDER_STATUSES
from hub.domain.orders.lifecycle import StatusFact
from hub.processing.commissions import Pricing, advance, explain_commission, life_of, open_commission
from hub.processing.ledger_rows import Commission, Conversion
from hub.storage import Store

rules = st.one_of(
    st.builds(Rule, st.just("PERCENTAGE"), st.sampled_from(["5", "8.25", "0"])),
    st.builds(Rule, st.just("FIXED"), st.sampled_from(["1.50", "3"])),
)
products = st.sampled_from(["SKU-1", 'S"\\ü', "SKU-3"]) | st.text(max_size=3)
lines = st.lists(st.builds(OrderLine, st.one_of(st.none(), products), st.integers(0, 4), st.integers(0, 9_000)))
pricings = st.builds(
    Pricing, st.just("USD"), lines.map(tuple), st.dictionaries(products, rules), st.dictionaries(products, rules),
    st.one_of(st.none(), rules), st.one_of(st.none(), rules), st.just(Rule("PERCENTAGE", "5")),
    st.one_of(st.none(), rules), st.just(1_000),
)  # fmt: skip
news = st.builds(
    StatusFact, st.sampled_from(["a", "b", "c", "d"]), st.sampled_from(ORDER_STATUSES), st.integers(0, 2_000),
    st.integers(0, 2_000), st.none(), st.just(False), st.just("evt"),
) | st.builds(
    StatusFact, st.sampled_from(["r", "s"]), st.just("refunded"), st.integers(0, 2_000), st.integers(0, 2_000),
    st.builds(Refund, st.integers(0, 9_000), st.just(())), st.just(False), st.just("evt"),
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
    """The same explanation, put together here."""
    terms = terms_from_json(orjson.loads(commission.terms_json))
    if refunds:
        terms = terms._replace(lines=settle(terms, conversion.paid_minor, conversion.lines, refunds).lines)
    return {
        "state": commission.state,
        "amount": format_money(commission.amount_minor, commission.currency),
        "base": format_money(commission.base_minor, commission.currency),
        "holdUntil": instant_or_none(commission.hold_until),
        **document(terms),
    }


def document(terms: Terms) -> dict[str, Any]:
    """Terms as dictionaries, for an encoder to write."""
    return {
        "source": terms.source,
        "type": terms.type,
        "value": terms.value,
        "currency": terms.currency,
        "lines": [
            {
                "externalProductId": line.external_product_id,
                "source": line.source,
                "type": line.type,
                "value": line.value,
                "base": format_money(line.base_minor, terms.currency),
                "quantity": line.quantity,
                "amount": format_money(line.amount_minor, terms.currency),
            }
            for line in terms.lines
        ],
        "levels": [level_document(level) for level in terms.levels],
    }


def level_document(level: Level) -> dict[str, Any]:
    """A level with what it has."""
    product = {} if level.external_product_id is None else {"externalProductId": level.external_product_id}
    rule = {} if level.type is None else {"type": level.type, "value": level.value}
    return {"level": level.level, "outcome": level.outcome, **product, **rule}


@given(pricings, st.integers(0, 20_000), st.sampled_from(["USD", "JPY", "KWD"]), refunds, st.none() | st.just(10**12))
def test_an_explanation_is_the_json_of_its_parts(
    pricing: Pricing, order_minor: int, currency: str, refunds: list[Refund], hold_until: int | None
) -> None:
    """Byte for byte, with and without refunds, whatever the products are called."""
    conversion = conversion_of(pricing, order_minor, currency)
    commission = open_commission(conversion, "aff", pricing, (), "com", 1)._replace(hold_until=hold_until)
    told = explain_commission(commission, conversion, refunds)
    assert orjson.dumps({"commission": told}) == orjson.dumps({
        "commission": explained(commission, conversion, refunds)
    })  # fmt: skip


@given(pricings, st.integers(0, 20_000), st.sampled_from(["USD", "JPY", "KWD"]))
def test_terms_are_written_in_the_order_of_the_documents(pricing: Pricing, order_minor: int, currency: str) -> None:
    """Byte for byte, whatever the products are called."""
    terms = resolve(order_minor, currency, *pricing[:-1])
    assert orjson.dumps(terms_to_json(terms)) == orjson.dumps(document(terms))


@given(pricings, st.integers(0, 20_000))
def test_a_commission_opens_with_what_its_rules_resolve_to(pricing: Pricing, order_minor: int) -> None:
    """Pricing names its fields in the order in which `resolve` takes them; here each goes by its name."""
    commission = open_commission(conversion_of(pricing, order_minor, "USD"), "aff", pricing, (), "com", 7)
    terms = resolve(
        order_minor, "USD", merchant_currency=pricing.merchant_currency, lines=pricing.lines,
        product_rules=pricing.product_rules, product_campaign_rules=pricing.product_campaign_rules,
        campaign_rule=pricing.campaign_rule, merchant_rule=pricing.merchant_rule, platform_rule=pricing.platform_rule,
        new_customer_rule=pricing.new_customer_rule,
    )  # fmt: skip
    assert commission == Commission(
        account_id="acc", commission_id="com", conversion_id="cnv", affiliate_id="aff", state="PENDING",
        amount_minor=terms.amount_minor, base_minor=terms.base_minor, currency="USD", source=terms.source,
        terms_json=orjson.dumps(terms_to_json(terms)).decode(), hold_ms=pricing.hold_ms, hold_until=None, paid_at=None,
        payout_reference=None, created_at=7, updated_at=7,
    )  # fmt: skip


@given(pricings, st.integers(0, 20_000), st.lists(news, max_size=4))
def test_a_commission_opens_where_its_news_would_bring_it(
    pricing: Pricing, order_minor: int, told: list[StatusFact]
) -> None:
    """Opened with the news it is what one opened without becomes by them."""
    conversion = conversion_of(pricing, order_minor, "USD")
    opened = open_commission(conversion, "aff", pricing, (), "com", 1_500)
    moved = advance(opened, conversion, life_of(opened, conversion, told, 1_500), 1_500)
    assert open_commission(conversion, "aff", pricing, told, "com", 1_500) == moved


@pytest.mark.parametrize(("record", "query"), [(Conversion, "insert_conversions"), (Commission, "write_commissions")])
async def test_a_record_has_the_columns_of_its_query(
    sqlite_url: str, record: type[Conversion | Commission], query: str
) -> None:
    async with await Store.open(sqlite_url, migrate=True) as store:
        (batch,) = store.queries[query].parameters
    assert list(record._fields) == [name for name, _ in batch.columns]
