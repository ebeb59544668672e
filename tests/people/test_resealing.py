"""A change of the master key reaches the links of waiting mails and the secrets of authenticator apps."""

from __future__ import annotations

import pytest

from hub.config.people_sections import MailSettings
from hub.mail.outbox import Mail, Outbox
from hub.mail.sender import MailSender
from hub.operations.lists import Wanted
from hub.operations.system.mails import list_mails
from hub.operations.system.secret_rotation import count_sealed, rotate_secrets
from hub.operations.users.users import NewUser, create_user
from hub.sealing import Sealer, SealingFault, master_key_id
from hub.storage import Store
from hub.testing.clock import FakeClock
from tests.mail.smtp_server import smtp_server

OLD, NEW = b"o" * 32, b"n" * 32
LINK = "https://hub.example/login/link/s3cr3t-t0k3n"
SECRET = b"an app's own secret!"


async def root() -> str:
    return "https://hub.example"


async def sealed_under_old(store: Store, clock: FakeClock) -> str:
    """Store a mail with a link and a user with an app, both sealed under the old key; return the user's id."""
    sealer = Sealer.of([OLD])
    user_id = (await create_user(store, clock, NewUser("ann@shop.example", "operator")))["id"]
    async with store.write() as tx:
        mail = Mail("ann@shop.example", "login-link", {"email": "ann@shop.example"}, LINK)
        await Outbox(sealer, is_on=True).add(tx, clock(), mail)
        await tx.run("set_totp", user_id=user_id, secret=sealer.seal(SECRET, user_id), counter=1, now=clock(), since=0)
    return user_id


async def app_secret(store: Store, user_id: str) -> str:
    async with store.read() as tx:
        row = await tx.one("user_factors", user_id=user_id)
    assert row is not None
    return str(row["totp_secret"])


async def sent_texts(store: Store, clock: FakeClock) -> list[str]:
    """Send what waits with the new key alone; return the texts that arrived."""
    async with smtp_server() as inbox:
        settings = MailSettings(host="localhost", port=inbox.port, tls="none")
        await MailSender(store, Sealer.of([NEW]), clock, settings, root).run_once()
    return [mail.as_string() for mail in inbox.mails]


async def test_the_new_key_alone_opens_them_afterwards(store: Store, clock: FakeClock) -> None:
    user_id = await sealed_under_old(store, clock)
    done = await rotate_secrets(store, Sealer.of([OLD, NEW]), clock, shared=False)
    assert (done["rotated"], done["left"]) == (2, 0)
    assert await count_sealed(store) == {master_key_id(NEW): 2}
    assert Sealer.of([NEW]).open(await app_secret(store, user_id), user_id) == SECRET
    (text,) = await sent_texts(store, clock)
    assert "s3cr3t-t0k3n" in text


async def test_control_without_it_the_new_key_opens_neither(store: Store, clock: FakeClock) -> None:
    """The mail is given up with a reason."""
    user_id = await sealed_under_old(store, clock)
    assert await count_sealed(store) == {master_key_id(OLD): 2}
    with pytest.raises(SealingFault):
        Sealer.of([NEW]).open(await app_secret(store, user_id), user_id)
    assert await sent_texts(store, clock) == []
    (mail,) = (await list_mails(store, Wanted())).entries
    assert mail.status == "GIVEN_UP"
