"""Signing in and out: links that work once, passwords, pauses, sessions, and answers that give nothing away."""

from __future__ import annotations

import re
from contextlib import suppress
from urllib.parse import urlsplit

import pytest
from structlog.testing import capture_logs

from hub.app import Hub
from hub.operations.lists import Wanted
from hub.operations.system.mails import list_mails
from hub.operations.trail_lists import list_acts
from hub.operations.users.users import set_user_status
from hub.people.failures import Paused, count_attempt
from hub.people.pauses import ACCOUNT_MOST_MS, FREE, failures_after, pause_ms, waits_ms
from hub.people.sessions import Client
from hub.storage import Store
from hub.testing.clock import FakeClock
from tests.pages.test_registration import mailing
from tests.pages.visitor import PASSWORD, browser, enter, link_of, user_of, with_password
from tests.served_hub import served

MINUTE = 60_000


async def test_a_link_signs_in_once_within_a_quarter_of_an_hour(either_hub: Hub, clock: FakeClock) -> None:
    """Looking at it does not use it up; pressing its button does."""
    await user_of(either_hub, clock)
    path = await link_of(either_hub, clock)
    async with browser(either_hub) as ann, browser(either_hub) as thief:
        assert "ann@hub.example" in (await thief.get(path)).words
        first = await thief.get(path)
        done = await ann.send(path)
        assert (done.status, done.location) == (303, "/")
        assert (await thief.post(path, {"csrf": first.csrf})).status == 404
        assert (await thief.get(path)).status == 404
        assert (await ann.get("/account")).status == 200
        late = await link_of(either_hub, clock)
        clock.now += 15 * MINUTE
        assert (await thief.get(late)).status == 404


async def test_the_cookie_is_hidden_from_scripts_and_changes_at_sign_in(hub: Hub, clock: FakeClock) -> None:
    """A token that somebody planted before is worth nothing after."""
    await user_of(hub, clock)
    async with browser(hub) as ann:
        set_cookie = (await ann.get("/login")).headers["Set-Cookie"]
        assert set_cookie.startswith("hub=")
        assert all(word in set_cookie for word in ("HttpOnly", "SameSite=Lax", "Path=/"))
        before = ann.cookie
        await enter(ann, hub, clock)
        assert before != ann.cookie


async def test_over_https_the_cookie_belongs_to_this_host_alone(sqlite_url: str, clock: FakeClock) -> None:
    """A browser refuses a `__Host-` cookie that another name of the site sets."""
    async with served(sqlite_url, clock, HUB_SERVER_PUBLIC_URL="https://hub.example") as hub, browser(hub) as ann:
        set_cookie = (await ann.get("/login")).headers["Set-Cookie"]
        assert set_cookie.startswith("__Host-hub=")
        assert "Secure" in set_cookie
        assert "Domain" not in set_cookie


async def test_a_password_signs_in_from_then_on(either_hub: Hub, clock: FakeClock) -> None:
    """In any case of the e-mail address; where one wanted to go comes next."""
    await user_of(either_hub, clock)
    async with browser(either_hub) as ann, browser(either_hub) as elsewhere:
        await with_password(ann, either_hub, clock)
        asked = await elsewhere.get("/account")
        assert (asked.status, asked.location) == (303, "/login?then=/account")
        root = f"http://{urlsplit(either_hub.url).netloc}"
        for page, then in ((f"{root}/account?a=1", "/account%3Fa%3D1"), ("http://elsewhere.example/account", "/")):
            sent = await elsewhere.post("/account/settings", {}, Referer=page)
            assert sent.location == f"/login?then={then}"
        done = await elsewhere.send("/login", email="Ann@HUB.example", password=PASSWORD, then="/account")
        assert (done.status, done.location) == (303, "/account")
        wanted = ["user.signed-in", "user.password-set", "user.signed-in"]
        acts = [act["act"] for act in (await list_acts(either_hub.parts.store, Wanted(limit=3))).entries]
        assert acts == wanted


