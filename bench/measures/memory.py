"""Resident memory over millions of requests: conversions, clicks and reads, with the worker running."""

from __future__ import annotations

from collections.abc import Iterator
from statistics import median

import click

from bench import steady, traffic, wrk
from bench.alongside import Alongside
from bench.ledger import audited_hub
from bench.options import REQUESTS
from bench.plan import Figures, Measure, Requirement, Side, Value
from bench.servers import Server
from bench.settling import settle
from bench.workbench import Stage, Workbench

SLICE_SECONDS = 10
SLICE = SLICE_SECONDS * traffic.MOST_PER_SECOND
KNOWN_EVENTS = 500


class Sampler(Alongside):
    """Samples a server's memory twice a second, for as long as its block lasts."""

    def __init__(self, server: Server) -> None:
        super().__init__("sampler")
        self.samples: list[float] = []
        self._server = server

    def run(self) -> None:
        """Sample until the block ends."""
        while not self.ends.wait(0.5):
            self.samples.append(self._server.resident_mb())


def _memory(bench: Workbench) -> Figures:
    kept: list[str] = []
    with audited_hub(bench, worker=True, acknowledged=kept) as (stage, server):
        known = _known_events(bench, stage, server)
        with Sampler(server) as sampler:
            answered, number = 0, 0
            while answered < REQUESTS:
                sent = traffic.write(bench.folder / "slice", _mixture(stage, known, number))
                answers = wrk.load(server, sent, seconds=SLICE_SECONDS)
                kept += [each for each in answers.acknowledged if each.startswith("evt_")]
                answered += sum(answers.statuses.values())
                number += 1
                click.echo(f"memory: {answered:,} requests, {sampler.samples[-1]:.0f} MB", err=True)
            settle(stage)
    samples = sampler.samples
    early = median(samples[len(samples) * 3 // 10 : len(samples) * 4 // 10])
    late = median(samples[-len(samples) // 10 :])
    return {"requests": answered, "earlyMb": early, "lateMb": late, "mostMb": max(samples)}


def _known_events(bench: Workbench, stage: Stage, server: Server) -> list[str]:
    orders = traffic.conversions(stage.credentials, stage.clicks, tag="KNOWN", how_many=KNOWN_EVENTS)
    sent = traffic.write(bench.folder / "known", orders, threads=1)
    return list(steady.load(server.base_url, sent, rate=KNOWN_EVENTS, seconds=1).acknowledged)


def _mixture(stage: Stage, known: list[str], number: int) -> Iterator[bytes]:
    """Yield two conversions, two clicks, two reads, and so on, since they are dealt to two threads in turn."""
    share = SLICE // 3
    visit = traffic.BROWSER % stage.link.encode()
    orders = traffic.conversions(stage.credentials, stage.clicks, tag=f"M{number}", how_many=share)
    # The slice's number is in the address because a signature reads each address once.
    reads = traffic.reads(stage.credentials, [f"/api/v1/events/{event}?slice={number}" for event in known], most=share)
    for order, read in zip(orders, reads, strict=False):
        yield from (order, visit, read)


MEMORY = Side("resident memory", _memory, once=True)

MEASURE = Measure(
    "memory",
    f"resident memory over {REQUESTS:,} requests: conversions, clicks and reads, worker running",
    (MEMORY,),
    (
        Requirement(
            "memory at the end / after a third, when what is remembered at most is remembered",
            Value(MEMORY, "lateMb", MEMORY, "earlyMb"),
            most=1.10,
        ),
        Requirement("most memory ever, MB", Value(MEMORY, "mostMb"), most=300),
    ),
    standard=False,
)
