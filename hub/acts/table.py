"""Every act, and where the pages that do them are found."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from attrs import evolve

from hub.acts import (
    adjustments,
    affiliates,
    books,
    by_hand,
    campaigns,
    changes,
    commissions,
    connections,
    deposits,
    domains,
    events,
    exchange_rates,
    issuers,
    keys,
    links,
    memberships,
    merchants,
    orders,
    own,
    own_reading,
    payees,
    payouts,
    platforms,
    rates,
    receipts,
    reports,
    statements,
    subscriptions,
    system,
    tax_details,
    tokens,
    users,
)
from hub.acts.act import Act, HandMadeAct
from hub.acts.authority import Grant

OPERATORS_API: Final[tuple[Act, ...]] = (
    *merchants.ACTS,
    *affiliates.ACTS,
    *campaigns.ACTS,
    *memberships.ACTS,
    *links.ACTS,
    *keys.ACTS,
    *connections.ACTS,
    *platforms.ACTS,
    *domains.ACTS,
    *subscriptions.ACTS,
    *orders.ACTS,
    *commissions.ACTS,
    *events.ACTS,
    *deposits.ACTS,
    *rates.ACTS,
    *payees.ACTS,
    *tax_details.ACTS,
    *payouts.ACTS,
    *exchange_rates.ACTS,
    *adjustments.ACTS,
    *statements.ACTS,
    *issuers.ACTS,
    *receipts.ACTS,
    *books.ACTS,
    *users.ACTS,
    *tokens.ACTS,
    *system.ACTS,
    *reports.ACTS,
    changes.OF_ALL,
)
"""What the operators' API has."""
AFFILIATES_API: Final[tuple[Act, ...]] = (*own.ACTS, *own_reading.ACTS, changes.OF_OWN)
"""What the affiliates' API has."""
ACTS: Final[tuple[Act | HandMadeAct, ...]] = (*OPERATORS_API, *AFFILIATES_API, *by_hand.ACTS)


def _named_first(entry: tuple[tuple[str, str], Grant]) -> tuple[int, str]:
    """Sort an address before those that have a thing of any name in its place."""
    return entry[0][1].count("{"), entry[0][1]


def _granted() -> dict[tuple[str, str], Grant]:
    """Return who may ask for each page of an act; raise `ValueError` if two acts of one page differ."""
    found: dict[tuple[str, str], Grant] = {}
    for act in ACTS:
        by = {grant.area: grant for grant in act.by}
        asked = [("POST", page, False) for page in act.pages]
        asked += [("GET", page, True) for page in act.asks] + [("GET", page, False) for page in act.shows]
        for method, page, before in asked:
            grant = by.get(page.split("/")[1])
            if grant is None:
                continue  # for anybody, such as the sign-in
            grant = evolve(grant, proof_ms=None) if before else grant
            if found.setdefault((method, page), grant) != grant:
                raise ValueError(f"{method} {page} is of acts that differ in who may do them")
    return found


GRANTS: Final = _granted()
FORMS: Final = {
    length: [(page.split("/"), grant) for (method, page), grant in sorted(GRANTS.items(), key=_named_first)
             if method == "POST" and page.count("/") + 1 == length]
    for length in {page.count("/") + 1 for _, page in GRANTS}
}  # fmt: skip
"""The forms by the number of parts of their addresses."""


def grant_of(method: str, page: str) -> Grant | None:
    """Return who may ask for a page, by its method and path; None for one that no act names."""
    return GRANTS.get((method, page))


def grant_at(address: str) -> Grant | None:
    """Return who may send the form at an address, whatever thing it names; None for one that no act names."""
    parts = address.split("/")
    return next((grant for page, grant in FORMS.get(len(parts), ()) if _is_at(page, parts)), None)


def _is_at(page: Sequence[str], parts: Sequence[str]) -> bool:
    return all(name == part or name.startswith("{") for name, part in zip(page, parts, strict=True))
