"""A stored delivery as a connector's sample: what arrived, without its buyer."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Final

from attrs import frozen

from hub.domain.connectors.scrubbing import scrub, scrub_text
from hub.intake.stored_body import raw_body
from hub.operations.errors import OperatorFault, unknown
from hub.storage import Store

_NAME: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,60}")
LEFT_OUT: Final = ("content-length", "user-agent", "content-type")


@frozen
class Recording:
    """A delivery without its buyer: the connector that it came for, its topic, body, headers and options."""

    connector: str
    topic: str
    raw: bytes
    headers: dict[str, str]
    options: dict[str, str]


async def record_event(store: Store, event_id: str) -> Recording:
    """Return a platform's delivery as a sample; raise `OperatorFault` if it is none, or its body is gone."""
    async with store.read() as tx:
        row = await tx.one("stored_delivery", event_id=event_id)
    if row is None:
        raise unknown(
            "delivery", event_id, "Only what came over a connection, and whose body is still kept, can be recorded."
        )
    try:
        raw = scrub(raw_body(row["body"]))
    except ValueError:
        raise OperatorFault(
            f"The body of {event_id} is not JSON, so nobody can tell what in it is the buyer's."
        ) from None
    headers = {} if row["headers"] is None else json.loads(row["headers"])
    kept = {name: scrub_text(value) for name, value in headers.items() if name not in LEFT_OUT}
    return Recording(row["connector"], row["topic"] or "", raw, kept, json.loads(row["options"]))


def write_sample(recording: Recording, folder: Path, name: str) -> list[Path]:
    """Write a sample into a folder of samples; return its files. Raise `OperatorFault` for a name that is taken."""
    if _NAME.fullmatch(name) is None:
        raise OperatorFault(f"{name!r} cannot name a sample: letters, digits, dashes and underscores can.")
    place = folder / recording.topic.replace("/", "__")
    if not recording.topic or ".." in recording.topic:
        raise OperatorFault("The delivery names no topic, so it has no folder.")
    if (place / f"{name}.json").exists():
        raise OperatorFault(f"{place / name}.json exists already.", command="Choose another --name.")
    place.mkdir(parents=True, exist_ok=True)
    files = [place / f"{name}.json"]
    files[0].write_bytes(recording.raw)
    for kind, values in (("headers", recording.headers), ("options", recording.options)):
        if values:
            files.append(place / f"{name}.{kind}.json")
            files[-1].write_text(json.dumps(values, indent=2) + "\n", "utf-8")
    return files