@pytest.mark.parametrize("then", ["https://evil.example/", "//evil.example", "/\\evil.example", "/a\nb", "evil"])
async def test_a_way_on_never_leads_elsewhere(hub: Hub, clock: FakeClock, then: str) -> None:
    await user_of(hub, clock)
    async with browser(hub) as ann, browser(hub) as again:
        await with_password(ann, hub, clock)
        done = await again.send("/login", email="ann@hub.example", password=PASSWORD, then=then)
        assert done.location == "/"


async def test_an_unknown_address_is_answered_like_a_wrong_password(hub: Hub, clock: FakeClock) -> None:
    """Neither text nor status nor headers tell them apart, for a link that is asked for either."""
    await user_of(hub, clock)
    await user_of(hub, clock, "off@hub.example")
    async with browser(hub) as ann, browser(hub) as stranger:
        await with_password(ann, hub, clock)
        await set_user_status(hub.parts.store, clock, "off@hub.example", "DISABLED")
        answers = []
        for email in ("ann@hub.example", "no@hub.example", "off@hub.example"):
            wrong = await stranger.sign_in(email, "not the password")
            asked = await stranger.send("/login/recover", email=email)
            answers.append((wrong.status, wrong.constant.replace(email, "?"), asked.status, asked.constant))
        assert len(set(answers)) == 1
        assert answers[0][0] == 422


async def test_guesses_meet_a_pause_that_grows(either_hub: Hub, clock: FakeClock) -> None:
    """The right password waits as well, so a pause cannot be told from a wrong guess; then it is let in."""
    await user_of(either_hub, clock)
    async with browser(either_hub) as ann, browser(either_hub) as guesser:
        await with_password(ann, either_hub, clock)
        statuses = [(await guesser.sign_in("ann@hub.example", f"guess {n}")).status for n in range(FREE + 1)]
        assert statuses == [422] * FREE + [429]
        assert (await guesser.sign_in("ann@hub.example", PASSWORD)).status == 429
        clock.now += 1_000
        assert (await guesser.sign_in("ann@hub.example", PASSWORD)).status == 303


@pytest.mark.parametrize(
    ("addresses", "judged"),
    [
        ([f"2001:db8:1:2::{n:x}" for n in range(1, 12)], FREE),
        ([f"2001:db8:1:{n:x}::1" for n in range(1, 12)], 11),
        (["203.0.113.7"] * 11, FREE),
    ],
    ids=["one network of IPv6", "many networks", "one address"],
)
async def test_guesses_at_many_accounts_meet_the_pause_of_their_network(
    store: Store, clock: FakeClock, addresses: list[str], judged: int
) -> None:
    """Whoever has one address of IPv6 has a whole /64 of them: a new one for each guess is no other client."""
    passed = 0
    for number, address in enumerate(addresses):
        with suppress(Paused):
            async with store.write() as tx:
                await count_attempt(tx, clock(), Client(address, "a browser"), f"user-{number}")
            passed += 1
    assert passed == judged


def test_the_pause_doubles_to_its_most_and_is_forgotten_after_a_day() -> None:
    """The control of the numbers: none at first, and an account is never kept out for longer than a minute."""
    assert [pause_ms(n, ACCOUNT_MOST_MS) for n in (0, FREE - 1, FREE, FREE + 1, FREE + 2, 99)] == [
        0, 0, 1_000, 2_000, 4_000, ACCOUNT_MOST_MS,
    ]  # fmt: skip
    assert waits_ms(FREE, 10_000, 10_400, ACCOUNT_MOST_MS) == 600
    assert failures_after(9, 0, 86_400_000) == 10
    assert failures_after(9, 0, 86_400_001) == 1


async def test_signing_out_ends_the_session_itself(hub: Hub, clock: FakeClock) -> None:
    """Whoever copied the cookie has nothing."""
    await user_of(hub, clock)
    async with browser(hub) as ann, browser(hub) as thief:
        await enter(ann, hub, clock)
        thief.session.cookie_jar.update_cookies({"hub": ann.cookie or ""})
        assert (await thief.get("/account")).status == 200
        done = await ann.send("/account", "/logout")
        assert (done.location, done.headers["Clear-Site-Data"]) == ("/login", '"storage"')
        assert (await thief.get("/account")).status == 303


