"""The operator's office: it pays the affiliates through the bank, and reads what merchants pay of their invoices.

All of it by the operators' API and by commands, as a person does it; files go from hand to hand.
"""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

from attrs import define, field

from hub.domain.instants import format_instant
from hub.domain.money import format_money, parse_money
from tests.prove.world.bank import Bank
from tests.prove.world.network import Network
from tests.prove.world.shops import DIGITS


@define
class Office:
    """What is under way between hub and bank; the bank may be away."""

    network: Network
    bank: Bank
    dice: random.Random
    runs: dict[str, str] = field(factory=dict)
    """The currency of each payout run."""
    kept_back: list[str] = field(factory=list)
    """Runs whose file the bank has not taken yet."""
    answers: list[tuple[str, Path]] = field(factory=list)
    """The bank's files of results that the hub has not heard of, with their runs."""
    wanted: dict[int, int] = field(factory=dict)
    """How many halves of each invoice its merchant means to pay."""
    billed: dict[int, str] = field(factory=dict)
    """The payment reference of each invoice that a merchant has seen."""
    files: int = 0

    async def payday(self, *, away: bool, comes_back: bool = True) -> None:
        """Hear what the bank says of the last month, and pay this one, in every currency."""
        self.bank.returns = comes_back
        await self._hear()
        for currency in DIGITS:
            wanted = {"mode": "live", "currency": currency}
            made = await self.network.admin("POST", "/payouts", wanted, also=(400,))
            if "id" in made:  # else nothing is payable
                released = await self.network.admin("POST", f"/payouts/{made['id']}/release")
                self.runs[made["id"]] = currency
                if any(total["payments"] for total in released["totals"]):  # else all was called off meanwhile
                    self.kept_back.append(made["id"])
        self.kept_back = [run for run in self.kept_back if not await self._give(run, away=away)]
        if not comes_back:
            await self._hear()

    async def _give(self, run: str, *, away: bool) -> bool:
        """Write the file of a run and give it to the bank; return False if it takes none: then it is withdrawn."""
        currency, file = self.runs[run], self._file("payment")
        form = "sepa" if currency == "EUR" else "csv"
        made = await self.network.terminal.hub("payout", "export", run, "--format", form, "--output", str(file))
        if away:
            if "fileId" in made:  # a plain list is nobody's but the operator's
                await self.network.terminal.hub("payout", "withdraw", made["fileId"])
            return False
        if form == "sepa":
            (said := self._file("results.csv")).write_bytes(self.bank.transfers(file.read_bytes()))
            self.answers.append((run, said))
            return True
        _, returned = self.bank.by_hand(file.read_bytes())
        await self.network.admin("POST", f"/payouts/{run}/settle", {"reference": f"B-{run}"})
        for each in returned:
            said_of = {"affiliateId": each.affiliate_id, "reason": "The account is closed.", "currency": each.currency}
            await self.network.admin("POST", f"/payouts/{run}/return", said_of)
        return True

    async def _hear(self) -> None:
        for run, file in self.answers:
            for _ in range(self.dice.choice((1, 2))):
                await self.network.terminal.hub("payout", "settle", run, "--reference", "B", "--results", str(file))
        self.answers.clear()

    async def collect(self, *, away: bool) -> None:
        """Let merchants pay of their invoices what they mean to, and read the bank's statement, if it is there."""
        for invoice in await self.invoices():
            self.billed[invoice["number"]] = invoice["paymentReference"]
            self._pay(invoice)
        if away or not self.bank.booked:
            return
        (file := self._file("statement.xml")).write_bytes(self.bank.statement())
        for _ in range(self.dice.choice((1, 2))):  # each movement counts once
            await self.network.terminal.hub("receipt", "read", str(file))

    def _pay(self, invoice: Any) -> None:
        number, currency, reference = invoice["number"], invoice["currency"], invoice["paymentReference"]
        total = signed_minor(invoice["total"], currency)
        if number not in self.wanted:
            self.wanted[number] = self.dice.choice((0, 1, 2, 2, 2))
        elif self.dice.random() < 0.2:
            self.wanted[number] = 2  # a reminder helped
        minor = total * self.wanted[number] // 2 - self.bank.came_in[reference]
        if minor > 0:
            day = format_instant(self.network.clock())[:10]
            self.bank.take(reference, format_money(minor, currency), currency, minor, day)

    async def invoices(self) -> list[Any]:
        """Return all invoices to merchants, as the operators' API lists them."""
        return list((await self.network.admin("GET", "/invoices"))["data"])

    def _file(self, name: str) -> Path:
        self.files += 1
        return self.network.folder / f"{self.files}-{name}"


def signed_minor(text: str, currency: str) -> int:
    """Read an amount that may be below nought, in minor units."""
    return -parse_money(text[1:], currency) if text.startswith("-") else parse_money(text, currency)
