"""Node-RED: a flow that checks the signature, appends the order to a file and answers.

Its built-in nodes reach no database, so it does less than the job: it syncs nothing, and takes an order twice.
"""

from __future__ import annotations

import http.client
import json
import shutil
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from bench.faults import Mismatch, Missing
from bench.servers import START_SECONDS, Server, free_port, server
from bench.traffic import CONVERSIONS as PATH

SETTINGS = """
module.exports = {
  uiHost: "127.0.0.1", httpAdminRoot: false, flowFile: "flows.json", credentialSecret: "bench",
  functionGlobalContext: {crypto: require("crypto")},
  logging: {console: {level: "error"}},
};
"""
CHECK = """
const crypto = global.get("crypto");
const raw = msg.payload;
const timestamp = msg.req.headers["x-timestamp"];
const right = crypto.createHmac("sha256", SECRET).update(timestamp + ".").update(raw).digest();
const given = Buffer.from(msg.req.headers["x-signature"], "hex");
if (given.length !== right.length || !crypto.timingSafeEqual(given, right)
    || Math.abs(Date.now() / 1000 - Number(timestamp)) > 300) {
  msg.statusCode = 401;
  return [null, msg];
}
const order = JSON.parse(raw);
if (typeof order.externalOrderId !== "string" || !(Number(order.orderAmount) >= 0)) {
  msg.statusCode = 400;
  return [null, msg];
}
msg.eventId = "evt_" + crypto.randomUUID().replaceAll("-", "");
msg.payload = JSON.stringify({eventId: msg.eventId, order});
return [msg, null];
"""
ANSWER = """
msg.statusCode = 202;
msg.headers = {"Content-Type": "application/json"};
msg.payload = JSON.stringify({eventId: msg.eventId, status: "RECEIVED", duplicate: false});
return msg;
"""


@contextmanager
def node_red_server(folder: Path, secret: str) -> Iterator[tuple[Server, Path]]:
    """Run the server; yield it and the file that it appends to."""
    program = shutil.which("node-red")
    if program is None:
        raise Missing("Node-RED is not installed: npm install -g node-red")
    place = Path(tempfile.mkdtemp(prefix="node-red-", dir=folder))
    try:
        stored = place / "orders.jsonl"
        (place / "settings.js").write_text(SETTINGS)
        (place / "flows.json").write_text(json.dumps(_flow(stored, secret)))
        port = free_port()
        with server([program, "--userDir", str(place), "--port", str(port)], port) as started:
            _wait_for_flow(started.base_url)
            yield started, stored
    finally:
        shutil.rmtree(place)


def require_stored(stored: Path, acknowledged: Sequence[str]) -> None:
    """Raise `Mismatch` if an acknowledged order is not in the file."""
    found = {json.loads(line)["eventId"] for line in stored.read_text().splitlines()}
    if lost := set(acknowledged) - found:
        raise Mismatch(f"Node-RED lost {len(lost)} of {len(acknowledged)} orders.")


def _wait_for_flow(base_url: str) -> None:
    """Wait for its flows: it listens before they start, and answers 404 until they refuse an unsigned order."""
    connection = http.client.HTTPConnection(base_url.removeprefix("http://"))
    deadline = time.monotonic() + START_SECONDS
    while time.monotonic() < deadline:
        connection.request("POST", PATH, b"{}", {"X-Timestamp": "0", "X-Signature": "00"})
        answer = connection.getresponse()
        answer.read()
        if answer.status == 401:
            connection.close()
            return
        time.sleep(0.05)
    raise SystemExit("Node-RED did not start its flow.")


def _flow(stored: Path, secret: str) -> list[dict[str, Any]]:
    check = f"const SECRET = {json.dumps(secret)};{CHECK}"
    file = {"filename": str(stored), "filenameType": "str", "appendNewline": True, "overwriteFile": "false"}
    return [
        {"id": "orders", "type": "tab", "label": "orders"},
        _node("receive", "http in", ["verify"], url=PATH, method="post", skipBodyParsing=True),
        _node("verify", "function", ["store"], ["respond"], func=check, outputs=2),
        _node("store", "file", ["confirm"], **file, createDir=False, encoding="none"),
        _node("confirm", "function", ["respond"], func=ANSWER, outputs=1),
        _node("respond", "http response", statusCode="", headers={}),
    ]


def _node(name: str, kind: str, *wires: list[str], **settings: Any) -> dict[str, Any]:
    # A node without coordinates would count as configuration.
    return {"id": name, "type": kind, "z": "orders", "x": 0, "y": 0, "wires": wires, **settings}
