"""What a command can do, a page can do, and the reverse: every act with its command and its page.

An act is what leaves a line in the trail. Whoever adds one names here how it is done at the terminal and in the
browser; what misses one of both stands among the exceptions, with its reason.
"""

from __future__ import annotations

import ast
import re
from pathlib import Path

import click

from hub.cli import hub
from hub.pages.routes import all_pages
from hub.token_api.routes import APIS

ACTS: dict[str, tuple[str, str]] = {
    "app.deleted": ("connection app delete", "/operator/apps/{connector}/delete"),
    "app.set": ("connection app set", "/operator/apps"),
    "account.clock-advanced": ("clock advance", "/merchant/test/clock"),
    "account.emptied": ("account empty", "/merchant/test/empty"),
    "adjustment.approved": ("adjustment approve", "/operator/adjustments/{adjustment}/approve"),
    "adjustment.created": ("adjustment create", "/operator/adjustments"),
    "adjustment.rejected": ("adjustment reject", "/operator/adjustments/{adjustment}/reject"),
    "affiliate.activated": ("affiliate activate", "/operator/affiliates/{affiliate}/activate"),
    "affiliate.created": ("affiliate create", "/operator/affiliates"),
    "affiliate.deactivated": ("affiliate deactivate", "/operator/affiliates/{affiliate}/deactivate"),
    "affiliate.updated": ("affiliate update", "/operator/affiliates/{affiliate}"),
    "campaign.activated": ("campaign activate", "/merchant/campaigns/{campaign}/status"),
    "campaign.approved": ("campaign approve", "/operator/campaigns/{campaign}/approve"),
    "campaign.archived": ("campaign archive", "/merchant/campaigns/{campaign}/status"),
    "campaign.created": ("campaign create", "/merchant/campaigns"),
    "campaign.paused": ("campaign pause", "/merchant/campaigns/{campaign}/status"),
    "campaign.rejected": ("campaign reject", "/operator/campaigns/{campaign}/reject"),
    "campaign.updated": ("campaign update", "/operator/campaigns/{campaign}"),
    "clock.confirmed": ("clock confirm", "/operator/clocks"),
    "commission.paid": ("commission pay", "/operator/orders/{order}/pay"),
    "connection.credentials-deleted": (
        "connection credentials",
        "/merchant/connections/{connection}/credentials/delete",
    ),
    "connection.credentials-given": ("connection credentials", "/merchant/connections/{connection}/credentials"),
    "connection.fetches-retried": ("connection fetch", "/merchant/connections/{connection}/fetch"),
    "connection.reconciled": ("connection reconcile", "/merchant/connections/{connection}/read"),
    "connection.webhooks-kept": ("connection webhooks", "/merchant/connections/{connection}/webhooks"),
    "connection.closed": ("connection close", "/operator/connections/{connection}/close"),
    "connection.created": ("connection create", "/merchant/connections"),
    "connection.erasure_revoked": ("connection keep", "/operator/connections/{connection}/keep"),
    "connection.site_changed": ("connection site", "/operator/connections/{connection}/site"),
    "connection.secret-added": ("connection secret add", "/merchant/connections/{connection}/secrets"),
    "connection.secret-expired": ("connection secret expire", "/merchant/connections/{connection}/secrets/end"),
    "conversion.attributed": ("conversion attribute", "/operator/orders/{order}/attribute"),
    "conversion.dismissed": ("conversion dismiss", "/operator/orders/{order}/dismiss"),
    "conversion.message-written": ("conversion answer", "/operator/orders/{order}/messages"),
    "conversion.questions_closed": ("conversion close-questions", "/operator/questions/close"),
    "deposit.added": ("deposit add", "/operator/owed/{merchant}/deposit/add"),
    "deposit.required": ("deposit require", "/operator/owed/{merchant}/deposit/require"),
    "deposit.withdrawn": ("deposit withdraw", "/operator/owed/{merchant}/deposit/withdraw"),
    "domain.added": ("domain add", "/merchant/domains"),
    "domain.proved": ("domain prove", "/merchant/domains/{domain}/prove"),
    "domain.removed": ("domain remove", "/merchant/domains/{domain}/remove"),
    "event.replayed": ("event replay", "/operator/messages/{event}/replay"),
    "fee.set": ("statement fee", "/operator/owed/{merchant}/fee"),
    "invoice.issued": ("statement invoice", "/operator/owed/{merchant}/invoices"),
    "key.issued": ("key create", "/merchant/keys"),
    "key.revoked": ("key revoke", "/merchant/keys/{key}/revoke"),
    "key.updated": ("key update", "/merchant/keys/{key}"),
    "link.created": ("link create", "/operator/links"),
    "link.disabled": ("link disable", "/operator/links/{link}/disable"),
    "link.enabled": ("link enable", "/operator/links/{link}/enable"),
    "mail.retried": ("mail retry", "/operator/mails/retry"),
    "membership.applied": ("campaign member apply", "/affiliate/campaigns/{campaign}/join"),
    "membership.approved": ("campaign member approve", "/operator/campaigns/{campaign}/members"),
    "membership.joined": ("campaign member apply", "/affiliate/campaigns/{campaign}/join"),
    "membership.rated": ("campaign member rate", "/operator/campaigns/{campaign}/rates"),
    "membership.rejected": ("campaign member reject", "/operator/campaigns/{campaign}/members"),
    "membership.removed": ("campaign member remove", "/operator/campaigns/{campaign}/members"),
    "merchant.approved": ("merchant approve", "/operator/merchants/{merchant}/approve"),
    "merchant.closed": ("merchant close", "/operator/merchants/{merchant}/close"),
    "merchant.created": ("merchant create", "/operator/merchants"),
    "merchant.live-asked": ("merchant live-access", "/merchant/onboarding/live-access"),
    "merchant.live-granted": ("merchant live-access", "/operator/merchants/{merchant}/live-access"),
    "merchant.live-refused": ("merchant live-access", "/operator/merchants/{merchant}/live-access"),
    "merchant.profile-updated": ("merchant profile", "/merchant/profile"),
    "merchant.rejected": ("merchant reject", "/operator/merchants/{merchant}/reject"),
    "merchant.suspended": ("merchant suspend", "/operator/merchants/{merchant}/suspend"),
    "merchant.updated": ("merchant update", "/operator/merchants/{merchant}"),
    "payee.changed": ("payee set", "/affiliate/payee"),
    "payout.created": ("payout create", "/operator/payouts"),
    "payout.released": ("payout release", "/operator/payouts/{payout}/release"),
    "payout.returned": ("payout returned", "/operator/payouts/{payout}/affiliates/{affiliate}/returned"),
    "payout.settled": ("payout settle", "/operator/payouts/{payout}/settle"),
    "product.created": ("product put", "/merchant/products"),
    "product.updated": ("product put", "/merchant/products/{product}"),
    "subscription.created": ("subscription create", "/merchant/webhooks"),
    "subscription.deleted": ("subscription delete", "/merchant/webhooks/{webhook}/delete"),
    "subscription.paused": ("subscription pause", "/merchant/webhooks/{webhook}/pause"),
    "subscription.replayed": ("subscription replay", "/merchant/webhooks/{webhook}/replay"),
    "subscription.resumed": ("subscription resume", "/merchant/webhooks/{webhook}/resume"),
    "subscription.rotated": ("subscription rotate", "/merchant/webhooks/{webhook}/rotate"),
    "token.created": ("token create", "/account/tokens"),
    "token.revoked": ("token revoke", "/account/tokens/{token}/revoke"),
    "rate.drafted": ("rule preview", "/merchant/rates"),
    "rate.dropped": ("rule drop", "/merchant/rates/{rate}/drop"),
    "rate.published": ("rule publish", "/merchant/rates/{rate}/publish"),
    "user.created": ("user create", "/operator/users"),
    "user.updated": ("user update", "/operator/users/{user}"),
    "user.disabled": ("user disable", "/operator/users/{user}/disable"),
    "user.enabled": ("user enable", "/operator/users/{user}/enable"),
    "user.factors-reset": ("user reset-factors", "/operator/users/{user}/factors"),
    "registration.invited": ("user invite", "/operator/users"),
    "user.invited": ("user invite", "/operator/users"),
    "user.link-issued": ("user login-link", "/operator/users/{user}/link"),
    "user.role-granted": ("user grant", "/operator/users/{user}/roles"),
    "user.role-revoked": ("user revoke", "/operator/users/{user}/roles/remove"),
}
"""The act, its command without "hub", and the form that does it."""

