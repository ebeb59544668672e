"""A plugin's samples: real deliveries as files in its package, each beside the facts that it states.

`samples/<topic, with / as __>/<name>.json` is a raw body, `<name>.headers.json` what its headers say beyond the topic,
`<name>.options.json` the options it is read with, and `<name>.facts.json` the golden file. `<name>.signed.json` says
how the platform itself signed the body, see `hub/testing/connector_capture.py`. A folder named for one of the eight
webhook kinds holds bodies for POST /v1/webhooks/{kind}, unless the connector has a topic of that name.

`samples/exceptions.toml` lists the samples that may break a rule, each with the reason: under `[refused]` those that
state nothing, under `[amounts]` and `[moments]` those whose numbers or times only look implausible. It also lists what
the platform does not have: under `[scenes]` steps of an order, under `[snapshots]` topics whose orders never change,
and under `[signed]` the connector itself, if no delivery was captured.
"""

from __future__ import annotations

import json
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path

from attrs import frozen

from hub.domain.connectors.connector import Connector
from hub.domain.connectors.scenarios import sent_headers
from hub.domain.orders.facts import FACTS_OF_KIND
from hub.plugin_host.packages import package_folder

EXTRAS = ("headers", "options", "facts", "signed")
EXCEPTIONS = "exceptions.toml"
SAMPLE_KINDS = ("refused", "amounts", "moments")
EXCEPTION_KINDS = (*SAMPLE_KINDS, "scenes", "snapshots", "signed")


@frozen
class Sample:
    """One delivery.

    `topic` is its real name, `headers` are in lower case and without the signature, `golden` is the facts' file,
    `excused` the rules of `exceptions.toml` that it may break.
    """

    topic: str
    name: str
    raw: bytes
    headers: Mapping[str, str]
    options: Mapping[str, str]
    golden: Path
    excused: frozenset[str] = frozenset()

    @property
    def title(self) -> str:
        """The topic and the name, for people."""
        return f"{self.topic} {self.name}"

    @property
    def place(self) -> str:
        """The name that `exceptions.toml` has the sample under: its folder and its name."""
        return f"{self.golden.parent.name}/{self.name}"


def samples_of(connector: Connector, folder: Path | None = None) -> tuple[Sample, ...]:
    """Read a connector's samples, by default those in its own package; sorted by topic and name."""
    root = folder or package_folder(connector) / "samples"
    return tuple(_samples(connector, root)) if root.is_dir() else ()


def is_kind(connector: Connector, topic: str) -> bool:
    """Return whether samples of this topic are bodies for POST /v1/webhooks/{kind}."""
    return topic in FACTS_OF_KIND and all(known.name != topic for known in connector.topics)


def exceptions_of(root: Path) -> dict[str, dict[str, str]]:
    """Read `exceptions.toml` of a samples folder: reasons by sample ("folder/name"), by kind; empty without a file."""
    file = root / EXCEPTIONS
    listed = tomllib.loads(file.read_text("utf-8")) if file.is_file() else {}
    return {kind: {str(name): str(why) for name, why in found.items()} for kind, found in listed.items()}


def _samples(connector: Connector, root: Path) -> Iterator[Sample]:
    listed = exceptions_of(root)
    for folder in sorted(path for path in root.iterdir() if path.is_dir()):
        topic = folder.name.replace("__", "/")
        for file in sorted(folder.glob("*.json")):
            if file.stem.rpartition(".")[2] in EXTRAS:
                continue
            extra = _texts(file.with_name(f"{file.stem}.headers.json"))
            yield Sample(
                topic=topic,
                name=file.stem,
                raw=file.read_bytes(),
                headers=sent_headers(connector, topic, extra, "sample-1"),
                options=_texts(file.with_name(f"{file.stem}.options.json")),
                golden=file.with_name(f"{file.stem}.facts.json"),
                excused=frozenset(
                    kind for kind in SAMPLE_KINDS if f"{folder.name}/{file.stem}" in listed.get(kind, {})
                ),
            )


def _texts(file: Path) -> dict[str, str]:
    if not file.is_file():
        return {}
    return {str(name): str(value) for name, value in json.loads(file.read_text("utf-8")).items()}
