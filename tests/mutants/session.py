"""A run of pytest that collects the tests once and forks for each mutant: the child has the change, and ends."""

from __future__ import annotations

import os
import pickle
import resource
import signal
import sys
import threading
import time
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from importlib import import_module
from pathlib import Path
from types import FrameType
from typing import Any, Final, Literal, NamedTuple

import pytest

from tests.mutants.operators import Mutant
from tests.mutants.subjects import name_of, path_of
from tests.mutants.swap import forget, swap

Outcome = Literal["killed", "hung", "survived", "unreached"]
_LIMIT: Final = 3.0
"""Seconds of the processor after which a child is given up, besides three times what its tests took unchanged."""
_ASLEEP: Final = 300.0
"""Seconds of the clock after which it is, whatever it waits for."""


class Reach(NamedTuple):
    """What one test reaches: (module, function) pairs, and its seconds."""

    item: int
    seconds: float
    functions: frozenset[tuple[str, str]]


class Judged(NamedTuple):
    """A mutant, what became of it, and how many tests were asked at most."""

    mutant: Mutant
    outcome: Outcome
    tests: int


class MutantSession:
    """Pytest's plugin that judges mutants in place of running tests; `failure` says why it could not."""

    def __init__(self, modules: Sequence[str], mutants: Sequence[Mutant], seconds: float | None, least: int) -> None:
        self._modules, self._mutants, self._seconds, self._least = modules, mutants, seconds, least
        self._failed = False
        self.judged: list[Judged] = []
        self.failure = ""

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Note that a test failed."""
        self._failed = self._failed or report.failed

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        """Find out which tests reach what, then judge one mutant after the other until the time is over."""
        for module in self._modules:  # which the chosen tests need not import
            import_module(name_of(module))
        reached = self._reach(session.items)
        if reached is None or not self._holds_without_a_change(session.items):
            return True
        by_function = defaultdict[tuple[str, str], list[Reach]](list)
        for reach in sorted(reached, key=lambda each: each.seconds):
            for function in reach.functions:
                by_function[function].append(reach)
        end = None if self._seconds is None else time.monotonic() + self._seconds
        for mutant in self._mutants:
            if end is not None and time.monotonic() > end and len(self.judged) >= self._least:
                break
            tests = by_function[mutant.module, _reached_as(mutant.function)]
            self.judged.append(Judged(mutant, self._judge(mutant, session.items, tests), len(tests)))
        return True

    def _reach(self, items: Sequence[pytest.Item]) -> list[Reach] | None:
        def run() -> list[Reach] | str:
            files = {str(path_of(module)): module for module in self._modules}
            found = []
            for number, item in enumerate(items):
                for module in self._modules:
                    forget(name_of(module))
                tracer, began = _Tracer(files), time.process_time()
                tracer.reached |= {(module, "") for module in self._modules if name_of(module) in _text(item.path)}
                with tracer:
                    self._run(item, items[number + 1] if number + 1 < len(items) else None)
                if self._failed:
                    return item.nodeid
                found.append(Reach(number, time.process_time() - began, frozenset(tracer.reached)))
            return found

        status, reached = _in_child(run, limit=900)
        if status != "ended" or isinstance(reached, str):
            self.failure = f"a test fails without any change: {reached}"
            return None
        return list(reached)

    def _holds_without_a_change(self, items: Sequence[pytest.Item]) -> bool:
        """Control: the same swap with modules as they are lets every test pass, so a kill is the change's doing."""

        def run() -> bool:
            for module in self._modules:
                path = path_of(module)
                swap(name_of(module), compile(path.read_text("utf-8"), str(path), "exec"))
            return self._survives(items)

        if _in_child(run, limit=900) != ("ended", True):
            self.failure = "a test fails after a swap without a change"
        return not self.failure

    def _judge(self, mutant: Mutant, items: Sequence[pytest.Item], tests: Sequence[Reach]) -> Outcome:
        if not tests:
            return "unreached"
        chosen = [items[reach.item] for reach in tests]

        def run() -> bool:
            try:
                swap(name_of(mutant.module), mutant.code)
            except Exception:  # noqa: BLE001  # whatever the changed module raises, everybody would notice
                return False
            return self._survives(chosen)

        status, survives = _in_child(run, limit=_LIMIT + 3 * sum(reach.seconds for reach in tests))
        if status == "hung":
            return "hung"
        return "survived" if survives else "killed"

    def _survives(self, items: Sequence[pytest.Item]) -> bool:
        for number, item in enumerate(items):
            self._run(item, items[number + 1] if number + 1 < len(items) else None)
            if self._failed:
                return False
        return True

    @staticmethod
    def _run(item: pytest.Item, following: pytest.Item | None) -> None:
        item.config.hook.pytest_runtest_protocol(item=item, nextitem=following)


class _Tracer:
    """Notes which functions of some files are called, in every thread."""

    def __init__(self, files: Mapping[str, str]) -> None:
        self._files = files
        self.reached: set[tuple[str, str]] = set()

    def __enter__(self) -> None:
        threading.setprofile(self._called)
        sys.setprofile(self._called)

    def __exit__(self, *_: object) -> None:
        sys.setprofile(None)
        threading.setprofile(None)

    def _called(self, frame: FrameType, event: str, _argument: object) -> None:
        if event == "call" and (module := self._files.get(frame.f_code.co_filename)) is not None:
            self.reached |= {(module, ""), (module, frame.f_code.co_qualname.split(".<locals>")[0])}


def _reached_as(function: str) -> str:
    """The name that calls have: what stands in a class's body, as at the top, is there for every test of the module."""
    name, call, _ = function.partition("()")
    return name if call else ""


@cache
def _text(path: Path) -> str:
    """The source of a file of tests: what imports a module may hold its constants, and call nothing of it."""
    return path.read_text("utf-8")


def _in_child(work: Callable[[], Any], limit: float) -> tuple[Literal["ended", "hung", "died"], Any]:
    """Run `work` in a fork of this process and return how that went, and what it returned."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        _as_child(work, writing, limit)
    os.close(writing)
    with Path(f"/dev/fd/{reading}").open("rb") as answers:
        said = answers.read()
    os.close(reading)
    _, status = os.waitpid(child, 0)
    if os.WIFSIGNALED(status):
        return ("hung" if os.WTERMSIG(status) in {signal.SIGALRM, signal.SIGPROF} else "died"), None
    return ("ended", pickle.loads(said)) if said else ("died", None)


def _as_child(work: Callable[[], Any], answer: int, limit: float) -> None:
    """Never returns: does the work, answers, and leaves nothing of pytest's to end."""
    try:
        signal.setitimer(signal.ITIMER_PROF, limit)
        signal.setitimer(signal.ITIMER_REAL, max(limit, _ASLEEP))
        resource.setrlimit(resource.RLIMIT_AS, (4 << 30, 4 << 30))  # a change may make a list that never ends
        nothing = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nothing, 1)
        os.dup2(nothing, 2)
        with os.fdopen(answer, "wb") as answers:
            answers.write(pickle.dumps(work()))
    finally:
        os._exit(0)
