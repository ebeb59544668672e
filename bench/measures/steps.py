"""The steps of a conversion one by one, each over and over, so that it has the processor's caches to itself."""

from __future__ import annotations

import asyncio
import tempfile
from collections.abc import Callable
from pathlib import Path
from time import perf_counter

from bench.plan import Figures, Measure, Side
from bench.traffic import orders
from bench.workbench import Workbench
from hub.clock import system_clock
from hub.domain.signing import sign, string_to_sign, verify
from hub.ids import new_id
from hub.intake.rules import IntakeState, plan_batch
from hub.intake.submission import RequestGuards, SignatureUse, Submission, order_submission
from hub.rate_limits.local import RateLimits
from hub.storage import Store
from hub.validation.inputs import ConversionInput, MerchantTerms
from hub.validation.validate import validate

ORDERS = 8_000
BATCH = 40
"""About as many requests as one batch holds under full load."""
TIMES = 3
SECRET = b"s" * 43
STAMP = "1795176000"
TERMS = MerchantTerms("EUR", ("shop.example",))
ACCOUNT = "acc_bench"
DAY_MS = 86_400_000


def _steps(_: Workbench) -> Figures:
    bodies = list(orders("steps", ORDERS, [new_id("clk")]))
    signatures = [sign(SECRET, STAMP, body).encode() for body in bodies]
    inputs = [validate(ConversionInput, body, TERMS).value for body in bodies]
    limits = RateLimits({"general": (10**9, 10**9)})
    pairs = list(zip((string_to_sign(STAMP, body) for body in bodies), signatures, strict=True))
    return {
        "verifyUs": _each(lambda: [verify(SECRET, text, signature) for text, signature in pairs]),
        "validateUs": _each(lambda: [validate(ConversionInput, body, TERMS) for body in bodies]),
        "limitUs": _each(lambda: [limits.take(ACCOUNT, "general", 1_795_176_000_000) for _ in bodies]),
        "submissionUs": _each(
            lambda: [
                order_submission(RequestGuards(ACCOUNT), order, body.decode(), 1_795_176_000_000)
                for order, body in zip(inputs, bodies, strict=True)
            ]
        ),
        "commitUs": asyncio.run(_commit([_submission(b, s) for b, s in zip(bodies, signatures, strict=True)])),
    }


def _each(act: Callable[[], object]) -> float:
    """Return microseconds an order, the best of several tries."""
    best = float("inf")
    for _ in range(TIMES):
        began = perf_counter()
        act()
        best = min(best, perf_counter() - began)
    return best / ORDERS * 1e6


async def _commit(submissions: list[Submission]) -> float:
    """Return microseconds an order to commit signature, claim, event and body with FULL, in batches."""
    with tempfile.TemporaryDirectory(prefix="hub-bench-") as folder:
        async with await Store.open(f"sqlite:///{Path(folder) / 'hub.db'}", migrate=True, serve=True) as store:
            began = perf_counter()
            for start in range(0, ORDERS, BATCH):
                items = submissions[start : start + BATCH]
                now = system_clock()
                await store.transact(plan_batch(items, IntakeState(), now).rows(now - DAY_MS))
            return (perf_counter() - began) / ORDERS * 1e6


def _submission(body: bytes, signature: bytes) -> Submission:
    order = validate(ConversionInput, body, TERMS).value
    guards = RequestGuards(ACCOUNT, SignatureUse(ACCOUNT, int(STAMP), signature.decode()))
    return order_submission(guards, order, body.decode(), system_clock())


MEASURE = Measure(
    "steps",
    "the steps of a conversion one by one, in microseconds",
    (Side("steps of a conversion, each by itself", _steps),),
    standard=False,
)
