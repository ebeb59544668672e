"""Recorded exchanges with a platform's API, replayed without a network: what is asked, and what the answers state.

`exchanges/<name>.json` in a plugin's package holds one act:

    {"asks": "orders", "given": {"site": "https://shop.example", "since": "2026-03-01T10:00:00Z"},
     "exchanges": [{"request": {"method": "GET", "url": "...", "headers": {...}, "body": {...}},
                    "answer": {"status": 200, "headers": {...}, "body": ...}}]}

`asks` is "identity", "scopes", "orders", "order", "several", "products", "product", "webhooks", "webhooks.create",
"webhooks.revive" or "webhooks.delete"; `given` has the credentials and what else the act takes (`since`, `now`, `id`,
`ids`, `topic`, `url`, `webhook_secret`, `webhook_id`). Of a request `headers` and `body` may be left out, then they are
not compared; the body of a form is a text. Beside it, `<name>.golden.json` is what came of it: the facts of each item,
the shop, the missing permissions, the webhooks, or the one that was made with its secret.
"""

from __future__ import annotations

import asyncio
import difflib
import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final

import attrs
from attrs import field, frozen

from hub.api import parse_body, parse_instant
from hub.domain.connectors.connector import Connector, Context
from hub.domain.connectors.request_pages import FORM, Place, Prepared, login_headers
from hub.domain.connectors.requests import Listing, Requests, Single
from hub.outbound.platform_client import PlatformAnswer, PlatformClient, PlatformFault
from hub.outbound.platform_hooks import delete_hook, listed_hooks, make_hook, revive_hook
from hub.plugin_host.packages import package_folder
from hub.testing.outcomes import RECEIVED_AT, outcome_of

FOLDER: Final = "exchanges"
GOLDEN: Final = ".golden"
MOMENT: Final = "2026-03-01T10:00:00Z"


@frozen
class Recording:
    """One recorded act: its file, what it asks, what it was given, and the exchanges in their order."""

    file: Path
    asks: str
    given: Mapping[str, str]
    exchanges: tuple[Mapping[str, Any], ...]

    @property
    def golden(self) -> Path:
        """The file of what came of it."""
        return self.file.with_name(f"{self.file.stem}{GOLDEN}.json")


class ReplayFault(Exception):
    """A request that was not recorded, or not so; the text is a sentence."""


@frozen
class Replay:
    """Answers requests from a recording, each in its turn."""

    requests: Requests
    recording: Recording
    asked: list[Prepared] = field(factory=list)

    async def ask(self, request: Prepared) -> PlatformAnswer:
        """Return the recorded answer; raise `ReplayFault` if another request was recorded in its place."""
        number = len(self.asked)
        self.asked.append(request)
        if number >= len(self.recording.exchanges):
            raise ReplayFault(f"request {number + 1}, {request.method} {request.url}, was not recorded")
        exchange = self.recording.exchanges[number]
        due, answer = exchange["request"], exchange["answer"]
        if (request.method, request.url) != (due["method"], due["url"]):
            raise ReplayFault(
                f"request {number + 1} is {request.method} {request.url}, recorded was {due['method']} {due['url']}"
            )
        sent = {**request.headers, **login_headers(self.requests.login, self.recording.given)}
        given = {name.lower(): value for name, value in sent.items()}
        for name, value in due.get("headers", {}).items():
            if given.get(name.lower()) != value:
                raise ReplayFault(f"request {number + 1} has another {name} than was recorded")
        if "body" in due and _sent(request) != due["body"]:
            raise ReplayFault(f"request {number + 1} has another body than was recorded: {request.body}")
        headers = {str(name).lower(): str(value) for name, value in answer.get("headers", {}).items()}
        return PlatformAnswer(int(answer["status"]), headers, answer.get("body"))


def _sent(request: Prepared) -> Any:
    """Return a request's body: a form as the text that it is, JSON as what it says."""
    body = request.body or "null"
    return body if request.headers.get("Content-Type") == FORM["Content-Type"] else json.loads(body)


def recordings_of(connector: Connector, folder: Path | None = None) -> tuple[Recording, ...]:
    """Read a connector's recorded exchanges, by default those in its own package; sorted by name."""
    root = (folder or package_folder(connector)) / FOLDER
    return tuple(_recordings(root)) if root.is_dir() else ()


def check_exchanges(connector: Connector, folder: Path | None = None) -> list[str]:
    """Return a sentence for each recording that is asked otherwise or has another outcome, and for what has none."""
    recordings, declared = recordings_of(connector, folder), connector.requests
    if declared is None:
        return [f"{each.file.name} was recorded, but the connector declares no requests" for each in recordings]
    faults = [f"{each.file.name}: {fault}" for each in recordings for fault in _faults(connector, each)]
    shown = {each.asks for each in recordings}
    return faults + [f"no recorded exchange shows {name!r}" for name in sorted(_declared(declared) - shown)]


