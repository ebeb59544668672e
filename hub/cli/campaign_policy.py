"""`hub campaign policy`: which affiliate earns by an order of a campaign."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import click

from hub.cli.act_command import ActCommand, Takes, Value
from hub.cli.act_values import Typed
from hub.cli.output import show_fields
from hub.domain.orders.attribution_policy import RENEWALS, RULES, Renewals

if TYPE_CHECKING:
    from hub.operations.campaigns.attribution_policies import PolicyDocument

NAMES = {rule.lower().replace("_", "-"): rule for rule in RULES}
WHEN: dict[str, Renewals] = {each.lower().replace("_", "-"): each for each in RENEWALS if each != "TIMES"}
LISTS: Final = ("excluded_coupons", "excluded_products", "excluded_sub_affiliates")
OPTIONS: Final[tuple[click.Parameter, ...]] = (
    click.Option(["--rule"], type=click.Choice(list(NAMES)), help="What decides an order."),
    click.Option(["--new-customers/--any-customer", "new_customers_only"], default=None,
                 help="Whether only new customers' orders earn."),
    click.Option(["--without-coupon", "excluded_coupons"], multiple=True, metavar="CODE",
                 help="Orders with it earn nothing."),
    click.Option(["--without-product", "excluded_products"], multiple=True, metavar="ID",
                 help="A product that earns nothing."),
    click.Option(["--without-sub", "excluded_sub_affiliates"], multiple=True, metavar="SUB",
                 help="Clicks with this sub-id earn nothing."),
    click.Option(["--flag-visitors/--no-flags", "flags_visitors"], default=None,
                 help="Whether suspicious visitors are held for review."),
    click.Option(["--renewals"], metavar="WHEN",
                 help="never, within-window, always, or how many renewals of a subscription earn."),
    click.Option(["--customer-days"], type=int, metavar="DAYS",
                 help="How long a returning customer is recognised; 0: never."),
    click.Option(["--clear"], is_flag=True, help="Empty the lists first."),
)  # fmt: skip


def _form(typed: Typed) -> dict[str, Any]:
    given = dict(typed)
    if given.pop("clear"):
        given = dict.fromkeys(LISTS, ()) | given
    if "rule" in given:
        given["rule"] = NAMES[given["rule"]]
    return given | _renewals(given.pop("renewals", None))


def _renewals(typed: str | None) -> dict[str, Any]:
    """Return what was typed of renewals, and how many earn; raise `UsageError` for what is neither word nor number."""
    if typed is None or typed in WHEN:
        return {} if typed is None else {"renewals": WHEN[typed]}
    if not typed.isdecimal():
        raise click.UsageError(f"--renewals is {', '.join(WHEN)} or a number of renewals, not {typed!r}.")
    return {"renewals": "TIMES", "renewal_times": int(typed[:9])}


def _show(found: PolicyDocument) -> None:
    fields = {
        "code": found["campaignCode"],
        "rule": found["rule"],
        "new customers only": found["newCustomersOnly"],
        "without coupons": ", ".join(found["excludedCoupons"]) or None,
        "without products": ", ".join(found["excludedProducts"]) or None,
        "without sub-ids": ", ".join(found["excludedSubAffiliates"]) or None,
        "flags visitors": found["flagsVisitors"],
        "renewals": found["renewalTimes"] or found["renewals"],
        "customers known for days": found["customerDays"],
    }
    show_fields(found["sentence"], fields)


policy: Final = ActCommand(
    "policy", "campaigns.setCampaignPolicy",
    "Show or change a campaign's attribution policy.\n\n"
    "Each list that is named replaces the one before. Orders that were decided stay as they are. CMP is its id or "
    "code.",
    _show, Takes(on={"campaign": Value("", metavar="CMP")}, own=OPTIONS, reads=_form),
    reader="campaigns.getCampaignPolicy",
)  # fmt: skip
