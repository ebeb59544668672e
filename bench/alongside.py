"""A thread beside what is measured, which ends with the block that it belongs to."""

from __future__ import annotations

import threading
from types import TracebackType
from typing import Self


class Alongside(threading.Thread):
    """Works from the beginning of a `with` block until `ends` is set, which the block's end does."""

    def __init__(self, name: str) -> None:
        super().__init__(name=name)
        self.ends = threading.Event()

    def __enter__(self) -> Self:
        """Start to work."""
        self.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Stop, however the block ended: else the thread would keep the process alive."""
        self.ends.set()
        self.join()
