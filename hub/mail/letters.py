"""Mails as messages: two templates each, one of text and one of HTML."""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping
from email.errors import MessageError
from email.headerregistry import Address
from email.message import EmailMessage
from email.policy import SMTP
from email.utils import formatdate, parseaddr
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

from jinja2 import Environment, FileSystemLoader, StrictUndefined, select_autoescape

from hub.domain.instants import format_instant

HIDDEN: Final = {*range(0x202A, 0x202F), *range(0x2066, 0x206A)}
"""Characters that turn the direction of the text after them, with which a name could forge a sentence."""
UNPRINTED: Final = ("Cc", "Cs", "Co", "Cn")
LONGEST_VALUE: Final = 2_000

USUAL_NETWORK: Final = "Affiliate hub"
_texts: Final = Environment(
    loader=FileSystemLoader(Path(__file__).parent / "templates"),
    autoescape=select_autoescape(("html",), default=False),
    undefined=StrictUndefined,
    trim_blocks=True,
    lstrip_blocks=True,
)


def compose(
    template: str, values: Mapping[str, str], *, link: str | None, expires_at: int | None, mail_id: str,
    recipient: str, sender: str, now: int, network: str = USUAL_NETWORK,
    logo: tuple[str, bytes] | None = None,
) -> EmailMessage:  # fmt: skip
    """Return the message of a mail; the same mail has the same Message-ID each time, by which a repeat can be known.

    `logo` is the network's: its media type and its bytes, which the mail brings along.
    Raise ValueError for an address that cannot be one, and `jinja2.UndefinedError` if the template lacks a value.
    """
    shown = {name: printable(value) for name, value in values.items()}
    until = None if expires_at is None else f"{format_instant(expires_at)[:16].replace('T', ' ')} UTC"
    given = {**shown, "link": link, "until": until, "network": network, "logo": logo is not None}
    text = _texts.get_template(f"{template}.txt").render(given)
    subject, _, body = text.partition("\n")
    name, address = parseaddr(sender)
    name = network if name == USUAL_NETWORK else name
    message = EmailMessage(policy=SMTP)
    message["Subject"] = printable(subject.removeprefix("Subject: ").strip())
    message["From"] = Address(name, addr_spec=address)
    message["To"] = _address(recipient)
    message["Date"] = formatdate(now / 1000)
    message["Message-ID"] = f"<{mail_id}@{address.rpartition('@')[2]}>"
    message["Auto-Submitted"] = "auto-generated"
    message.set_content(body.strip() + "\n")
    message.add_alternative(_texts.get_template(f"{template}.html").render(given), subtype="html")
    if logo is not None:
        shown_part = list(message.iter_parts())[-1]
        kind, _, subtype = logo[0].partition("/")
        shown_part.add_related(logo[1], kind, subtype, cid="<logo>", disposition="inline", filename=f"logo.{subtype}")
    return message


def _address(text: str) -> Address:
    try:
        return Address(addr_spec=text)
    except MessageError as fault:  # most of what is no address is a ValueError, some is only this
        raise ValueError(f"{text!r} cannot be written to: {fault}") from fault


def sender_of(configured: str, public_url: str) -> str:
    """Return the sender: the one that is configured, else hub@ and the host of the hub's public address."""
    return configured or f"{USUAL_NETWORK} <hub@{urlsplit(public_url).hostname or 'localhost'}>"


def printable(text: str) -> str:
    """Return a text from outside in one line, without controls and without characters that turn its direction."""
    plain = unicodedata.normalize("NFC", " ".join(text.split()))[:LONGEST_VALUE]
    return "".join(each for each in plain if unicodedata.category(each) not in UNPRINTED and ord(each) not in HIDDEN)
