"""Ids that name their kind and sort by the time they were made."""

from __future__ import annotations

from uuid_utils import uuid7


def new_id(prefix: str) -> str:
    """Return an id: the prefix ("evt"), "_" and a uuid7 as 32 hex digits; the ids of one process ascend."""
    return f"{prefix}_{uuid7().hex}"


def new_ids(prefix: str, other: str) -> tuple[str, str]:
    """Return the ids of two things of different kinds that are made together: their digits are the same."""
    digits = uuid7().hex
    return f"{prefix}_{digits}", f"{other}_{digits}"


def id_at(prefix: str, milliseconds: int) -> str:
    """Return a lower bound of the ids made at or after a moment (ms UTC); ids sort by time."""
    return f"{prefix}_{max(milliseconds, 0):012x}"


def moment_of(made: str) -> int:
    """Return when an id was made (ms UTC)."""
    return int(made.partition("_")[2][:12], 16)
