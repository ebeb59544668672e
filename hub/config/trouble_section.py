"""The settings of what tells operators of troubles."""

from __future__ import annotations

from attrs import frozen

from hub.config import readers as kinds
from hub.config.sections import setting


@frozen
class TroubleSettings:
    """How operators are told of what needs them."""

    mail: bool = setting(True, kinds.switch, "false: operators get no mail about problems.")
    quiet_hours: tuple[int, int] | None = setting(
        "", kinds.hours_of_day, 'Hours (UTC) in which only urgent problems are mailed, like "22:00-07:00"; empty: none.'
    )
    digest: int = setting("1h", kinds.duration(0), "Least time between mails about problems that are not urgent.")
    webhook: str = setting(
        "", kinds.web_address, "URL that each problem is posted to when it begins and ends; empty: none."
    )
    webhook_secret: str = setting(
        "", kinds.webhook_secret, "Signs those posts (Standard Webhooks), whsec_...; empty: unsigned.", secret=True
    )
    audit_after: int = setting("8d", kinds.duration(0), "A last audit older than this is a problem; 0: never.")
    backup_after: int = setting("8d", kinds.duration(0), "A last SQLite backup older than this is a problem; 0: never.")
