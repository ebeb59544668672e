"""The bodies of one call to the plugins, and what became of each."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence

from attrs import define, field

from hub.plugin_host.translation import Failure, Job, Translation


@define(eq=False)
class Batch:
    """The bodies of one call: those that wait for their turn, and what became of the others."""

    jobs: Sequence[Job]
    until: float = 0.0
    waiting: deque[int] = field(init=False, factory=deque)
    results: dict[int, Translation] = field(init=False, factory=dict)
    retried: set[int] = field(init=False, factory=set)
    died: dict[int, Failure] = field(init=False, factory=dict)
    """Whom a process died of as it was asked whether it recognises a body, by the body's index."""

    def put_off(self, seconds: float, key: str | None = None) -> None:
        """Take out of this batch what waits, or only what waits of one connector."""
        for index in list(self.waiting):
            if key is None or key_of(self.jobs[index]) == key:
                self.waiting.remove(index)
                self.results[index] = Translation(wait=seconds)


def key_of(job: Job) -> str:
    """Return who is paused for a body's failure: its connector; all v1 webhooks are one, until they are recognised."""
    return job.connector or ""
