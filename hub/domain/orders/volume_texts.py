"""Rates by volume as people type them: which volume counts, and one tier a line, like "11: 12 %" or "11: 5.00"."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final

from hub.domain.orders.rule_kinds import kind_of

VOLUMES: Final[Mapping[str, str]] = {
    "MONTH:ORDERS": "by an affiliate's orders of a month",
    "MONTH:AMOUNT": "by the amount of an affiliate's orders of a month",
    "EVER:ORDERS": "by all of an affiliate's orders",
    "EVER:AMOUNT": "by the amount of all of an affiliate's orders",
}
"""Every volume by which a rate can rise, in words."""


def volume_of(which: str, tiers: Iterable[str]) -> dict[str, Any]:
    """Return rates by volume as the API's body has them; raise ValueError, in a sentence, for what cannot be read.

    `which` is one of `VOLUMES`; each tier is like "11: 12 %", without the sign it is an amount.
    """
    if which not in VOLUMES:
        raise ValueError(f"A rate rises by one of {', '.join(VOLUMES)}, not by {which!r}.")
    period, measure = which.split(":")
    return {"period": period, "measure": measure, "tiers": [_tier(line) for line in tiers if line.strip()]}


def _tier(line: str) -> dict[str, str]:
    begins, colon, rate = (part.strip() for part in line.partition(":"))
    if not (begins and colon and rate):
        raise ValueError(f"A tier is written like 11: 12 %, which {line.strip()!r} is not.")
    kind = "PERCENTAGE" if rate.endswith("%") else "FIXED"
    return {"from": begins, "commissionType": kind, "commissionValue": rate.removesuffix("%").rstrip()}


def volume_typed(rates: Mapping[str, Any] | None) -> tuple[str, str]:
    """Return what `volume_of` reads: which volume counts, and the tiers one a line; both empty without any."""
    if rates is None:
        return "", ""
    lines = [f"{each['from']}: {kind_of(each['commissionType']).amount(each['commissionValue'])}"
             for each in rates["tiers"]]  # fmt: skip
    return f"{rates['period']}:{rates['measure']}", "\n".join(lines)
