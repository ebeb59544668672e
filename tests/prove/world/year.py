"""A simulated year: what happens in it by a seed, and what everybody's books say at its end."""

from __future__ import annotations

import asyncio
import json
import random
from collections import Counter, defaultdict
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

from attrs import define, field, frozen

from hub.domain.instants import format_instant
from hub.domain.ledger import deltas
from hub.domain.money import format_money, parse_money
from hub.operations.money.ledger import chain_ends, entry_pages, verify_ledger
from hub.operations.money.merchant_invoices import InvoiceDocument, issue_invoices, list_invoices
from hub.operations.money.payout_files import export_run
from hub.operations.money.payout_results import results_in
from hub.operations.money.payout_settlement import settle_run
from hub.operations.money.receipt_acts import note_receipt
from hub.storage import Store
from tests.merchant_api.mirrors import Mirror, differences, printed
from tests.prove.world.bank import Bank
from tests.prove.world.ears import listening
from tests.prove.world.network import Network
from tests.prove.world.shops import DIGITS, Message, Order, Shop, books_of

DAY: Final = 86_400_000
AT_ONCE: Final = 8
ENTITLED: Final = ("pending", "held", "payable", "adjustments", "payout", "bank")
"""The places of the ledger in which an affiliate's money is."""
PAID: Final = ("adjustments", "payout", "bank")
"""Those in which it is once a run has taken it along; a balance below nought keeps the rest payable."""


@frozen
class Scale:
    """How large a world is, and in how many steps its year goes by."""

    merchants: int = 20
    affiliates: int = 200
    steps: int = 73
    orders: int = 30
    """Orders of a step."""
    year: int = 365 * DAY