COMMAND_ONLY: dict[str, str] = {}
"""Acts that no page has yet, and why."""

PAGE_ONLY: dict[str, str] = {
    "connection.consent-begun": "the store owner agrees in the browser",
    "account.played": "at the terminal `hub simulate` and `hub request` play a store",
    "commission.approved": "the merchant decides; its shop may send the same fact by the API",
    "commission.rejected": "as above",
    "conversion.reopened": "undoes what a page did a moment ago",
    "upload.received": "the terminal reads a file itself: `hub csv apply`",
    "user.app-added": "a second factor is one's own; the operator may only reset it",
    "user.app-removed": "as above",
    "user.code-used": "as above",
    "user.codes-renewed": "as above",
    "user.passkey-added": "as above",
    "user.passkey-removed": "as above",
    "user.password-set": "a password is one's own",
    "user.reset-mailed": "whoever forgot a password asks at the sign-in page",
    "user.signed-in": "a terminal has its own sign-in",
    "user.signed-out": "as above",
}
"""Acts that no command has, and why."""

NOT_BY_API: dict[str, str] = {
    "app.deleted": "a client secret is typed or read from a file, and no token hands it over",
    "app.set": "as above",
    "invoice.issued": "invoices are issued once a month, by a timer of the machine or by hand",
    "domain.proved": "the merchant proves it, who changes the zone or the site",
    "merchant.live-asked": "the merchant asks, the operator decides",
    "product.created": "the merchant's API puts products",
    "product.updated": "as above",
    "token.created": "a token that makes tokens would outlive its own end",
    "user.link-issued": "a token that signs people in would reach further than its scope",
    "user.updated": "a token that moves an account to another address would take it over",
}
"""Acts with a command that the operators' and the affiliates' APIs do not have, and why."""

