"""`hub token`: shown once, kept as a digest, bounded by scopes, addresses and time."""

from __future__ import annotations

import asyncio

import pytest

from hub.clock import system_clock
from hub.operations.users.api_tokens import TokenHolder, open_token
from hub.storage import Store
from tests.cli.conftest import Operator


async def opened(url: str, text: str, later: int = 0) -> object:
    async with await Store.open(url) as store:
        return await open_token(store, system_clock() + later, text)


def test_a_token_is_shown_once_and_kept_as_a_digest(either: Operator) -> None:
    made = either.do("token", "create", "--scope", "admin:read", "--expires", "30d", "--allow-ip", "203.0.113.0/24")
    assert made["token"].startswith(made["id"] + "_")
    (listed,) = either.do("token", "list")
    assert listed == {name: value for name, value in made.items() if name != "token"}
    (act,) = either.do("trail", "--subject", made["id"])
    assert act["act"] == "token.created"
    assert made["token"] not in str(act)

    async def stored() -> str:
        async with await Store.open(either.url) as store, store.read() as tx:
            return str(dict(await tx.one("token_by_id", token_id=made["id"]) or {}))

    kept = asyncio.run(stored())
    assert made["token"].removeprefix(made["id"] + "_") not in kept
    holder = asyncio.run(opened(either.url, made["token"]))
    assert holder == TokenHolder(made["id"], frozenset({"admin:read"}), None, None, ("203.0.113.0/24",))
    assert asyncio.run(opened(either.url, made["token"], 31 * 86_400_000)) == "expired"
    either.do("token", "revoke", made["id"])
    assert either.do("token", "revoke", made["id"])["revokedAt"] is not None
    assert asyncio.run(opened(either.url, made["token"])) == "revoked"


@pytest.mark.parametrize("wrong", ["", "tok", "tok_1_2_3", "{id}", "{id}_", "{token}x", "x{token}", "{id}_\udcff"])
def test_anything_else_is_unknown(operator: Operator, wrong: str) -> None:
    made = operator.do("token", "create", "--scope", "admin:read")
    assert asyncio.run(opened(operator.url, wrong.format_map(made))) == "unknown"


def test_scopes_that_cannot_be_are_refused(operator: Operator) -> None:
    affiliate = operator.affiliate()
    assert "There is no scope 'admin'" in operator.refused("token", "create", "--scope", "admin")
    assert "need an affiliate" in operator.refused("token", "create", "--scope", "affiliate:read")
    mixed = ("--scope", "affiliate:read", "--scope", "admin:read", "--affiliate", affiliate)
    assert "make one for each" in operator.refused("token", "create", *mixed)
    assert "take none" in operator.refused("token", "create", "--scope", "admin:read", "--affiliate", affiliate)
    made = operator.do("token", "create", "--scope", "affiliate:write", "--affiliate", affiliate, "--expires", "never")
    assert (made["affiliateId"], made["expiresAt"]) == (affiliate, None)
