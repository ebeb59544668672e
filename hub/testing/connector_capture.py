"""A captured delivery proves the declared signature, by which the suite else signs its samples itself.

`samples/<topic>/<name>.signed.json` stands beside the body `<name>.json`, whose bytes are those that the platform sent:

    {"source": "the button Send test in the admin, 2026-11-03", "secret": "...", "at": 1793700000000,
     "headers": {"X-Acme-Signature": "..."}}

The secret is one that was made for this and is used for nothing else; `at` (ms UTC) is when the delivery was sent, and
`headers` are the signature's and those that it covers. Computed by the platform's own code (its SDK, the program of its
documentation) it proves as much; computed by this declaration it proves nothing. A token that is the whole body stands
in "token", and the public key is the secret.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from hub.domain.connectors.connector import Connector, HmacHeader, TimestampHmac
from hub.domain.connectors.deliveries import genuine, stated_body
from hub.domain.connectors.jwt_body import JwtBody
from hub.testing.outcomes import RECEIVED_AT
from hub.testing.samples import Sample

MEMBERS: Final = ("source", "secret", "headers")


def check_captured(connector: Connector, samples: Sequence[Sample], excused: Mapping[str, str]) -> list[str]:
    """Return a sentence for each captured delivery that is refused, and one if a signing platform has none.

    `excused` has the connector's name if none can be had, with the reason.
    """
    captured = [sample for sample in samples if sample.golden.with_name(f"{sample.name}.signed.json").is_file()]
    faults = [f"{sample.title}: {fault}" for sample in captured for fault in _faults(connector, sample)]
    if (
        isinstance(connector.auth, HmacHeader | TimestampHmac | JwtBody)
        and not captured
        and connector.name not in excused
    ):
        faults.append(
            "no captured delivery proves the signature: put <name>.signed.json beside a sample, or list "
            f"{connector.name!r} under [signed] in samples/exceptions.toml with the reason"
        )
    return faults


def _faults(connector: Connector, sample: Sample) -> Iterator[str]:
    said: Any = json.loads(sample.golden.with_name(f"{sample.name}.signed.json").read_text("utf-8"))
    members = (*MEMBERS[:2], "token") if isinstance(connector.auth, JwtBody) else MEMBERS
    missing = [name for name in members if not isinstance(said, dict) or not said.get(name)]
    if missing or connector.auth is None:
        yield f"{sample.name}.signed.json has no {', '.join(missing)}" if missing else "the connector has no `auth`"
        return
    at = int(said.get("at", RECEIVED_AT))
    if isinstance(connector.auth, JwtBody):
        token, keys = str(said.get("token", "")).encode(), [str(said["secret"]).encode()]
        if not genuine(connector.auth, keys, "", token, {}, at) or stated_body(connector.auth, token) != sample.raw:
            yield "the captured token is refused, or states something else than the sample"
        return
    headers = {str(name).lower(): str(value) for name, value in said["headers"].items()}
    given = headers.get(connector.auth.header.lower())
    if given is None:
        yield f"the captured delivery has no header {connector.auth.header}"
        return
    secrets = [str(said["secret"]).encode()]
    if not genuine(connector.auth, secrets, given, sample.raw, headers, at):
        yield (
            "the captured delivery is refused: the platform signs in another way than `auth` says (encoding, prefix, "
            "algorithm, the secret's own encoding), or the sample is not the bytes that it sent"
        )
