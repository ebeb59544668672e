"""Passkeys from a software authenticator: made, used to sign in and to prove who one is, named, removed."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator

import pytest

from hub.app import Hub
from hub.people.passkeys import site_of
from hub.testing.clock import FakeClock
from tests.pages.visitor import Visitor, browser, enter, user_of, with_password
from tests.people.soft_passkey import PRESENT_ONLY, SoftPasskey
from tests.served_hub import served

ROOT = "http://localhost:8080"
SECURITY = "/account/security"


@pytest.fixture
async def hub(database_url: str, clock: FakeClock) -> AsyncIterator[Hub]:
    """A hub whose public address has a name, as passkeys need it."""
    async with served(database_url, clock, HUB_SERVER_PUBLIC_URL=ROOT) as hub:
        yield hub


def passkey() -> SoftPasskey:
    return SoftPasskey("localhost", ROOT)


async def add(visitor: Visitor, device: SoftPasskey) -> str | None:
    """Register a passkey; return where that leads."""
    csrf = (await visitor.get(SECURITY)).csrf
    options = json.loads((await visitor.post("/account/passkeys/options", {"csrf": csrf})).text)
    answer = "{}" if options is None else device.create(options)
    return (await visitor.post("/account/passkeys", {"csrf": csrf, "passkey": answer})).location


async def sign_in(visitor: Visitor, device: SoftPasskey) -> int:
    csrf = (await visitor.get("/login")).csrf
    options = json.loads((await visitor.post("/login/passkey/options", {"csrf": csrf})).text)
    return (await visitor.post("/login/passkey", {"csrf": csrf, "passkey": device.get(options)})).status


async def test_a_passkey_signs_in_without_a_password(hub: Hub, clock: FakeClock) -> None:
    await user_of(hub, clock)
    device = passkey()
    async with browser(hub) as ann, browser(hub) as phone:
        await enter(ann, hub, clock)
        assert await add(ann, device) == f"{SECURITY}?done=passkey"
        assert await sign_in(phone, device) == 303
        assert (await phone.get("/account")).status == 200


async def test_an_answer_works_once_and_only_for_its_own_challenge(hub: Hub, clock: FakeClock) -> None:
    """A replayed answer, another browser's challenge and an old challenge are all refused."""
    await user_of(hub, clock)
    device = passkey()
    async with browser(hub) as ann, browser(hub) as eve:
        await enter(ann, hub, clock)
        await add(ann, device)
        csrf = (await eve.get("/login")).csrf
        options = json.loads((await eve.post("/login/passkey/options", {"csrf": csrf})).text)
        answer = device.get(options)
        async with browser(hub) as thief:
            other = (await thief.get("/login")).csrf
            await thief.post("/login/passkey/options", {"csrf": other})
            assert (await thief.post("/login/passkey", {"csrf": other, "passkey": answer})).status == 422
        clock.now += 10 * 60_000
        assert (await eve.post("/login/passkey", {"csrf": csrf, "passkey": answer})).status == 422
        again = json.loads((await eve.post("/login/passkey/options", {"csrf": csrf})).text)
        fresh = device.get(again)
        assert (await eve.post("/login/passkey", {"csrf": csrf, "passkey": fresh})).status == 303
        late = (await eve.get("/account")).csrf
        assert (await eve.post("/login/passkey", {"csrf": late, "passkey": fresh})).status == 422


@pytest.mark.parametrize(
    "device",
    [
        SoftPasskey("evil.example", "https://evil.example"),
        SoftPasskey("localhost", "https://evil.example"),
        SoftPasskey("localhost", ROOT, flags=PRESENT_ONLY),
    ],
    ids=["another site", "another origin", "nobody before it"],
)
async def test_what_is_not_this_sites_or_not_verified_is_refused(
    hub: Hub, clock: FakeClock, device: SoftPasskey
) -> None:
    await user_of(hub, clock)
    async with browser(hub) as ann:
        await enter(ann, hub, clock)
        assert await add(ann, device) == f"{SECURITY}?done=refused"


async def test_a_cloned_passkey_is_noticed(hub: Hub, clock: FakeClock) -> None:
    """Its counter does not go on."""
    await user_of(hub, clock)
    device = passkey()
    async with browser(hub) as ann, browser(hub) as thief:
        await enter(ann, hub, clock)
        await add(ann, device)
        assert await sign_in(thief, device) == 303
        device.count = 0
        async with browser(hub) as again:
            assert await sign_in(again, device) == 422