def accept_exchanges(connector: Connector, folder: Path | None = None) -> Iterator[Path]:
    """Write the golden files that are missing or say something else, and yield them."""
    for each in recordings_of(connector, folder):
        said = _text(connector, each)
        if not each.golden.is_file() or each.golden.read_text("utf-8") != said:
            each.golden.write_text(said, "utf-8")
            yield each.golden


def _recordings(root: Path) -> Iterator[Recording]:
    for file in sorted(root.glob("*.json")):
        if not file.stem.endswith(GOLDEN):
            read = json.loads(file.read_text("utf-8"))
            given = {str(name): str(value) for name, value in read.get("given", {}).items()}
            yield Recording(file, read["asks"], given, tuple(read["exchanges"]))


def _declared(requests: Requests) -> set[str]:
    names = ("scopes", "orders", "order", "several", "products", "product", "webhooks")
    found = {name for name in names if getattr(requests, name) is not None}
    if requests.webhooks is not None:
        found |= {"webhooks.create", "webhooks.delete", *({"webhooks.revive"} if requests.webhooks.revive else ())}
    return {"identity", *found}


def _faults(connector: Connector, recording: Recording) -> Iterator[str]:
    try:
        said = _text(connector, recording)
    except (ReplayFault, PlatformFault) as fault:
        yield str(fault)
        return
    if not recording.golden.is_file():
        yield f"{recording.golden.name} is missing; `hub plugin check --accept {connector.name}` writes it"
        return
    due = recording.golden.read_text("utf-8")
    if said != due:
        lines = difflib.unified_diff(due.splitlines(), said.splitlines(), "golden", "replayed", n=1, lineterm="")
        yield "the outcome is not that of the golden file:\n" + "\n".join(lines)


def _text(connector: Connector, recording: Recording) -> str:
    found = asyncio.run(_outcome(connector, recording))
    return json.dumps(found, indent=2, ensure_ascii=False) + "\n"


async def _outcome(connector: Connector, recording: Recording) -> Any:
    declared, given = connector.requests, recording.given
    if declared is None:
        raise ReplayFault("the connector declares no requests")
    replay = Replay(declared, recording)
    client = PlatformClient(declared, replay.ask, given)
    found = await _act(connector, client, recording)
    left = len(recording.exchanges) - len(replay.asked)
    if left:
        raise ReplayFault(f"{left} of the recorded requests were not made")
    return found


async def _act(connector: Connector, client: PlatformClient, recording: Recording) -> Any:
    given, declared = recording.given, client.requests
    asked = getattr(declared, recording.asks.partition(".")[0], None)
    match recording.asks:
        case "identity":
            return attrs.asdict(await client.identity())
        case "scopes":
            return {"missing": list(await client.missing_scopes())}
        case "webhooks":
            return [attrs.asdict(each) for each in await listed_hooks(client)]
        case "webhooks.create":
            made = await make_hook(client, given["topic"], given["url"], given.get("webhook_secret", ""))
            return {} if made is None else attrs.asdict(made)
        case "webhooks.revive":
            await revive_hook(
                client, given["webhook_id"], given["topic"], given["url"], given.get("webhook_secret", "")
            )
        case "webhooks.delete":
            await delete_hook(client, given["webhook_id"])
        case "orders" | "products" if isinstance(asked, Listing):
            since = parse_instant(given.get("since", MOMENT))
            now = parse_instant(given["now"]) if "now" in given else None
            pages = [page async for page in client.pages(asked, since, now)]
            return [_listed(connector, asked, item) for page in pages for item in page.items]
        case "several" if isinstance(asked, Listing):
            shown = await client.page(asked, {"ids": given["ids"]}, Place())
            return [_listed(connector, asked, item) for item in shown.items]
        case "order" | "product" if isinstance(asked, Single):
            return _stated(connector, asked.topic, await client.whole(asked, given["id"]))
        case _:
            raise ReplayFault(f"it asks {recording.asks!r}, which the connector does not declare")
    return {}


def _listed(connector: Connector, listing: Listing, item: dict[str, Any]) -> Any:
    return _stated(connector, listing.topic, item) if listing.is_whole else {"id": item.get(listing.item_id)}


def _stated(connector: Connector, topic: str, body: dict[str, Any]) -> Any:
    read = parse_body(json.dumps(body).encode())
    return outcome_of(connector, topic, read, Context("sample-1", RECEIVED_AT, "USD", connector.options())).document()
