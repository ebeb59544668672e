"""A real SMTP server on a real socket, in the test's own loop: it keeps what it gets, and refuses when it is set to."""

from __future__ import annotations

import asyncio
import ssl
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from email import message_from_bytes
from email.message import EmailMessage
from email.policy import default
from pathlib import Path
from typing import Any

from aiosmtpd.controller import UnthreadedController
from aiosmtpd.smtp import AuthResult
from attrs import define, field

from tests.certificates import self_signed


@define
class Inbox:
    """What arrived; `answers` are the server's next answers instead of its own, one for each mail."""

    port: int = 0
    mails: list[EmailMessage] = field(factory=list)
    recipients: list[list[str]] = field(factory=list)
    answers: list[str] = field(factory=list)
    logins: list[tuple[str, str]] = field(factory=list)
    over_tls: list[bool] = field(factory=list)
    reached: asyncio.Event = field(factory=asyncio.Event)
    """Set once a mail's text has arrived."""
    silence: asyncio.Event | None = None
    """Set when a server that says nothing after a mail's text is to go on."""

    async def handle_DATA(self, _server: object, session: Any, envelope: Any) -> str:  # noqa: N802 - aiosmtpd's name
        if self.answers:
            return self.answers.pop(0)
        self.mails.append(message_from_bytes(envelope.content, policy=default))
        self.recipients.append(list(envelope.rcpt_tos))
        self.reached.set()
        if self.silence is not None:
            await self.silence.wait()
        self.over_tls.append(session.ssl is not None)
        return "250 kept"

    def authenticate(self, _server: object, _session: object, _envelope: object, _how: str, data: Any) -> AuthResult:
        self.logins.append((data.login.decode(), data.password.decode()))
        return AuthResult(success=data.password == b"open sesame")


@asynccontextmanager
async def smtp_server(
    tls: ssl.SSLContext | None = None, *, login: bool = False, inbox: Inbox | None = None
) -> AsyncIterator[Inbox]:
    """Yield the inbox of a server on a free port; with `tls` it takes no mail before STARTTLS."""
    inbox, loop = inbox or Inbox(), asyncio.get_running_loop()
    more: dict[str, Any] = {"tls_context": tls, "require_starttls": True} if tls is not None else {}
    if login:
        more |= {"authenticator": inbox.authenticate, "auth_required": True}
    controller = UnthreadedController(inbox, loop=loop, **more)
    server = await loop.create_server(controller.factory, "127.0.0.1", 0)
    inbox.port = server.sockets[0].getsockname()[1]
    try:
        yield inbox
    finally:
        server.close()
        await server.wait_closed()


def certificate(folder: Path) -> tuple[ssl.SSLContext, ssl.SSLContext]:
    """Return the contexts of a server with a certificate of its own, and of a client that trusts it."""
    secret, file = self_signed(folder, "localhost")
    server = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    server.load_cert_chain(file, secret)
    return server, ssl.create_default_context(cafile=str(file))
