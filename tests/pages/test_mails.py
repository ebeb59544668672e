"""/operator/mails over a real SMTP server: what could not be sent is found by its address and tried again."""

from __future__ import annotations

import re

from hub.testing.clock import FakeClock
from tests.pages.test_registration import mailing, sent
from tests.pages.visitor import browser, enter, user_of

MAILS = "/operator/mails"


async def test_a_mail_that_was_given_up_is_sent_from_its_row(database_url: str, clock: FakeClock) -> None:
    async with mailing(database_url, clock) as (hub, inbox), browser(hub) as ann:
        await user_of(hub, clock)
        await enter(ann, hub, clock)
        assert "appear here" in (await ann.get(MAILS)).words
        inbox.answers = ["550 no such user"]
        for email in ("bob@hub.example", "eve@hub.example"):
            await ann.send("/operator/users", email=email, role="operator")
            await sent(hub)
        seen = await ann.get(f"{MAILS}?to=BOB@hub.example")
        assert ("bob@hub.example" in seen.words, "eve@hub.example" in seen.words) == (True, False)
        assert "550" in seen.words
        form = re.search(r'action="/operator/mails/retry".*?name="mail" value="(mail_\w+)"', seen.text, re.DOTALL)
        assert form is not None
        assert (await ann.send(MAILS, f"{MAILS}/retry", mail=form[1])).location == f"{MAILS}?done=due"
        await sent(hub)
        assert [mail["To"] for mail in inbox.mails] == ["eve@hub.example", "bob@hub.example"]
        assert "/retry" not in (await ann.get(MAILS)).text
        assert "was sent at" in (await ann.send("/account", f"{MAILS}/retry", mail=form[1])).words
