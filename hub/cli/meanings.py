"""What a word that is no command may mean: a command of the same meaning, or else one that is spelt alike."""

from __future__ import annotations

from collections.abc import Sequence
from difflib import get_close_matches
from typing import Final

MEANINGS: Final = tuple(
    tuple(line.split())
    for line in (
        # What is done, as many programs call it.
        "apply import load upload ingest read run",
        "create add new make issue register insert generate invite",
        "list ls all index",
        "show get view info describe see print cat inspect open",
        "update edit change modify patch rename set",
        "delete remove rm del destroy drop revoke close disable cancel",
        "disable off deactivate stop suspend ban pause close revoke turn-off",
        "enable on activate start resume reinstate",
        "check validate verify test lint dry-run diagnose",
        "export download dump save",
        "approve accept confirm grant allow",
        "reject refuse deny decline drop dismiss",
        "template example sample skeleton",
        "rotate renew roll",
        "retry replay resend redeliver again",
        # What it is done to.
        "conversion order orders sale sales",
        "connection shop shops store stores platform",
        "affiliate partner partners publisher publishers",
        "merchant account advertiser seller vendor",
        "subscription webhook webhooks postback endpoint",
        "payout payment payments pay",
        "statement invoice invoices bill",
        "link links url tracking",
        "user login operator people admin",
        "key apikey api-key credential",
        "token bearer",
        "settings config configuration env",
        "plugin connector plugins extension",
        "log logs requests",
        "trail history",
        "commission earning earnings",
        # What runs the hub.
        "serve start run server up",
        "setup init install configure",
        "status health info ping",
        "migrate upgrade schema",
        "csv import upload spreadsheet excel",
        "csv export",
        "find search grep lookup",
    )
)
"""Words of one meaning to a line, whichever of them are commands."""
_MOST: Final = 3
_ALIKE: Final = 0.8
"""How alike a spelling must be to be proposed beside a meaning; alone, a lower one will do."""


def meant(word: str, known: Sequence[str]) -> list[str]:
    """Return the commands among `known` that a word may mean, at most three: those of its meaning, in their order.

    Behind them, or alone, the one that is spelt most alike.
    """
    asked = word.lower().replace("_", "-")
    same = {each for line in MEANINGS if asked in line for each in line}
    found = [name for name in known if name in same][: _MOST - 1]
    alike = get_close_matches(asked, known, n=1, cutoff=_ALIKE if found else 0.6)
    return list(dict.fromkeys([*found, *alike]))
