"""The way around: the pages of each role's area, in the order in which they are shown."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Final, Protocol

from attrs import evolve, field, frozen


class HasRoles(Protocol):
    """Somebody with roles."""

    def has_role(self, *roles: str) -> bool:
        """Return whether the person has one of these roles."""
        ...


@frozen
class Place:
    """A page to go to; `beside` are the addresses of pages that belong to it."""

    address: str
    name: str
    beside: tuple[str, ...] = ()


@frozen
class Area:
    """The pages of a role: its address is what every address of the area begins with."""

    address: str
    name: str
    roles: tuple[str, ...]
    places: tuple[Place, ...]


@frozen
class Navigation:
    """What the layout shows: the areas of the person, the one they are in, and the address of the current place."""

    areas: tuple[Area, ...]
    area: Area | None
    current: str | None
    counts: Mapping[str, int] = field(factory=dict)
    """How many unread notices are about the pages of a place, by its address."""


AREAS: Final = (
    Area(
        "/merchant",
        "Merchant",
        ("merchant",),
        (
            Place("/merchant", "Overview"),
            Place("/merchant/orders", "Orders", ("/merchant/reconcile",)),
            Place("/merchant/commissions", "Commissions"),
            Place("/merchant/statements", "Statements"),
            Place("/merchant/reviews", "Review"),
            Place("/merchant/messages", "Messages"),
            Place("/merchant/logs", "Request log"),
            Place("/merchant/questions", "Questions"),
            Place("/merchant/campaigns", "Campaigns", ("/merchant/rates",)),
            Place("/merchant/affiliates", "Partners"),
            Place("/merchant/products", "Products", ("/merchant/uploads",)),
            Place("/merchant/links", "Links"),
            Place("/merchant/connections", "Connections"),
            Place("/merchant/keys", "Keys", ("/merchant/webhooks",)),
            Place(
                "/merchant/onboarding",
                "Set up",
                ("/merchant/profile", "/merchant/domains", "/merchant/test", "/merchant/people"),
            ),
        ),
    ),
    Area(
        "/affiliate",
        "Affiliate",
        ("affiliate",),
        (
            Place("/affiliate", "Overview"),
            Place("/affiliate/links", "Links"),
            Place("/affiliate/campaigns", "Campaigns"),
            Place("/affiliate/reports", "Reports"),
            Place("/affiliate/commissions", "Commissions"),
            Place("/affiliate/payouts", "Payouts", ("/affiliate/payee",)),
            Place("/affiliate/messages", "Messages"),
            Place("/affiliate/settings", "Settings", ("/affiliate/webhooks",)),
        ),
    ),
    Area(
        "/operator",
        "Operator",
        ("operator", "operator-admin"),
        (
            Place("/operator", "Overview"),
            Place("/operator/reports", "Reports"),
            Place("/operator/approvals", "Approvals"),
            Place("/operator/reviews", "Reviews"),
            Place("/operator/messages", "Messages"),
            Place("/operator/merchants", "Merchants"),
            Place("/operator/affiliates", "Affiliates"),
            Place("/operator/campaigns", "Campaigns"),
            Place("/operator/links", "Links"),
            Place("/operator/connections", "Connections", ("/operator/webhooks", "/operator/apps")),
            Place("/operator/orders", "Orders"),
            Place("/operator/commissions", "Commissions"),
            Place(
                "/operator/payouts",
                "Payouts",
                ("/operator/adjustments", "/operator/owed", "/operator/ledger", "/operator/rates"),
            ),
            Place("/operator/users", "Users", ("/operator/handovers",)),
            Place("/operator/trail", "Trail"),
            Place("/operator/settings", "Settings"),
        ),
    ),
)


SET_UP: Final = "/merchant/onboarding"


def navigation_of(
    person: HasRoles | None, here: str, *, sets_up: bool = False, unread: Sequence[str] = ()
) -> Navigation:
    """Return what a person sees at the address `here`; areas without a page are left out.

    The set-up of a merchant that is still at it comes first.
    """
    if person is None:
        return Navigation((), None, None)
    areas = tuple(area for area in AREAS if area.places and person.has_role(*area.roles))
    within = next((area for area in areas if _within(here, area.address)), None)
    if within is None and len(areas) == 1 and not _within(here, "/docs"):  # the documentation has a menu of its own
        within = areas[0]
    if within is not None and sets_up:
        within = evolve(within, places=tuple(sorted(within.places, key=lambda place: place.address != SET_UP)))
    places = () if within is None else within.places
    counts = Counter(place for about in unread if (place := _place_of(places, about.partition("?")[0])) is not None)
    return Navigation(areas, within, _place_of(places, here), counts)


def _place_of(places: Sequence[Place], here: str) -> str | None:
    """Return the address of the place that a page belongs to, None if to none."""
    fitting = {
        address: place.address
        for place in places
        for address in (place.address, *place.beside)
        if _within(here, address)
    }
    nearest = max(fitting, key=len, default=None)
    return None if nearest is None else fitting[nearest]


def home_of(person: HasRoles) -> str | None:
    """Return the first page of a person's only area, None for somebody with more areas or none."""
    areas = navigation_of(person, "").areas
    return areas[0].places[0].address if len(areas) == 1 else None


def _within(here: str, address: str) -> bool:
    return here == address or here.startswith(address + "/")