async def test_a_stranger_cannot_add_one_to_an_unattended_browser(hub: Hub, clock: FakeClock) -> None:
    """After 10 minutes the person is asked first, and gets no challenge."""
    await user_of(hub, clock)
    async with browser(hub) as ann:
        await enter(ann, hub, clock)
        clock.now += 11 * 60_000
        assert await add(ann, passkey()) == f"/login/confirm?then={SECURITY}"


async def test_a_passkey_proves_who_one_is(hub: Hub, clock: FakeClock) -> None:
    await user_of(hub, clock)
    device = passkey()
    async with browser(hub) as ann:
        await enter(ann, hub, clock)
        await add(ann, device)
        clock.now += 11 * 60_000
        csrf = (await ann.get("/login/confirm")).csrf
        options = json.loads((await ann.post("/login/confirm/options", {"csrf": csrf})).text)
        form = {"csrf": csrf, "passkey": device.get(options), "then": SECURITY}
        assert (await ann.post("/login/confirm/passkey", form)).location == SECURITY
        assert await add(ann, passkey()) == f"{SECURITY}?done=passkey"


async def test_another_persons_passkey_proves_nothing(hub: Hub, clock: FakeClock) -> None:
    await user_of(hub, clock)
    await user_of(hub, clock, "bob@hub.example", "operator")
    device = passkey()
    async with browser(hub) as ann, browser(hub) as bob:
        await enter(ann, hub, clock)
        await add(ann, device)
        await enter(bob, hub, clock, "bob@hub.example")
        csrf = (await bob.get("/login/confirm")).csrf
        options = json.loads((await bob.post("/login/confirm/options", {"csrf": csrf})).text)
        form = {"csrf": csrf, "passkey": device.get(options), "then": "/"}
        assert (await bob.post("/login/confirm/passkey", form)).status == 422
        assert await add(bob, device) == f"{SECURITY}?done=refused"


async def test_the_last_way_in_cannot_be_removed(hub: Hub, clock: FakeClock) -> None:
    """With a password beside it, it can: that is the control."""
    await user_of(hub, clock)
    device = passkey()
    async with browser(hub) as ann:
        await enter(ann, hub, clock)
        await add(ann, device)
        (row,) = await hub.parts.pages.ways.passkeys.listed((await hub_user(hub))["user_id"])
        address = f"/account/passkeys/{row['credential_id']}"
        assert (await ann.send(SECURITY, f"{address}/name", name="Ann's key")).location == SECURITY
        assert "Ann's key" in (await ann.get(SECURITY)).text.replace("&#39;", "'")
        assert (await ann.send(SECURITY, f"{address}/remove")).location == f"{SECURITY}?done=last"
        await with_password(ann, hub, clock)
        assert (await ann.send(SECURITY, f"{address}/remove")).location == f"{SECURITY}?done=removed"
        assert (await ann.send(SECURITY, f"{address}/remove")).status == 404


async def hub_user(hub: Hub) -> dict[str, str]:
    async with hub.parts.store.read() as tx:
        row = await tx.one("user_by_email", email_key="ann@hub.example")
    assert row is not None
    return {"user_id": row["user_id"]}


@pytest.mark.parametrize("answer", ["", "{}", "[]", '{"id": 7}', '{"id": "é"}', "x" * 20_000, '{"id":"' + "a" * 9000])
async def test_what_is_no_answer_is_refused(hub: Hub, clock: FakeClock, answer: str) -> None:
    await user_of(hub, clock)
    async with browser(hub) as ann:
        csrf = (await ann.get("/login")).csrf
        await ann.post("/login/passkey/options", {"csrf": csrf})
        assert (await ann.post("/login/passkey", {"csrf": csrf, "passkey": answer})).status == 422


@pytest.mark.parametrize(
    ("root", "host"),
    [("https://hub.example", "hub.example"), (ROOT, "localhost"), ("http://hub.example", None),
     ("http://127.0.0.1:8080", None), ("https://[::1]", None)],
)  # fmt: skip
def test_passkeys_need_a_name_and_tls(root: str, host: str | None) -> None:
    site = site_of(root)
    assert (None if site is None else site.host) == host
