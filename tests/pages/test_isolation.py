"""Isolation, made from the routes: a page is refused to whoever may not see it, and the refusal says nothing."""

from __future__ import annotations

import re

import pytest
from structlog.testing import capture_logs

from hub.app import Hub
from hub.domain.words import ROLES
from hub.operations.affiliates.affiliates import create_affiliate
from hub.operations.lists import Wanted
from hub.operations.trail_lists import list_acts
from hub.operations.users.users import NewUser, create_user
from hub.pages.routes import all_pages
from hub.pages.visit import Page
from hub.testing.clock import FakeClock
from tests.pages.visitor import Visitor, browser, enter
from tests.sampled import Part, in_parts
from tests.served_hub import new_merchant

PAGES = all_pages()
FORMS = [page for page in PAGES if page.method == "POST"]
PRIVATE = [page for page in PAGES if not page.public]


def named(page: Page) -> str:
    return f"{page.method} {page.path}"


def address(page: Page) -> str:
    return re.sub(r"\{(\w+)\}", r"\1_1", page.path)


async def person(hub: Hub, clock: FakeClock, role: str) -> str:
    """Create a user of a role and return the e-mail address."""
    merchant_id = await new_merchant(hub, clock) if role == "merchant" else None
    affiliate = (
        await create_affiliate(hub.parts.store, clock, name="Bea", email="b@blog.example")
        if role == "affiliate"
        else None
    )
    email = f"{role}@hub.example"
    wanted = NewUser(email, role, merchant_id, None if affiliate is None else affiliate.id)
    await create_user(hub.parts.store, clock, wanted)
    return email


async def count_acts(hub: Hub) -> int:
    return len((await list_acts(hub.parts.store, Wanted(limit=1000))).entries)


async def ask(visitor: Visitor, page: Page, csrf: str) -> tuple[int, str, str | None]:
    """Ask for a page, with a form's fields if it takes one."""
    seen = (
        await visitor.get(address(page))
        if page.method == "GET"
        else await visitor.post(address(page), {"csrf": csrf, "email": "new@hub.example", "role": "operator"})
    )
    return seen.status, seen.words, seen.location


@in_parts(5)
async def test_without_a_session_there_is_only_the_way_to_sign_in(hub: Hub, part: Part) -> None:
    async with browser(hub) as stranger:
        csrf = (await stranger.get("/login")).csrf
        for page in part.of(PRIVATE):
            status, words, location = await ask(stranger, page, csrf)
            assert (status, words.strip()) == (303, ""), named(page)
            assert (location or "").startswith("/login?then="), named(page)


@in_parts(5)
@pytest.mark.parametrize("role", ROLES)
async def test_another_roles_pages_are_unknown(hub: Hub, clock: FakeClock, role: str, part: Part) -> None:
    """Neither status nor words differ from an address that does not exist."""
    email = await person(hub, clock, role)
    async with browser(hub) as visitor:
        await enter(visitor, hub, clock, email)
        csrf = (await visitor.get("/account")).csrf
        unknown = (404, (await visitor.get("/login/link/none")).status)
        before = await count_acts(hub)
        others = part.of(page for page in PRIVATE if page.roles and role not in page.roles)
        with capture_logs() as log:
            for page in others:
                status, words, _ = await ask(visitor, page, csrf)
                assert (status, 404) == unknown, address(page)
                assert "There is no such page" in words
        refused = [each["page"] for each in log if each["event"] == "a page of another role was asked for"]
        assert refused == [page.path for page in others]
        assert await count_acts(hub) == before


