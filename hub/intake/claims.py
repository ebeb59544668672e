"""Claims that are made after intake: a webhook claims its order once a connector has read which order it is."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from hub.intake.rules import ClaimRow
from hub.intake.submission import ClaimKey
from hub.storage import Row, Tx


async def claim_once(tx: Tx, claims: Sequence[ClaimRow]) -> dict[ClaimKey, Row]:
    """Claim what may happen once; return the owners of all the claims if some were taken, else nothing."""
    if await tx.run("claim_keys", claims=sorted(claims)) == len(claims):
        return {}
    rows = await tx.all("claim_owners", keys=sorted({claim[:3] for claim in claims}))
    return {(r["account_id"], r["scope"], r["claim_key"]): r for r in rows}


def holds(claim: ClaimRow, owners: Mapping[ClaimKey, Row]) -> bool:
    """Return whether a claim is held by its own event, after `claim_once` returned these owners."""
    owner = owners.get(claim[:3])
    return owner is None or bool(owner["event_id"] == claim.event_id)
