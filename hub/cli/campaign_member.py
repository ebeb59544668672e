"""`hub campaign member`: the affiliates of a campaign."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import click
from attrs import evolve

from hub.cli.act_command import ActCommand, Takes, Value
from hub.cli.invocation import Invocation, invoked
from hub.cli.output import Table, named, print_result, say
from hub.clock import system_clock
from hub.domain.instants import format_instant

if TYPE_CHECKING:
    from hub.records.memberships import MembershipDocument


@click.group(epilog="CMP is a campaign's id or code, AFF an affiliate's id, or its exact name or e-mail address.")
def member() -> None:
    """Decide which affiliates promote a campaign, and at which rate."""


@member.command()
@click.argument("campaign", metavar="CMP")
@click.argument("affiliate", metavar="AFF")
@click.option("--message", help="A message to the merchant.")
@invoked
def apply(invocation: Invocation, campaign: str, affiliate: str, message: str | None) -> None:
    """Apply on an affiliate's behalf; a campaign that is open to all accepts at once."""
    from hub.operations.affiliates.memberships import Member, apply_to_campaign

    made = invocation.with_store(
        lambda store: apply_to_campaign(store, system_clock, Member(campaign, affiliate), message)
    )
    print_result(invocation, made, lambda: _say(made))


def _rate(document: MembershipDocument) -> str | None:
    return None if document.commission_type is None else f"{document.commission_type}:{document.commission_value}"


def _say(document: MembershipDocument) -> None:
    rate = _rate(document)
    paid = "" if rate is None else f", paid {rate}"
    say(f"{document.affiliate_name} is {document.status} in {document.campaign_title}{paid}.")


MEMBERS: Final = Table(
    ["campaign", "title", "affiliate", "status", "own rate", "mode", "applied"],
    lambda m: (m.campaign_code, m.campaign_title, named(m.affiliate_id, m.affiliate_name), m.status, _rate(m), m.mode,
               format_instant(m.applied_at)),
    "No affiliate has joined a campaign yet.",
)  # fmt: skip
MEMBER: Final = {"campaign": Value("", metavar="CMP"), "affiliate": Value("", metavar="AFF")}
REASON: Final = Value("--reason", "Why; the affiliate sees it.")

for each in (
    ActCommand("list", "memberships.listMemberships", "List memberships, newest application first.", MEMBERS,
               Takes(values={"merchant": Value("--merchant", "Only of this merchant's campaigns.", "ID"),
                             "campaign": Value("--campaign", "Only of this campaign.", "CMP"),
                             "affiliate": Value("--affiliate", "Only of this affiliate.", "AFF"),
                             "status": Value("--status", "Only these.")})),
    ActCommand("approve", "memberships.decideMembership",
               "Approve an application, or make an affiliate a member without one.", _say,
               Takes(on=MEMBER, fixed={"status": "APPROVED"})),
    ActCommand("reject", "memberships.decideMembership", "Refuse an application.", _say,
               Takes(on=MEMBER, values={"reason": evolve(REASON, required=True)}, fixed={"status": "REJECTED"})),
    ActCommand("remove", "memberships.decideMembership",
               "End a membership and disable its links; commissions that exist stay.", _say,
               Takes(on=MEMBER, values={"reason": REASON}, fixed={"status": "REMOVED"})),
    ActCommand("rate", "memberships.setMemberRate",
               "Set what the campaign pays this member, from now on, in place of its default.", _say,
               Takes(on=MEMBER, values={"rate": Value("--rate", "PERCENTAGE:15, FIXED:5.00, or campaign for "
                                                                "everybody's.", "RULE")})),
):  # fmt: skip
    member.add_command(each)
