"""A hub without its web edge, on either database or on SQLite alone."""

from __future__ import annotations

from tests.processing.conftest import harness, sqlite_harness

__all__ = ["harness", "sqlite_harness"]
