"""A hub without its web edge, on either database or on SQLite alone."""

from __future__ import annotations

from tests.processing.conftest import harness, sqlite_harness
from tests.sqlite_first import database_url

__all__ = ["database_url", "harness", "sqlite_harness"]
