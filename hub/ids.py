"""Ids that name their kind and sort by the time they were made."""

from __future__ import annotations

from uuid_utils import uuid7


def new_id(prefix: str) -> str:
    """Make an id such as "evt_" and a uuid7 as 32 hex digits; ids of one process never run backwards."""
    return f"{prefix}_{uuid7().hex}"


def new_ids(prefix: str, other: str) -> tuple[str, str]:
    """Make the ids of two things of different kinds that come to be together: their digits are the same."""
    digits = uuid7().hex
    return f"{prefix}_{digits}", f"{other}_{digits}"


def id_at(prefix: str, milliseconds: int) -> str:
    """The least id of its kind made at or after a moment (ms UTC): ids sort by time, so it bounds a sweep by age."""
    return f"{prefix}_{max(milliseconds, 0):012x}"
