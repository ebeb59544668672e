"""Plugins that run in the asking process: for tests of connectors that are no distribution, and for measures.

What they state takes the same way as out of a plugin host, JSON included, and fails alike. They have no limits of time
or memory, so a server never uses them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cached_property
from math import inf
from typing import Any

from attrs import asdict, define, field

from hub.domain.connectors.connector import Headers, PackageContext
from hub.domain.connectors.scenes import Delivery, Play
from hub.plugin_host.catalog import Catalog, Declaration
from hub.plugin_host.frames import LENGTHS, head_of, packed
from hub.plugin_host.played_json import deliveries_from_json
from hub.plugin_host.registry import Registry
from hub.plugin_host.sandbox import Protections
from hub.plugin_host.translation import Failure, Job, PluginFailed, Translation, untranslatable
from hub.plugin_runtime.answers import Answers, SpentProcess


@define
class Unlimited:
    """The notes of calls into plugins, without limits."""

    noted: list[str] = field(factory=lambda: ["", "", "", ""])

    def note(self, connector: str, distribution: str, part: str, function: object = None) -> None:
        """Remember whose code is called next."""
        del function
        self.noted = [connector, distribution, part, ""]

    def rest(self) -> None:
        """Do nothing."""

    @contextmanager
    def limited(self, seconds: float) -> Iterator[None]:
        """Limit nothing."""
        del seconds
        yield


@define
class InProcessPlugins:
    """Implements `Plugins` by calling the connectors of a registry."""

    _registry: Registry

    @cached_property
    def known(self) -> Catalog:
        """The catalog."""
        origins = self._registry.origins
        declared = [Declaration.of(each, origins.get(each.name, "")) for each in self._registry.connectors]
        return Catalog(tuple(declared), self._registry.set_aside)

    async def catalog(self) -> Catalog:
        """Return what is declared."""
        return self.known

    @property
    def protections(self) -> Protections:
        """Nothing: they are called in this process."""
        return ()

    @property
    def fault(self) -> None:
        """None: these plugins can always be asked."""

    async def reload(self) -> Catalog:
        """Return the catalog: what was imported stays as it is."""
        return self.known

    async def translate(self, jobs: Sequence[Job]) -> list[Translation]:
        """Return what each body states."""
        return [untranslatable(job, self.known) or self._translated(job) for job in jobs]

    def _translated(self, job: Job) -> Translation:
        return Translation.from_json(self._answer({**job.to_json([]), "until": inf}, job.raw)[0])

    async def is_handshake(self, connector: str, headers: Headers, raw: bytes) -> bool:
        """Return whether a connector knows an unsigned hello."""
        answer, _ = self._answer({"do": "handshake", "connector": connector, "headers": headers}, raw)
        return answer.get("handshake") is True

    async def option_faults(self, connector: str, options: Mapping[str, str]) -> list[str]:
        """Return what is wrong with a connection's options; raise `PluginFailed`."""
        faults: list[str] = self._asked({"do": "options", "connector": connector, "options": options})[0]["faults"]
        return faults

    async def package(self, connector: str, context: PackageContext) -> tuple[str, bytes]:
        """Return a connector's file for the store owner; raise `PluginFailed`."""
        asked = {"url": context.url, "secret": context.secret, "captureUrl": context.capture_url}
        answer, content = self._asked({"do": "package", "connector": connector, **asked})
        return answer["name"], content

    async def played(self, connector: str, play: Play) -> dict[str, Delivery]:
        """Return what a connector's simulated store sends at each step; raise `PluginFailed`."""
        answer, _ = self._asked({"do": "play", "connector": connector, "play": asdict(play)})
        return deliveries_from_json(answer)

    async def close(self) -> None:
        """Do nothing."""

    def _asked(self, asked: dict[str, Any]) -> tuple[dict[str, Any], bytes]:
        answer, content = self._answer(asked, b"")
        if "failure" in answer:
            raise PluginFailed(f"{Failure.from_json(answer['failure']).sentence}.")
        return answer, content

    def _answer(self, asked: dict[str, Any], raw: bytes) -> tuple[dict[str, Any], bytes]:
        try:
            answer, content = Answers(self._registry, Unlimited(), inf).answer(asked, raw)
        except SpentProcess as spent:
            answer, content = spent.document, b""
        return head_of(packed(answer)[LENGTHS.size :]), content