async def test_signing_in_again_ends_the_session_that_the_browser_had(hub: Hub, clock: FakeClock) -> None:
    """Or whoever copied the old cookie would go on."""
    await user_of(hub, clock)
    async with browser(hub) as ann, browser(hub) as thief:
        await enter(ann, hub, clock)
        thief.session.cookie_jar.update_cookies({"hub": ann.cookie or ""})
        assert (await thief.get("/account")).status == 200
        await enter(ann, hub, clock)
        assert (await thief.get("/account")).status == 303
        assert (await ann.get("/account")).status == 200


async def test_a_failure_is_a_line_of_the_log_that_says_the_way_and_from_where(hub: Hub, clock: FakeClock) -> None:
    """Neither the address that was typed nor the password: people type one in the field of the other."""
    await user_of(hub, clock)
    async with browser(hub) as ann, browser(hub) as thief:
        await with_password(ann, hub, clock)
        with capture_logs() as log:
            await thief.sign_in("ann@hub.example", "open sesame")
            await ann.send("/login/confirm", password="open sesame")
            await thief.sign_in("ann@hub.example", PASSWORD)
    failed = [(each["page"], each["user"] is None, each["address"]) for each in log if each["log_level"] == "warning"]
    assert failed == [("/login", True, "127.0.0.1"), ("/login/confirm", False, "127.0.0.1")]
    assert "ann@hub" not in str(log)
    assert "sesame" not in str(log)


async def test_fields_of_passwords_hide_what_is_typed_and_let_managers_fill_them(hub: Hub, clock: FakeClock) -> None:
    await user_of(hub, clock)
    async with browser(hub) as ann:
        await with_password(ann, hub, clock)
        for path, filled in (("/login/confirm", "current-password"), ("/account/security", "new-password")):
            (field,) = re.findall(r'<input[^>]*name="password"[^>]*>', (await ann.get(path)).text)
            assert 'type="password"' in field, path
            assert f'autocomplete="{filled}"' in field, path
        await ann.send("/account", "/logout")
        (field,) = re.findall(r'<input[^>]*name="password"[^>]*>', (await ann.get("/login")).text)
        assert 'type="password"' in field
        assert 'autocomplete="current-password"' in field


async def test_a_password_that_is_easy_to_guess_is_refused(hub: Hub, clock: FakeClock) -> None:
    """Used ones, and the person's and the network's own words."""
    await user_of(hub, clock)
    async with browser(hub) as ann:
        await enter(ann, hub, clock)
        for easy in ("password1234", "ann@hub.example", "affiliate hub 1"):
            refused = await ann.send("/account/security", "/account/password", password=easy)
            assert (refused.status, "too easy to guess" in refused.words) == (422, True), easy
        assert (await ann.send("/account/security", "/account/password", password=PASSWORD)).status == 303


async def test_one_sees_and_ends_ones_own_sessions_only(hub: Hub, clock: FakeClock) -> None:
    """Another's session is as unknown as one that never was."""
    await user_of(hub, clock)
    await user_of(hub, clock, "bob@hub.example", "operator")
    async with browser(hub) as ann, browser(hub) as phone, browser(hub) as bob:
        await enter(ann, hub, clock)
        await enter(phone, hub, clock)
        await enter(bob, hub, clock, "bob@hub.example")
        page = await ann.get("/account")
        (end,) = {part.partition('"')[0] for part in page.text.split('action="')[1:] if "/sessions/" in part}
        assert (await bob.post(end, {"csrf": (await bob.get("/account")).csrf})).status == 404
        assert (await phone.get("/account")).status == 200
        assert (await ann.post(end, {"csrf": page.csrf})).status == 303
        assert (await phone.get("/account")).status == 303
        assert (await ann.get("/account")).status == 200


