"""What one person may pay alone: a limit over all that they released or marked as paid within a day, by currency."""

from __future__ import annotations

from collections.abc import Mapping

from hub.config.payout_section import PayoutSettings
from hub.domain.durations import DAY
from hub.domain.money import format_money
from hub.domain.payouts import amount_for, amounts_by_currency
from hub.operations.errors import OperatorFault
from hub.operations.trail import current_actor
from hub.storage import Tx


async def refuse_alone(
    tx: Tx, settings: PayoutSettings, now: int, sums: Mapping[str, int], what: str, then: str, command: str
) -> None:  # fmt: skip
    """Raise `OperatorFault` if the one who acts would alone pay more than the limit in a currency.

    `sums` is what is to be paid, in minor units by currency, and `what` names it: "Payout pay_1 pays". What the same
    person paid alone within a day counts, in runs and commission by commission: a large sum may not be cut into small
    ones. `then` says who may do it instead, `command` how.
    """
    limits, since, actor = amounts_by_currency(settings.four_eyes_above), now - DAY, current_actor().id
    runs = await tx.all("released_alone", since=since, actor=actor)
    single = await tx.all("paid_alone", since=since, actor=actor)
    before = dict[str, int]()
    for row in (*runs, *single):
        before[row["currency"]] = before.get(row["currency"], 0) + row["minor"]
    for currency, total in sums.items():
        limit, earlier = amount_for(limits, currency), before.get(currency, 0)
        if limit is not None and total + earlier > limit:
            more = f" and you released {format_money(earlier, currency)} within a day" if earlier else ""
            raise OperatorFault(
                f"{what} {format_money(total, currency)} {currency}{more}, more than {format_money(limit, currency)}, "
                f"so {then}",
                command=command,
            )
