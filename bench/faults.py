"""The faults that end one side, or the whole benchmark."""

from __future__ import annotations


class Missing(Exception):
    """A side cannot run on this machine; the text says what is missing and where to get it."""


class Mismatch(Exception):
    """A database does not hold everything that was acknowledged, so no figure of the run counts."""
