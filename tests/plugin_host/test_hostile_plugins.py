"""What plugins can do to the hub: nothing. Each behaviour is a real distribution in a real process."""

from __future__ import annotations

import asyncio
import io
import json
from collections.abc import Iterator
from time import monotonic
from typing import Any

import pytest

from hub.plugin_host.host import PluginHost
from hub.plugin_host.translation import Job, Translation
from tests.logged import server_log
from tests.plugin_host.conftest import OpenHost
from tests.plugin_host.distributions import Distributions
from tests.polling import until

pytestmark = pytest.mark.prove  # each waits until a process is given up

SOON = {"body_seconds": 0.6}


def job(connector: str | None = "hostile", *, number: str = "A-1", **body: Any) -> Job:
    raw = json.dumps({"number": number, **body}).encode()
    kind = "order-created" if connector is None else None
    return Job(raw, connector, kind, "order", "d-1", 1, "USD", live=False)


def bad(connector: str | None = "hostile", **body: Any) -> Job:
    return job(connector, bad=True, **body)


async def all_translated(host: PluginHost, *jobs: Job) -> list[Translation]:
    """Translate as the worker does: what was put off is given out again."""
    results: dict[int, Translation] = {}
    while len(results) < len(jobs):
        left = [index for index in range(len(jobs)) if index not in results]
        for index, found in zip(left, await host.translate([jobs[index] for index in left]), strict=True):
            if found.wait is None:
                results[index] = found
            else:
                await asyncio.sleep(min(found.wait, 0.05))
    return [results[index] for index in range(len(jobs))]


def orders(translations: list[Translation]) -> list[Any]:
    return [each.facts[0].order_id if each.facts else None for each in translations]  # type: ignore[union-attr]  # orders


KILLS = {
    "os._exit": ("os._exit(3)", "exit status 3", True),
    "aborts": ("os.abort()", "it ended the plugin host's process", True),
    "a segmentation fault": ("import ctypes; ctypes.string_at(0)", "SIGSEGV", True),
    "closes the pipes": ("os.closerange(3, 4096); return []", "it ended the plugin host's process", False),
    "swallows the interruption": (
        "while True:\n        try:\n            time.sleep(9)\n        except BaseException: pass",
        "was killed",
        True,
    ),
}
FAILS = {
    "sys.exit": ("sys.exit(3)", "SystemExit: 3"),
    "raises BaseException": ("raise BaseException('no')", "BaseException: no"),
    "raises KeyboardInterrupt": ("raise KeyboardInterrupt", "KeyboardInterrupt"),
    "raises KeyError": ("return {}['nobody expects']", "KeyError: 'nobody expects'"),
    "raises ValueError": ("raise ValueError('late')", "ValueError: late"),
    "an exception without a text": (
        "class Odd(Exception):\n        def __str__(self): raise OSError\n    raise Odd",
        "Odd",
    ),
    "recursion": ("return misbehave(body, context)", "RecursionError"),
    "sleeps": ("time.sleep(60)", "took longer than 0.6 seconds"),
    "an endless loop": ("while True:\n        pass", "took longer than 0.6 seconds"),
    "a catastrophic pattern": ("re.match('(a+)+$', 'a' * 60 + 'b')", "took longer than 0.6 seconds"),
    "an endless generator": ("return (created('A') for _ in iter(int, 1))", "gives more than 1,000 facts"),
    "100,000 facts": ("return [created('A')] * 100_000", "gives more than 1,000 facts"),
    "600 MB": ("hog = bytearray(600_000_000)", "MemoryError"),
    "returns None": ("return None", "gives a NoneType where facts are due"),
    "returns a number": ("return 7", "gives a int where facts are due"),
    "returns texts": ("return 'facts'", "gives a str where a fact is due"),
    "a float amount": (
        "return [OrderCreated(CREATED_KEY, 'A', 1.5, None, None, None, (), None, None, None)]",
        "gives OrderCreated.amount as float where a Decimal is due",
    ),
    "no key": (
        "return [OrderPaid(None, 'A', None, None, None)]",
        "gives OrderPaid.key as NoneType where a text is due",
    ),
    "a value that is not JSON": (
        "return [OrderCreated('k', 'A', Decimal(1), None, None, None, (), None, None, {'x': {1, 2}})]",
        "gives a value that JSON cannot hold",
    ),
}


