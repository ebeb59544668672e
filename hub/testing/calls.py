"""Calls into a plugin under bounds: a time limit, nothing printed, and every fault with its file and line.

The limit is enforced with SIGALRM, which interrupts even a loop that never ends, a sleep and a catastrophic regular
expression, but works in the main thread only. `hub plugin check` and pytest call from there; elsewhere there is none.
"""

from __future__ import annotations

import contextlib
import io
import signal
import sysconfig
import threading
import traceback
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final, NoReturn, TypeVar

from hub.domain.connectors.connector import Uninteresting, Unmappable
from hub.domain.money import MoneyError
from hub.plugin_host.fact_json import WrongValue

T = TypeVar("T")

LIMIT_SECONDS = 2.0
"""How long one call may take; a usual one takes less than a millisecond."""
LONGEST_FAULT: Final = 300
_HUB: Final = str(Path(__file__).resolve().parents[1])
_LIBRARIES: Final = tuple(sysconfig.get_paths()[name] for name in ("stdlib", "purelib", "platlib"))


_before: list[Callable[[], None]] = []


def before_each_call(act: Callable[[], None]) -> None:
    """Have `act` run before each call into a plugin, in this process: so that a watchdog sees that calls go on."""
    _before[:] = [act]


class CallFault(Exception):
    """A call that did what no plugin may do; the text completes "The connector ..."."""


class _TimeUp(BaseException):
    """The time limit has passed; not an `Exception`, so that a plugin's own `except` does not swallow it."""


def called(act: Callable[[], T]) -> T:
    """Call a plugin and return its answer; its refusals go through.

    Raise `CallFault` if it raises anything else (`SystemExit` included), prints, or takes longer than `LIMIT_SECONDS`.
    """
    for each in _before:
        each()
    printed = io.StringIO()
    try:
        with contextlib.redirect_stdout(printed), contextlib.redirect_stderr(printed), _time_limit(LIMIT_SECONDS):
            answer = act()
    except (Unmappable, Uninteresting, MoneyError, KeyboardInterrupt, GeneratorExit):
        raise
    except _TimeUp as fault:
        raise CallFault(f"takes longer than {LIMIT_SECONDS:g} s, last seen{place_of(fault)}") from None
    except WrongValue as fault:
        raise CallFault(str(fault)[:LONGEST_FAULT]) from None
    except BaseException as fault:  # noqa: BLE001 - a plugin may raise anything, and end the process too
        raise CallFault(f"raises {type(fault).__name__}: {str(fault)[:LONGEST_FAULT]}{place_of(fault)}") from None
    if printed.getvalue():
        raise CallFault(f"prints {printed.getvalue()[:80]!r}; a plugin has no output")
    return answer


def place_of(fault: BaseException) -> str:
    """Return where the plugin's code raised a fault, as " at hub_acme/translate.py:42, in of_order"; maybe empty."""
    frames = traceback.extract_tb(fault.__traceback__)
    own = [frame for frame in frames if not frame.filename.startswith((_HUB, "<", *_LIBRARIES))]
    if not own:
        return ""
    path = Path(own[-1].filename)
    return f" at {path.parent.name}/{path.name}:{own[-1].lineno}, in {own[-1].name}"


@contextlib.contextmanager
def _time_limit(seconds: float) -> Iterator[None]:
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGALRM, _time_is_up)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def _time_is_up(*_: object) -> NoReturn:
    raise _TimeUp
