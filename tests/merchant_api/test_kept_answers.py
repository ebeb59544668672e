"""What v1 answered before it could be read and typed, it still answers, byte for byte.

`kept_answers.txt` holds three lines for each request, in the order in which they are sent: method and path, the body,
and the answer in which ids, campaign codes and moments are replaced by `*`. Warnings of names that were ignored are an
addition behind the other members, and so is the hub's own address before `/docs`; both are left out of the comparison.
"""

from __future__ import annotations

import json
import re
from pathlib import Path

from hub.app import Hub
from tests.served_hub import Api

VARIES = re.compile(r"(?<=_)[0-9a-f]{32}|(?<=CMP-)[0-9A-Z]{8}|[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:.]+Z")
ADDRESS = re.compile(r'(?<="docUrl":")http://127\.0\.0\.1:[0-9]+(?=/docs/)')
WARNED = re.compile(r',"warnings":\[[^]]*\](?=}$)')
KEPT = Path(__file__).with_name("kept_answers.txt")


async def test_answers_are_the_same_bytes(hub: Hub, api: Api) -> None:
    campaign = ""
    lines = KEPT.read_text("utf-8").splitlines()
    for line, body, kept in zip(lines[::3], lines[1::3], lines[2::3], strict=True):
        method, path = line.split()
        headers = {"X-External-Event-Id": "E-1"} if "webhooks" in path else {}
        reply = await api(method, path.replace("{campaign}", campaign), json.loads(body), headers=headers)
        if reply.status == 201:
            campaign = reply.json["id"]
        assert VARIES.sub("*", ADDRESS.sub("", WARNED.sub("", reply.raw.decode()))) == kept, line


def test_a_member_more_would_show() -> None:
    """The control: only what differs from run to run is replaced."""
    assert (
        VARIES.sub("*", '{"id":"cmp_' + "0" * 32 + '","title":"A","more":1}') == '{"id":"cmp_*","title":"A","more":1}'
    )
