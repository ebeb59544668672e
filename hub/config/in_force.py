"""The settings as they are in force, each with its place: a file, a variable, the command line, or the default."""

from __future__ import annotations

from operator import attrgetter
from typing import Final

from attrs import frozen

from hub.config.settings import Settings, settings_by_path

HIDDEN: Final = "set, and not shown"
UNSET: Final = "not set"
DEFAULT: Final = "default"


@frozen
class SettingInForce:
    """A setting: its dotted path, its value as text (never that of a secret), where it was given, what it means."""

    path: str
    value: str
    origin: str
    meaning: str


def settings_in_force(settings: Settings) -> list[SettingInForce]:
    """Return every setting in the order of config/hub.toml; durations are in milliseconds, as the hub keeps them."""
    found = []
    for path, field in settings_by_path().items():
        name = path.replace("mail.from", "mail.from_") if path == "mail.from" else path
        value = attrgetter(name)(settings)
        shown = _text(value) if field.repr else HIDDEN if value else UNSET
        found.append(SettingInForce(path, shown, settings.origins.get(path, DEFAULT), field.metadata["meaning"]))
    return found


def _text(value: object) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, tuple | list | frozenset):
        return ", ".join(map(str, value)) or UNSET
    return str(value) if value not in (None, "") else UNSET
