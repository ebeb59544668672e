"""What can be told of an installation only by asking: its public address as strangers reach it, and its mail server."""

from __future__ import annotations

import asyncio
import os
import ssl
from typing import Final
from urllib.parse import urlsplit

import aiohttp
import aiosmtplib

from hub.config.people_sections import MailSettings
from hub.config.sections import ServerSettings
from hub.config.settings import Settings
from hub.domain.instants import format_instant
from hub.domain.troubles import DAY
from hub.domain.words import FindingState
from hub.ids import new_id
from hub.mail.letters import compose, sender_of
from hub.mail.sender import mail_client

PATIENCE_SECONDS: Final = 10.0
CERTIFICATE_MS: Final = 14 * DAY
"""A certificate that ends sooner is not renewed by itself, or it would have been."""
Seen = tuple[FindingState, str, str]
"""A state, a sentence and what to do."""


async def look_from_outside(server: ServerSettings, now: int) -> list[Seen]:
    """Ask the public address, from here at `now` (ms UTC): does a hub answer, how is its certificate, what is shown."""
    root = server.public_url
    timeout = aiohttp.ClientTimeout(total=PATIENCE_SECONDS)
    try:
        async with aiohttp.ClientSession(timeout=timeout) as session:
            async with session.get(f"{root}/healthz", allow_redirects=False) as answer:
                is_hub = answer.status == 200 and (await answer.text()).strip() == '{"status":"ok"}'
            async with session.get(f"{root}/metrics", allow_redirects=False) as metrics:
                shows_metrics = metrics.status == 200
    except (aiohttp.ClientError, TimeoutError, OSError) as fault:
        mend = "Check that its name leads here, that the proxy runs, and that it lets this machine in."
        return [("fault", f"{root} cannot be reached: {_why(fault)}.", mend)]
    if not is_hub:
        return [("fault", f"{root} answers, but not as a hub.", "Have the proxy pass every path on to the hub.")]
    found: list[Seen] = [("ok", f"{root} is answered by a hub.", "")]
    if shows_metrics:
        mend = "Set HUB_SERVER_OPERATIONS_ADDRESS, or refuse /metrics and /readyz in the proxy."
        found.append(("warning", f"{root}/metrics is shown to everybody.", mend))
    if root.startswith("https://"):
        found.append(await _certificate(root, now))
    return found


def _why(fault: Exception) -> str:
    """Return why there was no connection, in the words of the system where it has some."""
    if isinstance(fault, TimeoutError):
        return "there was no answer"
    if isinstance(fault, aiohttp.ClientConnectorCertificateError):
        return f"its certificate is refused, {fault.certificate_error}"
    cause = fault.os_error if isinstance(fault, aiohttp.ClientConnectorError) else fault
    number = cause.errno if isinstance(cause, OSError) else None
    return os.strerror(number).lower() if number and number > 0 else str(cause)


async def _certificate(root: str, now: int) -> Seen:
    """Return how long the certificate lasts that the address shows."""
    try:
        ends_at = await certificate_end(root)
    except (OSError, TimeoutError, ValueError) as fault:
        return "fault", f"Its certificate cannot be read: {fault}.", "Renew it."
    day = format_instant(ends_at)[:10]
    if ends_at - now < CERTIFICATE_MS:
        mend = "Renew it; Caddy does by itself if ports 80 and 443 reach it."
        return "fault", f"Its certificate ends on {day}.", mend
    return "ok", f"Its certificate lasts until {day}.", ""


async def certificate_end(root: str, seconds: float = PATIENCE_SECONDS) -> int:
    """Return when the certificate ends that an https address shows (ms UTC), whoever trusts it.

    Raise OSError, TimeoutError or ValueError if none can be read.
    """
    from cryptography import x509  # 8 MB, which a hub needs once its address is asked from outside

    parts = urlsplit(root)
    context = ssl.create_default_context()
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE  # one that has ended is to be read, too
    async with asyncio.timeout(seconds):
        _, writer = await asyncio.open_connection(parts.hostname, parts.port or 443, ssl=context)
        try:
            shown = writer.get_extra_info("ssl_object").getpeercert(binary_form=True)
        finally:
            writer.close()
    return int(x509.load_der_x509_certificate(shown).not_valid_after_utc.timestamp() * 1000)


async def try_mail_server(settings: MailSettings) -> str | None:
    """Connect and sign in, and send nothing; return what the server or the network says against it, None if nothing."""
    if not settings.is_on:
        return None
    client = mail_client(settings, PATIENCE_SECONDS)
    try:
        await client.connect()
        await client.quit()
    except (aiosmtplib.SMTPException, OSError, ssl.SSLError) as fault:
        return f"{fault}".rstrip(".") + "."
    finally:
        client.close()
    return None


async def send_test_mail(settings: Settings, recipient: str, now: int) -> str | None:
    """Send a mail that says that mail works, at `now` (ms UTC); return what is said against it, or None."""
    if not settings.mail.is_on:
        return None
    sender = sender_of(settings.mail.from_, settings.server.public_url)
    values = {"title": "Mail works", "sentence": f"The affiliate hub at {settings.server.public_url} can send mail."}
    client = mail_client(settings.mail, PATIENCE_SECONDS)
    try:
        message = compose(
            "question", values, link=None, expires_at=None, mail_id=new_id("mail"), recipient=recipient, sender=sender,
            now=now,
        )  # fmt: skip
        await client.connect()
        await client.send_message(message)
        await client.quit()
    except (ValueError, aiosmtplib.SMTPException, OSError, ssl.SSLError) as fault:
        return f"{fault}".rstrip(".") + "."
    finally:
        client.close()
    return None
