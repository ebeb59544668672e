"""`hub merchant`: those who sell."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from hub.cli.invocation import Invocation, invoked
from hub.cli.output import print_result, say, show_fields, show_table
from hub.clock import system_clock
from hub.domain.durations import duration_text

if TYPE_CHECKING:
    from hub.operations.merchants.merchant_profiles import ProfileDocument
    from hub.operations.merchants.merchants import MerchantDocument


@click.group(epilog="ID is a merchant's id, or its exact name or e-mail address if only one has it.")
def merchant() -> None:
    """Create, change, approve, suspend and close merchants."""


@merchant.command()
@click.option("--name", required=True, help="What the merchant is called.")
@click.option("--email", required=True, help="Where to reach them.")
@click.option("--domain", "domains", required=True, multiple=True, help="An approved domain; may be repeated.")
@click.option("--currency", default="USD", show_default=True, help="ISO 4217 code of prices and FIXED commissions.")
@click.option("--commission", metavar="RULE", help="The default: PERCENTAGE:8 or FIXED:5.00.")
@click.option("--hold", metavar="DURATION", help="How long commissions are held, like 14d (default: the hub's).")
@click.option("--approve", is_flag=True, help="Approve at once, so that live keys may be issued.")
@click.option("--anyway", is_flag=True, help="Even if there is one with the same name and domain.")
@invoked
def create(invocation: Invocation, anyway: bool, **wanted: Any) -> None:
    """Create a merchant with its test and live accounts."""
    from hub.operations.merchants.merchants import NewMerchant, create_merchant

    made = invocation.with_store(
        lambda store: create_merchant(store, system_clock, NewMerchant(**wanted, refuse_same=not anyway)), creates=True
    )
    print_result(invocation, made, lambda: _show(made, f"hub key create --merchant {made['id']} --mode test"))


@merchant.command()
@click.argument("merchant_id", metavar="ID")
@click.option("--name", help="What the merchant is called.")
@click.option("--email", help="Where to reach them.")
@click.option("--domain", "domains", multiple=True, help="The approved domains, in place of all; may be repeated.")
@click.option("--add-domain", "added", multiple=True, metavar="DOMAIN", help="One domain more; may be repeated.")
@click.option("--remove-domain", "removed", multiple=True, metavar="DOMAIN", help="One less; its links end.")
@click.option("--commission", metavar="RULE", help="PERCENTAGE:8, FIXED:5.00, or default for the hub's.")
@click.option("--hold", metavar="DURATION", help="How long commissions are held, like 14d, or default for the hub's.")
@invoked
def update(invocation: Invocation, merchant_id: str, **wanted: Any) -> None:
    """Change a merchant's name, address, domains, commission or hold.

    Commissions that exist keep the rule and the hold that they were made with. The currency stays for good: prices are
    stored in it.
    """
    from hub.operations.merchants.merchant_changes import MerchantChange, update_merchant

    if not any(wanted.values()):
        raise click.UsageError("Name what to change: --name, --email, --domain, --commission or --hold, for example.")
    changed = invocation.with_store(
        lambda store: update_merchant(store, system_clock, merchant_id, MerchantChange(**wanted))
    )
    print_result(invocation, changed, lambda: _show(changed))


@merchant.command()
@click.argument("merchant_id", metavar="ID")
@invoked
def approve(invocation: Invocation, merchant_id: str) -> None:
    """Approve a merchant, so that live keys can be issued and work.

    A closed one is open again; its keys and connections stay ended, so issue new ones.
    """
    _set_status(invocation, merchant_id, "APPROVED", None)


@merchant.command()
@click.argument("merchant_id", metavar="ID")
@click.option("--reason", help="Why; it is shown with the merchant.")
@invoked
def suspend(invocation: Invocation, merchant_id: str, reason: str | None) -> None:
    """Suspend a merchant, whose live keys stop working.

    Its links lead buyers on without a click, and its commissions are not paid. Its test keys go on working.
    """
    _set_status(invocation, merchant_id, "SUSPENDED", reason)


@merchant.command()
@click.argument("merchant_id", metavar="ID")
@click.option("--reason", required=True, help="Why; it is shown with the merchant.")
@invoked
def reject(invocation: Invocation, merchant_id: str, reason: str) -> None:
    """Refuse a merchant that waits for its approval."""
    _set_status(invocation, merchant_id, "REJECTED", reason)


@merchant.command()
@click.argument("merchant_id", metavar="ID")
@click.option("--reason", help="Why; it is shown with the merchant.")
@click.option("--anyway", is_flag=True, help="Even if live commissions are not paid yet.")
@invoked
def close(invocation: Invocation, merchant_id: str, reason: str | None, anyway: bool) -> None:
    """End a merchant: revoke its keys, close its connections, stop its links.

    Nothing is deleted. Refused while live commissions wait for their payment, which a closed merchant's do not get.
    """
    from hub.operations.merchants.merchant_changes import close_merchant

    closed = invocation.with_store(
        lambda store: close_merchant(store, system_clock, merchant_id, reason=reason, anyway=anyway)
    )
    text = f"{closed['name']} ({closed['id']}) is CLOSED: its keys are revoked and its connections closed."
    print_result(invocation, closed, lambda: say(text))


@merchant.command()
@click.argument("merchant_id", metavar="ID")
@invoked
def show(invocation: Invocation, merchant_id: str) -> None:
    """Show one merchant."""
    from hub.operations.merchants.merchants import show_merchant

    found = invocation.with_store(lambda store: show_merchant(store, merchant_id))
    print_result(invocation, found, lambda: _show(found))


@merchant.command(name="list")
@invoked
def list_(invocation: Invocation) -> None:
    """List all merchants, oldest first."""
    from hub.operations.merchants.merchants import list_merchants

    found = invocation.with_store(list_merchants)
    rows = ((m["id"], m["status"], m["name"], m["domains"], m["currency"], _rule(m)) for m in found)
    empty = "There are no merchants yet. Create one: hub merchant create --name … --email … --domain …"
    print_result(
        invocation,
        found,
        lambda: show_table(["id", "status", "name", "domains", "currency", "rule"], rows, empty),
    )


@merchant.command()
@click.argument("merchant_id", metavar="ID")
@click.option("--legal-name", "legalName", help="The name in the register.")
@click.option("--contact-name", "contactName", help="The name of a contact.")
@click.option("--website", help="Like https://shop.example.")
@click.option("--country", help="Two letters, like DE.")
@click.option("--address", help="The postal address.")
@click.option("--description", help="What is sold, and to whom.")
@click.option("--phone", help="A telephone number.")
@click.option("--tax-id", "taxId", help="The number for VAT or tax.")
@click.option("--category", help="The trade, in a word or two.")
@invoked
def profile(invocation: Invocation, merchant_id: str, **given: str | None) -> None:
    """Show a merchant's business profile, or change what is given.

    A profile that is complete puts the merchant IN_REVIEW; an empty text clears a field.
    """
    from hub.operations.merchants.merchant_profiles import show_profile, update_profile

    fields = {name: text for name, text in given.items() if text is not None}
    found = invocation.with_store(
        lambda store: (
            update_profile(store, system_clock, merchant_id, fields) if fields else show_profile(store, merchant_id)
        )
    )
    print_result(invocation, found, lambda: _show_profile(found))


@merchant.command(name="live-access")
@click.argument("merchant_id", metavar="ID")
@click.option("--ask", "act", flag_value="ask", help="In the merchant's name: note that it wants to go live.")
@click.option("--grant", "act", flag_value="grant", help="Let the merchant issue live keys itself.")
@click.option("--refuse", "act", flag_value="refuse", help="Refuse it, with a reason.")
@click.option("--reason", help="Why it is refused; the merchant reads it.")
@invoked
def live_access(invocation: Invocation, merchant_id: str, act: str | None, reason: str | None) -> None:
    """Ask for, grant or refuse live access.

    The merchant asks once its integration works in test mode, on its page or here.
    """
    from hub.operations.merchants.merchant_profiles import ask_for_live_access, decide_live_access

    if act is None:
        raise click.UsageError("Say what to do: --ask, --grant or --refuse --reason WHY.")
    decided = invocation.with_store(
        lambda store: (
            ask_for_live_access(store, system_clock, merchant_id)
            if act == "ask"
            else decide_live_access(store, system_clock, merchant_id, granted=act == "grant", reason=reason)
        )
    )
    print_result(invocation, decided, lambda: say(f"Live access of {decided['name']} is {decided['liveAccess']}."))


@merchant.command()
@invoked
def waiting(invocation: Invocation) -> None:
    """List the merchants that wait for a decision, those that waited longest first."""
    from hub.operations.merchants.merchant_profiles import list_asking

    found = invocation.with_store(list_asking)
    rows = [(each["merchantId"], each["name"], each["status"], each["asks"], each["since"]) for each in found]
    columns = ["id", "name", "status", "asks for", "since"]
    print_result(invocation, found, lambda: show_table(columns, rows, "Nobody waits."))


def _show_profile(document: ProfileDocument) -> None:
    fields: dict[str, object] = {"status": document["status"], **document["fields"]}
    fields |= {"missing": document["missing"], "live access": document["liveAccess"], "why": document["liveReason"]}
    show_fields(document["name"], fields)


def _set_status(invocation: Invocation, merchant_id: str, status: str, reason: str | None) -> None:
    from hub.operations.merchants.merchant_changes import set_merchant_status

    moved = invocation.with_store(lambda store: set_merchant_status(store, system_clock, merchant_id, status, reason))
    print_result(invocation, moved, lambda: say(f"{moved['name']} ({moved['id']}) is {status} now."))


def _rule(document: MerchantDocument) -> str | None:
    return None if document["commissionType"] is None else f"{document['commissionType']}:{document['commissionValue']}"


def _show(document: MerchantDocument, next_step: str | None = None) -> None:
    fields = {
        "id": document["id"],
        "status": document["status"],
        "reason": document["statusReason"],
        "e-mail": document["email"],
        "domains": document["domains"],
        "currency": document["currency"],
        "commission": _rule(document),
        "hold": None if document["holdMs"] is None else duration_text(document["holdMs"]),
        "created": document["createdAt"],
        "closed": document["closedAt"],
    }
    show_fields(document["name"], fields | ({} if next_step is None else {"next": next_step}))
