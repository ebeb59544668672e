"""What a plugin process does: close itself in, load, say what there is, then answer one request after the other.

It takes requests from one socket and answers on another. Its output streams are the plugins' own, and lead to the
hub's log. It ends with its channel.
"""

from __future__ import annotations

import os
import socket
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from importlib import invalidate_caches
from typing import Any, BinaryIO

from attrs import frozen

from hub.plugin_host.catalog import Catalog, Declaration
from hub.plugin_host.frames import LENGTHS, MOST_BYTES, FrameFault, head_of, lengths_in, packed
from hub.plugin_host.limits import Limits
from hub.plugin_host.registry import Registry, load_plugins, plugin_entries
from hub.plugin_host.sandbox import to_json, weak
from hub.plugin_runtime.answers import Answers, SpentProcess
from hub.plugin_runtime.enclosure import enclose
from hub.plugin_runtime.guard import Guard
from hub.plugin_runtime.namespaces import Apart
from hub.plugin_runtime.watched_files import watched_files

CHANNEL_LOST = 3


@frozen(eq=False)
class Channel:
    """This end of the two sockets; whatever breaks one ends the process at once: nobody is left to answer."""

    outgoing: socket.socket
    incoming: BinaryIO

    def send(self, head: dict[str, Any], body: bytes = b"") -> None:
        """Send one frame."""
        try:
            self.outgoing.sendall(_fitting(head, body))
        except OSError:
            os._exit(CHANNEL_LOST)

    def receive(self) -> tuple[dict[str, Any], bytes] | None:
        """Return the next frame, None at the end."""
        try:
            prefix = self.incoming.read(LENGTHS.size)
            if len(prefix) < LENGTHS.size:
                return None
            head, body = lengths_in(prefix)
            return head_of(self.incoming.read(head)), self.incoming.read(body)
        except (OSError, ValueError, FrameFault):
            os._exit(CHANNEL_LOST)


def _fitting(head: dict[str, Any], body: bytes) -> bytes:
    """Return the frame, or one that says that the answer cannot be sent."""
    try:
        frame = packed(head, body)
    except TypeError as fault:
        return packed(_unsendable(f"gives a value that JSON cannot hold ({fault})"))
    return frame if len(frame) <= MOST_BYTES else packed(_unsendable(f"gives more than {MOST_BYTES:,} bytes"))


def _unsendable(text: str) -> dict[str, Any]:
    return {"failure": {"text": text}}


def serve(channel: Channel, guard: Guard, limits: Limits) -> None:
    """Load the plugins, say which there are, and answer until the hub closes the channel."""
    registry = _loaded(channel, guard, limits)
    catalog = Catalog(
        tuple(Declaration.of(each, registry.origins[each.name]) for each in registry.connectors), registry.set_aside
    )
    guard.rest()
    channel.send({"ready": catalog.to_json(), "watch": watched_files(plugin_entries())})
    answers = Answers(registry, guard, limits.body_seconds)
    while (received := channel.receive()) is not None:
        try:
            channel.send(*answers.answer(*received))
        except SpentProcess as spent:
            channel.send({**spent.document, "spent": True})
            return


def _loaded(channel: Channel, guard: Guard, limits: Limits) -> Registry:
    @contextmanager
    def watch(distribution: str) -> Iterator[None]:
        channel.send({"loading": distribution})
        guard.note("", distribution, "loading")
        with guard.limited(limits.load_seconds):
            yield

    invalidate_caches()
    return load_plugins(off=limits.off, excluded=limits.excluded, watch=watch)


def run(hub: int, descriptors: tuple[int, int, int], document: Mapping[str, Any], apart: Apart) -> None:
    """Serve over the descriptors of requests, answers and notes, with the limits of a JSON object."""
    requests, answers, notes = descriptors
    limits = Limits.from_json(document)
    channel = Channel(socket.socket(fileno=answers), socket.socket(fileno=requests).makefile("rb"))
    guard = Guard.over(notes)
    protections = enclose(limits, apart, hub)
    channel.send({"sandbox": to_json(protections)})
    if limits.sandbox != "full" or not weak(protections):
        serve(channel, guard, limits)