@pytest.mark.parametrize("how", [*KILLS, *FAILS])
async def test_a_hostile_body_fails_alone(distributions: Distributions, open_host: OpenHost, how: str) -> None:
    """Those before and after it in the batch pass, of this connector and of others; the reason says who and where."""
    statement, said = (KILLS[how][0], KILLS[how][1]) if how in KILLS else FAILS[how]
    origin = distributions.hostile(statement)
    host = open_host(**SOON)
    jobs = [job(number="A-1"), bad(), job(number="A-3"), job("generic", number="A-4")]
    first, failed, third, other = await all_translated(host, *jobs)
    assert orders([first, third]) == ["A-1", "A-3"]
    assert other.failure is None
    assert failed.failure is not None
    assert said in failed.failure.text
    if how != "a value that is not JSON":
        assert (failed.failure.connector, failed.failure.distribution) == ("hostile", origin)
        assert failed.failure.sentence.startswith(f"the connector hostile ({origin}) failed in translate of order: ")


@pytest.mark.parametrize("how", [how for how in FAILS if how.startswith(("raises", "sleeps", "an endless loop"))])
async def test_the_line_of_the_fault_is_named(distributions: Distributions, open_host: OpenHost, how: str) -> None:
    """The author goes straight to it; a definition's line is only said if no better one is known."""
    distributions.hostile(FAILS[how][0])
    source = (distributions.folder / "hub_hostile.py").read_text().splitlines()
    (failed,) = await all_translated(open_host(**SOON), bad())
    assert failed.failure is not None
    file, _, line = failed.failure.place.partition(":")
    assert file.endswith("hub_hostile.py")
    begins = source.index("def misbehave(body, context):") + 1
    assert begins < int(line) <= begins + 5


@pytest.mark.parametrize("how", [how for how, (_, _, traced) in KILLS.items() if traced])
async def test_a_process_that_died_says_where(distributions: Distributions, open_host: OpenHost, how: str) -> None:
    """What it noted, and what faulthandler wrote, is read after its end."""
    distributions.hostile(KILLS[how][0])
    source = (distributions.folder / "hub_hostile.py").read_text().splitlines()
    (failed,) = await all_translated(open_host(**SOON), bad())
    assert failed.failure is not None
    begins = source.index("def misbehave(body, context):") + 1
    assert begins < int(failed.failure.place.partition(":")[2]) <= begins + 5


BODIES = 200


async def test_one_that_hangs_holds_others_up_for_one_time_limit(
    distributions: Distributions, open_host: OpenHost
) -> None:
    """However many of its bodies wait: after the first its connector pauses, and the others go on."""
    distributions.hostile("time.sleep(60)")
    host = open_host(body_seconds=0.5)
    await host.catalog()
    began = monotonic()
    found = await host.translate([*(bad(number=str(n)) for n in range(BODIES)), job("generic")])
    took = monotonic() - began
    assert found[-1].wait is None
    assert [each.failure is not None for each in found[:3]] == [True, False, False]
    assert all(each.wait for each in found[1:BODIES])
    assert took < BODIES * 0.5  # the control is the arithmetic: one by one they would take as long


async def test_slow_bodies_leave_time_for_others(distributions: Distributions, open_host: OpenHost) -> None:
    """A batch begins no body once it took the time of one; the rest is put off, without a failure."""
    distributions.hostile("time.sleep(0.9); return [created('S')]")
    host = open_host(body_seconds=1.8)
    await host.catalog()
    found = await host.translate([*(bad() for _ in range(10)), job("generic")])
    assert found[0].facts
    assert found[-1].wait is None  # the connectors take turns
    assert 1 <= sum(bool(each.facts) for each in found[:10]) < 10
    assert not any(each.failure for each in found)


