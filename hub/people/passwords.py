"""Passwords: argon2id in two threads of their own.

A hash takes 19 MiB and about 36 ms, which would stop the event loop; two threads do all that two processors can. At
most `MOST_WAITING` sign-ins wait for them, so that a flood of guesses takes neither memory nor the time of others.
"""

from __future__ import annotations

import asyncio
import unicodedata
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from typing import Final, TypeVar

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError

from hub.people.easy_passwords import is_easy

SHORTEST: Final = 12
LONGEST: Final = 256
"""Characters; a longer text would be hashed whole, however long it is."""
THREADS: Final = 2
MOST_WAITING: Final = 16
NOBODYS: Final = "$argon2id$v=19$m=19456,t=2,p=1$v8glgTljGTIxwasQ/KUdRQ$/QHDbGdfQNzoG0MIIcQWHaaCIQ1W8ir/aS3A22L8D6o"
"""What is verified for an e-mail address without a password, so that the answer takes as long as for any other."""

T = TypeVar("T")


class TooManyAtOnce(Exception):
    """More sign-ins wait than the hub takes."""


class Passwords:
    """Hashes and verifies passwords."""

    def __init__(self) -> None:
        self._hasher = PasswordHasher(time_cost=2, memory_cost=19_456, parallelism=1)
        self._threads = ThreadPoolExecutor(THREADS, "password")
        self._waiting = 0

    async def hash(self, password: str) -> str:
        """Return the hash of a password, which says its own parameters; raise `TooManyAtOnce`."""
        return await self._run(lambda: self._hasher.hash(_plain(password)))

    async def verify(self, stored: str | None, password: str) -> bool:
        """Return whether it is the password of a stored hash; without one do the same work. Raise `TooManyAtOnce`."""

        def check() -> bool:
            try:
                return self._hasher.verify(stored or NOBODYS, _plain(password)) and stored is not None
            except (VerificationError, InvalidHashError):
                return False

        return await self._run(check) and len(password) <= LONGEST

    def close(self) -> None:
        """End the threads once they are done."""
        self._threads.shutdown()

    async def _run(self, work: Callable[[], T]) -> T:
        if self._waiting >= MOST_WAITING:
            raise TooManyAtOnce
        self._waiting += 1
        try:
            return await asyncio.get_running_loop().run_in_executor(self._threads, work)
        finally:
            self._waiting -= 1


def password_fault(password: str, own: Iterable[str]) -> str | None:
    """Return why a text cannot be a password, as a sentence; None if it can. `own` are names by which it is guessed."""
    if not SHORTEST <= len(password) <= LONGEST:
        return f"A password has {SHORTEST} to {LONGEST} characters; three words or more make a good one."
    if is_easy(password, own):
        return "This password is too easy to guess: others use it, or its parts. Three words or more make a good one."
    return None


def _plain(password: str) -> bytes:
    """Return the bytes that are hashed: keyboards write one character in different ways."""
    return unicodedata.normalize("NFKC", password[:LONGEST]).encode("utf-8", "replace")
