"""What merchants pay in advance."""

from __future__ import annotations

from typing import Any, Final

from hub.acts.act import Act, get, post, put
from hub.acts.authority import PROVED_ADMINS
from hub.acts.call import Call
from hub.acts.fields import CURRENCY, REFERENCE, flag, needed, text
from hub.operations.money.books.deposits import DepositDocument, move_deposit, require_deposit, show_deposit


def _deposit_move(verb: str, summary: str, doing: str, *, out: bool) -> Act:
    async def run(c: Call) -> Any:
        return await move_deposit(c.store, c.clock, c.path["merchant"], out=out, **c.body)

    body = {"amount": needed(text("The amount.", "500.00", 20)), "currency": needed(CURRENCY),
            "reference": needed(REFERENCE)}  # fmt: skip
    return Act(
        post(f"/merchants/{{merchant}}/deposit/{verb}", f"{verb}Deposit"), summary, run, DepositDocument, body=body,
        trail=(doing,), by=(PROVED_ADMINS,), commands=(f"deposit {verb}",),
        pages=(f"/operator/owed/{{merchant}}/deposit/{verb}",),
    )  # fmt: skip


ACTS: Final[tuple[Act, ...]] = (
    Act(get("/merchants/{merchant}/deposit", "getDeposit"), "Show a merchant's deposit",
        lambda c: show_deposit(c.store, c.path["merchant"]), DepositDocument),
    Act(put("/merchants/{merchant}/deposit", "requireDeposit"), "Require a deposit of a merchant, or stop requiring it",
        lambda c: require_deposit(c.store, c.clock, c.path["merchant"], required=c.body["required"]), DepositDocument,
        body={"required": needed(flag("Whether commissions wait until they are covered."))},
        trail=("deposit.required",),
        by=(PROVED_ADMINS,), commands=("deposit require",), pages=("/operator/owed/{merchant}/deposit/require",)),
    _deposit_move("add", "Record a payment into a merchant's deposit", "deposit.added", out=False),
    _deposit_move("withdraw", "Record a repayment from a merchant's deposit", "deposit.withdrawn", out=True),
)  # fmt: skip
