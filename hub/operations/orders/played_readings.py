"""A store that cannot be played over the wire: what its platform would answer is taken in as a reading takes it in."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

import orjson

from hub.clock import Clock
from hub.domain.connectors.scenarios import scenario_of
from hub.domain.connectors.scenes import Delivery
from hub.intake.submission import Accepted
from hub.intake.submission_batcher import SubmissionBatcher
from hub.outbound.own_server import OwnAnswer
from hub.platform_sync.arrivals import submission
from hub.storage import Row

TAKEN: Final = 200


async def read_scenario(
    intake: SubmissionBatcher,
    clock: Clock,
    connection: Row,
    deliveries: Mapping[str, Delivery],
    name: str,
    skipped: Sequence[str],
) -> list[tuple[str, OwnAnswer]]:
    """Take in the steps of a scenario but those skipped; return each with the answer that a delivery would get.

    Raise `SimulationFault` if the connector's store cannot play it, `StoreUnavailable`.
    """
    scenario = scenario_of(connection["connector"], deliveries, name)
    taken = []
    for step in (each for each in scenario.steps if each not in skipped for _ in range(scenario.repeats)):
        shown = deliveries[step]
        key = connection["account_id"], connection["connection_id"]
        outcome = await intake.submit(submission(*key, shown.topic, shown.body, clock(), None))
        if not isinstance(outcome, Accepted):
            raise TypeError(f"what the hub plays was not accepted: {outcome}")
        taken.append((step, OwnAnswer(TAKEN, orjson.loads(outcome.body))))
    return taken
