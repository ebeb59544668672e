"""The settings of what tells operators of troubles."""

from __future__ import annotations

from attrs import frozen

from hub.config import readers as kinds
from hub.config.sections import setting


@frozen
class TroubleSettings:
    """How operators are told of what needs them."""

    mail: bool = setting(True, kinds.switch, "false: operators get no mail about troubles.")
    quiet_hours: tuple[int, int] | None = setting(
        "", kinds.hours_of_day, 'Hours (UTC) in which only urgent troubles are mailed, like "22:00-07:00"; empty: none.'
    )
    digest: int = setting("1h", kinds.duration(0), "How far apart mails are about troubles that are not urgent.")
    webhook: str = setting("", kinds.web_address, "Where each trouble is posted as it begins and ends; empty: nowhere.")
    webhook_secret: str = setting(
        "", kinds.webhook_secret, "Signs these posts by Standard Webhooks, whsec_...; empty: unsigned.", secret=True
    )
    audit_after: int = setting("8d", kinds.duration(0), "An audit that is older is a trouble; 0 is none.")
    backup_after: int = setting("8d", kinds.duration(0), "A backup of SQLite that is older is a trouble; 0 is none.")
