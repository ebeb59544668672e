"""The refusal of an operator's act."""

from __future__ import annotations


class OperatorFault(Exception):
    """The act cannot be done; the text is a sentence for the operator that says why and what to do instead."""


def unknown(noun: str, reference: str, mend: str) -> OperatorFault:
    """The refusal of a reference that names nothing."""
    return OperatorFault(f"There is no {noun} {reference!r}. {mend}")
