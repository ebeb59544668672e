"""Coupon codes, which buyers type, shops keep and spreadsheets spoil: the same code, however it was written."""

from __future__ import annotations

from unicodedata import normalize


def tidy_coupon(text: str | None) -> str | None:
    """Return a code without blanks around it, its accents as one character each; None if nothing is left.

    It keeps its case: who asks whose it is compares the upper case, in which an affiliate's code is stored.
    """
    return (normalize("NFC", text).strip() or None) if text else None