@define
class Year:
    """A world while its year goes by."""

    network: Network
    scale: Scale
    dice: random.Random
    bank: Bank
    mirrors: dict[str, Mirror] = field(factory=dict)
    runs: dict[str, str] = field(factory=dict)
    answers: list[tuple[str, bytes]] = field(factory=list)
    months: dict[str, None] = field(factory=dict)
    """Those in which something was paid."""
    received: Counter[str] = field(factory=Counter)
    """What merchants paid of their invoices, by their own books, in minor units."""
    orders: int = 0
    clicks: int = 0
    messages: int = 0
    news: Counter[str] = field(factory=Counter)

    async def live(self) -> None:
        """Let the year go by, and then time enough for every hold, payment and invoice."""
        hours = self.scale.year // self.scale.steps // 3_600_000
        for step in range(self.scale.steps):
            self.network.ears.closed = self.dice.random() < 0.2
            await self._sell()
            await self._tell_news()
            if step * 12 // self.scale.steps != (step + 1) * 12 // self.scale.steps:
                await self._payday()
            self.network.ears.closed = False
            await self.network.settle()
            if self.dice.random() < 0.5:
                await self._mirror()
            self.network.clock.advance(max(1, hours - 4) * 3_600_000)
        await self._end()

    async def _end(self) -> None:
        """End all holds, pay until nothing is due, and let the month of the last payment be over."""
        for _ in range(4):
            self.network.clock.advance(20 * DAY)
            await self.network.settle()
            await self._payday(comes_back=False)
        self.network.clock.advance(32 * DAY)
        await self.network.settle()
        await self._bill()
        await self._mirror()

    async def _bill(self) -> None:
        """Issue the invoices of every month that is over; most merchants pay all of one, or a part of it."""
        async with await Store.open(self.network.environ["HUB_DATABASE_URL"]) as store:
            for shop in self.network.shops:
                for month in self.months:
                    for invoice in await issue_invoices(store, self.network.clock, shop.merchant, month):
                        await self._pay_invoice(store, invoice)

    async def _pay_invoice(self, store: Store, invoice: InvoiceDocument) -> None:
        currency, total = invoice["currency"], parse_signed(invoice["total"], invoice["currency"])
        part = self.dice.choice((0, 1, 2, 2, 2))
        minor = total * part // 2
        if minor <= 0:
            return
        for _ in range(self.dice.choice((1, 2))):  # the same reference counts once
            await note_receipt(
                store, self.network.clock, invoice=invoice["number"], amount=format_money(minor, currency),
                reference=f"R-{invoice['number']}",
            )  # fmt: skip
        self.received[currency] += minor

    async def _sell(self) -> None:
        """Buyers click and order; some come without a click."""
        sold = list[list[tuple[Shop, Message]]]()
        wanted = []
        for _ in range(self.scale.orders):
            shop = self.dice.choice([each for each in self.network.shops if each.links])
            affiliate = self.dice.choice(list(shop.links)) if self.dice.random() < 0.9 else None
            wanted.append((shop, affiliate))
        clicks = await asyncio.gather(*[
            self.network.click(shop.links[affiliate]) if affiliate else _nothing() for shop, affiliate in wanted
        ])  # fmt: skip
        self.clicks += sum(each is not None for each in clicks)
        self.network.clock.advance(2 * 3_600_000)
        for (shop, affiliate), click in zip(wanted, clicks, strict=True):
            messages = await shop.sell(self.network.clock(), click, affiliate)
            if shop.kind == "woocommerce" and self.dice.random() < 0.3:
                messages += await shop.edit(list(shop.orders.values())[-1])
                self.news["edited"] += 1
            sold.append([(shop, message) for message in messages])
        self.orders += len(sold)
        await self._send(sold)

    async def _tell_news(self) -> None:
        """What became of older orders: delivered, refunded in part, cancelled, long after the payout too."""
        self.network.clock.advance(2 * 3_600_000)
        told = []
        for shop in self.network.shops:
            for order in list(shop.orders.values()):
                what = self._becomes(order)
                if what is None:
                    continue
                self.news[what] += 1
                told.append([(shop, message) for message in await shop.news(order, what)])
        await self._send(told)

    def _becomes(self, order: Order) -> str | None:
        """Draw what is told of an order, None for nothing; a cancelled one is no matter any more."""
        if order.cancelled or order.edited or self.dice.random() > 3 / self.scale.steps:
            return None
        if order.steps == 0:
            return self.dice.choices(("delivered", "refunded", "cancelled"), (5, 3, 2))[0]
        return "cancelled" if self.dice.random() < 0.2 else None

    async def _send(self, orders: Sequence[Sequence[tuple[Shop, Message]]]) -> None:
        """Send all messages, some of them twice, each order's in any order; the hub is killed on the way at times."""
        every = [pair for order in orders for pair in order for _ in range(1 + (self.dice.random() < 0.15))]
        self.dice.shuffle(every)
        self.messages += len(every)
        strikes = self.dice.randrange(len(every)) if every and self.dice.random() < 0.25 else None
        places = asyncio.Semaphore(AT_ONCE)

        async def one(number: int, shop: Shop, message: Message) -> None:
            async with places:
                if number == strikes:
                    await self.network.strike()
                await self.network.deliver(shop, message)

        await asyncio.gather(*[one(number, *pair) for number, pair in enumerate(every)])

    async def _payday(self, *, comes_back: bool = True) -> None:
        """Hear what the bank says of the last month, and pay this one, in every currency."""
        self.bank.returns = comes_back
        async with await Store.open(self.network.environ["HUB_DATABASE_URL"]) as store:
            await self._hear(store)
            for currency in DIGITS:
                made = await self.network.admin("POST", "/payouts", {"mode": "live", "currency": currency}, also=(400,))
                if "id" not in made:
                    continue
                await self.network.admin("POST", f"/payouts/{made['id']}/release")
                self.runs[made["id"]] = currency
                await self._give_to_bank(store, made["id"], currency)
            if not comes_back:
                await self._hear(store)
        self.months.setdefault(format_instant(self.network.clock())[:7])

    async def _give_to_bank(self, store: Store, run: str, currency: str) -> None:
        network, clock = self.network, self.network.clock
        form: Any = "sepa" if currency == "EUR" else "csv"
        file = await export_run(store, network.sealer, clock, network.settings.payouts, run, form)
        if form == "sepa":
            self.answers.append((run, self.bank.transfers(file.content)))
            return
        _, returned = self.bank.by_hand(file.content)
        await network.admin("POST", f"/payouts/{run}/settle", {"reference": f"B-{run}"})
        for each in returned:
            said = {"affiliateId": each.affiliate_id, "reason": "The account is closed.", "currency": each.currency}
            await network.admin("POST", f"/payouts/{run}/return", said)

    async def _hear(self, store: Store) -> None:
        for run, answer in self.answers:
            for _ in range(self.dice.choice((1, 2))):
                await settle_run(store, self.network.clock, run, "B", list(results_in(answer, "answer.csv")))
        self.answers.clear()

    async def _mirror(self) -> None:
        """Merchants' mirrors read what changed."""
        for shop in self.network.shops:
            await self.mirrors.setdefault(shop.merchant, Mirror()).follow(self.network.api(shop))


