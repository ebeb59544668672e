"""`hub mcp`: tools for agents over a running hub's HTTP API, by the Model Context Protocol on stdin and stdout.

It opens nothing of the hub's: every right, scope, limit and line of the trail is that of the token it is given.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from importlib.util import find_spec
from typing import Any

import click
from attrs import field, frozen

from hub.cli.invocation import Fault
from hub.cli.request import JSON, WHERE, exchange

API_ROOTS = {"merchant": "/api/v1", "affiliate": "/api/affiliate/v1", "operator": "/api/admin/v1"}


@click.command()
@click.option("--token", envvar="HUB_TOKEN", required=True, metavar="T", help="A bearer token (better: HUB_TOKEN).")
@click.option("--for", "holder", type=click.Choice(list(API_ROOTS)), default="merchant", show_default=True,
              help="Whose token it is.")  # fmt: skip
@WHERE
@JSON
def mcp(*, token: str, holder: Any, base_url: str, as_json: bool) -> None:  # noqa: ARG001 - the protocol is JSON anyhow
    """Serve tools for agents, over a running hub's API.

    An agent's program starts it and speaks MCP over its standard input and output.
    For example: HUB_TOKEN=tok_... hub mcp --for merchant
    """
    if find_spec("mcp") is None:
        raise Fault("`hub mcp` needs the MCP library: install it with `pip install 'affiliate-hub[mcp]'`.")
    from hub.agents.desk import Desk
    from hub.agents.server import serve_stdio
    from hub.agents.words import Words

    asked = RunningHub(base_url.rstrip("/").removesuffix("/api") + API_ROOTS[holder], token)
    asyncio.run(serve_stdio(Desk(asked, holder, token, Words())))


@frozen
class RunningHub:
    """One of the APIs of a hub that runs somewhere, and the token that asks it."""

    root: str
    token: str = field(repr=False)

    async def __call__(
        self, method: str, path: str, query: Mapping[str, str] = {}, body: Mapping[str, Any] | None = None
    ) -> Any:
        """Return the answer's JSON; raise `Refused` in the hub's own words, or if nobody answers."""
        from hub.agents.desk import Refused, answer_of, request_of

        url, headers, raw = request_of(self.token, self.root + path, query, body)
        try:
            reply = await asyncio.to_thread(exchange, method, url, headers, raw)
        except Fault as fault:
            raise Refused(fault.message) from None
        return answer_of(reply.status, reply.body)
