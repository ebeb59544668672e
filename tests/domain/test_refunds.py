"""What refunds leave of a commission: by line, by count, by money and mixed; never below zero, never off by a unit."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import find, given
from hypothesis import strategies as st

from hub.domain.money import round_half_up
from hub.domain.orders.commission import OrderLine, Refund, Rule, Settled, Terms, resolve, settle

TEN, FIVE = Rule("PERCENTAGE", "10"), Rule("PERCENTAGE", "5")
TWO_EACH = Rule("FIXED", "2.00")
LINES = (OrderLine("p1", 4, 8_000), OrderLine("p2", 1, 2_000))
PAID = 12_000  # with shipping


def terms_of(p1: Rule | None = TEN, default: Rule = FIVE, lines: Sequence[OrderLine] = LINES) -> Terms:
    """Resolve the order of 100.00: four of p1 for 80.00 and one of p2 for 20.00."""
    rules = {} if p1 is None else {"p1": p1}
    return resolve(10_000, "USD", "USD", lines, rules, {}, default, None, FIVE)


def left(terms: Terms, *refunds: Refund, paid: int = PAID, lines: Sequence[OrderLine] = LINES) -> Settled:
    """Settle refunds of that order."""
    return settle(terms, paid, lines, refunds)


def by_line(product: str | None, quantity: int | None = None, minor: int | None = None, **money: Any) -> Refund:
    """Make a refund of one line."""
    return Refund(money.get("money"), ((product, quantity, minor),))


def shares(settled: Settled) -> list[tuple[int, int]]:
    """Give base and amount of each line."""
    return [(line.base_minor, line.amount_minor) for line in settled.lines]


def test_without_refunds_the_terms_stand() -> None:
    terms = terms_of()
    assert left(terms) == Settled(900, 10_000, terms.lines, False)


@pytest.mark.parametrize(
    ("refund", "expected"),
    [
        (by_line("p1", None, 3_000), [(5_000, 500), (2_000, 100)]),
        (by_line("p1", 1, None), [(6_000, 600), (2_000, 100)]),
        (by_line("p1", 1, 1_500), [(6_500, 650), (2_000, 100)]),  # what is stated counts, not what it cost
        (by_line("p1"), [(0, 0), (2_000, 100)]),  # neither count nor money: the whole line
        (by_line("p1", 0), [(0, 0), (2_000, 100)]),
        (by_line("p2", 1), [(8_000, 800), (0, 0)]),  # a product without a rule of its own is in the rest
        (by_line(None, None, 500), [(8_000, 800), (1_500, 75)]),
        (by_line("unheard-of", None, 500), [(8_000, 800), (1_500, 75)]),
        (Refund(3_000, ()), [(6_000, 600), (1_500, 75)]),  # a quarter of the 120.00 paid
        (by_line("p1", None, 3_000, money=3_500), [(5_000, 500), (2_000, 100)]),  # shipping came back too
        (by_line("unheard-of", 2, None, money=3_000), [(6_000, 600), (1_500, 75)]),  # only its money is known
        (by_line("p1", None, 9_999), [(0, 0), (2_000, 100)]),
        (by_line("p1", 99), [(0, 0), (2_000, 100)]),
        (by_line("p1", None, -500), [(8_000, 800), (2_000, 100)]),
        (Refund(-500, ()), [(8_000, 800), (2_000, 100)]),
        (Refund(1_500, (), 1_500), [(8_000, 800), (2_000, 100)]),  # shipping, fees or tax alone
        (Refund(4_500, (), 1_500), [(6_000, 600), (1_500, 75)]),  # shipping, and a quarter of the 120.00 paid
    ],
)
def test_one_refund_reduces_what_it_names(refund: Refund, expected: list[tuple[int, int]]) -> None:
    settled = left(terms_of(), refund)
    assert shares(settled) == expected
    assert not settled.fully_refunded
    assert settled.base_minor == sum(base for base, _ in expected)
    assert settled.amount_minor == sum(amount for _, amount in expected)


ALL_OF_IT = Rule("PERCENTAGE", "100")


@pytest.mark.parametrize(
    ("lines", "refund", "amounts"),
    [
        (LINES, by_line("p1", 3), [2_000, 2_000]),
        (LINES, by_line("p1", None, -5), [8_000, 2_000]),
        ((OrderLine("p1", 4, 8_000), OrderLine("p2", 1, 0)), by_line("p2", 1), [8_000, 2_000]),
        ((OrderLine("p1", 0, 100), OrderLine("p1", 4, 7_900)), by_line("p1", 1), [0, 6_000, 2_000]),
        (LINES, by_line("unheard-of", 1), [8_000, 2_000]),
    ],
)
def test_not_a_unit_more_than_what_came_back(
    lines: Sequence[OrderLine], refund: Refund, amounts: Sequence[int]
) -> None:
    """Where all of the money is the commission, each minor unit shows."""
    settled = left(terms_of(ALL_OF_IT, ALL_OF_IT, lines), refund, lines=lines)
    assert [line.amount_minor for line in settled.lines] == amounts


def test_money_of_a_gift_takes_no_piece_of_it() -> None:
    """What cost nothing has no pieces for money, only for a count."""
    lines = (OrderLine("p1", 2, 0), OrderLine("p2", 1, 10_000))
    terms = terms_of(TWO_EACH, FIVE, lines)
    assert [line.amount_minor for line in left(terms, by_line("p1", None, 1), lines=lines).lines] == [400, 500]
    assert [line.amount_minor for line in left(terms, by_line("p1", 1, 1), lines=lines).lines] == [200, 500]


def test_refunds_by_line_by_count_and_by_money_add_up() -> None:
    refunds = (by_line("p1", 1), by_line("p2", None, 500), Refund(1_200, ()))
    assert shares(left(terms_of(), *refunds)) == [(5_200, 520), (1_300, 65)]  # 90 percent, less 20.00 and 5.00


@pytest.mark.parametrize(
    ("refund", "expected"),
    [
        (by_line("p1", 1), [(6_000, 600), (2_000, 200)]),
        (by_line("p1", 1, 100), [(7_900, 600), (2_000, 200)]),  # a piece came back, however little was paid for it
        (by_line("p1", None, 2_000), [(6_000, 600), (2_000, 200)]),  # a quarter of the money: one piece of four
        (by_line("p1", None, 3_000), [(5_000, 500), (2_000, 200)]),  # one piece and a half
        (by_line("p1", 4), [(0, 0), (2_000, 200)]),
        (by_line("p2", None, 1_999), [(8_000, 800), (1, 200)]),  # a default's amount stays whole
        (by_line("p2", None, 2_000), [(8_000, 800), (0, 0)]),  # until nothing is left
        (Refund(6_000, ()), [(4_000, 800), (1_000, 200)]),  # money alone leaves fixed amounts
    ],
)
def test_fixed_amounts_follow_the_pieces(refund: Refund, expected: list[tuple[int, int]]) -> None:
    assert shares(left(terms_of(TWO_EACH, TWO_EACH), refund)) == expected


@pytest.mark.parametrize(
    "refunds",
    [
        (Refund(None, ()),),
        (Refund(12_000, ()),),
        (Refund(99_999, ()),),
        (Refund(6_000, ()), Refund(6_000, ())),
        (by_line("p1"), by_line("p2")),
        (by_line("p1", 3), by_line("p1", 1), by_line("p2", None, 2_000)),
        (by_line("p1"), by_line("p2", None, 1_700), Refund(1_800, ())),
        (by_line("p2", None, 1, money=12_000),),
    ],
    ids=[
        "nothing stated",
        "all money",
        "too much",
        "in halves",
        "all lines",
        "all pieces",
        "mixed",
        "money with a line",
    ],
)
@pytest.mark.parametrize("rule", [TEN, TWO_EACH])
def test_a_full_refund_leaves_nothing(rule: Rule, refunds: tuple[Refund, ...]) -> None:
    settled = left(terms_of(rule, rule), *refunds)
    assert (settled.fully_refunded, settled.amount_minor, settled.base_minor) == (True, 0, 0)
    assert set(shares(settled)) == {(0, 0)}


def test_the_last_cent_decides_whether_it_is_full() -> None:
    assert not left(terms_of(), Refund(11_999, ())).fully_refunded
    assert left(terms_of(), Refund(11_999, ()), Refund(1, ())).fully_refunded


def test_an_order_that_cost_nothing_is_fully_refunded_by_any_refund() -> None:
    terms = resolve(0, "USD", "USD", (), {}, {}, TWO_EACH, None, FIVE)
    refunded = settle(terms, 0, (), (Refund(0, ()),))
    assert settle(terms, 0, (), ()).amount_minor == 200
    assert (refunded.amount_minor, refunded.fully_refunded) == (0, True)


@pytest.mark.parametrize(
    ("refunds", "amount", "full"),
    [
        ((by_line("p1", 1),), 200, False),
        ((by_line("p1", 1, 0, money=0),), 200, False),
        ((by_line("p1", 1), by_line("p1", 1)), 0, True),
        ((by_line("p1"),), 0, True),  # no count: the whole line
        ((by_line("p1", 1), Refund(0, ())), 0, True),
        ((Refund(0, (("p1", 1, None), ("p1", None, None))),), 0, True),  # one of them has no count
        ((by_line("p1", 1, 5),), 0, True),  # money went back, of an order that had none
        ((by_line("unheard-of", 1, 5, money=0),), 400, False),
    ],
)
def test_of_a_gift_as_many_pieces_count_as_came_back(refunds: Sequence[Refund], amount: int, full: bool) -> None:
    """Two samples for nothing, which pay 2.00 each."""
    lines = (OrderLine("p1", 2, 0),)
    terms = resolve(0, "USD", "USD", lines, {"p1": TWO_EACH}, {}, None, None, FIVE)
    settled = settle(terms, 0, lines, refunds)
    assert (settled.amount_minor, settled.fully_refunded) == (amount, full)


@pytest.mark.parametrize("paid", [0, 1_000, 9_999])
@pytest.mark.parametrize(
    ("refund", "expected"),
    [
        (by_line("p1", 1), [(6_000, 600), (2_000, 100)]),
        (by_line("p1", 1, None, money=0), [(6_000, 600), (2_000, 100)]),
        (by_line("p1", 1, None, money=1_000), [(6_000, 600), (2_000, 100)]),
        (Refund(0, ()), [(8_000, 800), (2_000, 100)]),
        (Refund(1_000, ()), [(7_200, 720), (1_800, 90)]),  # a tenth of the 100.00 that the goods were worth
        (Refund(500, (), 500), [(8_000, 800), (2_000, 100)]),  # shipping alone
    ],
)
def test_where_a_gift_card_paid_the_goods_are_the_measure(
    paid: int, refund: Refund, expected: list[tuple[int, int]]
) -> None:
    """Of 100.00 worth of goods the buyer paid less in money, or nothing."""
    settled = left(terms_of(), refund, paid=paid)
    assert (shares(settled), settled.fully_refunded) == (expected, False)


@pytest.mark.parametrize("paid", [0, 1_000])
def test_where_a_gift_card_paid_all_the_goods_are_a_full_refund(paid: int) -> None:
    for whole in (Refund(None, ()), Refund(10_000, ()), Refund(0, (("p1", 4, None), ("p2", 1, None)))):
        assert left(terms_of(), whole, paid=paid).fully_refunded


def test_one_product_on_two_lines_is_reduced_line_after_line() -> None:
    lines = (OrderLine("p1", 1, 1_000), OrderLine("p1", 3, 9_000))
    terms = terms_of(TEN, lines=lines)
    assert shares(left(terms, by_line("p1", None, 2_500), lines=lines)) == [(0, 0), (7_500, 750)]
    assert shares(left(terms, by_line("p1", 2), lines=lines)) == [(0, 0), (5_000, 500)]
    fixed = terms_of(TWO_EACH, lines=lines)
    assert [amount for _, amount in shares(left(fixed, by_line("p1", 2, 1), lines=lines))] == [0, 400]


def test_a_line_that_belongs_nowhere_is_spread_over_what_there_is() -> None:
    lines = (OrderLine("p1", 4, 10_000),)
    terms = terms_of(TEN, lines=lines)
    settled = left(terms, by_line(None, None, 2_500), paid=10_000, lines=lines)
    assert shares(settled) == [(7_500, 750)]


def test_shown_bases_add_up_to_the_base() -> None:
    lines = (OrderLine("p1", 1, 5), OrderLine("p2", 1, 5))
    terms = resolve(10, "USD", "USD", lines, {"p1": TEN, "p2": TEN}, {}, None, None, FIVE)
    settled = settle(terms, 10, lines, (Refund(1, ()),))
    assert [line.base_minor for line in settled.lines] == [5, 4]  # exactly 4.5 each
    assert settled.base_minor == 9


@pytest.mark.parametrize(
    ("currency", "order", "refund", "base", "amount"),
    [("JPY", 999, 333, 666, 67), ("KWD", 10_005, 5, 10_000, 1_000), ("JPY", 5, 1, 4, 0)],
)
def test_other_currencies_round_to_their_own_unit(
    currency: str, order: int, refund: int, base: int, amount: int
) -> None:
    terms = resolve(order, currency, currency, (), {}, {}, TEN, None, FIVE)
    settled = settle(terms, order, (), (Refund(refund, ()),))
    assert (settled.base_minor, settled.amount_minor) == (base, amount)


# Properties ----------------------------------------------------------------------------------------------------

products = st.sampled_from(["p1", "p2", "p3", None])
percents = st.integers(0, 1_000_000).map(lambda scaled: Rule("PERCENTAGE", f"{scaled // 10_000}.{scaled % 10_000:04}"))
fixed = st.integers(0, 5_000).map(lambda cents: Rule("FIXED", f"{cents // 100}.{cents % 100:02}"))
refunds_of_money = st.builds(Refund, st.integers(0, 9_000), st.just(()), st.just(0))
refunds_of_lines = st.builds(
    Refund,
    st.none() | st.integers(0, 9_000),
    st.lists(
        st.tuples(products, st.none() | st.integers(0, 4), st.none() | st.integers(-50, 5_000)), min_size=1, max_size=3
    ).map(tuple),
)
any_refunds = st.lists(refunds_of_money | refunds_of_lines, max_size=5)


@st.composite
def orders(draw: st.DrawFn, rules: st.SearchStrategy[Rule] = percents | fixed) -> tuple[Terms, int, list[OrderLine]]:
    """Draw an order whose lines cover it, with rules for some of its products, and what was paid for it in money."""
    lines = draw(st.lists(st.builds(OrderLine, products, st.integers(1, 5), st.integers(0, 9_000)), max_size=4))
    amount = sum(line.amount_minor for line in lines) if lines else draw(st.integers(0, 9_000))
    book = draw(st.dictionaries(st.sampled_from(["p1", "p2", "p3"]), rules))
    terms = resolve(amount, "USD", "USD", lines, book, {}, draw(rules), None, FIVE)
    return terms, draw(st.integers(0, amount) | st.integers(amount, amount + 2_000)), lines


@given(orders(), any_refunds)
def test_the_lines_always_add_up(order: tuple[Terms, int, list[OrderLine]], refunds: list[Refund]) -> None:
    settled = settle(*order, refunds)
    assert settled.amount_minor == sum(line.amount_minor for line in settled.lines)
    assert settled.base_minor == sum(line.base_minor for line in settled.lines)


@given(orders(), any_refunds)
def test_no_line_grows_or_falls_below_zero(order: tuple[Terms, int, list[OrderLine]], refunds: list[Refund]) -> None:
    settled = settle(*order, refunds)
    for line, before in zip(settled.lines, order[0].lines, strict=True):
        assert 0 <= line.base_minor <= before.base_minor
        assert 0 <= line.amount_minor <= before.amount_minor


@given(orders(), any_refunds, st.randoms(use_true_random=False))
def test_refunds_may_come_in_any_order(
    order: tuple[Terms, int, list[OrderLine]], refunds: list[Refund], random: Any
) -> None:
    shuffled = random.sample(refunds, len(refunds))
    assert settle(*order, shuffled) == settle(*order, refunds)


@given(orders(), any_refunds, refunds_of_money | refunds_of_lines)
def test_one_more_refund_never_leaves_more(
    order: tuple[Terms, int, list[OrderLine]], refunds: list[Refund], more: Refund
) -> None:
    before, after = settle(*order, refunds), settle(*order, [*refunds, more])
    assert after.amount_minor <= before.amount_minor
    assert after.base_minor <= before.base_minor
    assert after.fully_refunded >= before.fully_refunded


@given(orders(), any_refunds, st.integers(1, 4))
def test_refunding_everything_is_a_full_refund(
    order: tuple[Terms, int, list[OrderLine]], refunds: list[Refund], pieces: int
) -> None:
    terms, paid, lines = order
    whole = max(paid, terms.base_minor)
    in_pieces = [Refund(whole // pieces, ())] * pieces + [Refund(whole % pieces, ())]
    every_line = Refund(None, tuple((line.external_product_id, line.quantity, line.amount_minor) for line in lines))
    for everything in (in_pieces, [Refund(None, ())], *([[every_line]] if terms.base_minor and lines else [])):
        settled = settle(terms, paid, lines, [*refunds, *everything])
        assert (settled.fully_refunded, settled.amount_minor, settled.base_minor) == (True, 0, 0)


def exactly(terms: Terms, paid: int, refunds: Sequence[Refund]) -> int:
    """Give what money refunds leave of a percentage, by the schoolbook: all fractions, one rounding for each line."""
    whole = max(paid, terms.base_minor)
    kept = max(Fraction(0), 1 - Fraction(sum(refund.money_minor or 0 for refund in refunds), whole)) if whole else 0
    return sum(round_half_up(line.base_minor * kept * Fraction(line.value) / 100) for line in terms.lines)


@given(orders(percents), st.lists(refunds_of_money, min_size=1, max_size=6))
def test_money_refunds_never_drift_by_a_unit(order: tuple[Terms, int, list[OrderLine]], refunds: list[Refund]) -> None:
    terms, paid, lines = order
    assert settle(terms, paid, lines, refunds).amount_minor == exactly(terms, paid, refunds)


@given(orders(percents), st.data())
def test_a_partial_refund_never_takes_all(order: tuple[Terms, int, list[OrderLine]], data: st.DataObject) -> None:
    """Whatever was paid in money: what came back of the goods says how much is lost, to half a unit for each line."""
    terms, paid, lines = order
    worth = terms.base_minor
    if worth < 2:
        return
    back = data.draw(st.integers(0, worth - 1))
    by_money = settle(terms, paid, lines, [Refund(back, ())])
    assert not by_money.fully_refunded
    assert by_money.base_minor == round_half_up(worth - Fraction(worth * back, max(paid, worth)))
    for line, before in zip(by_money.lines, terms.lines, strict=True):
        exact = before.base_minor * Fraction(before.value) / 100 * (1 - Fraction(back, max(paid, worth)))
        assert abs(line.amount_minor - exact) <= Fraction(1, 2)
    sold = [line for line in lines if line.amount_minor > 0]
    if len(sold) > 1:
        gone = data.draw(st.sampled_from(sold))
        returned = ((gone.external_product_id, gone.quantity, gone.amount_minor),)
        for money in (None, data.draw(st.integers(0, gone.amount_minor))):
            by_line = settle(terms, paid, lines, [Refund(money, returned)])
            assert (by_line.base_minor, by_line.fully_refunded) == (worth - gone.amount_minor, False)


def test_control_rounding_after_each_refund_drifts() -> None:
    def step_by_step(terms: Terms, paid: int, refunds: Sequence[Refund]) -> int:
        amount = terms.amount_minor
        for refund in refunds:
            amount -= round_half_up(Fraction(terms.amount_minor * (refund.money_minor or 0), paid))
        return max(0, amount)

    terms = resolve(100, "USD", "USD", (), {}, {}, TEN, None, FIVE)
    refunds = find(
        st.lists(st.builds(Refund, st.integers(1, 9), st.just(()), st.just(0)), min_size=1, max_size=9),
        lambda refunds: step_by_step(terms, 100, refunds) != exactly(terms, 100, refunds),
    )
    assert settle(terms, 100, (), refunds).amount_minor == exactly(terms, 100, refunds)