BY_API = {act for _, acts in APIS.values() for each in acts for act in each.doing}
"""What those APIs do, by the trail."""

ROOT = Path(__file__).parents[1] / "hub"


def noted_kinds() -> set[str]:
    """Return the kinds of the acts that the code notes outright, and of those that are named here."""
    kinds = {act.partition(".")[0] for act in (*ACTS, *COMMAND_ONLY, *PAGE_ONLY)}
    for file in ROOT.rglob("*.py"):
        for node in ast.walk(ast.parse(file.read_text())):
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "note_act":
                texts = [each.value for each in node.args if isinstance(each, ast.Constant)]
                kinds |= {text.partition(".")[0] for text in texts if isinstance(text, str) and "." in text}
    return kinds


KINDS = noted_kinds()


def acts_in_the_code() -> tuple[set[str], set[str]]:
    """Return the acts that the code names, and the beginnings of those that it puts together."""
    whole, begun = set[str](), set[str]()
    for room in ("operations", "people"):
        for file in (ROOT / room).rglob("*.py"):
            tree = ast.parse(file.read_text())
            inside = {id(part) for node in ast.walk(tree) if isinstance(node, ast.JoinedStr) for part in node.values}
            for node in ast.walk(tree):
                if isinstance(node, ast.Constant) and isinstance(node.value, str):
                    kind, dot, verb = node.value.partition(".")
                    if not dot or kind not in KINDS or not re.fullmatch(r"[a-z_-]*", verb) or verb == "html":
                        continue
                    (begun if id(node) in inside else whole).add(node.value)
    return whole, begun


def commands() -> set[str]:
    """Return every command, without "hub"."""
    found = set[str]()

    def walk(command: click.Command, path: list[str]) -> None:
        if isinstance(command, click.Group):
            context = click.Context(command)
            for name in command.list_commands(context):
                inner = command.get_command(context, name)
                assert inner is not None
                walk(inner, [*path, name])
        else:
            found.add(" ".join(path))

    walk(hub, [])
    return found


def test_every_act_has_a_command_and_a_page_or_a_reason() -> None:
    """Whoever adds an act names both here; an act whose end is put together needs at least one of its kind."""
    whole, begun = acts_in_the_code()
    known = {*ACTS, *COMMAND_ONLY, *PAGE_ONLY}
    assert sorted(whole - known) == []
    assert [start for start in sorted(begun) if not any(act.startswith(start) for act in known)] == []


def test_what_is_named_exists() -> None:
    """Commands are those of the terminal, pages are forms."""
    forms = {page.path for page in all_pages() if page.method == "POST"}
    assert sorted({page for _, page in ACTS.values()} - forms) == []
    named = {command for command, _ in ACTS.values()}
    assert sorted(named - commands()) == []


def test_nothing_is_named_that_is_no_act() -> None:
    """The control: an act that is renamed leaves no line behind."""
    whole, begun = acts_in_the_code()
    stale = [act for act in ACTS if act not in whole and not any(act.startswith(start) for start in begun)]
    assert stale == []


def test_what_a_command_can_do_an_api_can_do_or_there_is_a_reason() -> None:
    """By token, through the same operations; a write without an act would leave no trail."""
    assert sorted(BY_API - {*ACTS, *COMMAND_ONLY, *PAGE_ONLY}) == []
    assert sorted({*ACTS, *COMMAND_ONLY} - BY_API - NOT_BY_API.keys()) == []
    assert sorted(NOT_BY_API.keys() & BY_API) == []
    writes = [each for _, acts in APIS.values() for each in acts if each.writes and not each.doing]
    assert [each.operation for each in writes] == ["previewPayout"], "acts that change nothing"


def test_an_exception_is_none_any_more_once_its_page_is_there() -> None:
    assert sorted(ACTS.keys() & {*COMMAND_ONLY, *PAGE_ONLY}) == []


def test_the_exceptions_are_few_and_say_why() -> None:
    reasons = (
        *COMMAND_ONLY.values(),
        *PAGE_ONLY.values(),
    )
    assert all(len(reason) > 5 for reason in reasons)
    assert len(reasons) < len(ACTS) / 2
