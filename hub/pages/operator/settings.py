"""/operator/settings: every setting as it is in force, in groups, and where each was given."""

from __future__ import annotations

from typing import Any, Final

from aiohttp import web
from attrs import frozen

from hub.config.in_force import DEFAULT, SettingInForce, settings_in_force
from hub.config.settings import settings_by_path
from hub.config.sources import variable_name
from hub.domain.durations import DurationError, duration_text, parse_duration
from hub.pages.operator import parts
from hub.pages.route_table import RouteTable
from hub.pages.visit import Visit

HERE: Final = "/operator/settings"
KIBIBYTE: Final = 1024
UNITS: Final = {"ms": "ms", "s": "second", "m": "minute", "h": "hour", "d": "day"}
GROUPS: Final = {
    "master_key": ("Encryption", "The key that stored secrets are encrypted with."),
    "database": ("Database", "Where the hub keeps its data."),
    "server": ("Server", "Where the hub listens, and what one request may take."),
    "commission": ("Commissions", "Defaults for merchants and campaigns that set nothing of their own."),
    "payouts": ("Payouts and invoices", "When affiliates are paid, who releases it, and how merchants are billed."),
    "attribution": ("Attribution", "How an order finds the click that earns from it."),
    "limits": ("Rate limits", "How many requests, clicks and deliveries are accepted."),
    "request_log": ("Request log", "How much of it anonymous and refused requests may fill."),
    "uploads": ("Uploads", "Where uploaded files are kept, and how large they may be."),
    "idempotency": ("Idempotency", "How long a repeated request is recognised."),
    "retention": ("Retention", "How long data is kept that may be deleted."),
    "sessions": ("Sessions", "How long people stay signed in."),
    "outbound": ("Outgoing requests", "What the hub may ask of stores and other addresses that merchants enter."),
    "people": ("Registration and sign-in", "Who may register, and what operators need to sign in."),
    "mail": ("Mail", "The server that mails are sent through."),
    "troubles": ("Alerts", "How operators hear of what needs them."),
    "worker": ("Processing", "How orders and statuses are worked off."),
    "plugins": ("Plugins", "Which connectors are loaded, and what they may use."),
    "agents": ("Agents", "Tools for AI agents."),
    "telemetry": ("Telemetry", "Where traces, metrics and errors are sent."),
    "log": ("Log", "What the hub writes to its log."),
}
"""The title of each section of the settings and what its settings are for, in the order of config/hub.toml."""


@frozen
class Row:
    """A setting: what it is for, its value and default as people read them, and where it was given."""

    path: str
    variable: str
    meaning: str
    value: str
    default: str
    """"" unless it was given."""
    origin: str


@frozen
class Group:
    """A section of the settings."""

    name: str
    title: str
    lead: str
    rows: list[Row]

    @property
    def given(self) -> int:
        """How many of its settings were given."""
        return sum(row.origin != "" for row in self.rows)


PAGES: Final = RouteTable(parts.operator_page)


@PAGES.get(HERE)
async def show_settings(visit: Visit) -> web.StreamResponse:
    """Show the settings, all or those that were given, in groups."""
    asked, all_of_them = parts.asked_for(visit, "q", "given"), settings_in_force(visit.services.settings)
    given = sum(each.origin != DEFAULT for each in all_of_them)
    found = [_row(each) for each in all_of_them if _is_asked_for(each, asked["q"].lower(), asked["given"])]
    groups = [
        Group(name, title, lead, [row for row in found if row.path.partition(".")[0] == name])
        for name, (title, lead) in GROUPS.items()
    ]
    return visit.page(
        "operator/settings.html", groups=[group for group in groups if group.rows], asked=asked, given=given,
        total=len(all_of_them), matching=len(found),
    )  # fmt: skip


def _is_asked_for(setting: SettingInForce, words: str, given: str) -> bool:
    title = GROUPS[setting.path.partition(".")[0]][0]
    text = f"{setting.path} {variable_name(setting.path)} {setting.meaning} {title}".lower()
    return words in text and not (given and setting.origin == DEFAULT)


def _row(setting: SettingInForce) -> Row:
    field = settings_by_path()[setting.path]
    is_given = setting.origin != DEFAULT and field.repr
    return Row(
        setting.path,
        variable_name(setting.path),
        setting.meaning,
        _words(setting),
        _default_words(field.metadata["toml"], setting.meaning) if is_given else "",
        "" if setting.origin == DEFAULT else _place(setting),
    )


def _words(setting: SettingInForce) -> str:
    """Return a value as a person reads it: durations, which defaults write as text, and sizes in the largest unit."""
    field = settings_by_path()[setting.path]
    if not setting.value.isdigit() or field.type not in (int, "int"):
        return setting.value
    number = int(setting.value)
    if isinstance(field.metadata["toml"], str):
        return _spelled(duration_text(number))
    return _sized(number, setting.meaning)


def _default_words(default: Any, meaning: str) -> str:
    """Return a default of config/hub.toml as a person reads it, "" for none."""
    if isinstance(default, bool):
        return "true" if default else "false"
    if isinstance(default, int):
        return _sized(default, meaning)
    return ", ".join(default) if isinstance(default, list) else _spelled(str(default))


def _place(setting: SettingInForce) -> str:
    """Return where a setting was given: "on the command line", "in hub.toml", "by HUB_SERVER_PORT"."""
    place = setting.origin.removesuffix(f" `{setting.path}`")
    if place == setting.origin:
        return f"by `{place}`"
    return f"in `{place.removesuffix(':')}`" if place.endswith(":") else "on the command line"


def _spelled(text: str) -> str:
    """Return "14 days" for "14d", and any other text as it is."""
    try:
        milliseconds = parse_duration(text)
    except DurationError:
        return text
    written = duration_text(milliseconds)
    number = written.rstrip("smhd")
    unit = UNITS[written.removeprefix(number)]
    return f"{number} {unit}" if number == "1" or unit == "ms" else f"{number} {unit}s"


def _sized(number: int, meaning: str) -> str:
    if "bytes" not in meaning.lower() or number < KIBIBYTE:
        return str(number)
    power = 3 if number >= KIBIBYTE**3 else 2 if number >= KIBIBYTE**2 else 1
    return f"{number / KIBIBYTE**power:,.10g} {('KiB', 'MiB', 'GiB')[power - 1]}"