@in_parts(5)
@pytest.mark.parametrize("fault", ["no token", "another's token", "another site", "another origin", "no cookie"])
async def test_a_form_from_elsewhere_is_refused_and_does_nothing(
    hub: Hub, clock: FakeClock, fault: str, part: Part
) -> None:
    """Each guard alone refuses: the others are satisfied."""
    for role in ROLES:
        email = await person(hub, clock, role)
        async with browser(hub) as ann, browser(hub) as eve:
            await enter(ann, hub, clock, email)
            own, foreign = (await ann.get("/account")).csrf, (await eve.get("/login")).csrf
            fields = {"csrf": {"no token": "", "another's token": foreign}.get(fault, own), "email": email}
            headers = {
                "another site": {"Sec-Fetch-Site": "cross-site"},
                "another origin": {"Origin": "https://e.example"},
            }
            if fault == "no cookie":
                ann.session.cookie_jar.clear()
            before = await count_acts(hub)
            for page in part.of(FORMS):
                if role == (page.roles[-1] if page.roles else "operator-admin"):
                    refused = await ann.post(address(page), fields, **headers.get(fault, {}))
                    assert refused.status == (303 if fault == "no cookie" and not page.public else 403), named(page)
                    if fault == "no cookie":
                        ann.session.cookie_jar.clear()
            assert await count_acts(hub) == before


async def test_control_the_same_form_is_taken_with_all_in_order(hub: Hub, clock: FakeClock) -> None:
    email = await person(hub, clock, "operator-admin")
    async with browser(hub) as ann:
        await enter(ann, hub, clock, email)
        fields = {"csrf": (await ann.get("/account")).csrf}
        mine = {"Sec-Fetch-Site": "same-origin", "Origin": hub.url}
        assert (await ann.post("/logout", fields, **mine)).location == "/login"


async def test_a_stale_token_of_an_earlier_session_is_refused(hub: Hub, clock: FakeClock) -> None:
    """Signing in makes a new cookie, and what was shown before belongs to the old one."""
    email = await person(hub, clock, "operator")
    async with browser(hub) as ann:
        stale = (await ann.get("/login")).csrf
        await enter(ann, hub, clock, email)
        with capture_logs() as log:
            assert (await ann.post("/logout", {"csrf": stale})).status == 403
        assert [(each["event"], each["page"]) for each in log] == [("a form was refused", "/logout")]
        assert (await ann.get("/account")).status == 200


async def test_an_address_with_a_nul_is_of_nothing(hub: Hub, clock: FakeClock) -> None:
    """No database takes one, so none may get as far as a query: in a path or a parameter, of a page or a form."""
    email = await person(hub, clock, "operator-admin")
    async with browser(hub) as visitor:
        assert (await visitor.get("/campaigns/%00")).status == 404
        await enter(visitor, hub, clock, email)
        csrf = (await visitor.get("/account")).csrf
        for unknown in ("/operator/merchants/a%00b", "/operator/trail?actor=%00", "/operator/owed?before=%00"):
            assert (await visitor.get(unknown)).status == 404, unknown
        assert (await visitor.post("/operator/users/%00", {"csrf": csrf})).status == 404


@pytest.mark.parametrize(
    "body", [b"csrf=%00", b"csrf=%ff", b"&".join([b"a=1"] * 200), b"\xff\xfe", b"a=" + b"x" * 70_000]
)
async def test_a_body_that_is_no_form_is_refused(hub: Hub, body: bytes) -> None:
    async with browser(hub) as anybody:
        await anybody.get("/login")
        form = {"Content-Type": "application/x-www-form-urlencoded"}
        async with anybody.session.post("/login", data=body, headers=form) as response:
            assert response.status in (403, 413)


@in_parts(5)
async def test_every_page_lets_nothing_else_in(hub: Hub, clock: FakeClock, part: Part) -> None:
    """Stored text is shown as text, and the policy would stop a script all the same."""
    hostile = '<script>alert(1)</script>"><img src=x onerror=alert(2)>'
    await create_user(hub.parts.store, clock, NewUser("ann@hub.example", "operator-admin", name=hostile))
    async with browser(hub) as ann:
        await enter(ann, hub, clock, "ann@hub.example")
        for page in part.of(PRIVATE):
            if page.method == "GET":
                seen = await ann.get(address(page), **{"User-Agent": hostile})
                assert "<script>" not in seen.text, page.path
                assert "<img src=x" not in seen.text, page.path
                assert "style=" not in seen.text, page.path
                assert "script-src 'self'; style-src 'self';" in seen.headers["Content-Security-Policy"]
                assert "default-src 'none'" in seen.headers["Content-Security-Policy"]
        assert hostile in (await ann.get("/account")).words
