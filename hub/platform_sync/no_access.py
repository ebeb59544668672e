"""A connection whose platform cannot be asked."""

from __future__ import annotations


class NoAccess(Exception):
    """A connection whose platform cannot be asked; the text is a sentence."""
