"""Keys, made and changed in the pages by their owner."""

from __future__ import annotations

import re
from html import unescape
from pathlib import Path

import aiohttp
import pytest

from hub.app import Hub
from hub.clock import system_clock
from hub.operations.merchants.merchant_profiles import decide_live_access
from hub.operations.merchants.merchants import set_merchant_status
from hub.operations.users.users import NewUser, create_user
from hub.testing.clock import FakeClock
from tests.docs_site.programs import needs, run_code
from tests.pages.visitor import OWN, Visitor, browser, enter
from tests.served_hub import Api, ApiKey, new_key, new_merchant

KEYS = "/merchant/keys"


async def owner(hub: Hub, clock: FakeClock, visitor: Visitor) -> str:
    """Sign in the owner of a new merchant, and return the merchant's id."""
    merchant_id = await new_merchant(hub, clock)
    await create_user(hub.parts.store, clock, NewUser("ann@shop.example", "merchant", merchant_id))
    await enter(visitor, hub, clock, "ann@shop.example")
    return merchant_id


def key_in(address: str | None) -> str:
    found = re.search(r"ak_(?:test|live)_[0-9a-f]+", address or "")
    assert found, address
    return found[0]


async def made(ann: Visitor, hub: Hub, clock: FakeClock, mode: str = "test") -> ApiKey:
    """Make a key in the page, and read its secret there."""
    answer = await ann.send(f"{KEYS}?mode={mode}", KEYS)
    shown = await ann.get(answer.location or "")
    secret = re.search(rf"sec_{mode}_[\w-]+", shown.text)
    assert secret, shown.words
    return ApiKey(key_in(answer.location), secret[0], "")


async def test_the_secret_is_shown_to_the_session_that_made_the_key(either_hub: Hub, clock: FakeClock) -> None:
    """A reload shows the same, another session does not, and it signs; later nobody sees it."""
    hub = either_hub
    async with browser(hub) as ann, browser(hub) as elsewhere:
        await owner(hub, clock, ann)
        await enter(elsewhere, hub, clock, "ann@shop.example")
        key = await made(ann, hub, clock)
        page = f"{KEYS}/{key.key_id}/secret"
        assert key.secret in (await ann.get(page)).text
        assert key.secret not in (await elsewhere.get(page)).text
        async with aiohttp.ClientSession(hub.url) as session:
            assert (await Api(session, key, clock)("GET", "/v1/products")).status == 200
        clock.now += 10 * 60_000
        assert key.secret not in (await ann.get(page)).text
        assert (await ann.get(KEYS)).text.count('<th scope="row">') == 1


async def test_the_page_of_a_new_key_has_a_first_call_that_every_key_takes(
    hub: Hub, clock: FakeClock, tmp_path: Path
) -> None:
    """Pasted as it is, with a key that takes no signatures of version 1."""
    needs("curl")
    clock.now = system_clock()
    async with browser(hub) as ann:
        merchant_id = await owner(hub, clock, ann)
        key = await made(ann, hub, clock)
        shown = await ann.get(f"{KEYS}/{key.key_id}/secret")
        pasted = re.search(r'<pre id="curl"[^>]*>(.*?)</pre>', shown.text, re.DOTALL)
        assert pasted, shown.words
        strict = await new_key(hub, clock, merchant_id, signature_version=2)
        known = {"HUB_BASE_URL": f"{hub.url}/api", "HUB_KEY": strict.key_id, "HUB_SECRET": strict.secret}
        answer = await run_code(unescape(pasted[1]), "curl", tmp_path, known)
        assert '"data":[]' in answer


async def test_a_secret_that_is_stored_is_not_shown_again(hub: Hub, clock: FakeClock) -> None:
    async with browser(hub) as ann:
        await owner(hub, clock, ann)
        key = await made(ann, hub, clock)
        page = f"{KEYS}/{key.key_id}/secret"
        assert (await ann.send(page, f"{KEYS}/{key.key_id}/stored")).location == f"{KEYS}?done=stored"
        assert key.secret not in (await ann.get(page)).text


async def test_who_one_is_is_asked_before_a_secret(hub: Hub, clock: FakeClock) -> None:
    """After ten minutes a key is neither made nor rotated; what was typed is kept, and is in no address."""
    async with browser(hub) as ann:
        await owner(hub, clock, ann)
        key = await made(ann, hub, clock)
        clock.now += 11 * 60_000
        form = {"csrf": (await ann.get(KEYS)).csrf, "addresses": "203.0.113.0/24", "ends": "90d"}
        asked = await ann.post(KEYS, form, **OWN)
        assert (asked.status, "What you typed is kept" in asked.words) == (403, True)
        assert 'name="addresses" value="203.0.113.0/24"' in asked.text
        assert (await ann.post(KEYS, form)).location == f"/login/confirm?then={KEYS}"
        rotated = await ann.send(f"{KEYS}/{key.key_id}", f"{KEYS}/{key.key_id}/rotate", overlap="24h")
        assert (rotated.location or "").startswith("/login/confirm?then=")
        assert (await ann.get(KEYS)).text.count('<th scope="row">') == 1


