"""The authenticator app: set up, asked for after a password and after a link, replaced by recovery codes, removed."""

from __future__ import annotations

import base64
import re

from hub.app import Hub
from hub.domain.totp import STEP_MS, totp_code
from hub.operations.lists import Wanted
from hub.operations.trail_lists import list_acts
from hub.testing.clock import FakeClock
from tests.pages.visitor import PASSWORD, Visitor, browser, enter, link_of, user_of, with_password
from tests.served_hub import served

SECURITY = "/account/security"


async def set_up(visitor: Visitor, clock: FakeClock) -> tuple[bytes, list[str]]:
    """Take an app into use; return its secret and the recovery codes."""
    page = await visitor.get("/account/app")
    found = re.search(r'<code id="secret">([A-Z2-7]+)</code>', page.text)
    assert found
    secret = base64.b32decode(found[1] + "=" * (-len(found[1]) % 8))
    done = await visitor.post("/account/app", {"csrf": page.csrf, "code": totp_code(secret, clock() // STEP_MS)})
    assert done.status == 303
    shown = await visitor.get(done.location or "")
    return secret, re.findall(r"[a-z2-7]{4}(?:-[a-z2-7]{4}){3}", shown.text)


async def test_with_an_app_a_password_is_not_enough(either_hub: Hub, clock: FakeClock) -> None:
    """The first proof opens nothing; a code works once, and a wrong one is counted."""
    await user_of(either_hub, clock)
    async with browser(either_hub) as ann, browser(either_hub) as phone:
        await with_password(ann, either_hub, clock)
        secret, codes = await set_up(ann, clock)
        assert len(codes) == 10
        first = await phone.sign_in("ann@hub.example", PASSWORD)
        assert (first.status, first.location) == (303, "/login/second?then=/")
        assert (await phone.get("/account")).status == 303
        clock.now += STEP_MS
        code = totp_code(secret, clock() // STEP_MS)
        assert (await phone.send("/login/second", code="000000")).status == 422
        assert (await phone.send("/login/second", code=code)).location == "/"
        assert (await phone.get("/account")).status == 200
        async with browser(either_hub) as thief:
            await thief.sign_in("ann@hub.example", PASSWORD)
            assert (await thief.send("/login/second", code=code)).status == 422
            assert (await thief.get("/account")).status == 303
        acts = [act["act"] for act in (await list_acts(either_hub.parts.store, Wanted(limit=20))).entries]
        assert "user.app-added" in acts


async def test_a_link_asks_for_the_code_too_and_a_recovery_code_works_once(hub: Hub, clock: FakeClock) -> None:
    """So a mailbox alone does not get around the app."""
    await user_of(hub, clock)
    async with browser(hub) as ann, browser(hub) as elsewhere, browser(hub) as again:
        await with_password(ann, hub, clock)
        _, codes = await set_up(ann, clock)
        assert (await elsewhere.send(await link_of(hub, clock))).location == "/login/second?then=/"
        assert (await elsewhere.get("/account")).status == 303
        assert (await elsewhere.send("/login/second", code=codes[0].upper())).status == 303
        assert (await elsewhere.get("/account")).status == 200
        await again.sign_in("ann@hub.example", PASSWORD)
        assert (await again.send("/login/second", code=codes[0])).status == 422
        assert (await again.send("/login/second", code=codes[1])).status == 303


async def test_codes_cannot_be_guessed_at_speed(hub: Hub, clock: FakeClock) -> None:
    await user_of(hub, clock)
    async with browser(hub) as ann, browser(hub) as thief:
        await with_password(ann, hub, clock)
        await set_up(ann, clock)
        await thief.sign_in("ann@hub.example", PASSWORD)
        seen = [(await thief.send("/login/second", code=f"00000{number}")).status for number in range(7)]
        assert seen[:5] == [422] * 5
        assert seen[-1] == 429


async def test_a_first_proof_belongs_to_its_browser_and_does_not_last(hub: Hub, clock: FakeClock) -> None:
    await user_of(hub, clock)
    async with browser(hub) as ann, browser(hub) as phone, browser(hub) as stranger:
        await with_password(ann, hub, clock)
        _, codes = await set_up(ann, clock)
        await phone.sign_in("ann@hub.example", PASSWORD)
        late = await stranger.send("/login/second", code=codes[0])
        assert (late.status, "too long" in late.words) == (422, True)
        clock.now += 10 * 60_000
        assert (await phone.send("/login/second", code=codes[0])).status == 422
        assert (await phone.get("/account")).status == 303


async def test_the_app_proves_who_one_is_and_can_be_removed(hub: Hub, clock: FakeClock) -> None:
    """Removed, the password is enough again."""
    await user_of(hub, clock)
    async with browser(hub) as ann, browser(hub) as phone:
        await with_password(ann, hub, clock)
        secret, _ = await set_up(ann, clock)
        clock.now += 11 * 60_000
        asked = await ann.send(SECURITY, "/account/app/remove")
        assert asked.location == f"/login/confirm?then={SECURITY}"
        code = totp_code(secret, clock() // STEP_MS)
        assert (await ann.send("/login/confirm", code=code, then=SECURITY)).location == SECURITY
        assert (await ann.send(SECURITY, "/account/app/remove")).location == f"{SECURITY}?done=removed"
        assert (await phone.sign_in("ann@hub.example", PASSWORD)).location == "/"


async def test_operators_may_be_asked_for_a_second_factor(sqlite_url: str, clock: FakeClock) -> None:
    """Until they have one they see their own account only; the control is every hub without the setting."""
    async with (
        served(sqlite_url, clock, HUB_PEOPLE_OPERATORS_NEED_SECOND_FACTOR="true") as hub,
        browser(hub) as ann,
    ):
        await user_of(hub, clock)
        await enter(ann, hub, clock)
        assert (await ann.get("/operator/users")).location == SECURITY
        assert "asks its operators for more" in (await ann.get(SECURITY)).words
        await set_up(ann, clock)
        assert (await ann.get("/operator/users")).status == 200
