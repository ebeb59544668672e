"""Play a store: a scenario as the signed deliveries that its platform would send, byte for byte and in that order."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final, Protocol

from attrs import evolve, frozen

from hub.domain.connectors.connector import Auth, HeaderPlace, Place
from hub.domain.connectors.jwt_body import JwtBody
from hub.domain.connectors.scenes import Delivery, Play, Scene, signed_headers

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
    "out-of-order": Scenario("The last update arrives first.", ("delivered", "paid", "created")),
    "duplicate": Scenario("Every delivery comes three times.", ("created", "paid"), 3),
    "ping": Scenario("The platform says hello, unsigned.", ("ping",)),
    "test-notification": Scenario("The admin's button for a test.", ("test",)),
}
"""What `hub simulate` can play."""


class SimulationFault(Exception):
    """Why a scenario cannot be played; a sentence."""


class Sender(Protocol):
    """How a platform signs and addresses its deliveries: a connector, or the declaration of one."""

    @property
    def name(self) -> str:
        """The connector's name."""

    @property
    def auth(self) -> Auth | None:
        """How a delivery is signed."""

    @property
    def topic(self) -> Place | None:
        """Where a delivery names its topic."""

    @property
    def delivery_id(self) -> Place | None:
        """Where a delivery has its id."""


@frozen
class Post:
    """One POST: its step, and its headers and body as they go over the wire."""

    step: str
    topic: str
    headers: Mapping[str, str]
    body: bytes


def played(scenes: Mapping[str, Scene], play: Play) -> dict[str, Delivery]:
    """Return the delivery of each step that there is a scene for."""
    return {step: scene(play) for step, scene in scenes.items()}


def scenario_of(connector: str, deliveries: Mapping[str, Delivery], name: str) -> Scenario:
    """Return a scenario; raise `SimulationFault` if the connector's store has no delivery for a step of it."""
    scenario = SCENARIOS[name]
    missing = sorted(set(scenario.steps) - set(deliveries))
    if missing:
        able = [each for each, known in SCENARIOS.items() if set(known.steps) <= set(deliveries)]
        raise SimulationFault(
            f"The store of {connector} cannot play {name!r}: its plugin has no scene {' or '.join(missing)}. "
            + (f"It can play: {', '.join(able)}." if able else "A module `scenarios` in its package would have them.")
        )
    return scenario


def posts(
    sender: Sender, deliveries: Mapping[str, Delivery], name: str, play: Play, secret: str, at: int
) -> list[Post]:
    """Return the POSTs of a scenario in order, signed at `at` (ms UTC).

    Raise `SimulationFault` if a step of it has no delivery, since the connector's store cannot play it.
    """
    if sender.auth is None:
        raise SimulationFault(f"The store of {sender.name} sends nothing by itself: the hub asks its platform.")
    if isinstance(sender.auth, JwtBody):
        raise SimulationFault(f"What {sender.name} sends is signed with a key that only it has: nobody can play it.")
    scenario = scenario_of(sender.name, deliveries, name)
    sent = []
    for number, step in enumerate(scenario.steps):
        # Each delivery gets an id as platforms give them: new for each, the same for a repetition.
        delivery_id = f"{play.placed_at:x}{number:08x}".rjust(32, "0")
        post = wire(sender, step, deliveries[step], secret, delivery_id, at)
        sent += [post] * scenario.repeats
    return sent


def wire(sender: Sender, step: str, delivery: Delivery, secret: str, delivery_id: str, at: int) -> Post:
    """Return a delivery as its platform sends it at a moment (ms UTC): signed, unless it is an unsigned hello."""
    post = Post(step, delivery.topic, dict(delivery.headers), delivery.body)
    if not delivery.signed or sender.auth is None:
        return post
    headers = sent_headers(sender, delivery.topic, delivery.headers, delivery_id)
    return evolve(post, headers={**headers, **signed_headers(sender.auth, secret, delivery.body, at, delivery_id)})


def sent_headers(sender: Sender, topic: str, extra: Mapping[str, str], delivery_id: str) -> dict[str, str]:
    """Return a delivery's headers in lower case: its topic and id if the platform sends them so, and `extra`."""
    headers = {}
    if isinstance(sender.topic, HeaderPlace):
        headers[sender.topic.name.lower()] = topic
    if isinstance(sender.delivery_id, HeaderPlace):
        headers[sender.delivery_id.name.lower()] = delivery_id
    return headers | {name.lower(): value for name, value in extra.items()}
