"""What the page of a merchant shows an operator, and the forms of its acts."""

from __future__ import annotations

from typing import Final

from hub.domain.durations import duration_text
from hub.domain.orders.rule_kinds import kind_named
from hub.operations.merchants.merchant_profiles import ProfileDocument
from hub.operations.merchants.onboarding import words_of
from hub.pages.markup import span_text
from hub.pages.operator import parts
from hub.records.merchants import MerchantDocument

HERE: Final = "/operator/merchants"
RATE_HINT: Final = "PERCENTAGE:8 or FIXED:5.00 in the merchant's currency; default for that of the hub."
HOLD_HINT: Final = "Such as 14d or 12h; default for that of the hub."


def settings_of(merchant: MerchantDocument) -> parts.Section:
    """Return the settings of a merchant."""
    kind = kind_named(merchant.commission_type or "")
    rate = "the hub's" if kind is None else kind.rate(merchant.commission_value or "", merchant.currency)
    hold = "the hub's" if merchant.hold_ms is None else span_text(merchant.hold_ms)
    facts = (
        ("Id", parts.code(merchant.id)),
        ("E-mail", parts.text(merchant.email)),
        ("Domains", parts.text(", ".join(merchant.domains))),
        ("Currency", parts.text(merchant.currency)),
        ("Commission", parts.text(rate)),
        ("Hold", parts.text(hold)),
        ("Test account", parts.code(merchant.accounts.test)),
        ("Live account", parts.code(merchant.accounts.live)),
        ("Since", parts.at(merchant.created_at)),
        ("Closed", parts.at(merchant.closed_at)),
    )
    return parts.Section("Settings", facts)


def profile_of(profile: ProfileDocument) -> parts.Section:
    """Return the business profile of a merchant, what is missing in it, and its live access."""
    facts = [(words_of(name).capitalize(), parts.text(value)) for name, value in profile["fields"].items()]
    missing = [f"Missing: {', '.join(map(words_of, profile['missing']))}."] if profile["missing"] else []
    access = {"ASKED": "asked for", "GRANTED": "granted", "REFUSED": "refused"}.get(
        profile["liveAccess"] or "", "not asked for"
    )
    facts += [
        ("Live access", parts.text(access, profile["liveReason"] or "")),
        ("Asked", parts.at(profile["liveAskedAt"])),
    ]
    if profile["liveNote"]:
        facts.append(("Why, if some steps are not done", parts.text(profile["liveNote"])))
    return parts.Section("Business profile and live access", facts, paragraphs=missing)


def places_of(merchant: MerchantDocument) -> parts.Section:
    """Return the lists of what belongs to a merchant."""
    one = merchant.id
    places = ("campaigns", "links", "connections", "orders", "commissions", "messages", "log")
    links = [(each.capitalize(), f"/operator/{each}?merchant={one}") for each in places]
    links.append(("What it owes", f"/operator/owed/{one}"))
    links.append(("Activity", f"/operator/trail?subject={one}"))
    return parts.Section("Related", links=links)


def forms_of(merchant: MerchantDocument, profile: ProfileDocument) -> list[parts.Form]:
    """Return the acts on a merchant that its status allows."""
    one = f"{HERE}/{merchant.id}"
    reason = parts.Field("reason", "Reason", hint="The merchant sees it.", optional=True)
    forms = []
    if merchant.status != "APPROVED":
        forms.append(parts.Form(f"{one}/approve", "Approve", tone=""))
    if profile["liveAccess"] == "ASKED":
        options = (("grant", "Grant"), ("refuse", "Refuse"))
        fields = (parts.Field("decision", "Decision", "choice", options=options), reason)
        forms.append(parts.Form(f"{one}/live-access", "Decide", fields, title="Decide on live access"))
    if merchant.status in ("PENDING", "IN_REVIEW"):
        forms.append(parts.Form(f"{one}/reject", "Reject", (reason,), "danger"))
    if merchant.status == "APPROVED":
        hint = "Until it is approved again, live keys are refused, links lead on without a click, and nothing is paid."
        forms.append(parts.Form(f"{one}/suspend", "Suspend", (reason,), "danger", hint=hint))
    rate = f"{merchant.commission_type}:{merchant.commission_value}" if merchant.commission_type else ""
    hold = "" if merchant.hold_ms is None else duration_text(merchant.hold_ms)
    settings = (
        parts.Field("name", "Name", value=merchant.name),
        parts.Field("email", "E-mail address", "email", merchant.email),
        parts.Field("domains", "Domains", "area", "\n".join(merchant.domains), "One per line."),
    )
    terms = (
        parts.Field("commission", "Commission", value=rate, hint=RATE_HINT, optional=True),
        parts.Field("hold", "Hold", value=hold, hint=HOLD_HINT, optional=True),
    )
    forms.append(parts.Form(one, "Save", settings, title="Change the settings"))
    forms.append(parts.Form(f"{one}/terms", "Save", terms, title="Change commission and hold"))
    return forms
