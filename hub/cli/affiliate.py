"""`hub affiliate`: those who earn commissions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from hub.cli.invocation import Invocation, invoked
from hub.cli.output import print_result, say, show_fields, show_table
from hub.clock import system_clock

if TYPE_CHECKING:
    from hub.operations.affiliates.affiliates import AffiliateDocument


@click.group(epilog="ID is an affiliate's id, or its exact name or e-mail address if only one has it.")
def affiliate() -> None:
    """Create, change, show and turn off affiliates."""


@affiliate.command()
@click.option("--name", required=True, help="What the affiliate is called.")
@click.option("--email", required=True, help="Where to reach them.")
@click.option("--coupon", "coupons", multiple=True, metavar="CODE", help="A coupon of the affiliate; may be repeated.")
@click.option("--anyway", is_flag=True, help="Even if another affiliate has the e-mail address.")
@invoked
def create(invocation: Invocation, name: str, email: str, coupons: tuple[str, ...], anyway: bool) -> None:
    """Create an affiliate with its coupons.

    The coupons make it the candidate of orders that come without a click.
    """
    from hub.operations.affiliates.affiliates import create_affiliate

    made = invocation.with_store(
        lambda store: create_affiliate(
            store, system_clock, name=name, email=email, coupons=coupons, refuse_same=not anyway
        ),
        creates=True,
    )
    print_result(invocation, made, lambda: _show(made))


@affiliate.command()
@click.argument("affiliate_id", metavar="ID")
@click.option("--name", help="What the affiliate is called.")
@click.option("--email", help="Where to reach them.")
@click.option("--add-coupon", "added", multiple=True, metavar="CODE", help="One more coupon; may be repeated.")
@click.option("--remove-coupon", "removed", multiple=True, metavar="CODE", help="One less; may be repeated.")
@invoked
def update(invocation: Invocation, affiliate_id: str, **wanted: Any) -> None:
    """Change an affiliate's name, e-mail address or coupons.

    Orders that are decided already stay as they are.
    """
    from hub.operations.affiliates.affiliates import AffiliateChange, update_affiliate

    if not any(wanted.values()):
        raise click.UsageError("Name what to change: --name, --email, --add-coupon or --remove-coupon.")
    changed = invocation.with_store(
        lambda store: update_affiliate(store, system_clock, affiliate_id, AffiliateChange(**wanted))
    )
    print_result(invocation, changed, lambda: _show(changed))


@affiliate.command()
@click.argument("affiliate_id", metavar="ID")
@invoked
def show(invocation: Invocation, affiliate_id: str) -> None:
    """Show one affiliate."""
    from hub.operations.affiliates.affiliates import show_affiliate

    found = invocation.with_store(lambda store: show_affiliate(store, affiliate_id))
    print_result(invocation, found, lambda: _show(found))


@affiliate.command()
@click.argument("affiliate_id", metavar="ID")
@invoked
def activate(invocation: Invocation, affiliate_id: str) -> None:
    """Let an affiliate earn (again) by new orders."""
    _set_status(invocation, affiliate_id, "ACTIVE")


@affiliate.command()
@click.argument("affiliate_id", metavar="ID")
@invoked
def deactivate(invocation: Invocation, affiliate_id: str) -> None:
    """Stop an affiliate from earning by new orders."""
    _set_status(invocation, affiliate_id, "INACTIVE")


@affiliate.command(name="list")
@invoked
def list_(invocation: Invocation) -> None:
    """List all affiliates, oldest first."""
    from hub.operations.affiliates.affiliates import list_affiliates

    found = invocation.with_store(list_affiliates)
    rows = ((a["id"], a["status"], a["name"], a["email"], a["coupons"]) for a in found)
    empty = "There are no affiliates yet. Create one: hub affiliate create --name … --email …"
    print_result(invocation, found, lambda: show_table(["id", "status", "name", "e-mail", "coupons"], rows, empty))


def _set_status(invocation: Invocation, affiliate_id: str, status: str) -> None:
    from hub.operations.affiliates.affiliates import set_affiliate_status

    moved = invocation.with_store(lambda store: set_affiliate_status(store, system_clock, affiliate_id, status))
    print_result(invocation, moved, lambda: say(f"{moved['name']} ({moved['id']}) is {status} now."))


def _show(affiliate: AffiliateDocument) -> None:
    fields = {
        "id": affiliate["id"],
        "status": affiliate["status"],
        "email": affiliate["email"],
        "coupons": affiliate["coupons"],
        "created": affiliate["createdAt"],
    }
    show_fields(affiliate["name"], fields)
