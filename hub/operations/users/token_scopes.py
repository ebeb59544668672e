"""The scopes of tokens: those that one may have, and those that still count for its person."""

from __future__ import annotations

import json
from collections.abc import Sequence

from hub.domain.scopes import BUNDLES, SCOPES, Holder, readers
from hub.operations.errors import OperatorFault
from hub.storage import Row


def scopes_that_count(row: Row) -> frozenset[str]:
    """Return a token's scopes, less those that its person's roles do not cover any more."""
    scopes = frozenset(json.loads(row["scopes"]))
    if row["affiliate_id"] is not None and row["affiliate_status"] != "ACTIVE":
        scopes = readers(scopes)
    if row["user_id"] is None:
        return scopes
    if row["user_status"] != "ACTIVE":
        return frozenset()
    if row["account_id"] is not None:
        all_of_it, looking = row["owner_roles"], row["merchant_roles"]
    elif row["affiliate_id"] is not None:
        all_of_it, looking = row["affiliate_roles"], 0
    else:
        all_of_it, looking = row["admin_roles"], row["operator_roles"]
    return scopes if all_of_it else readers(scopes) if looking else frozenset()


def checked_scopes(holder: Holder, given: Sequence[str]) -> list[str]:
    """Return scopes, each once; raise `OperatorFault` for none, and for one that such a token cannot have."""
    known, scopes = SCOPES[holder], list(dict.fromkeys(given))
    if not scopes:
        raise OperatorFault(f"A token needs a scope; there are {', '.join(known)}.")
    strange = [scope for scope in scopes if scope not in known]
    if not strange:
        return scopes
    if any(strange[0] in BUNDLES[holder] for holder in BUNDLES):
        raise OperatorFault(
            "The scopes of affiliates need an affiliate, and those of operators take none; make one for each."
        )
    whose = "a merchant's" if holder == "merchant" else f"an {holder}'s"
    raise OperatorFault(f"There is no scope {strange[0]!r} of {whose} token; there are {', '.join(known)}.")