@define
class Reckoning:
    """What everybody's books say in the end, by affiliate and currency in minor units, and where they differ."""

    faults: list[str] = field(factory=list)
    affiliates: int = 0
    minor: Counter[str] = field(factory=Counter)

    def same(self, what: str, one: object, other: object) -> None:
        """Note a difference."""
        if one != other:
            self.faults.append(f"{what}: {one!r} is not {other!r}")


async def reckon(year: Year) -> Reckoning:
    """Compare the shops' own books with the ledger, the bank's, the mirrors', the webhooks' and the postbacks'."""
    found, network = Reckoning(), year.network
    shops = books_of(network.shops)
    async with await Store.open(network.environ["HUB_DATABASE_URL"]) as store:
        found.same("ledger", (await verify_ledger(store, network.sealer))["faults"], [])
        places, by_order = await _places(store)
        invoices = await list_invoices(store)
    for affiliate, currency in sorted(shops.keys() | {key[:2] for key in places}):
        mine = {place: places[affiliate, currency, place] for place in ENTITLED}
        found.same(f"shops and ledger, {affiliate} {currency}", shops[affiliate, currency], sum(mine.values()))
        account = network.accounts.get(affiliate, "")
        found.same(f"bank and ledger, {affiliate} {currency}", year.bank.paid[account, currency], mine["bank"])
        found.same(f"under way, {affiliate} {currency}", [mine["pending"], mine["held"], mine["payout"]], [0, 0, 0])
        found.same(f"due and not paid, {affiliate} {currency}", max(0, mine["payable"] + mine["adjustments"]), 0)
        found.minor[currency] += mine["bank"]
    found.affiliates = len({affiliate for affiliate, _ in shops})
    await _compare_orders(found, network, by_order)
    _compare_invoices(found, year, places, invoices)
    await _compare_ears(found, year)
    audit = await network.admin("GET", "/health")
    found.same("health", bool(audit), True)
    return found


async def _compare_orders(found: Reckoning, network: Network, by_order: Counter[str]) -> None:
    """Every order of every shop is known once, and what it earned, corrections included, is what the shop says."""
    for shop in network.shops:
        copy = await printed(network.api(shop))
        known = {}
        for (kind, _), text in copy.items():
            if kind == "conversion":
                record = json.loads(text)
                known[record["externalOrderId"]] = record
        found.same(f"orders of {shop.kind} {shop.name}", sorted(known), sorted(shop.orders))
        for number, order in shop.orders.items():
            standing = (known.get(number) or {}).get("commission")
            if standing is not None and standing["state"] in {"PENDING", "HOLD"}:
                found.faults.append(f"order {number} of {shop.kind} is still {standing['state']}")
            found.same(f"order {number} of {shop.kind}, {standing and standing['state']}, {order}",
                       by_order[number], order.earns())  # fmt: skip


