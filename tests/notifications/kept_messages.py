"""The examples of every kind of message in every version, as they are sent, and which of them are not so any more.

`python -m tests.notifications.kept_messages` adds those that are new to `kept_messages.txt`, and to those of the newest
version the members that were added; it changes nothing else.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import orjson

from hub.domain.messages.payload_versions import in_version, newest_version, versions
from hub.records.messages import MESSAGE_KINDS, example_message

KEPT = Path(__file__).with_name("kept_messages.txt")
Lines = Mapping[str, str]
"""Bodies by version and type: "1 commission.paid"."""


def kept() -> Lines:
    lines = (line.split(" ", 2) for line in KEPT.read_text("utf-8").splitlines())
    return {f"{version} {kind}": body for version, kind, body in lines}


def now() -> Lines:
    newest = newest_version()
    return {
        f"{version} {kind}": orjson.dumps(in_version(example_message(kind), newest, version)[1]).decode()
        for version in versions()
        for kind in sorted(MESSAGE_KINDS)
    }


def changed(before: Lines, after: Lines) -> list[str]:
    """The examples that are gone, or not the same bytes."""
    return [key for key, body in before.items() if after.get(key) != body]


def grown(before: str, after: str) -> bool:
    """Whether a body says all that it said, and may say more."""
    was, is_ = orjson.loads(before), orjson.loads(after)
    told = {**was, "data": was["data"].items() <= is_["data"].items()}
    return bool(told == {**is_, "data": True})


def written(before: Lines, after: Lines, newest: str) -> Lines:
    """What is kept from now on."""
    new = {key: body for key, body in after.items() if key not in before}
    more = {
        key: after[key]
        for key, body in before.items()
        if key.startswith(f"{newest} ") and key in after and grown(body, after[key])
    }
    return {**before, **new, **more}


if __name__ == "__main__":
    lines = written(kept() if KEPT.exists() else {}, now(), newest_version())
    KEPT.write_text("".join(f"{key} {lines[key]}\n" for key in sorted(lines)), "utf-8")
