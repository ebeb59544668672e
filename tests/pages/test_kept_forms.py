"""What somebody typed while their session ended is not lost, and no other site gets a form kept."""

from __future__ import annotations

import re
from html import unescape

from hub.acts.authority import FRESH_MS
from hub.app import Hub
from hub.testing.clock import FakeClock
from tests.pages.visitor import OWN, PASSWORD, Seen, browser, user_of, with_password

TYPED = {"name": 'Ann "Ärger" <b>\nand Bob', "zone": "Europe/Vienna", "secret": "never shown"}


def fields_of(seen: Seen) -> dict[str, str]:
    """The hidden fields of a page's form."""
    form = seen.text.partition("<main")[2]
    found = re.findall(r'<input type="hidden" name="([^"]*)" value="([^"]*)">', form)
    return {name: unescape(text) for name, text in found}


def without_tokens(seen: Seen) -> str:
    return re.sub("[0-9a-f]{64}", "", seen.text)


async def test_what_was_typed_is_kept_over_a_session_that_ended(hub: Hub, clock: FakeClock) -> None:
    await user_of(hub, clock)
    async with browser(hub) as ann, browser(hub) as late:
        await with_password(ann, hub, clock)
        ended = await late.post("/account/settings", {"csrf": "old", **TYPED}, **OWN)
        assert (ended.status, "Your session has ended" in ended.words) == (401, True)
        assert "never shown" not in ended.text
        assert "not kept; type it again" in ended.words
        assert 'action="/account/settings"' in ended.text
        kept = fields_of(ended)
        assert {name: kept.get(name) for name in TYPED} == {**TYPED, "secret": None}

        again = await late.post("/account/settings", kept, **OWN)
        assert again.status == 401, "it may be pressed too early"
        assert (await late.sign_in("ann@hub.example", PASSWORD)).status == 303
        once_more = await late.post("/account/settings", fields_of(again), **OWN)
        assert (once_more.status, "Send it once more" in once_more.words) == (403, True)
        sent = await late.post("/account/settings", fields_of(once_more), **OWN)
        assert sent.status in (303, 422), "the form arrives where it was going"


async def test_what_was_typed_is_kept_over_a_proof_of_who_one_is(hub: Hub, clock: FakeClock) -> None:
    """The proof's own form carries it, over a wrong password as well; then it goes to where it was going."""
    await user_of(hub, clock)
    typed = {"name": "Nightly <export>", "may": "admin:read", "secret": "never shown"}
    async with browser(hub) as ann:
        await with_password(ann, hub, clock)
        clock.now += FRESH_MS
        asked = await ann.post("/account/tokens", {"csrf": (await ann.get("/account/tokens")).csrf, **typed}, **OWN)
        assert (asked.status, "What you typed is kept" in asked.words) == (403, True)
        wrong = await ann.post("/login/confirm", {**fields_of(asked), "password": "not this one"}, **OWN)
        assert (wrong.status, "This is not your password" in wrong.words) == (422, True)
        proved = await ann.post("/login/confirm", {**fields_of(wrong), "password": PASSWORD}, **OWN)
        assert proved.status == 200
        assert 'action="/account/tokens"' in proved.text
        assert "data-go-on" not in proved.text, "what lacks a secret is not sent by itself"
        kept = fields_of(proved)
        assert {name: kept.get(name) for name in typed} == {**typed, "secret": None}
        assert "never shown" not in asked.text + wrong.text + proved.text
        made = await ann.post("/account/tokens", kept, **OWN)
        assert (made.status, "Your token" in (await ann.get(made.location or "")).words) == (303, True)
        assert "Nightly <export>" in (await ann.get("/account/tokens")).words


async def test_a_kept_form_goes_on_by_itself_and_to_this_hub_alone(hub: Hub, clock: FakeClock) -> None:
    await user_of(hub, clock)
    async with browser(hub) as ann:
        await with_password(ann, hub, clock)
        csrf = (await ann.get("/account/tokens")).csrf
        own = {"csrf": csrf, "password": PASSWORD, "kept.name": "Nightly"}
        sent = await ann.post("/login/confirm", {**own, "kept-for": "/account/tokens?a=b"}, **OWN)
        assert ('action="/account/tokens?a=b"' in sent.text, "data-go-on" in sent.text) == (True, True)
        for elsewhere in ("https://other.example/", "//other.example/", "/\\other.example"):
            away = await ann.post("/login/confirm", {**own, "kept-for": elsewhere}, **OWN)
            assert 'action="/"' in away.text, elsewhere


async def test_plain_http_says_by_its_origin_whose_a_form_is(hub: Hub, clock: FakeClock) -> None:
    """Browsers leave `Sec-Fetch-Site` out where a hub is at http:// and not at localhost."""
    await user_of(hub, clock)
    async with browser(hub) as ann:
        await with_password(ann, hub, clock)
        for origin, status in ((hub.url, 403), ("null", 403), ("https://other.example", 403)):
            refused = await ann.post("/account/settings", {"csrf": "old", **TYPED}, Origin=origin)
            assert (refused.status, "Ärger" in refused.text) == (status, origin == hub.url)


async def test_no_other_site_lays_a_form_before_somebody(hub: Hub, clock: FakeClock) -> None:
    """Nor is a form kept for a browser that does not say where it comes from, or of a page that strangers may see."""
    await user_of(hub, clock)
    async with browser(hub) as ann, browser(hub) as stranger:
        await with_password(ann, hub, clock)
        for headers in (
            {},
            {"Sec-Fetch-Site": "none"},
            {"Sec-Fetch-Site": "cross-site"},
            {"Sec-Fetch-Site": "same-site"},
        ):
            assert (await stranger.post("/account/settings", TYPED, **headers)).status == 303
            refused = await ann.post("/account/settings", {"csrf": "old", **TYPED}, **headers)
            assert (refused.status, "Ärger" in refused.text) == (403, False)
        public = await stranger.post("/login", {"csrf": "old", "email": "ann@hub.example"}, **OWN)
        assert (public.status, "ann@hub.example" in public.text) == (403, False)


async def test_a_forged_token_changes_nothing(hub: Hub, clock: FakeClock) -> None:
    """The control: what is kept is shown, and only its button, with the token of this session, sends it."""
    await user_of(hub, clock)
    async with browser(hub) as ann:
        await with_password(ann, hub, clock)
        before = without_tokens(await ann.get("/account"))
        assert (await ann.post("/account/settings", {"csrf": "00" * 32, "zone": "Asia/Tokyo"}, **OWN)).status == 403
        assert without_tokens(await ann.get("/account")) == before
