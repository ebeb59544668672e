"""What the hub asks of its plugins for one body, and what they answer."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

from attrs import asdict, field, frozen

from hub.domain.connectors.connector import Erasure, Headers, PackageContext
from hub.domain.connectors.scenes import Delivery, Play
from hub.domain.orders.facts import Fact
from hub.plugin_host.catalog import Catalog, SetAside
from hub.plugin_host.fact_json import erasure_from_json, fact_from_json
from hub.plugin_host.sandbox import Protections

LONGEST_TEXT = 500
"""A plugin's own words are cut to this many characters before they become part of a reason."""


class HostUnavailable(Exception):
    """The plugin host does not run just now; the text is a sentence, and trying again is right."""


class PluginFailed(Exception):
    """A plugin failed at what it was asked; the text is a sentence."""


@frozen
class Job:
    """One body to translate: a delivery of `connector` with its `topic`, or a v1 webhook of a `kind` without one.

    `currency` is the merchant's ISO 4217 code, `received_at` ms UTC; in `live` mode test orders are recognised.
    """

    raw: bytes = field(repr=False)
    connector: str | None
    kind: str | None
    topic: str | None
    delivery_id: str
    received_at: int
    currency: str
    live: bool
    options: Mapping[str, str] = field(factory=dict)
    headers: Headers = field(factory=dict)

    def to_json(self, without: Sequence[str]) -> dict[str, Any]:
        """Return all but the body; connectors `without` whom are not asked whether they recognise it."""
        return {
            "do": "translate",
            "connector": self.connector,
            "kind": self.kind,
            "topic": self.topic,
            "deliveryId": self.delivery_id,
            "receivedAt": self.received_at,
            "currency": self.currency,
            "live": self.live,
            "options": dict(self.options),
            "headers": dict(self.headers),
            "without": list(without),
        }


@frozen
class Failure:
    """A plugin's failure over one body: who failed, in which of its functions (`part`), where in its code, and how.

    It is `violent` if it cost more than its own answer: time up to the limit, or the host's process.
    """

    connector: str
    distribution: str
    part: str
    place: str
    text: str
    violent: bool = False

    @property
    def sentence(self) -> str:
        """The failure in one sentence, without its full stop."""
        who = self.connector or self.distribution or "a plugin"
        origin = f" ({self.distribution})" if self.connector and self.distribution else ""
        where = f", at {self.place}" if self.place else ""
        return f"the connector {who}{origin} failed in {self.part or 'its code'}: {self.text}{where}"

    @classmethod
    def from_json(cls, document: Mapping[str, Any]) -> Failure:
        """Return the failure of a JSON object that the host sent."""
        texts = {name: str(document.get(name, ""))[:LONGEST_TEXT] for name in FAILURE_TEXTS}
        return cls(**texts, violent=document.get("violent") is True)

    @classmethod
    def of_set_aside(cls, aside: SetAside, connector: str = "") -> Failure:
        """Return the failure over a body whose plugin is set aside, or that may be its: it may soon be mended."""
        return cls(connector, aside.distribution, "loading", "", f"it {aside.reason}")

    def to_json(self) -> dict[str, Any]:
        """Return the JSON object that `from_json` reads."""
        return asdict(self)


FAILURE_TEXTS = ("connector", "distribution", "part", "place", "text")


@frozen
class Translation:
    """What became of one body; exactly one of these says so.

    Its `facts`; a privacy request (`erasure`); that it is a test (`is_test`); why it is genuine and states nothing
    (`uninteresting`) or cannot be read (`unmappable`, with the `order` that it is about); that the plugin failed over
    it (`failure`), for another attempt; or after how many seconds it is to be tried, because it was not (`wait`).

    `shown_at` is what the shop's clock showed as it sent the body (ms UTC), if its facts are there and it says so.
    """

    facts: tuple[Fact, ...] = ()
    erasure: Erasure | None = None
    is_test: bool = False
    uninteresting: str | None = None
    unmappable: str | None = None
    order: str | None = None
    failure: Failure | None = None
    wait: float | None = None
    shown_at: int | None = None

    @classmethod
    def from_json(cls, document: Mapping[str, Any]) -> Translation:
        """Return the translation of a JSON object; raise KeyError, TypeError or ValueError if it is not one."""
        if "failure" in document:
            return cls(failure=Failure.from_json(document["failure"]))
        if "facts" in document:
            shown = document.get("shownAt")
            facts = tuple(fact_from_json(each) for each in document["facts"])
            return cls(facts=facts, shown_at=None if shown is None else int(shown))
        if "erasure" in document:
            return cls(erasure=erasure_from_json(document["erasure"]))
        if document.get("test") is True:
            return cls(is_test=True)
        if "uninteresting" in document:
            return cls(uninteresting=str(document["uninteresting"]))
        order = document.get("order")
        return cls(unmappable=str(document["unmappable"]), order=None if order is None else str(order))


def untranslatable(job: Job, catalog: Catalog) -> Translation | None:
    """Return what becomes of a body whose connector cannot be used, None if it can.

    One that is not installed fails at once, to be replayed; one that is set aside may soon be mended.
    """
    if job.connector is None or catalog.named(job.connector) is not None:
        return None
    aside = catalog.set_aside_for(job.connector)
    if aside is None:
        said = f"no installed plugin has the connector {job.connector!r}; install it again and replay the event"
        return Translation(unmappable=said)
    return Translation(failure=Failure.of_set_aside(aside, job.connector))


class Plugins(Protocol):
    """The plugins as the hub uses them; `PluginHost` runs them in processes of their own."""

    @property
    def known(self) -> Catalog | None:
        """The catalog, None while nobody has needed it."""

    async def catalog(self) -> Catalog:
        """Return what is declared, loading it first if nobody has; raise `HostUnavailable`."""

    @property
    def protections(self) -> Protections:
        """What their processes are closed in by; nothing while nobody has needed them."""

    @property
    def fault(self) -> str | None:
        """Why plugins cannot be asked at all just now, None if they can."""

    async def reload(self) -> Catalog:
        """Load the plugins anew, while those that are loaded go on; raise `HostUnavailable`."""

    async def translate(self, jobs: Sequence[Job]) -> list[Translation]:
        """Return what each body states; raises nothing."""

    async def is_handshake(self, connector: str, headers: Headers, raw: bytes) -> bool:
        """Return whether a connector knows an unsigned hello, False if it fails; raise `HostUnavailable`."""

    async def option_faults(self, connector: str, options: Mapping[str, str]) -> list[str]:
        """Return what is wrong with a connection's options; raise `HostUnavailable` or `PluginFailed`."""

    async def package(self, connector: str, context: PackageContext) -> tuple[str, bytes]:
        """Return a connector's file for the store owner, name and bytes; raise `HostUnavailable` or `PluginFailed`."""

    async def played(self, connector: str, play: Play) -> dict[str, Delivery]:
        """Return what a connector's simulated store sends at each step of an order, nothing if it has no such store.

        The deliveries are not signed. Raise `HostUnavailable` or `PluginFailed`.
        """
