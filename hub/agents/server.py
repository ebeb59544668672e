"""The MCP server of the tools, by the official SDK; it is imported only where agents are served."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from mcp import stdio_server
from mcp import types as protocol
from mcp.server.context import ServerRequestContext
from mcp.server.lowlevel import Server

from hub import __version__
from hub.agents.desk import Desk, Refused
from hub.agents.tools import NOTICE, TOOLS, Tool, called

Context = ServerRequestContext[Any]


def server_of(desk_of: Callable[[Context], Desk]) -> Server[Any]:
    """Return a server of the tools; `desk_of` says at whose desk a request is answered."""

    async def on_list(context: Context, _: Any) -> protocol.ListToolsResult:
        holder = desk_of(context).holder
        listed = [described(name, tool) for name, tool in TOOLS.items() if holder in tool.holders]
        return protocol.ListToolsResult(tools=listed)

    async def on_call(context: Context, asked: protocol.CallToolRequestParams) -> protocol.CallToolResult:
        return await result_of(desk_of(context), asked)

    return Server(
        "affiliate-hub", version=__version__, instructions=NOTICE, on_list_tools=on_list, on_call_tool=on_call
    )


def described(name: str, tool: Tool) -> protocol.Tool:
    """Return a tool as the protocol lists it."""
    acts = tool.would is not None
    hints = protocol.ToolAnnotations(read_only_hint=not acts, destructive_hint=False, open_world_hint=False)
    return protocol.Tool(name=name, description=tool.about, input_schema=tool.schema(), annotations=hints)


async def result_of(desk: Desk, asked: protocol.CallToolRequestParams) -> protocol.CallToolResult:
    """Call a tool; what is refused is a result with `is_error` that says why."""
    try:
        text, refused = await called(desk, asked.name, asked.arguments or {}), False
    except Refused as refusal:
        text, refused = str(refusal), True
    return protocol.CallToolResult(content=[protocol.TextContent(type="text", text=text)], is_error=refused)


async def serve_stdio(desk: Desk) -> None:
    """Serve one desk over stdin and stdout until the client closes them."""
    server = server_of(lambda _: desk)
    async with stdio_server() as (read, write):
        await server.run(read, write, server.create_initialization_options())
