"""`hub affiliate`: those who earn commissions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import click

from hub.cli.act_command import ActCommand, Takes, Value
from hub.cli.invocation import Invocation, invoked
from hub.cli.output import print_result, show_fields, show_table
from hub.domain.instants import instant_or_none

if TYPE_CHECKING:
    from hub.records.affiliates import AffiliateDocument

AFFILIATE: Final = {"affiliate": Value("", metavar="ID")}
NAME: Final = Value("--name", "What the affiliate is called.")
EMAIL: Final = Value("--email", "Where to reach them.")


@click.group(epilog="ID is an affiliate's id, or its exact name or e-mail address if only one has it.")
def affiliate() -> None:
    """Create, change, show and turn off affiliates."""


@affiliate.command(name="list")
@invoked
def list_(invocation: Invocation) -> None:
    """List all affiliates, oldest first."""
    from hub.operations.affiliates.affiliates import list_affiliates

    found = invocation.with_store(list_affiliates)
    rows = ((a.id, a.status, a.name, a.email, a.coupons) for a in found)
    empty = "There are no affiliates yet. Create one: hub affiliate create --name … --email …"
    print_result(invocation, found, lambda: show_table(["id", "status", "name", "e-mail", "coupons"], rows, empty))


def _show(affiliate: AffiliateDocument) -> None:
    from hub.records.words import texts_said

    fields = {
        "id": affiliate.id,
        "status": affiliate.status,
        "email": affiliate.email,
        "coupons": affiliate.coupons,
        "created": instant_or_none(affiliate.created_at),
        **dict(texts_said(affiliate)),
    }
    show_fields(affiliate.name, fields)


for each in (
    ActCommand(
        "create", "affiliates.createAffiliate",
        "Create an affiliate with its coupons.\n\n"
        "The coupons make it the candidate of orders that come without a click.",
        _show,
        Takes(values={"name": NAME, "email": EMAIL,
                      "coupons": Value("--coupon", "A coupon of the affiliate; may be repeated.", "CODE")},
              fixed={"refuse_same": True},
              lifts={"refuse_same": Value("--anyway", "Even if another affiliate has the e-mail address.")},
              texts=True),
        creates=True,
    ),
    ActCommand(
        "update", "affiliates.updateAffiliate",
        "Change an affiliate's name, e-mail address, coupons or what it says of itself.\n\n"
        "Orders that are decided already stay as they are.",
        _show,
        Takes(on=AFFILIATE,
              values={"name": NAME, "email": EMAIL,
                      "added": Value("--add-coupon", "One more coupon; may be repeated.", "CODE"),
                      "removed": Value("--remove-coupon", "One less; may be repeated.", "CODE")},
              some="Name what to change, such as --name, --email or --add-coupon.", texts=True),
    ),
    ActCommand("show", "affiliates.getAffiliate", "Show one affiliate.", _show, Takes(on=AFFILIATE)),
    ActCommand("activate", "affiliates.activateAffiliate", "Let an affiliate earn (again) from new orders.",
               "{name} ({id}) is {status} now.", Takes(on=AFFILIATE)),
    ActCommand("deactivate", "affiliates.deactivateAffiliate", "Stop an affiliate from earning from new orders.",
               "{name} ({id}) is {status} now.", Takes(on=AFFILIATE)),
):  # fmt: skip
    affiliate.add_command(each)
