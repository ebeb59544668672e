"""Play a store: a scenario as the signed deliveries that its platform would send, byte for byte and in that order."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from attrs import evolve, frozen

from hub.domain.connector import Connector
from hub.domain.scenes import Delivery, Play, Scene, signed_headers
from hub.testing.samples import sent_headers

STORM = 10
"""How often a storm repeats the same state."""


@frozen
class Scenario:
    """The steps in order, one delivery each; `repeats` sends every delivery again with the same bytes and id."""

    purpose: str
    steps: Sequence[str]
    repeats: int = 1


SCENARIOS: Final[Mapping[str, Scenario]] = {
    "order": Scenario("A buyer orders.", ("created",)),
    "paid": Scenario("... and pays.", ("created", "paid")),
    "delivered": Scenario("... and the parcel arrives.", ("created", "paid", "delivered")),
    "partial-refund": Scenario("... and a part goes back.", ("created", "paid", "delivered", "refunded")),
    "cancel": Scenario("A paid order is called off.", ("created", "paid", "cancelled")),
    "storm": Scenario("The platform repeats one state ten times.", ("created", *("paid",) * STORM)),
    "out-of-order": Scenario("The last news comes first.", ("delivered", "paid", "created")),
    "duplicate": Scenario("Every delivery comes three times.", ("created", "paid"), 3),
    "ping": Scenario("The platform says hello, unsigned.", ("ping",)),
    "test-notification": Scenario("The admin's button for a test.", ("test",)),
}
"""What `hub simulate` can play."""


class SimulationFault(Exception):
    """Why a scenario cannot be played; a sentence."""


@frozen
class Post:
    """One POST: its step, and its headers and body as they go over the wire."""

    step: str
    topic: str
    headers: Mapping[str, str]
    body: bytes


def posts(
    connector: Connector, scenes: Mapping[str, Scene], name: str, play: Play, secret: str, at: int | None = None
) -> list[Post]:
    """Return the POSTs of a scenario in order; raise `SimulationFault` if the connector's store cannot play it."""
    scenario = SCENARIOS[name]
    missing = sorted({step for step in scenario.steps if step not in scenes})
    if missing:
        able = [each for each, known in SCENARIOS.items() if set(known.steps) <= set(scenes)]
        raise SimulationFault(
            f"The store of {connector.name} cannot play {name!r}: its plugin has no scene {' or '.join(missing)}. "
            + (f"It can play: {', '.join(able)}." if able else "A module `scenarios` in its package would have them.")
        )
    sent = []
    for number, step in enumerate(scenario.steps):
        # Each delivery gets an id as platforms give them: new for each, the same for a repetition.
        delivery_id = f"{play.placed_at:x}{number:08x}".rjust(32, "0")
        post = wire(connector, step, scenes[step](play), secret, delivery_id, play.placed_at if at is None else at)
        sent += [post] * scenario.repeats
    return sent


def wire(connector: Connector, step: str, delivery: Delivery, secret: str, delivery_id: str, at: int) -> Post:
    """Return a delivery as its platform sends it at a moment (ms UTC): signed, unless it is an unsigned hello."""
    post = Post(step, delivery.topic, dict(delivery.headers), delivery.body)
    if not delivery.signed or connector.auth is None:
        return post
    headers = sent_headers(connector, delivery.topic, delivery.headers, delivery_id)
    return evolve(post, headers={**headers, **signed_headers(connector.auth, secret, delivery.body, at, delivery_id)})
