"""How all tests run: bytecode, examples of properties, exceptions, interrupts, files, event loop, garbage."""

from __future__ import annotations

import asyncio
import gc
import os
import signal
import sys
from collections.abc import Callable, Generator, Mapping
from pathlib import Path
from typing import Any, Final, NoReturn

import hypothesis
import pytest
import structlog
import uvloop

pytest_plugins = ["tests.within", "tests.longest_first", "tests.sampled", "tests.in_turn"]

# A machine that is told to keep no bytecode (PYTHONDONTWRITEBYTECODE, as images of containers often are) would compile
# the hub anew in each of some hundred processes that tests start, half a second each, and all tests in each worker.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False

# `make test` tries a few examples of each property (and few steps of a state machine), `make prove` many, and CI some;
# no test sets a number of its own. On CI they are the same each time, so that a red run can be had again;
# elsewhere new ones. No deadline: a busy machine is no fault of the code.
for name, examples, steps in (("few", 8, 12), ("some", 25, 25), ("many", 100, 50)):
    hypothesis.settings.register_profile(
        name,
        max_examples=examples,
        stateful_step_count=steps,
        deadline=None,
        derandomize=bool(os.environ.get("CI")),
    )
# Mutants are judged by the same examples each time; where one fails is all that is asked, not the smallest example.
hypothesis.settings.register_profile(
    "mutants",
    max_examples=15,
    deadline=None,
    derandomize=True,
    database=None,
    phases=[hypothesis.Phase.explicit, hypothesis.Phase.generate],
)
hypothesis.settings.load_profile("few")

# A traceback as Python writes it: the one structlog draws shows every value of every frame and takes seconds.
structlog.configure(
    processors=[
        structlog.contextvars.merge_contextvars,
        structlog.processors.add_log_level,
        structlog.dev.ConsoleRenderer(exception_formatter=structlog.dev.plain_traceback),
    ]
)


MEMORY: Final = Path("/dev/shm")  # noqa: S108 -- what pytest makes in it is the user's alone
PLENTY: Final = 2 * 1024**3


def _interrupt(*_: object) -> NoReturn:
    raise KeyboardInterrupt


# Where Python's own handler stands, asyncio sets one of its own for each fixture and each test that it runs, and asks
# for it again: which makes a text of the task, with all that the hub is made of, and throws it away.
signal.signal(signal.SIGINT, _interrupt)


def pytest_configure(config: pytest.Config) -> None:
    """Let `make test` write its temporary files into memory, where there is plenty of it.

    SQLite waits for the disk at each commit, some milliseconds each of fifty thousand times. Proofs have a disk.
    """
    if config.option.markexpr == "not prove" and MEMORY.is_dir():
        volume = os.statvfs(MEMORY)
        if volume.f_bavail * volume.f_frsize >= PLENTY and not volume.f_flag & os.ST_NOEXEC:
            os.environ.setdefault("PYTEST_DEBUG_TEMPROOT", str(MEMORY))


def pytest_asyncio_loop_factories(config: pytest.Config) -> Mapping[str, Callable[[], asyncio.AbstractEventLoop]]:
    """Run `make test` on the event loop of `hub serve`, which takes a sixth less, and proofs on asyncio's own.

    A hub runs on either. With one entry the loop is no part of a test's name.
    """
    if config.option.markexpr == "not prove":
        return {"uvloop": uvloop.new_event_loop}
    return {"asyncio": asyncio.new_event_loop}


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, Any, Any]:
    """Collect without the garbage collector, which else walks again and again what lives to the end anyway.

    While the tests run it is called less often than usual: each of its rounds walks all that they have imported.
    """
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.set_threshold(20_000, 20, 50)
        gc.enable()
