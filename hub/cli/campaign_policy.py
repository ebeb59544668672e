"""`hub campaign policy`: which affiliate earns by an order of a campaign."""

from __future__ import annotations

import click

from hub.cli.acting import by_option, over_store_as
from hub.cli.invocation import Invocation, invoked
from hub.cli.output import print_result, show_fields
from hub.clock import system_clock
from hub.domain.attribution_policy import RENEWALS, RULES, Renewals

NAMES = {rule.lower().replace("_", "-"): rule for rule in RULES}


WHEN: dict[str, Renewals] = {each.lower().replace("_", "-"): each for each in RENEWALS if each != "TIMES"}


@click.command()
@click.argument("campaign", metavar="CMP")
@click.option("--rule", type=click.Choice(list(NAMES)), help="What decides an order.")
@click.option("--new-customers/--any-customer", default=None, help="Whether only new customers' orders earn.")
@click.option("--without-coupon", "coupons", multiple=True, metavar="CODE", help="Orders with it earn nothing.")
@click.option("--without-product", "products", multiple=True, metavar="ID", help="A product that earns nothing.")
@click.option("--without-sub", "subs", multiple=True, metavar="SUB", help="Clicks with this sub-id earn nothing.")
@click.option("--flag-visitors/--no-flags", default=None, help="Whether suspicious visitors are held for review.")
@click.option("--renewals", metavar="WHEN", help="never, within-window, always, or how many of a subscription earn.")
@click.option(
    "--customer-days", type=int, metavar="DAYS", help="How long a returning customer is recognised; 0: never."
)
@click.option("--clear", is_flag=True, help="Empty the lists first.")
@by_option
@invoked
def policy(
    invocation: Invocation, campaign: str, rule: str | None, new_customers: bool | None, coupons: tuple[str, ...],
    products: tuple[str, ...], subs: tuple[str, ...], flag_visitors: bool | None, renewals: str | None,
    customer_days: int | None, clear: bool, by: str | None,
) -> None:  # fmt: skip
    """Show or change a campaign's attribution policy.

    Each list that is named replaces the one before. Orders that were decided stay as they are. CMP is its id or code.
    """
    from hub.operations.campaigns.attribution_policies import (
        PolicyForm,
        set_attribution_policy,
        show_attribution_policy,
    )

    form = PolicyForm(
        None if rule is None else NAMES[rule],
        new_customers,
        coupons if coupons or clear else None,
        products if products or clear else None,
        subs if subs or clear else None,
        flag_visitors, *_renewals(renewals), customer_days,
    )  # fmt: skip
    if form == PolicyForm():
        found = invocation.with_store(lambda store: show_attribution_policy(store, campaign))
    else:
        found = over_store_as(invocation, by, lambda store: set_attribution_policy(store, system_clock, campaign, form))
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
    print_result(invocation, found, lambda: show_fields(found["sentence"], fields))


def _renewals(typed: str | None) -> tuple[Renewals | None, int | None]:
    """Return what was typed of renewals, and how many earn; raise `UsageError` for what is neither word nor number."""
    if typed is None or typed in WHEN:
        return None if typed is None else WHEN[typed], None
    if not typed.isdecimal():
        raise click.UsageError(f"--renewals is {', '.join(WHEN)} or a number of renewals, not {typed!r}.")
    return "TIMES", int(typed[:9])
