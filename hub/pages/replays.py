"""The replay of all messages that match a filter, as a page: counted first, then portion by portion with progress.

The page that follows a portion names how far it has come, and its form goes on from there: by itself with JavaScript,
else by a button. Nothing is kept on the server, so a replay that is left half done is simply begun again.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final
from urllib.parse import urlencode

from aiohttp import web
from attrs import frozen

from hub.operations.lists import FilterValues
from hub.operations.orders.event_replays import PORTION, Replay, begin_replay, count_events, replay_portion
from hub.pages.markup import status_word
from hub.pages.rendering import see_other
from hub.pages.visit import PageServices

WORDS: Final = {"status": "Outcome", "type": "Kind", "q": "Order or delivery", "merchant": "Merchant", "mode": "Mode",
                "reason": "Reason contains"}  # fmt: skip

_event = re.compile(r"evt_[0-9a-f]{32}").fullmatch


@frozen
class ReplayPage:
    """A replay's page: its address, its filter as the address has it, where it comes from and leads to."""

    address: str
    back: str
    given: Mapping[str, str]
    wanted: FilterValues

    async def values(self, services: PageServices, asked: Mapping[str, str]) -> dict[str, Any]:
        """Return what the template shows: what would be replayed, or how far it has come."""
        replay, total = _progress(asked)
        counted = None if replay else await count_events(services.store, self.wanted)
        begun = replay or begin_replay()
        return {
            "replay": replay,
            "counted": counted,
            "total": total,
            "address": self.address,
            "back": f"{self.back}?{urlencode(self.given)}",
            "shown": [
                (WORDS[name], status_word(value) if name == "status" else value) for name, value in self.given.items()
            ],
            "fields": {**self.given, **_fields(begun, total if counted is None else counted.matched)},
        }

    async def go_on(self, services: PageServices, form: Mapping[str, str]) -> web.Response:
        """Replay a portion, and lead on to the progress, or back to the list; raise `OperatorFault`."""
        replay, total = _progress(form)
        done = await replay_portion(services.store, services.clock, self.wanted, replay or begin_replay(), PORTION)
        if done.is_done:
            return see_other(f"{self.back}?{urlencode({**self.given, 'done': f'{done.replayed}-replayed'})}")
        return see_other(f"{self.address}?{urlencode({**self.given, **_fields(done, total)})}")


def replayed_words(done: str) -> str | None:
    """Return what to say after a replay; `done` is the field of that name in the address."""
    number, _, word = done.rpartition("-")
    if word != "replayed" or not number.isdecimal() or not number.isascii():
        return None
    return "1 message is queued again." if number == "1" else f"{int(number):,} messages are queued again."


def _fields(replay: Replay, total: int) -> dict[str, str]:
    return {
        "upto": replay.upto,
        "at": replay.after,
        "seen": str(replay.seen),
        "replayed": str(replay.replayed),
        "total": str(total),
    }


def _progress(asked: Mapping[str, str]) -> tuple[Replay | None, int]:
    """Return how far a replay has come that an address or a form names, None if it names none."""
    upto, after = asked.get("upto", ""), asked.get("at", "")
    if not _event(upto) or (after and not _event(after)):
        return None, 0
    seen, replayed, total = (_number(asked.get(name, "")) for name in ("seen", "replayed", "total"))
    return Replay(upto, after, seen, replayed), max(total, seen)


def _number(text: str) -> int:
    return int(text) if text.isdecimal() and text.isascii() and len(text) < 10 else 0
