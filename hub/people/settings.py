"""A person's own settings: the time zone, the theme, how close the rows of tables are, and the key of the search."""

from __future__ import annotations

from functools import cache
from typing import Final
from zoneinfo import ZoneInfo, available_timezones

from attrs import frozen

from hub.domain.words import THEMES
from hub.operations.errors import OperatorFault
from hub.storage import Store


@frozen
class PersonalSettings:
    """How a person wants pages: `time_zone` as in the IANA database, `theme` light or dark; None is not known.

    `is_guessed` says that the browser named the zone, not the person; `slash_finds` that the key / leads to the search.
    """

    time_zone: str | None = None
    is_guessed: bool = False
    theme: str | None = None
    dense: bool = False
    slash_finds: bool = True

    @property
    def zone(self) -> ZoneInfo | None:
        """The time zone, None if it is not known, here or to this machine."""
        return ZoneInfo(self.time_zone) if self.time_zone in zones() else None


DEFAULT_SETTINGS: Final = PersonalSettings()


@cache
def zones() -> tuple[str, ...]:
    """Return the names of all time zones, as a list to choose from shows them."""
    return tuple(sorted(name for name in available_timezones() if "/" in name or name == "UTC"))


async def set_settings(store: Store, user_id: str, wanted: PersonalSettings) -> None:
    """Store a person's settings; raise `OperatorFault` for an unknown zone or theme."""
    if wanted.time_zone is not None and wanted.time_zone not in zones():
        raise OperatorFault(f"{wanted.time_zone!r} is not a time zone; choose one like Europe/Berlin.")
    if wanted.theme is not None and wanted.theme not in THEMES:
        raise OperatorFault("A theme is light or dark.")
    async with store.write() as tx:
        await tx.run(
            "set_user_settings",
            user_id=user_id,
            time_zone=wanted.time_zone,
            theme=wanted.theme,
            dense=int(wanted.dense),
            slash_finds=int(wanted.slash_finds),
        )


async def guess_zone(store: Store, user_id: str, name: str) -> None:
    """Store the zone that a browser names, unless one is known; an unknown name leaves nothing."""
    if name in zones():
        async with store.write() as tx:
            await tx.run("guess_time_zone", user_id=user_id, time_zone=name)
