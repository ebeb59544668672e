"""What a tool answers an agent: its text as it is, and the document in it, which has the notice beside it."""

from __future__ import annotations

import json
from typing import Any

from mcp import Client

from hub.agents.tools import NOTICE


async def said(client: Client, tool: str, **given: str) -> tuple[bool, str]:
    """Call a tool; return whether it refused, and its text."""
    result = await client.call_tool(tool, given)
    (content,) = result.content
    return bool(result.is_error), str(getattr(content, "text", ""))


async def answered(client: Client, tool: str, **given: str) -> Any:
    """Call a tool that must not refuse; return its answer."""
    refused, text = await said(client, tool, **given)
    assert not refused, text
    document = json.loads(text)
    assert document["notice"] == NOTICE
    return document["answer"]
