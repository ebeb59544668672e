"""Why a side, or the whole benchmark, comes to nothing."""

from __future__ import annotations


class Missing(Exception):
    """A side cannot run on this machine; the text says what is missing and where it comes from."""


class Mismatch(Exception):
    """A database does not hold what was acknowledged: no figure of the run counts."""
