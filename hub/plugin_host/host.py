"""The plugin host: what the hub asks of its plugins, answered by processes that may die of it.

A batch of bodies goes through one process, in turns over the connectors. Each body has its time; the first that exceeds
it, or ends the process, fails, the process is started again, and the rest goes on without it. The connector at fault
then pauses: its other bodies are put off, so that what it costs others stays within one time limit. Once a batch has
taken that long, it begins no other body, and what is left is put off too.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Coroutine, Mapping, Sequence
from decimal import InvalidOperation
from time import monotonic
from typing import Any, TypeVar

import attrs
import structlog
from attrs import define, field

from hub.domain.connectors.connector import Headers, PackageContext
from hub.domain.connectors.scenes import Delivery, Play
from hub.fair_queue import FairQueue
from hub.plugin_host.batch import Batch, key_of
from hub.plugin_host.catalog import Catalog
from hub.plugin_host.cooling import Cooling
from hub.plugin_host.evidence import Evidence
from hub.plugin_host.limits import Limits
from hub.plugin_host.places import said
from hub.plugin_host.played_json import deliveries_from_json
from hub.plugin_host.pool import CHECK_SECONDS, ProcessPool, Seat
from hub.plugin_host.process import GRACE_SECONDS, PluginProcess, ProcessEnded
from hub.plugin_host.sandbox import Protections
from hub.plugin_host.translation import Failure, HostUnavailable, Job, PluginFailed, Translation, untranslatable

UNAVAILABLE_SECONDS = 1.0
"""When bodies are tried again after the host was not there."""
PUT_OFF_SECONDS = 0.25
"""When bodies are tried that a batch had no time for: behind those that came meanwhile."""
WINDOW_BYTES = 1 << 20
"""A batch is sent ahead of its answers up to this many bytes."""
RECOGNISES = "recognises"
T = TypeVar("T")


log = structlog.get_logger(__name__)


class SpentProcess(Exception):
    """A process has given its last answer."""


@define(eq=False)
class PluginHost:
    """Implements `Plugins` over a pool of processes; `body_seconds` is how long one body may take."""

    _pool: ProcessPool
    _body_seconds: float
    _cooling: Cooling = field(init=False, factory=Cooling)
    _tasks: set[asyncio.Task[Any]] = field(init=False, factory=set)

    @property
    def known(self) -> Catalog | None:
        """The catalog, None while nobody has needed it."""
        return self._pool.catalog

    @property
    def protections(self) -> Protections:
        """What the plugins' processes are closed in by; nothing while nobody has needed them."""
        return self._pool.protections

    @property
    def fault(self) -> str | None:
        """Why the last start of a process failed, None if it did not."""
        return self._pool.fault

    async def catalog(self) -> Catalog:
        """Return what is declared, loading it first if nobody has; raise `HostUnavailable`."""
        if self._pool.catalog is None:
            await self._loaded()
        return self._pool.catalog or Catalog()

    async def reload(self) -> Catalog:
        """Load the plugins anew, while those that are loaded go on; raise `HostUnavailable`."""
        return await self._pool.reload()

    async def close(self) -> None:
        """End the host's processes."""
        for task in self._tasks:
            task.cancel()
        try:
            await asyncio.gather(*self._tasks, return_exceptions=True)
        finally:
            await self._pool.close()

    async def translate(self, jobs: Sequence[Job]) -> list[Translation]:
        """Return what each body states; raises nothing."""
        batch = Batch(jobs)
        for index in _in_turns(jobs):
            left = self._cooling.left(key_of(jobs[index]))
            if left:
                batch.results[index] = Translation(wait=left)
            else:
                batch.waiting.append(index)
        if batch.waiting:
            try:
                async with self._pool.seat() as seat:
                    await self._work_through(batch, seat)
            except HostUnavailable:
                batch.put_off(UNAVAILABLE_SECONDS)
        return [batch.results[index] for index in range(len(jobs))]

    async def is_handshake(self, connector: str, headers: Headers, raw: bytes) -> bool:
        """Return whether a connector knows an unsigned hello, False if it fails; raise `HostUnavailable`."""
        try:
            answer, _ = await self._ask({"do": "handshake", "connector": connector, "headers": dict(headers)}, raw)
        except PluginFailed as fault:
            log.warning("a plugin failed at a handshake", fault=str(fault))
            return False
        return answer.get("handshake") is True

    async def option_faults(self, connector: str, options: Mapping[str, str]) -> list[str]:
        """Return what is wrong with a connection's options; raise `HostUnavailable` or `PluginFailed`."""
        answer, _ = await self._ask({"do": "options", "connector": connector, "options": dict(options)})
        return [str(each) for each in answer["faults"]]

    async def package(self, connector: str, context: PackageContext) -> tuple[str, bytes]:
        """Return a connector's file for the store owner, name and bytes; raise `HostUnavailable` or `PluginFailed`."""
        asked = {"url": context.url, "secret": context.secret, "captureUrl": context.capture_url}
        answer, content = await self._ask({"do": "package", "connector": connector, **asked})
        return str(answer["name"]), content

    async def played(self, connector: str, play: Play) -> dict[str, Delivery]:
        """Return what a connector's simulated store sends at each step; raise `HostUnavailable` or `PluginFailed`."""
        answer, _ = await self._ask({"do": "play", "connector": connector, "play": attrs.asdict(play)})
        return deliveries_from_json(answer)

    async def _loaded(self) -> None:
        async def load() -> None:
            async with self._pool.seat() as seat:
                await self._pool.process_of(seat)

        await self._apart(load())

    async def _work_through(self, batch: Batch, seat: Seat) -> None:
        while batch.waiting:
            process = await self._pool.process_of(seat)
            for index in list(batch.waiting):
                if (unusable := untranslatable(batch.jobs[index], self._pool.catalog or Catalog())) is not None:
                    batch.waiting.remove(index)
                    batch.results[index] = unusable
            batch.until = monotonic() + self._body_seconds
            try:
                await self._run(batch, process)
            except ProcessEnded as ended:
                await self._pool.discard(seat)
                self._blame(batch, batch.waiting.popleft(), ended.evidence)
            except SpentProcess:
                await self._pool.discard(seat)

    async def _run(self, batch: Batch, process: PluginProcess) -> None:
        """Send what waits and take the answers until one is the process's last; raise `ProcessEnded`."""
        unsent, sent_bytes = deque(batch.waiting), 0
        while batch.waiting:
            while unsent and (not sent_bytes or sent_bytes < WINDOW_BYTES):
                job = batch.jobs[unsent.popleft()]
                process.send({**job.to_json(self._without()), "until": batch.until}, job.raw)
                sent_bytes += len(job.raw) + 1
            answer, _ = await process.receive(self._body_seconds + GRACE_SECONDS)
            index = batch.waiting.popleft()
            sent_bytes -= len(batch.jobs[index].raw) + 1
            self._take(batch, index, answer)
            if answer.get("spent") is True:
                raise SpentProcess

    def _take(self, batch: Batch, index: int, answer: Mapping[str, Any]) -> None:
        """Note what a body's answer says."""
        key = key_of(batch.jobs[index])
        if "wait" in answer:
            died = batch.died.get(index)
            batch.results[index] = Translation(wait=PUT_OFF_SECONDS) if died is None else Translation(failure=died)
            return
        try:
            found = Translation.from_json(answer)
        except (AttributeError, InvalidOperation, KeyError, TypeError, ValueError) as fault:
            found = Translation(failure=Failure(key, "", "its answer", "", f"it cannot be read: {said(fault)}"))
        if found.failure is None:
            self._cooling.clear(key)
            batch.results[index] = found
        else:
            self._fail(batch, index, found.failure)

    def _blame(self, batch: Batch, index: int, evidence: Evidence) -> None:
        """Note whose body a process died of; if no plugin's code ran, it is given out once more before it is blamed."""
        if not evidence.part and index not in batch.retried:
            batch.retried.add(index)
            batch.waiting.appendleft(index)
            return
        self._fail(batch, index, Failure(
            evidence.connector or key_of(batch.jobs[index]), evidence.distribution, evidence.part, evidence.place,
            evidence.text, violent=True,
        ))  # fmt: skip

    def _fail(self, batch: Batch, index: int, failure: Failure) -> None:
        """Note a failure; what was violent makes its connector pause."""
        job = batch.jobs[index]
        log.warning("a plugin failed", connector=failure.connector, distribution=failure.distribution,
                       part=failure.part, place=failure.place, violent=failure.violent)  # fmt: skip
        if failure.violent and failure.part == RECOGNISES and job.connector is None:
            # It was asked about a body that may be another's: it is not asked for a while, and the others are.
            # If none of them takes it, this failure is an attempt of it; bodies that are only beside it wait.
            self._cooling.cool(_recognising(failure.connector))
            batch.died[index] = failure
            batch.waiting.appendleft(index)
            return
        batch.results[index] = Translation(failure=failure)
        if failure.violent:
            batch.put_off(self._cooling.cool(key_of(job)), key_of(job))

    def _without(self) -> list[str]:
        """Return the connectors that are not asked whether they recognise a body just now."""
        names = [] if self._pool.catalog is None else [each.name for each in self._pool.catalog.connectors]
        return [name for name in names if self._cooling.left(_recognising(name))]

    async def _ask(self, asked: Mapping[str, Any], raw: bytes = b"") -> tuple[dict[str, Any], bytes]:
        """Return the answer to one question; raise `PluginFailed` or `HostUnavailable`.

        Whoever asks may be gone before the answer comes, so it is waited for in a task of its own.
        """
        left = self._cooling.left(asked["connector"])
        if left:
            raise HostUnavailable(f"The connector {asked['connector']} pauses after a failure for {left:.1f} seconds.")
        return await self._apart(self._answer(asked, raw))

    async def _apart(self, work: Coroutine[Any, Any, T]) -> T:
        """Do this in a task of its own, which goes on if whoever waits for it is gone."""
        task = asyncio.ensure_future(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return await asyncio.shield(task)

    async def _answer(self, asked: Mapping[str, Any], raw: bytes) -> tuple[dict[str, Any], bytes]:
        async with self._pool.seat(self._body_seconds + GRACE_SECONDS) as seat:
            process = await self._pool.process_of(seat)
            try:
                process.send(asked, raw)
                answer, content = await process.receive(self._body_seconds + GRACE_SECONDS)
            except ProcessEnded as ended:
                await self._pool.discard(seat)
                found = ended.evidence
                failure = Failure(found.connector or asked["connector"], found.distribution, found.part, found.place,
                                  found.text, violent=True)  # fmt: skip
            else:
                if answer.get("spent") is True:
                    await self._pool.discard(seat)
                if "failure" not in answer:
                    return answer, content
                failure = Failure.from_json(answer["failure"])
        if failure.violent:
            self._cooling.cool(asked["connector"])
        raise PluginFailed(f"{failure.sentence}.")


def _recognising(connector: str) -> str:
    return f"{connector}.{RECOGNISES}"


def _in_turns(jobs: Sequence[Job]) -> list[int]:
    """Return the indexes of jobs so that each connector has its first body before another has its second."""
    queue: FairQueue[int] = FairQueue()
    for index, job in enumerate(jobs):
        queue.append(key_of(job), index)
    return [queue.popleft() for _ in jobs]


def plugin_host(limits: Limits, *, processes: int = 1, check_seconds: float = CHECK_SECONDS) -> PluginHost:
    """Return a plugin host that starts when it is first needed; `check_seconds` of 0 leaves the files unwatched."""
    return PluginHost(ProcessPool(limits, processes, check_seconds), limits.body_seconds)
