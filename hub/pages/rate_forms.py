"""The form of a rate that is tried, as merchants and operators fill it in, and what its preview is shown with."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, TypedDict
from urllib.parse import urlencode

from attrs import frozen

from hub.domain.orders.rule_kinds import RULE_TYPES, kind_of
from hub.domain.orders.volume_texts import VOLUMES, volume_of
from hub.domain.words import LIVE_FIRST
from hub.operations.errors import OperatorFault
from hub.operations.money.rates.rule_preview import PreviewDocument, preview_rule
from hub.operations.money.rates.volume_preview import preview_volume
from hub.operations.users.actor_names import names_of_affiliates
from hub.pages.progress import Progress
from hub.pages.visit import PageServices
from hub.storage import Store

DAYS: Final = (("30", "30 days"), ("90", "90 days"), ("365", "a year"))
KINDS: Final = tuple((each, kind_of(each).label) for each in RULE_TYPES)
USUAL_DAYS: Final = 90
RISING: Final = (("", "no"), *VOLUMES.items())
"""The choices of what a rate rises by."""
LONGEST: Final = 255


def rate_value(kind: str, typed: str) -> str:
    """Return the number of a rate as it was typed: "10 %" of a percentage is 10, and any other text stays."""
    text = typed.strip()
    return text.removesuffix("%").rstrip() if kind == "PERCENTAGE" else text


class Target(TypedDict):
    """What a rate is for, as `preview_rule` takes it."""

    campaign: str | None
    merchant: str | None
    product: str | None
    new_customers: bool


@frozen
class AskedRate:
    """What is tried: `value` is a percentage or an amount, for the campaign or product named, else the merchant.

    With `new_customers` it is what the campaign pays for their orders.
    """

    merchant: str
    mode: str
    campaign: str
    product: str
    kind: str
    value: str
    days: int
    new_customers: bool = False
    volume: str = ""
    """By which volume the campaign's rate rises, if that is what is tried; `tiers` then has one tier a line."""
    tiers: str = ""

    @classmethod
    def of(cls, values: Mapping[str, str], **fixed: str) -> AskedRate:
        """Read it from an address or a form; `fixed` are members that the page decides."""
        read = {name: values.get(name, "").strip()[:LONGEST]
                for name in ("merchant", "mode", "campaign", "product", "kind", "value")} | fixed  # fmt: skip
        days = values.get("days", "")
        number = int(days) if days in dict(DAYS) else USUAL_DAYS
        mode = read["mode"] if read["mode"] in LIVE_FIRST else "live"
        return cls(read["merchant"], mode, read["campaign"], read["product"], read["kind"], read["value"], number,
                   values.get("new_customers") == "1", values.get("volume", "").strip()[:LONGEST],
                   values.get("tiers", "").strip()[:LONGEST])  # fmt: skip

    @property
    def is_asked(self) -> bool:
        """Whether anything is tried."""
        return bool(self.value or self.volume)

    @property
    def commission(self) -> str:
        """The rate as rules have it, like "PERCENTAGE:12"."""
        kind = self.kind if self.kind in dict(KINDS) else RULE_TYPES[0]
        return f"{kind}:{rate_value(kind, self.value)}"

    @property
    def target(self) -> Target:
        """What the rate is for, as the acts take it; raise `OperatorFault` if it is two things at once."""
        if self.campaign and self.product:
            raise OperatorFault("A rate is for a campaign or for a product; name one of them.")
        return {"campaign": self.campaign or None, "merchant": self.merchant or None, "product": self.product or None,
                "new_customers": self.new_customers}  # fmt: skip

    @property
    def query(self) -> str:
        """The query string of its preview."""
        given = {"merchant": self.merchant, "mode": self.mode, "campaign": self.campaign, "product": self.product,
                 "kind": self.kind, "value": self.value, "days": str(self.days),
                 "new_customers": "1" if self.new_customers else "", "volume": self.volume,
                 "tiers": self.tiers}  # fmt: skip
        return urlencode({name: value for name, value in given.items() if value})


async def preview_asked(services: PageServices, asked: AskedRate, progress: Progress) -> PreviewDocument:
    """Return what a rate would change; raise `OperatorFault` for what is unknown or cannot be a rate."""
    if asked.volume:
        return await _preview_volume(services, asked, progress)
    return await preview_rule(
        services.store, services.clock, services.policy, commission=asked.commission, days=asked.days,
        mode=asked.mode, note=progress.note, **asked.target,
    )  # fmt: skip


async def _preview_volume(services: PageServices, asked: AskedRate, progress: Progress) -> PreviewDocument:
    if not asked.campaign or asked.product:
        raise OperatorFault("Rates by volume are a campaign's; name the campaign.")
    try:
        volume = volume_of(asked.volume, asked.tiers.splitlines())
    except ValueError as fault:
        raise OperatorFault(str(fault)) from None
    return await preview_volume(
        services.store, services.clock, campaign=asked.campaign, volume=volume, days=asked.days, note=progress.note
    )


async def names_in(store: Store, found: PreviewDocument) -> dict[str, str]:
    """Return the names of the affiliates of a preview, by id."""
    return await names_of_affiliates(store, [each["id"] for each in found["affiliates"]])
