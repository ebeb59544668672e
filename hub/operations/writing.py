"""Operations that are a transaction of their own, or a step of one: a single function for both."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Coroutine
from functools import wraps
from typing import Any, Concatenate, ParamSpec, TypeVar

from hub.storage import Store, Tx

P = ParamSpec("P")
T = TypeVar("T")


def writing(
    step: Callable[Concatenate[Tx, P], Awaitable[T]],
) -> Callable[Concatenate[Store | Tx, P], Coroutine[Any, Any, T]]:
    """Return a step of a transaction as an operation that takes a store, too, and then is one of its own."""

    @wraps(step)
    async def operation(source: Store | Tx, /, *args: P.args, **kwargs: P.kwargs) -> T:
        if isinstance(source, Tx):
            return await step(source, *args, **kwargs)
        async with source.write() as tx:
            return await step(tx, *args, **kwargs)

    return operation
