"""The trail: every act of the commands is in it, with who, before and after, and without any secret."""

from __future__ import annotations

import json
import os
import pwd
import re
from typing import Any

import pytest

from hub.operations.lists import Wanted
from hub.operations.merchants.merchants import NewMerchant, create_merchant
from hub.operations.system import plugins
from hub.operations.trail import Actor, acting_as, note_act
from hub.operations.trail_lists import list_acts
from hub.storage import Store
from hub.storage.named_queries.compiler import load_queries
from hub.testing.clock import FakeClock
from tests.acme import acme_plugins
from tests.cli.conftest import Office, Operator


def acts(operator: Operator, *filters: str) -> list[Any]:
    found: list[Any] = operator.do("trail", *filters)
    return found


def test_an_act_is_noted_with_who_what_and_the_change(either: Operator) -> None:
    """The person is the one whom the machine knows, whatever the environment says."""
    merchant = either.merchant()
    either.do("merchant", "approve", merchant)
    approved, created = acts(either, "--subject", merchant)
    assert (created["act"], created["before"], created["after"]["status"]) == ("merchant.created", None, "PENDING")
    assert (approved["act"], approved["subjectKind"]) == ("merchant.approved", "merchant")
    assert (approved["before"]["status"], approved["after"]["status"]) == ("PENDING", "APPROVED")
    assert {act["actor"] for act in (approved, created)} == {pwd.getpwuid(os.getuid()).pw_name}
    assert {(act["actorKind"], act["source"], act["address"]) for act in (approved, created)} == {
        ("system", "cli", None)
    }


def test_the_environment_does_not_name_the_actor(operator: Operator) -> None:
    """LOGNAME and USER are anybody's to set."""
    operator.run("merchant", "create", "--name", "N", "--email", "a@b.example", "--domain", "b.example", LOGNAME="eve")
    (act,) = acts(operator)
    assert act["actor"] != "eve"


def test_every_act_on_accounts_is_noted_without_its_secret(operator: Operator, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is printed once is printed once: the trail never has it."""
    monkeypatch.setattr(plugins, "plugin_host_for", acme_plugins)
    merchant, affiliate = operator.merchant(), operator.affiliate("--coupon", "BEA")
    at = ("--merchant", merchant, "--mode", "test")
    key = operator.do("key", "create", *at)
    operator.do("key", "revoke", key["keyId"])
    operator.do("affiliate", "deactivate", affiliate)
    operator.do("affiliate", "activate", affiliate)
    link = operator.do("link", "create", *at, "--affiliate", affiliate)
    store = operator.do("connection", "create", *at, "--connector", "acme")
    added = operator.do("connection", "secret", "add", store["id"])
    operator.do("connection", "secret", "expire", store["id"], added["secretId"])
    operator.do("connection", "close", store["id"])
    found = acts(operator)
    assert [act["act"] for act in reversed(found)] == [
        "merchant.created", "affiliate.created", "key.issued", "key.revoked", "affiliate.deactivated",
        "affiliate.activated", "link.created", "connection.created", "connection.secret-added",
        "connection.secret-expired", "connection.closed",
    ]  # fmt: skip
    assert link["code"] in {act["subject"] for act in found}
    secrets = [key["signingSecret"], store["secret"], added["secret"]]
    assert all(secrets)
    assert [secret for secret in secrets if secret in json.dumps(found)] == []


def test_a_refused_act_leaves_nothing(operator: Operator) -> None:
    """The trail says what happened; an act that is undone takes its line with it."""
    operator.affiliate("--coupon", "BEA")
    before = acts(operator)
    operator.refused("affiliate", "create", "--name", "C", "--email", "c@blog.example", "--coupon", "bea")
    operator.refused("merchant", "approve", "mer_x")
    assert acts(operator) == before


async def test_acts_on_orders_are_noted(office: Office) -> None:
    """A review that is closed shows what the conversion was before."""
    await office.harness.order("R-1", couponCode="ADA10")
    await office.harness.work()
    order = await office.show("R-1")
    await office.do("conversion", "dismiss", order["id"])
    (act,) = await office.do("trail", "--act", "conversion.dismissed")
    assert (act["before"]["review"], act["after"]["review"]) == ("OPEN", "DISMISSED")


def test_filters_and_limit_narrow_the_list(operator: Operator) -> None:
    merchant = operator.merchant()
    operator.do("merchant", "suspend", merchant)
    operator.affiliate()
    assert len(acts(operator)) == 3
    assert [act["act"] for act in acts(operator, "--limit", "1")] == ["affiliate.created"]
    assert [act["act"] for act in acts(operator, "--act", "merchant.suspended")] == ["merchant.suspended"]
    assert acts(operator, "--actor", "nobody-of-this-name") == []
    assert len(acts(operator, "--since", "1h")) == 3
    assert "20s, 15m" in operator.refused("trail", "--since", "yesterday")


def test_it_prints_for_a_person(operator: Operator) -> None:
    assert operator.run("trail").stdout == "There are no such acts.\n"
    merchant = operator.merchant()
    operator.do("merchant", "approve", merchant)
    assert 'status: "PENDING" → "APPROVED"' in operator.run("trail").stdout


async def test_a_page_acts_as_its_user(store: Store, clock: FakeClock) -> None:
    """The context is the block's only: what follows is the system user's again."""
    wanted = NewMerchant("Shop", "a@shop.example", ["shop.example"])
    with acting_as(Actor("user", "usr_1", "page", "192.0.2.1")):
        await create_merchant(store, clock, wanted)
    await create_merchant(store, clock, wanted)
    later, first = (await list_acts(store, Wanted(limit=10))).entries
    assert (first["actor"], first["source"], first["address"]) == ("usr_1", "page", "192.0.2.1")
    assert later["actorKind"] == "system"
    only = await list_acts(store, Wanted(limit=1))
    assert (only.entries, only.newer) == ([later], None)
    assert (await list_acts(store, Wanted(cursor=only.older))).entries == [first]


async def test_an_act_is_written_with_its_transaction(store: Store, clock: FakeClock) -> None:
    """A transaction that is rolled back has no line."""
    with pytest.raises(RuntimeError):
        async with store.write() as tx:
            await note_act(tx, clock(), "merchant.created", "mer_1")
            raise RuntimeError
    assert (await list_acts(store, Wanted(limit=10))).entries == []


CHANGES = re.compile(r"\b(UPDATE|DELETE\s+FROM)\s+trail\b", re.IGNORECASE)


def changing(statements: dict[str, str]) -> list[str]:
    """Return the names of the statements that change or delete rows of the trail."""
    return [name for name, sql in statements.items() if CHANGES.search(sql)]


def test_no_query_changes_the_trail() -> None:
    """It is append-only, and the control shows that the check can fail."""
    assert changing({name: query.sql for name, query in load_queries("sqlite").items()}) == []
    careless = {"sweep": "DELETE FROM trail WHERE true", "mend": "update trail SET act = 'x'"}
    assert changing(careless) == ["sweep", "mend"]
