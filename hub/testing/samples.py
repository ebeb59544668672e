"""A plugin's samples: real deliveries as files in its package, each beside the facts that it states.

`samples/<topic, with / as __>/<name>.json` is a raw body, `<name>.headers.json` what its headers say beyond the topic,
`<name>.options.json` the options it is read with, and `<name>.facts.json` the golden file. A folder named for one of
the eight webhook kinds holds bodies for POST /v1/webhooks/{kind}, unless the connector has a topic of that name.

`samples/exceptions.toml` lists the samples that may break a rule, each with the reason: under `[refused]` those that
state nothing, under `[amounts]` and `[moments]` those whose numbers or times only look implausible.
"""

from __future__ import annotations

import importlib
import json
import sys
import tomllib
from collections.abc import Iterator, Mapping
from importlib.metadata import entry_points
from pathlib import Path

from attrs import frozen

from hub.domain.connector import Connector, HeaderPlace
from hub.domain.facts import FACTS_OF_KIND
from hub.domain.scenes import Scene
from hub.plugin_host.registry import GROUP

EXTRAS = ("headers", "options", "facts")
EXCEPTIONS = "exceptions.toml"
EXCEPTION_KINDS = ("refused", "amounts", "moments")


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


def scenes_of(connector: Connector) -> Mapping[str, Scene]:
    """Return the scenes of a connector's simulated store, by step: its package's module `scenarios`, if it has one."""
    package = package_name(connector)
    if not (package_folder(connector) / "scenarios.py").is_file():
        return {}
    scenes: Mapping[str, Scene] = importlib.import_module(f"{package}.scenarios").SCENES
    return scenes


def package_name(connector: Connector) -> str:
    """Return the top package of the distribution that declares a connector; if none does, of its functions."""
    for entry in entry_points(group=GROUP):
        if entry.module not in sys.modules:
            continue  # another plugin's, which might end the process if it were imported here
        plugin = entry.load()
        declare = getattr(plugin, "hub_connectors", None)
        if callable(declare) and any(getattr(each, "name", None) == connector.name for each in declare()):
            return entry.module.partition(".")[0]
    module: str = getattr(connector.translate_webhook, "__module__", __name__)
    return module.partition(".")[0]


def package_folder(connector: Connector) -> Path:
    """Return the folder of that package."""
    name = package_name(connector)
    module = sys.modules.get(name) or importlib.import_module(name)
    return Path(str(module.__file__)).parent


def is_kind(connector: Connector, topic: str) -> bool:
    """Return whether samples of this topic are bodies for POST /v1/webhooks/{kind}."""
    return topic in FACTS_OF_KIND and all(known.name != topic for known in connector.topics)


def sent_headers(connector: Connector, topic: str, extra: Mapping[str, str], delivery_id: str) -> dict[str, str]:
    """Return a delivery's headers in lower case: its topic and id if the platform sends them so, and `extra`."""
    headers = {}
    if isinstance(connector.topic, HeaderPlace):
        headers[connector.topic.name.lower()] = topic
    if isinstance(connector.delivery_id, HeaderPlace):
        headers[connector.delivery_id.name.lower()] = delivery_id
    return headers | {name.lower(): value for name, value in extra.items()}


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
                excused=frozenset(kind for kind, names in listed.items() if f"{folder.name}/{file.stem}" in names),
            )


def _texts(file: Path) -> dict[str, str]:
    if not file.is_file():
        return {}
    return {str(name): str(value) for name, value in json.loads(file.read_text("utf-8")).items()}
