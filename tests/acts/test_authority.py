"""Who may do what: the grants that the table of acts names, written a second time."""

from __future__ import annotations

import pytest

from hub.acts import authority
from hub.acts.authority import TOKEN_ROLES, FourEyes, Grant

BOTH, ADMIN = ("operator", "operator-admin"), ("operator-admin",)


@pytest.mark.parametrize(
    ("name", "area", "roles", "minutes"),
    [
        ("OPERATORS", "operator", BOTH, None),
        ("ADMINS", "operator", ADMIN, None),
        ("PROVED_OPERATORS", "operator", BOTH, 10),
        ("PROVED_ADMINS", "operator", ADMIN, 10),
        ("OWNERS", "merchant", ("merchant",), None),
        ("PROVED_OWNERS", "merchant", ("merchant",), 10),
        ("AFFILIATES", "affiliate", ("affiliate",), None),
        ("PROVED_AFFILIATES", "affiliate", ("affiliate",), 10),
        ("ONESELF", "account", (), None),
        ("PROVED_ONESELF", "account", (), 10),
    ],
)
def test_a_grant_is_to_these_people(name: str, area: str, roles: tuple[str, ...], minutes: int | None) -> None:
    grant: Grant = getattr(authority, name)
    proof_ms = None if minutes is None else minutes * 60_000
    assert (grant.area, grant.roles, grant.proof_ms, grant.viewers) == (area, roles, proof_ms, False)
    assert grant.asks_proof is (minutes is not None)


def test_no_grant_is_left_out() -> None:
    assert sum(isinstance(each, Grant) for each in vars(authority).values()) == 10


def test_what_is_not_said_is_the_strictest() -> None:
    assert Grant("account") == Grant("account", (), None, viewers=False)
    assert FourEyes().limit == ""
    assert TOKEN_ROLES == ("operator", "operator-admin", "affiliate")
