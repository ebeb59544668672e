"""Every setting of the hub, typed: from a TOML file, the environment and the command line, with all faults at once."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any, TypeVar, cast

import attrs
from attrs import frozen

from hub.config import readers as kinds
from hub.config.agent_section import AgentSettings
from hub.config.database_section import DatabaseSettings
from hub.config.payout_section import PayoutSettings
from hub.config.people_sections import MailSettings, PeopleSettings, SessionSettings
from hub.config.sections import (
    AttributionSettings,
    CommissionSettings,
    IdempotencySettings,
    LimitsSettings,
    LogSettings,
    OutboundSettings,
    PluginSettings,
    RequestLogSettings,
    RetentionSettings,
    ServerSettings,
    UploadsSettings,
    WorkerSettings,
    setting,
)
from hub.config.sources import (
    SHORT_VARIABLES,
    GivenValue,
    from_environment,
    from_file,
    from_overrides,
    variable_name,
)
from hub.config.telemetry_section import TelemetrySettings
from hub.config.trouble_section import TroubleSettings

T = TypeVar("T")
ORIGINS = "origins"
"""The one field of `Settings` that is not a setting."""


class SettingsFault(Exception):
    """The settings cannot be used; `faults` has one sentence for each thing to correct."""

    def __init__(self, faults: list[str]) -> None:
        self.faults = faults
        super().__init__("\n".join(faults))


@frozen
class Settings:
    """All settings; durations are milliseconds."""

    master_key: tuple[bytes, ...] = setting(
        "",
        kinds.master_keys,
        'Encrypts stored secrets: 64 hex digits or base64 of 32 bytes; "old,new" rotates; empty: a file beside SQLite.',
        secret=True,
    )
    database: DatabaseSettings = attrs.field(factory=DatabaseSettings)
    server: ServerSettings = attrs.field(factory=ServerSettings)
    commission: CommissionSettings = attrs.field(factory=CommissionSettings)
    payouts: PayoutSettings = attrs.field(factory=PayoutSettings)
    attribution: AttributionSettings = attrs.field(factory=AttributionSettings)
    limits: LimitsSettings = attrs.field(factory=LimitsSettings)
    request_log: RequestLogSettings = attrs.field(factory=RequestLogSettings)
    uploads: UploadsSettings = attrs.field(factory=UploadsSettings)
    idempotency: IdempotencySettings = attrs.field(factory=IdempotencySettings)
    retention: RetentionSettings = attrs.field(factory=RetentionSettings)
    sessions: SessionSettings = attrs.field(factory=SessionSettings)
    outbound: OutboundSettings = attrs.field(factory=OutboundSettings)
    people: PeopleSettings = attrs.field(factory=PeopleSettings)
    mail: MailSettings = attrs.field(factory=MailSettings)
    troubles: TroubleSettings = attrs.field(factory=TroubleSettings)
    worker: WorkerSettings = attrs.field(factory=WorkerSettings)
    plugins: PluginSettings = attrs.field(factory=PluginSettings)
    agents: AgentSettings = attrs.field(factory=AgentSettings)
    telemetry: TelemetrySettings = attrs.field(factory=TelemetrySettings)
    log: LogSettings = attrs.field(factory=LogSettings)
    origins: Mapping[str, str] = attrs.field(factory=dict, eq=False, repr=False)
    """Where each setting that is not a default was given, by its dotted path."""

    @property
    def issuer(self) -> str:
        """The name of the network on statements and invoices."""
        return self.payouts.debtor_name or self.server.public_url

    @property
    def upload_directory(self) -> Path:
        """The directory of uploaded files; processes that share a database may share it."""
        if self.uploads.directory:
            return Path(self.uploads.directory)
        file = self.database.path
        return Path("var/uploads") if file is None else file.with_name(f"{file.name}.uploads")

    @property
    def private_files(self) -> tuple[Path, ...]:
        """The files and folders of secrets and data that this process knows of, as absolute paths."""
        file = self.database.path
        kept = [] if file is None else [file, file.with_name(f"{file.name}.key")]
        return tuple(path.absolute() for path in (*kept, self.upload_directory))


attrs.resolve_types(Settings)


def settings_by_path() -> dict[str, attrs.Attribute[Any]]:
    """Return every setting's attribute by its dotted path, in the order of config/hub.toml."""
    found: dict[str, attrs.Attribute[Any]] = {}
    for field in attrs.fields(Settings):
        if "kind" in field.metadata:
            found[field.name] = field
        elif field.name != ORIGINS:
            section = cast("type[attrs.AttrsInstance]", field.type)
            found |= {f"{field.name}.{_written(inner)}": inner for inner in attrs.fields(section)}
    return found


def secret_variables() -> list[str]:
    """Return the environment variables that settings which are or hold secrets are read from."""
    paths = {path for path, field in settings_by_path().items() if not field.repr}
    return [*map(variable_name, sorted(paths)), *(name for name, path in SHORT_VARIABLES.items() if path in paths)]


def load_settings(
    config: Path | None, environ: Mapping[str, str], overrides: Mapping[str, object] = MappingProxyType({})
) -> Settings:
    """Read the TOML file, the environment and the overrides ("server.port": 0; None is not given); the later wins.

    Raise SettingsFault with every fault of all three.
    """
    known = settings_by_path()
    faults: list[str] = []
    values: dict[str, object] = {}
    origins: dict[str, str] = {}
    for entries in (
        from_file(config, known, faults),
        from_environment(environ, known, faults),
        from_overrides(overrides, known, faults),
    ):
        values |= _read(entries, known, faults, origins)
    if faults:
        raise SettingsFault(faults)
    return attrs.evolve(_assembled(Settings, values), origins=origins)


def _read(
    entries: Iterable[GivenValue], known: Mapping[str, attrs.Attribute[Any]], faults: list[str], origins: dict[str, str]
) -> dict[str, object]:
    """Return the values by their dotted paths, and note their origins; of two entries for one path the later counts."""
    values: dict[str, object] = {}
    for entry in entries:
        origins[entry.path] = entry.origin
        try:
            values[entry.path] = known[entry.path].metadata["kind"](entry.raw)
        except ValueError as fault:
            faults.append(f"{entry.origin} {fault}.")
    return values


def _assembled(cls: type[T], values: Mapping[str, object], section: str = "") -> T:
    """Build `cls` from the values of its section, and from defaults for the rest."""
    given: dict[str, object] = {}
    for field in attrs.fields(cast("type[attrs.AttrsInstance]", cls)):
        path = f"{section}{_written(field)}"
        if field.name == ORIGINS:
            continue
        if "kind" not in field.metadata:
            given[field.name] = _assembled(cast("type[object]", field.type), values, f"{path}.")
        elif path in values:
            given[field.name] = values[path]
    return cls(**given)


def _written(field: attrs.Attribute[Any]) -> str:
    """Return a field's name as files write it: `from_` is "from", which Python keeps for itself."""
    return field.name.removesuffix("_")
