"""Records of which every request and every order makes several."""

from __future__ import annotations

from typing import TypeVar, dataclass_transform

from attrs import define

T = TypeVar("T")


@dataclass_transform(frozen_default=True)
def record(cls: type[T]) -> type[T]:
    """Make a class with fields, compared and hashed by them; that nobody sets one is what the type checker sees to.

    A frozen class of attrs sees to it itself, and takes three times as long to be made; a named tuple takes half as
    long again, and twice as long to be read.
    """
    return define(cls, unsafe_hash=True)
