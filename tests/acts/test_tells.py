"""Who gets a mail about an act is what the table of acts says: each form is sent, and the outbox is looked at."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from typing import Final

import pytest

from hub.acts.table import ACTS
from hub.operations.lists import Wanted
from hub.operations.system.mails import list_mails
from hub.testing.clock import FakeClock
from tests.acts.test_matrix import PEOPLE, Stage, answered, expected, pages, staged
from tests.pages.test_second_person import MAIL
from tests.pages.visitor import PASSWORD

ASIDE: Final = {"troubles", "deposit-short", "invoice-overdue", "notices"}
"""Mails that the hub writes by itself, later: it watches, and gathers notices."""
PAYEE: Final = {
    "legal_name": "Ada", "street": "Main St 1", "postal_code": "10115", "city": "Berlin", "country": "DE",
    "method": "paypal", "account": "ada@mail.example",
}  # fmt: skip
FIELDS: Final = {
    "/operator/users": {"email": "eve@hub.example", "role": "operator-admin", "name": "Eve"},
    "/operator/users/{user}": {"name": "Spare", "email": "other@hub.example"},
    "/operator/users/{user}/roles": {"role": "operator-admin"},
    "/operator/users/{user}/roles/remove": {"role": "operator-admin"},
    "/operator/affiliates/{affiliate}": {"name": "Aurora", "email": "left@blog.example", "coupons": ""},
    "/affiliate/settings": {"name": "Aurora", "email": "back@blog.example"},
    "/account/password": {"password": PASSWORD},
    "/operator/affiliates/{affiliate}/payee": PAYEE,
    "/affiliate/payee": {**PAYEE, "account": "another@mail.example"},
    "/merchant/people": {"email": "new@shop.example", "level": "viewer"},

}  # fmt: skip
"""What a form needs so that it does something."""
ELSEWHERE: Final = {
    "/account/app": "an app is set up in test_second_factor.py",
    "/account/passkeys": "a browser's passkey is needed: test_passkeys.py",
    "/account/passkeys/{passkey}/remove": "as its making is",
    "/merchant/people/{user}/remove": "of a colleague who came by an invitation, by the same notice as operators",
    "/merchant/affiliates/invite": "it needs a campaign to invite to: test_partners.py",
    "/login/recover": "public: test_registration.py has its mail",
    "/login": "from a new device: test_sign_in.py",
    "/login/second": "a recovery code of an app: test_second_factor.py",
    "/login/confirm": "a recovery code of an app: test_second_factor.py",
}
"""Forms of which another test sees the mail."""


@pytest.fixture
async def stage(sqlite_url: str, clock: FakeClock) -> AsyncIterator[Stage]:
    async with AsyncExitStack() as stack:
        yield await staged(stack, sqlite_url, clock, **MAIL)


async def newest(stage: Stage) -> str:
    found = (await list_mails(stage.hub.parts.store, Wanted(limit=100))).entries
    return next((mail.id for mail in found if mail.template not in ASIDE), "")


@pytest.mark.prove
async def test_a_form_writes_a_mail_if_its_act_tells_somebody(stage: Stage) -> None:
    """No more and no less: what tells nobody writes none, and what the table says is written."""
    declared = {page for act in ACTS if act.tells for page in act.pages}
    silent = [act for act in ACTS if act.tells and act.pages and not ELSEWHERE.keys() & set(act.pages)]
    tokens = {person: (await each.get("/account")).csrf for person, each in stage.browsers.items()}
    told, sent = set[str](), set[str]()
    for method, path, grant in pages():
        people = [person for person in PEOPLE if expected(person, grant, fresh=True) == "taken"]
        if method != "POST" or path == "/logout" or not people:
            continue
        before, person = await newest(stage), people[0] if path.startswith("/operator") else people[-1]
        of_account = {"account": stage.world.account_id} if path.startswith("/merchant") else {}
        about = {"csrf": tokens[person], **of_account, **FIELDS.get(path, {})}
        visitor = stage.browsers[person]
        seen = (await visitor.post(stage.address(path), about)) if path in FIELDS else (
            await stage.ask(visitor, method, path, tokens[person]))  # fmt: skip
        if answered(seen) == "sign in":
            continue
        sent.add(path)
        if await newest(stage) != before:
            told.add(path)
    assert told <= declared, "a mail that the table does not tell of"
    assert [act.summary for act in silent if not told & set(act.pages)] == [], "the table tells of what is not sent"
    assert len(sent - declared) > 50, "the control: as many forms write none"
