"""`hub user`: people, their roles, and the links that let them in."""

from __future__ import annotations

import asyncio
import json
import re

import pytest

from hub.clock import system_clock
from hub.operations.errors import OperatorFault
from hub.operations.users.users import NewUser, create_user, set_user_status
from hub.storage import Store
from tests.cli.conftest import Operator
from tests.people.users import everybody


def test_a_user_is_created_listed_disabled_and_enabled(either: Operator) -> None:
    """The answer is the document that the list shows, too."""
    made = either.do("user", "create", "--email", "Ann@Shop.example", "--role", "operator")
    assert re.fullmatch(r"usr_[0-9a-f]{32}", made["id"])
    assert (made["email"], made["name"], made["status"]) == ("Ann@Shop.example", "Ann", "ACTIVE")
    assert made["roles"] == [{"role": "operator", "merchantId": None, "affiliateId": None, "level": None}]
    assert either.do("user", "list") == [made]
    assert either.do("user", "disable", "ann@shop.EXAMPLE")["status"] == "DISABLED"
    assert either.do("user", "enable", made["id"]) == made
    acts = [act["act"] for act in either.do("trail", "--subject", made["id"])]
    assert acts == ["user.enabled", "user.disabled", "user.created"]


def test_an_address_is_one_users_in_any_case(either: Operator) -> None:
    either.do("user", "create", "--email", "ann@shop.example", "--role", "operator")
    refused = either.refused("user", "create", "--email", "ANN@shop.example", "--role", "operator")
    assert "Another user has the e-mail address" in refused
    assert len(either.do("user", "list")) == 1
    assert len(either.do("trail")) == 1


def test_merchants_and_affiliates_users_belong_to_theirs(operator: Operator) -> None:
    """An owner unless it is said otherwise."""
    merchant, affiliate = operator.merchant(), operator.affiliate()
    create = ("user", "create", "--email")
    owner = operator.do(*create, "a@x.example", "--role", "merchant", "--merchant", merchant)
    viewer = operator.do(*create, "b@x.example", "--role", "merchant", "--merchant", merchant, "--level", "viewer")
    earner = operator.do(*create, "c@x.example", "--role", "affiliate", "--affiliate", affiliate)
    roles = [user["roles"][0] for user in (owner, viewer, earner)]
    assert [(role["merchantId"], role["affiliateId"], role["level"]) for role in roles] == [
        (merchant, None, "owner"), (merchant, None, "viewer"), (None, affiliate, None),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("options", "mend"),
    [
        (["--role", "merchant"], "needs a merchant, "),
        (["--role", "operator", "--merchant", "mer_x"], "no other user takes one"),
        (["--role", "affiliate"], "needs an affiliate, "),
        (["--role", "merchant", "--merchant", "mer_x"], "There is no merchant 'mer_x'"),
        (["--role", "affiliate", "--affiliate", "aff_x"], "There is no affiliate 'aff_x'"),
        (["--role", "operator", "--level", "owner"], "belongs to a merchant's user"),
        (["--role", "operator", "--email", "nobody"], "is not an e-mail address"),
    ],
)
def test_a_user_that_cannot_be_is_refused(operator: Operator, options: list[str], mend: str) -> None:
    """Nothing is stored."""
    assert mend in operator.refused("user", "create", "--email", "a@x.example", *options)
    assert operator.do("user", "list") == []


def test_a_sign_in_link_is_shown_once_and_kept_as_a_digest(operator: Operator) -> None:
    user = operator.do("user", "create", "--email", "ann@shop.example", "--role", "operator")
    made = operator.do("user", "login-link", "ann@shop.example")
    found = re.fullmatch(r"http://127\.0\.0\.1:8080/login/link/([\w-]{43})", made["url"])
    assert found
    assert made["userId"] == user["id"]
    assert found[1] not in json.dumps(operator.do("trail"))
    address, once = operator.run("user", "login-link", user["id"]).stdout.splitlines()
    assert re.fullmatch(r"http://127\.0\.0\.1:8080/login/link/[\w-]{43}", address)  # a double click copies it whole
    assert once.startswith("It works once, until ")
    operator.do("user", "disable", user["id"])
    assert "Enable it first" in operator.refused("user", "login-link", user["id"])
    assert "There is no user 'eve@x.example'" in operator.refused("user", "login-link", "eve@x.example")


def test_it_prints_for_a_person(operator: Operator) -> None:
    assert "There are no users yet" in operator.run("user", "list").stdout
    made = operator.run("user", "create", "--email", "ann@shop.example", "--role", "operator", "--name", "Ann")
    assert "hub user login-link ann@shop.example" in made.stdout
    assert "operator" in operator.run("user", "list").stdout
    assert "is DISABLED now" in operator.run("user", "disable", "ann@shop.example").stdout


