"""The OpenAPI documents of the three APIs, made once for a run: a test reads them, and changes a copy only."""

from __future__ import annotations

from functools import cache
from typing import Any, Final

from hub.docs_site.reference import Group, Operation, groups_of
from hub.merchant_api.openapi.document import describe as describe_merchants
from hub.token_api.document import describe
from hub.token_api.routes import APIS

KINDS: Final = ("merchant", *(kind for kind, _ in APIS.values()))


@cache
def document_of(kind: str) -> dict[str, Any]:
    """The document of an API: the merchants', the operators' ("admin") or the affiliates' ("affiliate")."""
    if kind == "merchant":
        return describe_merchants()
    return next(describe(kind, root, acts) for root, (each, acts) in APIS.items() if each == kind)


@cache
def merchant_groups() -> tuple[Group, ...]:
    """The merchant API as the reference shows it."""
    return groups_of(document_of("merchant"))


def merchant_operations() -> list[Operation]:
    """Its operations, group by group."""
    return [each for group in merchant_groups() for each in group.operations]
