"""The refusal of an operator's act."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeVar

T = TypeVar("T")


class OperatorFault(Exception):
    """An act that cannot be done; its text says why, and what to do instead.

    `reason` is for every reader, a program too; `command` is what only an operator may read: the command that helps,
    and the names that were perhaps meant.
    """

    def __init__(self, reason: str, *, command: str = "") -> None:
        super().__init__(f"{reason} {command}" if command else reason)
        self.reason = reason


class InvalidFields(OperatorFault):
    """What was typed breaks rules; `faults` maps the name of a field, or "" for none, to a sentence."""

    def __init__(self, faults: Mapping[str, str]) -> None:
        super().__init__(" ".join(f"{fault.rstrip('.')}." for fault in faults.values()))
        self.faults = dict(faults)


class UnknownReference(OperatorFault):
    """A reference that names nothing; `noun` is what it should name."""

    def __init__(self, noun: str, reference: str, advice: str, command: str) -> None:
        super().__init__(f"There is no {noun} {reference!r}. {advice}".rstrip(), command=command)
        self.noun = noun
        self.reference = reference


def unknown(noun: str, reference: str, advice: str = "", *, command: str = "") -> OperatorFault:
    """Return the refusal of a reference that names nothing.

    `advice` is a sentence that helps every reader, `command` one that names the command that shows the right ones:
    There is no merchant 'mer_1'. `hub merchant list` shows them all.
    """
    return UnknownReference(noun, reference, advice, command)


def known(found: T | None, noun: str, reference: str, advice: str = "", *, command: str = "") -> T:
    """Return what a reference names; raise the refusal that `unknown` returns if nothing was found."""
    if found is None:
        raise unknown(noun, reference, advice, command=command)
    return found
