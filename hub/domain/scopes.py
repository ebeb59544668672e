"""What tokens may be allowed: scopes by resource, and the bundles of them that tokens of operators may have.

A scope is a resource and a verb: "orders:read". Who may write a resource may read it.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Final

from hub.domain.words import Side

Holder = Side
"""Whose a token is, and with that which of the APIs takes it."""

_RESOURCES: Final[Mapping[Holder, Mapping[str, str]]] = {
    "operator": {
        "merchants": "rw", "affiliates": "rw", "products": "r", "campaigns": "rw", "links": "rw", "keys": "rw",
        "connections": "rw", "webhooks": "rw", "orders": "rw", "rates": "rw", "payouts": "rw", "people": "rw",
        "system": "rw",
    },
    "affiliate": {
        "profile": "r", "orders": "rw", "payouts": "rw", "reports": "r", "campaigns": "rw", "links": "rw",
        "webhooks": "rw",
    },
    "merchant": {
        "orders": "rw", "products": "rw", "campaigns": "rw", "affiliates": "r", "links": "rw", "reports": "r",
        "payouts": "r", "uploads": "r", "webhooks": "rw", "requests": "r",
    },
}  # fmt: skip
"""The resources of each API, and whether they are read or written, too."""
BUNDLES: Final[Mapping[Holder, tuple[str, ...]]] = {
    "operator": ("admin:read", "admin:write"),
    "affiliate": ("affiliate:read", "affiliate:write"),
    "merchant": (),
}
"""Scopes that stand for those of all resources, of an API that has them."""
EXPLICIT: Final = frozenset({"people:write"})
"""Scopes that no bundle has: who may change users, roles, second factors and tokens may become anybody."""
SCOPES: Final[Mapping[Holder, tuple[str, ...]]] = {
    holder: (
        *BUNDLES[holder],
        *(f"{name}:{verb}" for name, does in of.items() for verb in ("read", "write") if verb[0] in does),
    )
    for holder, of in _RESOURCES.items()
}
"""Every scope that a token may have, by whose it is."""
_READS: Final = frozenset(each[0] for each in BUNDLES.values() if each)
_WRITES: Final = frozenset(each[1] for each in BUNDLES.values() if each)


def scopes_alone(holder: Holder) -> tuple[str, ...]:
    """Return the scopes of resources that a token may have, without the bundles."""
    return SCOPES[holder][len(BUNDLES[holder]) :]


def reaches(scopes: Collection[str], needed: str) -> bool:
    """Return whether scopes of a token reach one of its API, by itself or by a bundle."""
    resource, _, verb = needed.partition(":")
    if needed in scopes or (verb == "read" and f"{resource}:write" in scopes):
        return True
    if needed in EXPLICIT:
        return False
    return not _WRITES.isdisjoint(scopes) or (verb == "read" and not _READS.isdisjoint(scopes))


def reaches_one(scopes: Collection[str] | None, needed: Collection[str]) -> bool:
    """Return whether scopes reach one of several; those of a signing key, None, reach everything."""
    return scopes is None or any(reaches(scopes, each) for each in needed)


def readers(scopes: Collection[str]) -> frozenset[str]:
    """Return the scopes that change nothing: all that a person has who may only look."""
    return frozenset(scope for scope in scopes if scope.endswith(":read"))


def scope_of(resources: Mapping[str, str], path: str, verb: str) -> str:
    """Return the scope of an endpoint: `resources` are named by the fixed parts of paths, of which the longest counts.

    "/merchants/{merchant}/keys" is of "merchants/keys" if that is named, and of "merchants" if not. Raise `KeyError`
    for a path of no resource.
    """
    parts = [part for part in path.split("/") if part and not part.startswith("{")]
    for length in range(len(parts), 0, -1):
        resource = resources.get("/".join(parts[:length]))
        if resource is not None:
            return f"{resource}:{verb}"
    raise KeyError(path)
