"""`hub merchant`: those who sell."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import click
from attrs import evolve

from hub.cli.act_command import ActCommand, Takes, Value
from hub.cli.invocation import Invocation, invoked
from hub.cli.output import print_result, say, show_fields, show_table
from hub.clock import system_clock
from hub.domain.durations import duration_text
from hub.domain.instants import instant_or_none

if TYPE_CHECKING:
    from hub.operations.merchants.merchant_profiles import ProfileDocument
    from hub.records.merchants import MerchantDocument


@click.group(epilog="ID is a merchant's id, or its exact name or e-mail address if only one has it.")
def merchant() -> None:
    """Create, change, approve, suspend and close merchants."""


@merchant.command(name="list")
@invoked
def list_(invocation: Invocation) -> None:
    """List all merchants, oldest first."""
    from hub.operations.merchants.merchants import list_merchants

    found = invocation.with_store(list_merchants)
    rows = ((m.id, m.status, m.name, m.domains, m.currency, _rule(m)) for m in found)
    empty = "There are no merchants yet. Create one: hub merchant create --name … --email … --domain …"
    print_result(
        invocation,
        found,
        lambda: show_table(["id", "status", "name", "domains", "currency", "rule"], rows, empty),
    )


@merchant.command(name="live-access")
@click.argument("merchant_id", metavar="ID")
@click.option("--ask", "act", flag_value="ask", help="On the merchant's behalf: ask for live access.")
@click.option("--grant", "act", flag_value="grant", help="Let the merchant issue live keys itself.")
@click.option("--refuse", "act", flag_value="refuse", help="Refuse it, with a reason.")
@click.option("--reason", help="Why it is refused; the merchant sees it.")
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


def _rule(document: MerchantDocument) -> str | None:
    return None if document.commission_type is None else f"{document.commission_type}:{document.commission_value}"


def _show(document: MerchantDocument, next_step: str | None = None) -> None:
    fields = {
        "id": document.id,
        "status": document.status,
        "reason": document.status_reason,
        "e-mail": document.email,
        "domains": document.domains,
        "currency": document.currency,
        "commission": _rule(document),
        "hold": None if document.hold_ms is None else duration_text(document.hold_ms),
        "created": instant_or_none(document.created_at),
        "closed": instant_or_none(document.closed_at),
    }
    show_fields(document.name, fields | ({} if next_step is None else {"next": next_step}))


PROFILE: Final = {
    "legalName": ("--legal-name", "The registered name."),
    "contactName": ("--contact-name", "The name of a contact."),
    "website": ("--website", "Like https://shop.example."),
    "country": ("--country", "Two letters, like DE."),
    "address": ("--address", "The postal address."),
    "description": ("--description", "What is sold, and to whom."),
    "phone": ("--phone", "A telephone number."),
    "taxId": ("--tax-id", "The VAT or tax number."),
    "category": ("--category", "The industry, in a word or two."),
}
MERCHANT: Final = {"merchant": Value("", metavar="ID")}
REASON: Final = Value("--reason", "Why; it is shown with the merchant.")
MOVED: Final = "{name} ({id}) is {status} now."

for each in (
    ActCommand(
        "create", "merchants.createMerchant", "Create a merchant with its test and live accounts.",
        lambda made: _show(made, f"hub key create --merchant {made.id} --mode test"),
        Takes(values={"name": Value("--name", "What the merchant is called."),
                      "email": Value("--email", "Where to reach them."),
                      "domains": Value("--domain", "An approved domain; may be repeated."),
                      "currency": Value("--currency", "ISO 4217 code of prices and FIXED commissions.", default="USD"),
                      "commission": Value("--commission", "The default: PERCENTAGE:8 or FIXED:5.00.", "RULE"),
                      "hold": Value("--hold", "How long commissions are held, like 14d (default: the hub's).",
                                    "DURATION"),
                      "approve": Value("--approve", "Approve at once, so that live keys may be issued.")},
              fixed={"refuse_same": True},
              lifts={"refuse_same": Value("--anyway", "Even if there is one with the same name and domain.")}),
        creates=True,
    ),
    ActCommand(
        "update", "merchants.updateMerchant",
        "Change a merchant's name, address, domains, commission or hold.\n\n"
        "Existing commissions keep the rule and hold that they were created with. The currency can never change, "
        "because prices are stored in it.",
        _show,
        Takes(on=MERCHANT,
              values={"name": Value("--name", "What the merchant is called."),
                      "email": Value("--email", "Where to reach them."),
                      "domains": Value("--domain", "The approved domains, in place of all; may be repeated."),
                      "added": Value("--add-domain", "One domain more; may be repeated.", "DOMAIN"),
                      "removed": Value("--remove-domain", "One less; its links end.", "DOMAIN"),
                      "commission": Value("--commission", "PERCENTAGE:8, FIXED:5.00, or default for the hub's.",
                                          "RULE"),
                      "hold": Value("--hold", "How long commissions are held, like 14d, or default for the hub's.",
                                    "DURATION")},
              some="Name what to change: --name, --email, --domain, --commission or --hold, for example."),
    ),
    ActCommand("approve", "merchants.approveMerchant",
               "Approve a merchant, so that live keys can be issued and work.\n\n"
               "A closed one is open again; its keys and connections stay ended, so issue new ones.",
               MOVED, Takes(on=MERCHANT)),
    ActCommand("suspend", "merchants.suspendMerchant",
               "Suspend a merchant, whose live keys stop working.\n\n"
               "Its links lead buyers on without a click, and its commissions are not paid. Its test keys go on "
               "working.",
               MOVED, Takes(on=MERCHANT, values={"reason": REASON})),
    ActCommand("reject", "merchants.rejectMerchant", "Refuse a merchant that waits for its approval.",
               MOVED, Takes(on=MERCHANT, values={"reason": evolve(REASON, required=True)})),
    ActCommand("close", "merchants.closeMerchant",
               "End a merchant: revoke its keys, close its connections, stop its links.\n\n"
               "Nothing is deleted. Refused while live commissions wait for their payment, which a closed merchant's "
               "do not get.",
               "{name} ({id}) is CLOSED: its keys are revoked and its connections closed.",
               Takes(on=MERCHANT, values={"reason": REASON,
                                          "anyway": Value("--anyway", "Even if live commissions are not paid yet.")})),
    ActCommand("profile", "merchants.updateMerchantProfile",
               "Show a merchant's business profile, or change what is given.\n\n"
               "A profile that is complete puts the merchant IN_REVIEW; an empty text clears a field.",
               _show_profile,
               Takes(on=MERCHANT,
                     own=[click.Option([flag, name], help=about) for name, (flag, about) in PROFILE.items()],
                     reads=lambda typed: {"fields": dict(typed)} if typed else {}),
               reader="merchants.getMerchantProfile"),
    ActCommand("signatures", "tokens.requireSignatures",
               "Accept only signed requests in a merchant's account, so that tokens are refused there.",
               "{merchantId} accepts only signed requests: test {test}, live {live}.",
               Takes(on=MERCHANT, values={"mode": Value("--mode", required=True)}, fixed={"required": True},
                     lifts={"required": Value("--lift", "Accept tokens again.")})),
    ActCommand("show", "merchants.getMerchant", "Show one merchant.", _show, Takes(on=MERCHANT)),
):  # fmt: skip
    merchant.add_command(each)
