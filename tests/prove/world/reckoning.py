"""What everybody's books say at the end of a year, and where they differ: each side asked by its own door."""

from __future__ import annotations

import csv
import json
from collections import Counter, defaultdict
from collections.abc import Sequence
from typing import Any, Final

from attrs import define, field

from hub.domain.money import format_money
from tests.merchant_api.mirrors import differences, printed
from tests.prove.world.network import Network
from tests.prove.world.office import signed_minor
from tests.prove.world.shops import books_of
from tests.prove.world.year import Year

ENTITLED: Final = ("pending", "held", "payable", "adjustments", "payout", "bank")
"""The places of the ledger in which an affiliate's money is."""
PAID: Final = ("adjustments", "payout", "bank")
"""Those in which it is once a run has taken it along; a balance below nought keeps the rest payable."""
ASKED_THEMSELVES: Final = 5
"""How many affiliates look at their own balances."""
Places = Counter[tuple[str, str, str]]
"""What is in each place of the ledger by affiliate and currency, in minor units."""


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
    found.same("hub ledger verify", await network.terminal.holds("ledger", "verify"), "")
    found.same("hub audit", await network.terminal.holds("audit"), "")
    places, by_order = await _places(network)
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
    _compare_invoices(found, year, places, await year.office.invoices())
    await _compare_balances(found, year)
    await _compare_mails(found, network)
    await _compare_ears(found, year)
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


async def _places(network: Network) -> tuple[Places, Counter[str]]:
    """Read the ledger as it is exported: its places, and what affiliates have of each order."""
    file = network.folder / "ledger.csv"
    await network.terminal.hub("ledger", "export", "--output", str(file))
    places, by_order = Places(), Counter[str]()
    for entry in csv.DictReader(file.read_text().splitlines()):
        minor = signed_minor(entry["amount"], entry["currency"])
        for place, change in ((entry["debit"], -minor), (entry["credit"], minor)):
            places[entry["affiliateId"], entry["currency"], place] += change
            if place in ENTITLED and entry["externalOrderId"]:
                by_order[entry["externalOrderId"]] += change
    return places, by_order


def _compare_invoices(found: Reckoning, year: Year, places: Places, invoices: Sequence[Any]) -> None:
    """What merchants were billed is what was paid out for them, and the corrections of it since; what the bank took
    of each invoice is what the hub says is paid of it."""
    billed, owed, merchants, received = Counter[str](), Counter[str](), Counter[str](), Counter[str]()
    for invoice in invoices:
        currency, came_in = invoice["currency"], year.bank.came_in[invoice["paymentReference"]]
        total = signed_minor(invoice["total"], currency)
        billed[currency] += total
        received[currency] += came_in
        found.same(f"paid of invoice {invoice['number']}", invoice["paid"], format_money(came_in, currency))
        found.same(f"state of invoice {invoice['number']}", invoice["state"] == "paid", came_in == total)
    for (_, currency, place), minor in places.items():
        if place in PAID:
            owed[currency] += minor
        if place in {*ENTITLED, "merchant"}:
            merchants[currency] += minor
    found.same("invoices and ledger", _some(billed), _some(owed))
    booked = Counter({currency: -minor for (_, currency, place), minor in places.items() if place == "received"})
    found.same("merchants' payments and ledger", _some(booked), _some(received))
    found.same("what merchants owe is what is not paid", _some(merchants), _some(received))
    found.same("invoices' numbers", sorted(each["number"] for each in invoices), list(range(1, len(invoices) + 1)))
    found.same("statements that were not read", year.bank.booked, [])


def _some(minor: Counter[str]) -> dict[str, int]:
    return {currency: each for currency, each in minor.items() if each}


async def _compare_balances(found: Reckoning, year: Year) -> None:
    """What some affiliates are shown by their own API is what the bank has paid them."""
    network = year.network
    for affiliate in sorted(network.accounts)[:ASKED_THEMSELVES]:
        made = await network.terminal.hub("token", "create", "--scope", "payouts:read", "--affiliate", affiliate)
        reply = await network.ask(
            "GET", "/api/affiliate/v1/balances", None, {"Authorization": f"Bearer {made['token']}"}
        )
        shown = {each["currency"]: signed_minor(each["paid"], each["currency"]) for each in reply.json["data"]}
        for currency, minor in shown.items():
            paid = year.bank.paid[network.accounts[affiliate], currency]
            found.same(f"bank and own balance, {affiliate} {currency}", paid, minor)


async def _compare_mails(found: Reckoning, network: Network) -> None:
    """Every mail that the hub lists was sent, and has arrived."""
    mails = await network.all_of("/mails")
    found.same("mails", [each for each in mails if each["status"] != "SENT"], [])
    arrived = {address for each in network.inbox.recipients for address in each}
    found.same("mails that never came", {each["to"] for each in mails} - arrived, set())


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
