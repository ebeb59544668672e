"""The refusal of an operator's act."""

from __future__ import annotations

from collections.abc import Mapping


class OperatorFault(Exception):
    """An act that cannot be done; the text is a sentence for the operator that says why and what to do instead."""


class InvalidFields(OperatorFault):
    """What was typed breaks rules; `faults` maps the name of a field, or "" for none, to a sentence."""

    def __init__(self, faults: Mapping[str, str]) -> None:
        super().__init__(" ".join(f"{fault.rstrip('.')}." for fault in faults.values()))
        self.faults = dict(faults)


class UnknownReference(OperatorFault):
    """A reference that names nothing; `noun` is what it should name."""

    def __init__(self, noun: str, reference: str, remedy: str) -> None:
        super().__init__(f"There is no {noun} {reference!r}. {remedy}")
        self.noun = noun
        self.reference = reference


def unknown(noun: str, reference: str, remedy: str) -> OperatorFault:
    """Return the refusal of a reference that names nothing; `remedy` is a sentence that says how to find the right one.

    For example: There is no merchant 'mer_1'. `hub merchant list` shows them all.
    """
    return UnknownReference(noun, reference, remedy)
