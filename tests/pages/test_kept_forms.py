"""What somebody typed while their session ended is not lost, and no other site gets a form kept."""

from __future__ import annotations

import re
from html import unescape

from hub.app import Hub
from hub.testing.clock import FakeClock
from tests.pages.visitor import PASSWORD, Seen, browser, user_of, with_password

OWN = {"Sec-Fetch-Site": "same-origin"}
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
