"""The settings of the database."""

from __future__ import annotations

from pathlib import Path

from attrs import frozen

from hub.config import readers as kinds
from hub.config.sections import setting


def replica_url(raw: object) -> str:
    """Read the address of a replica, which is one of PostgreSQL; empty for none."""
    value = kinds.text(raw)
    if value and not value.startswith(("postgresql://", "postgres://")):
        raise ValueError("must be empty, or the address of a PostgreSQL: postgresql://user@host/name.")
    return kinds.database_url(value) if value else ""


@frozen
class DatabaseSettings:
    """The database."""

    url: str = setting(
        "sqlite:///var/hub.db",
        kinds.database_url,
        "Where the data is: sqlite:///relative/path, sqlite:////absolute/path or postgresql://user@host/name.",
        secret=True,  # it may hold a password
    )
    replica: str = setting(
        "",
        replica_url,
        "A PostgreSQL replica for long commands and for reports on pages, which may lag; empty: the database itself.",
        secret=True,
    )
    replica_behind: int = setting(
        "1m",
        kinds.duration(1_000),
        "A replica that lags by more than this is reported, and pages read the database instead.",
    )
    reserve: int = setting(
        536_870_912,
        kinds.whole_number(0, 2**50),
        "Free bytes on SQLite's volume, at most 5 % of it, that only orders and statuses may use; 0: no reserve.",
    )

    partitions: bool = setting(
        False,
        kinds.switch,
        "Whether `hub migrate` partitions bodies, request log and used signatures by time (PostgreSQL only).",
    )

    @property
    def dialect(self) -> str:
        """Return "sqlite" or "postgresql"."""
        return self.url.partition(":")[0]

    @property
    def path(self) -> Path | None:
        """The embedded database's file, relative to the working directory; None for PostgreSQL."""
        return Path(self.url.removeprefix("sqlite:///")) if self.dialect == "sqlite" else None
