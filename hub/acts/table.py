"""Every act, and where the pages that do them are found."""

from __future__ import annotations

from typing import Final

from hub.acts import (
    adjustments,
    affiliates,
    by_hand,
    campaigns,
    commissions,
    connections,
    deposits,
    domains,
    events,
    keys,
    links,
    mails,
    memberships,
    merchants,
    orders,
    own,
    payees,
    payouts,
    platforms,
    rates,
    statements,
    subscriptions,
    system,
    tokens,
    users,
)
from hub.acts.act import Act, HandMadeAct

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
    *payouts.ACTS,
    *adjustments.ACTS,
    *statements.ACTS,
    *users.ACTS,
    *tokens.ACTS,
    *mails.ACTS,
    *system.ACTS,
)
"""What the operators' API has."""
AFFILIATES_API: Final[tuple[Act, ...]] = own.ACTS
"""What the affiliates' API has."""
ACTS: Final[tuple[Act | HandMadeAct, ...]] = (*OPERATORS_API, *AFFILIATES_API, *by_hand.ACTS)