def test_roles_are_given_and_taken_one_by_one(either: Operator) -> None:
    """A person may have several; another level at the same merchant takes the place of the first."""
    merchant, email = either.merchant(), "ann@shop.example"
    either.do("user", "create", "--email", email, "--role", "operator")
    of = ("--role", "merchant", "--merchant", merchant)
    assert len(either.do("user", "grant", email, *of, "--level", "viewer")["roles"]) == 2
    granted = either.do("user", "grant", email, *of)
    assert [(role["role"], role["level"]) for role in granted["roles"]] == [("merchant", "owner"), ("operator", None)]
    assert "has this role already" in either.refused("user", "grant", email, *of)
    left = either.do("user", "revoke", email, "--role", "operator")
    assert [role["role"] for role in left["roles"]] == ["merchant"]
    assert "has no such role" in either.refused("user", "revoke", email, "--role", "operator")
    acts = [act["act"] for act in either.do("trail", "--subject", left["id"])]
    assert acts == ["user.role-revoked", "user.role-granted", "user.role-granted", "user.created"]


def test_a_name_and_an_address_are_changed(either: Operator) -> None:
    """Open sign-in links end with the old address; another person's address is refused, one's own is not."""
    user_id = either.do("user", "create", "--email", "ann@shop.example", "--role", "operator")["id"]
    either.do("user", "create", "--email", "bob@shop.example", "--role", "operator")
    either.do("user", "login-link", "ann@shop.example")
    assert "Another user" in either.refused("user", "update", user_id, "--email", "BOB@shop.example")
    assert either.do("user", "update", user_id, "--email", "Ann@shop.example")["email"] == "Ann@shop.example"
    changed = either.do("user", "update", "ann@shop.example", "--name", "Ann B", "--email", "ann@new.example")
    assert (changed["id"], changed["name"], changed["email"]) == (user_id, "Ann B", "ann@new.example")
    assert either.do("user", "update", user_id, "--name", "Ann B") == changed
    assert "There is no user" in either.refused("user", "update", "ann@shop.example", "--name", "Ann")
    acts = [act["act"] for act in either.do("trail", "--subject", user_id)]
    assert acts == ["user.updated", "user.updated", "user.link-issued", "user.created"]


def test_the_last_active_administrator_stays(either: Operator) -> None:
    """Neither disabled nor without the role; one who is disabled is no other. The control: with two, the first goes."""
    either.do("user", "create", "--email", "ann@shop.example", "--role", "operator-admin")
    either.do("user", "create", "--email", "bob@shop.example", "--role", "operator-admin")
    assert either.do("user", "disable", "bob@shop.example")["status"] == "DISABLED"
    before = either.do("user", "list")
    revoke = ("user", "revoke", "ann@shop.example", "--role", "operator-admin")
    for act in (revoke, ("user", "disable", "ann@shop.example")):
        assert "This is the last active administrator; give somebody else the role" in either.refused(*act)
    assert either.do("user", "list") == before
    either.do("user", "enable", "bob@shop.example")
    assert either.do(*revoke)["roles"] == []
    assert "last active administrator" in either.refused("user", "disable", "bob@shop.example")


async def test_of_two_administrators_who_disable_each_other_at_once_one_stays(either: Operator) -> None:
    """In many rounds, since the race is short."""
    async with await Store.open(either.url) as store:
        people = [await create_user(store, system_clock, NewUser(f"{n}@x.example", "operator-admin")) for n in "ab"]
        for _ in range(5):
            acts = (set_user_status(store, system_clock, each["id"], "DISABLED") for each in people)
            ends = await asyncio.gather(*acts, return_exceptions=True)
            assert sum(isinstance(end, OperatorFault) for end in ends) == 1, ends
            assert sorted(user["status"] for user in await everybody(store)) == ["ACTIVE", "DISABLED"]
            for each in people:
                await set_user_status(store, system_clock, each["id"], "ACTIVE")


async def test_a_lost_phone_is_forgotten(either: Operator) -> None:
    """App, codes and passkeys are gone and the person is signed out; the password stays."""
    made = await asyncio.to_thread(either.do, "user", "create", "--email", "ann@shop.example", "--role", "operator")
    user_id = made["id"]
    async with await Store.open(either.url) as store:
        async with store.write() as tx:
            await tx.run("set_password", user_id=user_id, password_hash="a hash", since=0)
            await tx.run("set_totp", user_id=user_id, secret="sealed", counter=1, now=1, since=0)
            await tx.run("insert_recovery_code", user_id=user_id, code_hash="a code")
            await tx.run("insert_passkey", credential_id="key", user_id=user_id, public_key="k", sign_count=0, since=0,
                         name="Phone", now=1)  # fmt: skip
        await asyncio.to_thread(either.do, "user", "reset-factors", "ann@shop.example")
        async with store.read() as tx:
            factors = await tx.one("user_factors", user_id=user_id)
            assert factors is not None
            assert factors["totp_secret"] is None
            assert await tx.all("passkeys_of_user", user_id=user_id) == []
            user = await tx.one("user_by_email", email_key="ann@shop.example")
            assert user is not None
            assert user["password_hash"] == "a hash"
        async with store.write() as tx:
            assert not await tx.run("use_recovery_code", user_id=user_id, code_hash="a code", now=2)
    acts = [act["act"] for act in await asyncio.to_thread(either.do, "trail", "--subject", user_id)]
    assert acts[0] == "user.factors-reset"
