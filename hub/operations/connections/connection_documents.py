"""What the acts on connections return, and a secret as it is stored."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypedDict

from hub.domain.connectors.delivery_addresses import address_fault
from hub.plugin_host.catalog import Declaration


class CreatedConnection(TypedDict):
    """A connection that was just created; `secret` is null unless the hub issued it, `steps` are for the platform."""

    id: str
    url: str
    secret: str | None
    steps: list[str]


class AddedSecret(TypedDict):
    """A secret that was just added; `secret` is null unless the hub issued it."""

    id: str
    secretId: str
    secret: str | None


class ExpiredSecret(TypedDict):
    """A secret and the time at which it ends."""

    id: str
    secretId: str
    expiresAt: str


def platform_steps(
    connector: Declaration, connection_id: str, url: str, secret: str | None, *, has_secret: bool
) -> list[str]:
    """Return what there is to do on the platform, with the URL and the secret filled in; `secret` only if it is new."""
    steps = connector_steps(connector, connection_id, url, secret)
    if not has_secret and connector.sends and not connector.tells_secrets:
        steps.append(f"Give the hub the secret that the platform shows: hub connection secret add {connection_id}")
    if connector.has_package:
        steps.append(f"The file to install, at the terminal: hub connection package {connection_id} --output FILE")
    if connector.requests is not None:
        steps.append(f"The credentials, at the terminal: hub connection credentials {connection_id} --from FILE")
    if connector.must_deliver(has_secret=False) and (fault := address_fault(url, connector.sender)) is not None:
        steps.insert(0, fault)
    steps.append(f"Place a test order, then see what arrived: hub connection check {connection_id}")
    return steps


def connector_steps(connector: Declaration, connection_id: str, url: str, secret: str | None) -> list[str]:
    """Return the steps that the connector itself declares, with the URL and the secret filled in."""
    values = {"{url}": url, "{id}": connection_id, "{secret}": secret or "(the secret of this connection)"}
    return [_fill(step, values) for step in connector.steps]


def _fill(step: str, values: Mapping[str, str]) -> str:
    for placeholder, value in values.items():
        step = step.replace(placeholder, value)
    return step
