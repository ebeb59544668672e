"""Rates of exchange, for affiliates that are paid in another currency than they earn: two people set them.

One person proposes a set, typed or from a file, and another one approves it. A rate is in force from then on, until a
newer one of its two currencies is, but for new runs only as long as `[payouts] exchange_age` says.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from typing import NamedTuple

from hub.clock import Clock
from hub.config.payout_section import PayoutSettings
from hub.domain.books.exchange import Exchange, Exchanges, read_rates
from hub.domain.words import ExchangeStatus
from hub.ids import new_id
from hub.operations.checks import checked_name
from hub.operations.errors import OperatorFault, unknown
from hub.operations.second_person import why_not_second
from hub.operations.trail import current_actor, note_act
from hub.processing.noted_rows import note_rows
from hub.records.exchange_rates import ExchangeRate, exchange_rate
from hub.storage import Row, Store, Tx

COLUMNS = ("base", "quote", "rate")


class _Proposed(NamedTuple):
    """A row of `insert_exchange_rates`."""

    base: str
    quote: str
    rate: str


def rates_in_file(content: bytes, name: str) -> str:
    """Return the rates of a CSV file with the columns base, quote and rate, as `propose_rates` takes them.

    Raise `OperatorFault` for any other file; `name` is what it is called there.
    """
    try:
        rows = list(csv.DictReader(io.StringIO(content.decode("utf-8-sig"), newline="")))
    except (UnicodeDecodeError, csv.Error) as error:
        raise OperatorFault(f"{name} cannot be read: {error}.") from error
    found = []
    for number, row in enumerate(rows, start=2):
        cells = [row.get(column) for column in COLUMNS]
        if not all(isinstance(cell, str) and cell.strip() and "," not in cell for cell in cells):
            raise OperatorFault(f"Line {number} of {name} needs base, quote and rate, such as USD, EUR and 0.9231.")
        found.append(":".join(str(cell).strip() for cell in cells))
    return "\n".join(found)


async def propose_rates(store: Store, clock: Clock, rates: str, source: str) -> list[ExchangeRate]:
    """Propose rates like "USD:EUR:0.9231,GBP:EUR:1.19", and say where they are from; return them.

    Raise `OperatorFault` for what is no rate, and for no source.
    """
    where = checked_name(source, "A source")
    try:
        wanted = [_Proposed(*each) for each in read_rates(rates)]
    except ValueError as fault:
        raise OperatorFault(str(fault)) from None
    async with store.write() as tx:
        set_id, now = new_id("exr"), clock()
        await tx.run("insert_exchange_rates", rates=wanted, set_id=set_id, source=where,
                     proposed_by=current_actor().id, now=now)  # fmt: skip
        return await _done(tx, now, set_id, "exchange.proposed")


async def approve_rates(store: Store, clock: Clock, settings: PayoutSettings, set_id: str) -> list[ExchangeRate]:
    """Approve the rates that another person proposed: they are in force from now on. Repeating it changes nothing.

    Raise `OperatorFault` if they are unknown or were dropped, and if the one who acts is no other person.
    """
    async with store.write() as tx:
        row, now = (await _set(tx, set_id))[0], clock()
        if row["status"] == "APPROVED":
            return [exchange_rate(each) for each in await _set(tx, set_id)]
        if row["status"] == "DROPPED":
            raise OperatorFault(f"The rates {set_id} were dropped; propose them again.")
        why = await why_not_second(tx, now, row["proposed_by"], after=settings.second_person_after)
        if why is not None:
            raise OperatorFault(
                f"The rates {set_id} were proposed by {row['proposed_by']}; another person approves them: {why}.",
                command="At the terminal that person is named with --by.",
            )
        await _decide(tx, set_id, "APPROVED", now)
        return await _done(tx, now, set_id, "exchange.approved")


async def drop_rates(store: Store, clock: Clock, set_id: str) -> list[ExchangeRate]:
    """Drop rates that are only proposed; repeating it changes nothing. Raise `OperatorFault` for any others."""
    async with store.write() as tx:
        row, now = (await _set(tx, set_id))[0], clock()
        if row["status"] == "DROPPED":
            return [exchange_rate(each) for each in await _set(tx, set_id)]
        if row["status"] == "APPROVED":
            raise OperatorFault(f"The rates {set_id} are approved; propose others, which take their place.")
        await _decide(tx, set_id, "DROPPED", now)
        return await _done(tx, now, set_id, "exchange.dropped")


async def list_rates(store: Store) -> list[ExchangeRate]:
    """Return the rate in force of each two currencies and all that are proposed, by their currencies, newest first."""
    async with store.read() as tx:
        return [exchange_rate(row) for row in await tx.all("exchange_rates_listed")]


async def rates_in_force(tx: Tx, now: int, settings: PayoutSettings) -> Exchanges:
    """Return the rates by which payments of a new run are exchanged (`now` is ms UTC)."""
    found = await tx.records(Exchange, "exchange_rates_in_force", since=now - settings.exchange_age, now=now)
    return {(each.base, each.quote): each for each in found}


async def _set(tx: Tx, set_id: str) -> Sequence[Row]:
    rows = await tx.all("exchange_rates_of", set_id=set_id)
    if not rows:
        raise unknown("set of exchange rates", set_id, command="`hub exchange list` shows them.")
    return rows


async def _decide(tx: Tx, set_id: str, status: ExchangeStatus, now: int) -> None:
    """Store the decision; raise `OperatorFault` if somebody else took another one at the same moment."""
    if not await tx.run("decide_exchange_rates", set_id=set_id, status=status, decided_by=current_actor().id, now=now):
        raise OperatorFault(f"Somebody else decided about the rates {set_id} at this moment; look at them again.")


async def _done(tx: Tx, now: int, set_id: str, act: str) -> list[ExchangeRate]:
    rows = await _set(tx, set_id)
    await note_rows(tx, now, {"exchange_rates": [(set_id, row["base"], row["quote"]) for row in rows]})
    rates = {f"{row['base']}:{row['quote']}": row["rate"] for row in rows}
    await note_act(tx, now, act, set_id, after={"rates": rates, "source": rows[0]["source"]})
    return [exchange_rate(row) for row in rows]
