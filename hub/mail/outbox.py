"""The outbox: a mail is a row, written in the transaction of the act that causes it.

An act that fails therefore sends nothing, and one that is committed loses no mail. The link of a mail is a secret: it
is sealed under the master key, and dropped once the mail is sent or its link has expired.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Final

from attrs import frozen

from hub.ids import new_id
from hub.sealing import Sealer
from hub.storage import Tx

TEMPLATES: Final = (
    "invitation",
    "login-link",
    "password-reset",
    "confirm-address",
    "address-known",
    "notice",
    "question",
    "partner",
    "notices",
    "deposit-short",
    "invoice-overdue",
    "troubles",
)
"""The names of the templates under hub/mail/templates."""


@frozen
class Mail:
    """A mail to be sent; `values` are what its template shows beside the link, without any secret.

    `expires_at` (ms UTC) is when the link ends, after which the mail is worth nothing and is not sent any more.
    """

    recipient: str
    template: str
    values: Mapping[str, str]
    link: str | None = None
    expires_at: int | None = None
    user_id: str | None = None


@frozen
class Outbox:
    """Stores mails; `is_on` says whether the hub sends any, and if it does not, nothing is stored."""

    sealer: Sealer
    is_on: bool

    async def add(self, tx: Tx, now: int, mail: Mail) -> str | None:
        """Store a mail in this transaction, due at once; return its id, None if the hub sends no mail.

        Raise ValueError for a template that does not exist.
        """
        if mail.template not in TEMPLATES:
            raise ValueError(f"there is no mail {mail.template!r}")
        if not self.is_on:
            return None
        mail_id = new_id("mail")
        await tx.run(
            "insert_mail",
            mail_id=mail_id,
            user_id=mail.user_id,
            recipient=mail.recipient,
            template=mail.template,
            parameters=json.dumps(dict(mail.values)),
            sealed_link=None if mail.link is None else self.sealer.seal(mail.link.encode(), mail_id),
            expires_at=mail.expires_at,
            now=now,
        )
        return mail_id
