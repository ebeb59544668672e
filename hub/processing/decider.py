"""The second process: decides the batches that the server hands it while the server writes those before them.

It reads the database and writes nothing. On its input come (now, events), and for each goes back (fault, outcome), one
of them None; the first that goes back only says that it is ready. It ends with its input.
"""

from __future__ import annotations

import asyncio
import fcntl
import gc
import marshal
import signal
import sys
from collections.abc import Iterable
from contextlib import suppress
from functools import partial
from typing import Any, BinaryIO, cast

from hub.domain.commission import Rule, RuleType
from hub.ids import new_id
from hub.processing.knowledge import Key, load_knowledge
from hub.processing.orders import Policy
from hub.processing.outcome import Outcome, decide, outcome_of
from hub.processing.translate import Event, Statement, translate
from hub.storage import Store

HEAD_BYTES = 4
PIPE_BYTES = 1 << 20
"""A message lies in the pipe as a whole, so that nobody is woken for each part of it."""
GARBAGE_AT = 20_000
"""So many new objects have the interpreter look for garbage, here and in the server: a batch makes half as many, all of
them in use to its end, and would be looked through a dozen times."""


def packed(message: Any) -> bytes:
    """A message of plain tuples, lists, texts and numbers as it goes through a pipe."""
    content = marshal.dumps(message)
    return len(content).to_bytes(HEAD_BYTES, "little") + content


def size_of(head: bytes) -> int:
    """How many bytes of content come after what begins a message."""
    return int.from_bytes(head, "little")


def unpacked(content: bytes) -> Any:
    """The content of a message."""
    return marshal.loads(content)  # noqa: S302 - the hub is at both ends of the pipe


def command(url: str, policy: Policy) -> list[str]:
    """What starts this program, for the database at `url`."""
    rule = policy.platform_rule
    terms = [str(policy.hold_ms), str(policy.default_window_ms), rule.type, rule.value]
    return [sys.executable, "-P", "-m", __name__, url, *terms]


async def decide_events(store: Store, events: Iterable[Event], policy: Policy, now: int) -> Outcome:
    """Decides conversions and order statuses whose bodies are at hand, at `now` (ms UTC).

    Only what it loads is in a transaction: the server's checkpoints wait for whoever reads.
    """
    by_order: dict[Key, list[Statement]] = {}
    owners = {}
    for event in events:
        statement = translate(event)
        by_order.setdefault((event.account_id, statement.order_id or ""), []).append(statement)
        if statement.order is not None:
            owners[event.event_id] = event.conversion_id or new_id("cnv")  # it claimed its order at the desk
    knowledge = await store.view(partial(load_knowledge, by_order=by_order))
    return outcome_of(*decide(knowledge, by_order, owners, policy, now, new_id), now)


async def serve(url: str, policy: Policy, requests: BinaryIO, answers: BinaryIO) -> None:
    """Decides what is requested until there is nothing more to come."""

    def say(fault: str | None, outcome: Outcome | None) -> None:
        answers.write(packed((fault, outcome and tuple(outcome))))
        answers.flush()

    async with await Store.open(url) as store:
        say(None, None)
        while content := requests.read(size_of(requests.read(HEAD_BYTES))):
            now, events = unpacked(content)
            claimed = [Event(*event) for event in events]
            try:
                outcome = await decide_events(store, claimed, policy, now)
            except Exception as fault:  # noqa: BLE001 - the server decides them one by one, and tells which is at fault
                say(f"{type(fault).__name__}: {fault}", None)
            else:
                say(None, outcome)


def main() -> None:
    """Serves on the standard streams. Who tells the server to stop may tell this process too; it goes by its input."""
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    for stream in (sys.stdin, sys.stdout):
        with suppress(OSError, AttributeError):  # not every system lets a pipe be made larger
            fcntl.fcntl(stream, fcntl.F_SETPIPE_SZ, PIPE_BYTES)
    url, hold_ms, window_ms, kind, value = sys.argv[1:]
    policy = Policy(int(hold_ms), int(window_ms), Rule(cast(RuleType, kind), value))
    answers, sys.stdout = sys.stdout.buffer, sys.stderr  # what is logged must not get between the answers
    gc.freeze()
    gc.set_threshold(GARBAGE_AT)
    with suppress(BrokenPipeError):
        asyncio.run(serve(url, policy, sys.stdin.buffer, answers))


if __name__ == "__main__":
    main()
