"""The way around: the pages of each role's area, in the order in which they are shown."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Final, Protocol

from attrs import evolve, field, frozen


class HasRoles(Protocol):
    """Somebody with roles."""

    def has_role(self, *roles: str) -> bool:
        """Return whether the person has one of these roles."""
        ...


@frozen
class Place:
    """A name to go to; `parts` are the pages that share it, the first at the place's own address.

    `beside` are the addresses of pages that belong to it and are reached from within.
    """

    address: str
    name: str
    parts: tuple[Place, ...] = ()
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
    """What the layout shows: the areas of the person, the one they are in, the current place and its current part."""

    areas: tuple[Area, ...]
    area: Area | None
    current: Place | None
    part: Place | None
    counts: Mapping[str, int] = field(factory=dict)
    """How many unread notices are about the pages of a place, by its address."""


SET_UP: Final = "/merchant/onboarding"
SETTINGS: Final = Place(
    "/merchant/profile",
    "Settings",
    (
        Place("/merchant/profile", "Profile"),
        Place("/merchant/domains", "Domains"),
        Place("/merchant/people", "People"),
        Place(SET_UP, "Set up"),
        Place("/merchant/test", "Test"),
    ),
)
SETTING_UP: Final = evolve(SETTINGS, address=SET_UP, name="Set up")
AREAS: Final = (
    Area(
        "/merchant",
        "Merchant",
        ("merchant",),
        (
            Place("/merchant", "Overview"),
            Place(
                "/merchant/orders",
                "Orders",
                (
                    Place("/merchant/orders", "All orders"),
                    Place("/merchant/reviews", "To review"),
                    Place("/merchant/questions", "Questions"),
                    Place("/merchant/reconcile", "Compare with the shop"),
                ),
            ),
            Place(
                "/merchant/commissions",
                "Money",
                (Place("/merchant/commissions", "Commissions"), Place("/merchant/statements", "Statements")),
            ),
            Place(
                "/merchant/affiliates",
                "Partners",
                (
                    Place("/merchant/affiliates", "All partners"),
                    Place("/merchant/links", "Links"),
                    Place("/merchant/affiliates/page", "Join page"),
                    Place("/merchant/materials", "Materials"),
                ),
            ),
            Place(
                "/merchant/campaigns",
                "Campaigns",
                (
                    Place("/merchant/campaigns", "All campaigns"),
                    Place("/merchant/products", "Products"),
                    Place("/merchant/rates", "Rates"),
                ),
            ),
            Place(
                "/merchant/connections",
                "Store",
                (
                    Place("/merchant/connections", "Connections", beside=("/merchant/consent",)),
                    Place("/merchant/messages", "Messages"),
                    Place("/merchant/uploads", "Files"),
                ),
            ),
            Place(
                "/merchant/keys",
                "Developers",
                (
                    Place("/merchant/keys", "Keys"),
                    Place("/merchant/tokens", "Tokens"),
                    Place("/merchant/webhooks", "Webhooks"),
                    Place("/merchant/logs", "Request log"),
                ),
            ),
            SETTINGS,
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
            Place("/affiliate/commissions", "Commissions", beside=("/affiliate/find",)),
            Place(
                "/affiliate/payouts",
                "Payouts",
                beside=("/affiliate/payee", "/affiliate/tax-details", "/affiliate/statement"),
            ),
            Place("/affiliate/messages", "Messages"),
            Place("/affiliate/settings", "Settings", beside=("/affiliate/webhooks",)),
        ),
    ),
    Area(
        "/operator",
        "Operator",
        ("operator", "operator-admin"),
        (
            Place("/operator", "Overview", (Place("/operator", "Today"), Place("/operator/reports", "Reports"))),
            Place("/operator/approvals", "Approvals"),
            Place(
                "/operator/orders",
                "Orders",
                (
                    Place("/operator/orders", "All orders"),
                    Place("/operator/reviews", "To review"),
                    Place("/operator/commissions", "Commissions"),
                    Place("/operator/messages", "Messages"),
                ),
            ),
            Place(
                "/operator/merchants",
                "Merchants",
                (
                    Place("/operator/merchants", "All merchants"),
                    Place("/operator/connections", "Connections"),
                    Place("/operator/webhooks", "Webhooks"),
                    Place("/operator/apps", "Apps"),
                ),
            ),
            Place("/operator/affiliates", "Affiliates"),
            Place(
                "/operator/campaigns",
                "Campaigns",
                (
                    Place("/operator/campaigns", "All campaigns"),
                    Place("/operator/links", "Links"),
                    Place("/operator/rates", "Rates"),
                ),
            ),
            Place(
                "/operator/payouts",
                "Money",
                (
                    Place("/operator/payouts", "Payouts"),
                    Place("/operator/owed", "Owed by merchants", beside=("/operator/issuers",)),
                    Place("/operator/receipts", "Paid by merchants", beside=("/operator/bank-reports",)),
                    Place("/operator/adjustments", "Corrections", beside=("/operator/debts",)),
                    Place("/operator/exchange-rates", "Exchange rates"),
                    Place("/operator/ledger", "Ledger", beside=("/operator/books",)),
                ),
            ),
            Place(
                "/operator/settings",
                "Settings",
                (
                    Place("/operator/settings", "Hub"),
                    Place("/operator/branding", "Branding"),
                    Place("/operator/users", "People"),
                    Place("/operator/trail", "Trail"),
                ),
            ),
        ),
    ),
)


def navigation_of(
    person: HasRoles | None, here: str, *, sets_up: bool = False, unread: Sequence[str] = ()
) -> Navigation:
    """Return what a person sees at the address `here`; areas without a page are left out.

    A merchant that is still setting up has that first, in place of the settings, whose pages are its steps.
    """
    if person is None:
        return Navigation((), None, None, None)
    areas = tuple(area for area in AREAS if area.places and person.has_role(*area.roles))
    within = next((area for area in areas if _within(here, area.address)), None)
    if within is None and len(areas) == 1 and not _within(here, "/docs"):  # the documentation has a menu of its own
        within = areas[0]
    if within is not None and sets_up and SETTINGS in within.places:
        within = evolve(within, places=(SETTING_UP, *(place for place in within.places if place is not SETTINGS)))
    current = None if within is None else _nearest(here, within.places)
    part = None if current is None else _nearest(here, current.parts)
    return Navigation(areas, within, current, part, _counts(unread, () if within is None else within.places))


def _counts(unread: Sequence[str], places: Sequence[Place]) -> Mapping[str, int]:
    found = [_nearest(about.partition("?")[0], places) for about in unread]
    return Counter(place.address for place in found if place is not None)


def _nearest(here: str, places: Sequence[Place]) -> Place | None:
    """Return the place to which an address belongs: the one that has the longest beginning of it."""
    fitting = [(len(address), place) for place in places for address in _addresses(place) if _within(here, address)]
    return max(fitting, key=lambda each: each[0], default=(0, None))[1]


def _addresses(place: Place) -> Iterator[str]:
    yield from (place.address, *place.beside)
    for part in place.parts:
        yield from _addresses(part)


def home_of(person: HasRoles) -> str | None:
    """Return the first page of a person's only area, None for somebody with more areas or none."""
    areas = navigation_of(person, "").areas
    return areas[0].places[0].address if len(areas) == 1 else None


def _within(here: str, address: str) -> bool:
    return here == address or here.startswith(address + "/")