async def test_a_session_ends_when_idle_and_at_the_end_of_its_life(sqlite_url: str, clock: FakeClock) -> None:
    """Both are settings."""
    times = {"HUB_SESSIONS_LIFETIME": "2h", "HUB_SESSIONS_IDLE_TIMEOUT": "30m"}
    async with served(sqlite_url, clock, **times) as hub, browser(hub) as ann, browser(hub) as idle:
        await user_of(hub, clock)
        await enter(ann, hub, clock)
        await enter(idle, hub, clock)
        for _ in range(5):
            clock.now += 20 * MINUTE
            assert (await ann.get("/account")).status == 200
        assert (await idle.get("/account")).status == 303
        clock.now += 20 * MINUTE
        assert (await ann.get("/account")).status == 303


async def test_who_is_disabled_is_out_at_once(hub: Hub, clock: FakeClock) -> None:
    """Sessions end and open links are void."""
    await user_of(hub, clock, role="operator")
    async with browser(hub) as ann:
        await enter(ann, hub, clock)
        path = await link_of(hub, clock)
        await set_user_status(hub.parts.store, clock, "ann@hub.example", "DISABLED")
        assert (await ann.get("/account")).status == 303
        assert (await ann.get(path)).status == 404


async def test_a_password_is_changed_by_somebody_who_has_just_proved_who_they_are(hub: Hub, clock: FakeClock) -> None:
    """After ten minutes it is asked for again; the other sessions end with the old one."""
    await user_of(hub, clock)
    async with browser(hub) as ann, browser(hub) as other:
        await with_password(ann, hub, clock)
        await enter(other, hub, clock)
        clock.now += 10 * MINUTE
        asked = await ann.send("/account/security", "/account/password", password="four loud geese")
        assert asked.location == "/login/confirm?then=/account/security"
        assert (await ann.send("/login/confirm", password="wrong", then="/account")).status == 422
        assert (await ann.send("/login/confirm", password=PASSWORD, then="/account")).location == "/account"
        assert (await ann.send("/account/security", "/account/password", password="short")).status == 422
        assert (await ann.send("/account/security", "/account/password", password="four loud geese")).status == 303
        assert (await other.get("/account")).status == 303
        assert (await other.sign_in("ann@hub.example", PASSWORD)).status == 422
        assert (await other.sign_in("ann@hub.example", "four loud geese")).status == 303


async def test_addresses_that_are_no_page_are_answered_in_their_own_form(hub: Hub) -> None:
    """JSON under the API's root, a page elsewhere."""
    async with browser(hub) as anybody:
        api, page = await anybody.get("/api/v1/nothing"), await anybody.get("/nothing")
        assert (api.status, api.headers["Content-Type"]) == (404, "application/json; charset=utf-8")
        assert (page.status, page.headers["Content-Type"]) == (404, "text/html; charset=utf-8")
        assert "There is no such page" in page.words
        start = (await anybody.get("/")).words
        for words in ("Affiliate sales that add up", "Sign in", "API reference", "Browse campaigns"):
            assert words in start
        wrong = await anybody.post("/campaigns", {})
        assert (wrong.status, wrong.headers["Content-Type"], wrong.headers["Allow"]) == (
            405,
            "text/html; charset=utf-8",
            "GET, HEAD",
        )
        assert (await anybody.post("/api/v1/nothing", {})).headers["Content-Type"] == "application/json; charset=utf-8"


async def test_the_start_page_leads_each_where_they_belong(hub: Hub, clock: FakeClock) -> None:
    """A person with one area goes there at once."""
    await user_of(hub, clock)
    async with browser(hub) as ann:
        await enter(ann, hub, clock)
        assert (await ann.get("/")).location == "/operator"


async def test_a_sign_in_from_a_new_device_is_mailed(sqlite_url: str, clock: FakeClock) -> None:
    """Not the first, which nobody else could notice, and not a second one of the same browser."""
    async with mailing(sqlite_url, clock) as (hub, _), browser(hub) as ann:
        await user_of(hub, clock)

        async def mails() -> int:
            return len((await list_mails(hub.parts.store, Wanted())).entries)

        for agent, count in (("", 0), ("", 0), ("Mozilla/5.0 (X11; Linux x86_64) Firefox/145.0", 1)):
            if agent:
                ann.session.headers["User-Agent"] = agent
            await enter(ann, hub, clock)
            assert await mails() == count