async def test_one_that_hangs_over_strangers_bodies_is_not_asked_for_a_while(
    distributions: Distributions, open_host: OpenHost
) -> None:
    """`recognises` sees every merchant's webhooks: they are read by the others all the same."""
    distributions.write(
        "greedy",
        """
        import time
        from hub.api import *

        @hookimpl
        def hub_connectors():
            return [Connector("greedy", "Greedy", lambda *_: [], lambda body: time.sleep(60), 1)]
        """,
    )
    host = open_host(body_seconds=0.5)
    raw = b'{"external_order_id": "A-1", "order_amount": "5.00"}'
    webhook = Job(raw, None, "order-created", None, "d-1", 1, "USD", live=False)
    found = await host.translate([webhook] * 5)
    assert orders(found) == ["A-1"] * 5


TAKER = """
import os
from decimal import Decimal
from hub.api import *

def taken(body):
    if body.get("bad"):
        os._exit(3)
    return "taker" in body

def told(kind, body, context):
    return [OrderCreated(CREATED_KEY, body["taker"], Decimal("5.00"), None, None, None, (), None, None, None)]

@hookimpl
def hub_connectors():
    return [Connector("taker", "Taker", told, taken, 1)]
"""


async def test_a_webhook_waits_for_the_only_one_that_takes_it(
    distributions: Distributions, open_host: OpenHost
) -> None:
    """Its process dies of a body beside it, and it pauses: that body has failed, and the others are nobody's fault."""
    distributions.write("taker", TAKER)
    host = open_host(off=("generic",))
    killer, *others = await all_translated(host, bad(None), *(job(None, taker=f"A-{n}") for n in range(3)))
    assert killer.failure is not None
    assert (killer.failure.connector, killer.failure.part) == ("taker", "recognises")
    assert orders(others) == ["A-0", "A-1", "A-2"]
    (nobodys,) = await all_translated(host, job(None))
    assert "no installed connector recognises" in str(nobodys.unmappable), "the control: nobody pauses"


@pytest.fixture
def logged() -> Iterator[io.StringIO]:
    """What the hub logs."""
    with server_log() as stream:
        yield stream


async def test_what_is_printed_never_reaches_the_answers_or_the_log_as_it_is(
    distributions: Distributions, open_host: OpenHost, logged: io.StringIO
) -> None:
    """It is captured, and logged as one value."""
    distributions.hostile("print('line one\\nline two'); os.write(1, b'raw'); return [created('P')]")
    host = open_host()
    assert orders(await host.translate([bad(), bad()])) == ["P", "P"]
    await until(lambda: "plugins wrote to their output" in logged.getvalue())
    assert "\nline two" not in logged.getvalue()


async def test_the_process_has_none_of_the_hubs_secrets(
    distributions: Distributions, open_host: OpenHost, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HUB_MASTER_KEY", "secret")
    monkeypatch.setenv("PGPASSWORD", "secret")
    names = "n for n in os.environ if n in ('HUB_MASTER_KEY', 'PGPASSWORD', 'PATH')"
    distributions.hostile(f"return [created(','.join({names}))]")
    assert orders(await open_host().translate([bad()])) == ["PATH"]


async def test_a_new_process_serves_within_a_second(distributions: Distributions, open_host: OpenHost) -> None:
    """Polled, and generous beside the 50 to 200 ms that it takes on an idle machine."""
    distributions.hostile("os._exit(1)")
    host = open_host()
    await host.translate([bad()])
    assert orders(await all_translated(host, job())) == ["A-1"]


async def test_other_questions_have_limits_too(distributions: Distributions, open_host: OpenHost) -> None:
    """A handshake that hangs is none; options and packages are asked where plugins run."""
    distributions.hostile("time.sleep(60)")
    host = open_host(body_seconds=0.5)
    assert await host.is_handshake("hostile", {}, b"hello")
    assert not await host.is_handshake("hostile", {}, b"other")
    assert (await host.option_faults("hostile", {"days": "x"})) != []
    assert (await host.option_faults("hostile", {"days": "3"})) == []
    assert not await host.is_handshake("hostile", {}, b"bad")
    assert (await host.catalog()).named("hostile") is not None