async def test_a_key_is_changed_rotated_and_revoked(hub: Hub, clock: FakeClock) -> None:
    """The old key goes on for the overlap, and a revoked one is refused."""
    async with browser(hub) as ann:
        await owner(hub, clock, ann)
        key = await made(ann, hub, clock)
        page = f"{KEYS}/{key.key_id}"
        wrong = await ann.send(page, addresses="here", ends="keep")
        assert (wrong.status, "is not an address range" in wrong.words) == (422, True)
        await ann.send(page, addresses="203.0.113.0/24\n10.0.0.0/8", ends="30d")
        assert "203.0.113.0/24, 10.0.0.0/8" in (await ann.get(page)).words
        rotated = await ann.send(page, f"{page}/rotate", overlap="1h")
        new = key_in(rotated.location)
        assert new != key.key_id
        assert "203.0.113.0/24, 10.0.0.0/8" in (await ann.get(f"{KEYS}/{new}")).words
        assert "in 1 hour" in (await ann.get(page)).words
        clock.now += 3_600_000
        assert "Expired" in (await ann.get(page)).words
        assert "for good" in (await ann.get(f"{KEYS}/{new}/revoke")).words
        assert (await ann.send(f"{KEYS}/{new}/revoke")).location == f"{KEYS}?done=revoked"
        assert "Revoked" in (await ann.get(f"{KEYS}/{new}")).words


async def test_a_key_that_was_revoked_on_its_page_does_not_even_do_for_the_next_request(
    hub: Hub, clock: FakeClock
) -> None:
    """The hub remembers keys for two seconds, but not beyond its own answer that one is revoked."""
    async with browser(hub) as ann, aiohttp.ClientSession(hub.url) as session:
        await owner(hub, clock, ann)
        key = await made(ann, hub, clock)
        api = Api(session, key, clock)
        assert (await api("GET", "/v1/products")).status == 200
        await ann.send(f"{KEYS}/{key.key_id}/revoke")
        assert (await api("GET", "/v1/products")).status == 401


@pytest.mark.parametrize("granted", [False, True])
async def test_a_live_key_needs_live_access(hub: Hub, clock: FakeClock, granted: bool) -> None:
    """The control is the same form once the operator has granted it."""
    async with browser(hub) as ann:
        merchant_id = await owner(hub, clock, ann)
        await set_merchant_status(hub.parts.store, clock, merchant_id, "APPROVED")
        if granted:
            await decide_live_access(hub.parts.store, clock, merchant_id, granted=True)
        page = f"{KEYS}?mode=live"
        assert ("Create the key" in (await ann.get(page)).words) is granted
        if granted:
            assert (await made(ann, hub, clock, "live")).key_id.startswith("ak_live_")
        else:
            refused = await ann.send(page, page)
            assert (refused.status, "granted live access" in refused.words) == (422, True)


async def test_a_key_is_called_by_its_name_and_keeps_it_when_it_is_rotated(hub: Hub, clock: FakeClock) -> None:
    """The list and the page say the name; a new key takes it on; a name that is too long is refused at its field."""
    async with browser(hub) as ann:
        await owner(hub, clock, ann)
        refused = await ann.send(f"{KEYS}?mode=test", KEYS, name="n" * 61)
        assert refused.status == 422
        assert 'href="#name"' in refused.text
        key = key_in((await ann.send(f"{KEYS}?mode=test", KEYS, name=" Shop server ")).location)
        assert "Shop server" in (await ann.get(KEYS)).words
        assert "<h1>Shop server</h1>" in (await ann.get(f"{KEYS}/{key}")).text
        rotated = key_in((await ann.send(f"{KEYS}/{key}", f"{KEYS}/{key}/rotate", overlap="24h")).location)
        assert "<h1>Shop server</h1>" in (await ann.get(f"{KEYS}/{rotated}")).text
        await ann.send(f"{KEYS}/{key}", f"{KEYS}/{key}", addresses="", ends="keep", name="")
        assert f"<h1>Key …{key[-4:]}</h1>" in (await ann.get(f"{KEYS}/{key}")).text