async def _places(store: Store) -> tuple[Counter[tuple[str, str, str]], Counter[str]]:
    """What is in each place of the ledger by affiliate and currency, and what they have of each order."""
    places, by_order = Counter[tuple[str, str, str]](), Counter[str]()
    for end in await chain_ends(store):
        async for page in entry_pages(store, end.head):
            for entry in page:
                for place, minor in deltas(entry):
                    places[entry.affiliate_id, entry.currency, place] += minor
                    if place in ENTITLED and entry.external_order_id:
                        by_order[entry.external_order_id] += minor
    return places, by_order


def _compare_invoices(
    found: Reckoning, year: Year, places: Counter[tuple[str, str, str]], invoices: Sequence[Any]
) -> None:
    """What merchants were billed is what was paid out for them, and the corrections of it since."""
    billed, owed, merchants = Counter[str](), Counter[str](), Counter[str]()
    for invoice in invoices:
        billed[invoice["currency"]] += parse_signed(invoice["total"], invoice["currency"])
    for (_, currency, place), minor in places.items():
        if place in PAID:
            owed[currency] += minor
        if place in {*ENTITLED, "merchant"}:
            merchants[currency] += minor
    found.same("invoices and ledger", dict(billed), dict(owed))
    received = {currency: -minor for (_, currency, place), minor in places.items() if place == "received"}
    found.same("merchants' payments and ledger", received, dict(year.received))
    found.same("what merchants owe is what is not paid", dict(merchants), dict(year.received))
    found.same("invoices' numbers", sorted(each["number"] for each in invoices), list(range(1, len(invoices) + 1)))


async def _compare_ears(found: Reckoning, year: Year) -> None:
    """Mirrors, webhooks and postbacks know of every commission what the hub says of it, and nothing else."""
    network, by_affiliate = year.network, defaultdict[str, dict[str, tuple[str, str, str]]](dict)
    for shop in network.shops:
        api = network.api(shop)
        copy, mirror = await printed(api), year.mirrors[shop.merchant]
        for difference in differences(mirror, copy)[:3]:
            found.faults.append(f"mirror of {shop.kind}: {difference}")
        known = {name: _standing(text) for (kind, name), text in copy.items() if kind == "commission"}
        found.same(f"webhooks of {shop.kind} {shop.name}", _heard(network.ears.merchants, shop.merchant), _plain(known))
        for name, (state, amount, currency, affiliate) in known.items():
            by_affiliate[affiliate][name] = (state, amount, currency)
    for affiliate in sorted(network.accounts):
        heard = _heard(network.ears.affiliates, affiliate)
        found.same(f"postbacks of {affiliate}", heard, dict(by_affiliate[affiliate]))
    found.same("forged", network.ears.forged, 0)


def _heard(ears: Any, who: str) -> dict[str, tuple[str, str, str]]:
    return dict(ears.get(who, {}))


def _plain(known: dict[str, tuple[str, str, str, str]]) -> dict[str, tuple[str, str, str]]:
    return {name: each[:3] for name, each in known.items()}


def _standing(text: str) -> tuple[str, str, str, str]:
    record = json.loads(text)
    return record["state"], record["amount"], record["currency"], record["affiliateId"]


def parse_signed(text: str, currency: str) -> int:
    """Read an amount that may be below nought."""
    return -parse_money(text[1:], currency) if text.startswith("-") else parse_money(text, currency)


async def _nothing() -> None:
    return None


async def lived(folder: Path, seed: int, scale: Scale, fault: str = "") -> tuple[Year, Reckoning]:
    """Live one year by a seed, and reckon."""
    async with listening() as ears:
        network = await Network.open(folder, seed, ears, fault)
        try:
            await network.grow(scale.merchants, scale.affiliates)
            dice = random.Random(seed)
            year = Year(network, scale, dice, Bank(random.Random(seed + 1), DIGITS))
            await year.live()
            return year, await reckon(year)
        finally:
            with suppress(AssertionError):
                await network.close()
