"""What the hub knows of its plugins without running them: what each connector declares, and what was set aside."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, cast

import attrs
from attrs import frozen

from hub.domain.connectors.connector import (
    Auth,
    Challenge,
    Connector,
    FieldPlace,
    FixedPlace,
    HeaderPlace,
    HmacHeader,
    Place,
    SecretHeader,
    TimestampHmac,
)
from hub.domain.connectors.delivery_addresses import Sender
from hub.domain.connectors.jwt_body import JwtBody
from hub.domain.connectors.requests import RECORDS, Requests

_RECORDS: Final[Mapping[str, type]] = {
    kind.__name__: kind
    for kind in (
        HmacHeader,
        SecretHeader,
        TimestampHmac,
        JwtBody,
        Challenge,
        HeaderPlace,
        FieldPlace,
        FixedPlace,
        *RECORDS,
    )
}


@frozen
class Declaration:
    """A connector as data: all that its record declares but functions, classes and their code.

    `topics` and `options` are names, `families` the family of each topic in the same order, empty if it is in none,
    `thin` the topics whose deliveries only name what to ask for.
    `has_handshake` and `has_package` say whether it has such a function; `distribution` is name and version.
    """

    name: str
    title: str
    distribution: str
    rank: int
    auth: Auth | None
    topic: Place | None
    delivery_id: Place | None
    topics: tuple[str, ...]
    families: tuple[str, ...]
    thin: tuple[str, ...]
    options: tuple[str, ...]
    issues_secret: bool
    steps: tuple[str, ...]
    has_handshake: bool
    has_package: bool
    challenge: Challenge | None
    source: Place | None
    requests: Requests | None
    clock: FieldPlace | None
    ports: tuple[int, ...]
    needs_https: bool
    secret_length: int
    link_parameters: tuple[tuple[str, str], ...]

    @classmethod
    def of(cls, connector: Connector, distribution: str) -> Declaration:
        """Return what a connector declares, which was checked when it was loaded."""
        return cls(
            name=connector.name,
            title=connector.title,
            distribution=distribution,
            rank=connector.rank,
            auth=connector.auth,
            topic=connector.topic,
            delivery_id=connector.delivery_id,
            topics=tuple(topic.name for topic in connector.topics),
            thin=tuple(topic.name for topic in connector.topics if topic.is_thin),
            families=tuple(topic.family or "" for topic in connector.topics),
            options=tuple(field.alias or field.name for field in attrs.fields(connector.options) if field.init),
            issues_secret=connector.issues_secret,
            steps=connector.steps,
            has_handshake=connector.handshake is not attrs.fields(Connector).handshake.default,
            has_package=connector.package is not None,
            challenge=connector.challenge,
            source=connector.source,
            requests=connector.requests,
            clock=connector.clock,
            secret_length=connector.secret_length,
            link_parameters=connector.link_parameters,
            ports=connector.ports,
            needs_https=connector.needs_https,
        )

    @property
    def sender(self) -> Sender:
        """The platform, and the addresses that it sends to."""
        return Sender(self.title, self.ports, self.needs_https)

    @property
    def connects(self) -> bool:
        """Whether a store can be connected by it: its platform delivers, or is asked."""
        return self.sends or self.requests is not None

    @property
    def sends(self) -> bool:
        """Whether its platform sends anything by itself; else it is only asked."""
        return self.auth is not None

    @property
    def is_asked_anyway(self) -> bool:
        """Whether its stores are read by day, too: they may send nothing, as where only an app has webhooks."""
        return self.requests is not None and self.requests.reads_every > 0

    def must_deliver(self, *, has_secret: bool) -> bool:
        """Return whether a store has to deliver, with or without a secret; one that is read by day may send nothing."""
        return self.sends and (has_secret or not self.is_asked_anyway)

    @property
    def tells_secrets(self) -> bool:
        """Whether its platform makes the secret of each webhook, and tells the hub as the webhook is made."""
        return self.requests is not None and self.requests.webhooks is not None and bool(self.requests.webhooks.secret)

    @property
    def can_be_played(self) -> bool:
        """Whether a store is played over the wire: the hub has the secret that its platform signs with."""
        return self.sends and not self.is_asked_anyway and not isinstance(self.auth, JwtBody)

    def family_of(self, topic: str | None) -> str | None:
        """Return the family of a topic, None if it is in none or is unknown."""
        return dict(zip(self.topics, self.families, strict=True)).get(topic or "") or None

    def to_json(self) -> dict[str, Any]:
        """Return the declaration as a JSON object."""
        return {field.name: _to_json(getattr(self, field.name)) for field in attrs.fields(type(self))}

    @classmethod
    def from_json(cls, document: Mapping[str, Any]) -> Declaration:
        """Return the declaration of a JSON object; raise KeyError, TypeError or ValueError if it is not one."""
        return cls(**{field.name: _from_json(document[field.name]) for field in attrs.fields(cls)})


@frozen
class SetAside:
    """A distribution that is not used: `reason` completes "hub-acme 1.0 ...".

    `connectors` are names that it declares or, if it could not be asked, that it may: those of its entry points. It is
    `off` if the operator wants it so.
    """

    distribution: str
    reason: str
    connectors: tuple[str, ...] = ()
    off: bool = False

    @property
    def sentence(self) -> str:
        """The whole sentence."""
        return f"{self.distribution} {self.reason}"


@frozen
class Catalog:
    """The connectors in the order in which they are asked (by rank, then name), and what was set aside."""

    connectors: tuple[Declaration, ...] = ()
    set_aside: tuple[SetAside, ...] = ()

    def named(self, name: str) -> Declaration | None:
        """Return the connector of that name, None if there is none."""
        return next((each for each in self.connectors if each.name == name), None)

    def set_aside_for(self, name: str) -> SetAside | None:
        """Return what was set aside and has, or may have, the connector of that name, None if nothing was."""
        return next((each for each in self.set_aside if name in each.connectors), None)

    @property
    def faults(self) -> list[str]:
        """What an operator should mend: a sentence for each distribution that was set aside against their will."""
        return [f"{each.sentence}." for each in self.set_aside if not each.off]

    def to_json(self) -> dict[str, Any]:
        """Return the catalog as a JSON object."""
        return {
            "connectors": [each.to_json() for each in self.connectors],
            "setAside": [attrs.asdict(each) for each in self.set_aside],
        }

    @classmethod
    def from_json(cls, document: Mapping[str, Any]) -> Catalog:
        """Return the catalog of a JSON object; raise KeyError, TypeError or ValueError if it is not one."""
        aside = [{**each, "connectors": tuple(each["connectors"])} for each in document["setAside"]]
        return cls(
            tuple(Declaration.from_json(each) for each in document["connectors"]),
            tuple(SetAside(**each) for each in aside),
        )


def _to_json(value: object) -> Any:
    if type(value) is _RECORDS.get(type(value).__name__):
        record = cast("attrs.AttrsInstance", value)
        parts = {each.name: _to_json(getattr(record, each.name)) for each in attrs.fields(type(record))}
        return {"is": type(record).__name__, **parts}
    return [_to_json(each) for each in value] if isinstance(value, tuple) else value


def _from_json(value: Any) -> Any:
    if isinstance(value, dict):
        return _RECORDS[value["is"]](**{name: _from_json(inner) for name, inner in value.items() if name != "is"})
    return tuple(map(_from_json, value)) if isinstance(value, list) else value
