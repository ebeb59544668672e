"""`hub merchant`: those who sell."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from hub.cli.invocation import Invocation, invoked
from hub.cli.output import duration_text, print_result, say, show_fields, show_table
from hub.clock import system_clock

if TYPE_CHECKING:
    from hub.operations.merchants import MerchantDocument


@click.group()
def merchant() -> None:
    """Create, approve, suspend and show merchants."""


@merchant.command()
@click.option("--name", required=True, help="What the merchant is called.")
@click.option("--email", required=True, help="Where to reach them.")
@click.option("--domain", "domains", required=True, multiple=True, help="An approved domain; may be repeated.")
@click.option("--currency", default="USD", show_default=True, help="ISO 4217 code of prices and FIXED commissions.")
@click.option("--commission", metavar="RULE", help="The default: PERCENTAGE:8 or FIXED:5.00.")
@click.option("--hold", metavar="DURATION", help="How long commissions are held, like 14d (default: the hub's).")
@click.option("--approve", is_flag=True, help="Approve at once, so that live keys may be issued.")
@invoked
def create(invocation: Invocation, **wanted: Any) -> None:
    """Create a merchant with its test and live accounts."""
    from hub.operations.merchants import NewMerchant, create_merchant

    made = invocation.with_store(
        lambda store: create_merchant(store, system_clock, NewMerchant(**wanted)), creates=True
    )
    print_result(invocation, made, lambda: _show(made, f"hub key create --merchant {made['id']} --mode test"))


@merchant.command()
@click.argument("merchant_id", metavar="ID")
@invoked
def approve(invocation: Invocation, merchant_id: str) -> None:
    """Approve a merchant, so that live keys can be issued and work."""
    _set_status(invocation, merchant_id, "APPROVED")


@merchant.command()
@click.argument("merchant_id", metavar="ID")
@invoked
def suspend(invocation: Invocation, merchant_id: str) -> None:
    """Suspend a merchant, whose live keys stop working.

    Its test keys go on working.
    """
    _set_status(invocation, merchant_id, "SUSPENDED")


@merchant.command()
@click.argument("merchant_id", metavar="ID")
@invoked
def show(invocation: Invocation, merchant_id: str) -> None:
    """Show one merchant."""
    from hub.operations.merchants import show_merchant

    found = invocation.with_store(lambda store: show_merchant(store, merchant_id))
    print_result(invocation, found, lambda: _show(found))


@merchant.command(name="list")
@invoked
def list_(invocation: Invocation) -> None:
    """List all merchants, oldest first."""
    from hub.operations.merchants import list_merchants

    found = invocation.with_store(list_merchants)
    rows = ((m["id"], m["status"], m["name"], m["domains"], m["currency"], _rule(m)) for m in found)
    empty = "There are no merchants yet. Create one: hub merchant create --name … --email … --domain …"
    print_result(
        invocation,
        found,
        lambda: show_table(["id", "status", "name", "domains", "currency", "rule"], rows, empty),
    )


def _set_status(invocation: Invocation, merchant_id: str, status: str) -> None:
    from hub.operations.merchants import set_merchant_status

    moved = invocation.with_store(lambda store: set_merchant_status(store, system_clock, merchant_id, status))
    print_result(invocation, moved, lambda: say(f"{moved['name']} ({merchant_id}) is {status} now."))


def _rule(document: MerchantDocument) -> str | None:
    return None if document["commissionType"] is None else f"{document['commissionType']}:{document['commissionValue']}"


def _show(document: MerchantDocument, next_step: str | None = None) -> None:
    fields = {
        "id": document["id"],
        "status": document["status"],
        "e-mail": document["email"],
        "domains": document["domains"],
        "currency": document["currency"],
        "commission": _rule(document),
        "hold": None if document["holdMs"] is None else duration_text(document["holdMs"]),
        "created": document["createdAt"],
    }
    show_fields(document["name"], fields | ({} if next_step is None else {"next": next_step}))
