"""Both databases against the one suite."""

from __future__ import annotations

from hub.testing.store_suite import StoreSuite


class TestStore(StoreSuite):
    """Runs once for SQLite and once for PostgreSQL."""
