"""Programs with tokens: a hub with two merchants' worlds, and a client that sends a token."""

from __future__ import annotations

import json
import re
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from typing import Any

import aiohttp
from attrs import frozen

from hub.acts.act import Act
from hub.acts.fields import Field
from hub.app import Hub
from hub.operations.users.api_tokens import NewToken, create_token
from hub.testing.clock import FakeClock
from tests.pages.world import World
from tests.served_hub import Reply

ADMIN, AFFILIATE = "/api/admin/v1", "/api/affiliate/v1"


@frozen
class Program:
    """Sends requests with a token, or without one."""

    session: aiohttp.ClientSession
    token: str

    async def __call__(
        self, method: str, path: str, body: object = None, headers: Mapping[str, str] | None = None
    ) -> Reply:
        raw = None if body is None else body if isinstance(body, bytes) else json.dumps(body).encode()
        sent = {"Authorization": f"Bearer {self.token}"} if self.token else {}
        sent |= {"Content-Type": "application/json"} if raw is not None else {}
        async with self.session.request(method, path, data=raw, headers={**sent, **(headers or {})}) as response:
            return Reply(response.status, response.headers.copy(), await response.read())

    def using(self, token: str) -> Program:
        return Program(self.session, token)


@asynccontextmanager
async def program(hub: Hub, token: str = "") -> AsyncIterator[Program]:
    async with aiohttp.ClientSession(hub.url) as session:
        yield Program(session, token)


async def token(hub: Hub, clock: FakeClock, *scopes: str, **how: Any) -> str:
    wanted = NewToken(how.pop("name", "test"), scopes, **how)
    return (await create_token(hub.parts.store, clock, wanted)).token


async def ids_of(world: World) -> dict[str, str]:
    """A value for every name in the paths of the acts."""
    return {
        **world.ids, "merchant": world.merchant_id, "conversion": world.ids["order"],
        "month": "2026-11", "secret": "sec_none", "user": "usr_none",
        "draft": "rat_none", "token": "tok_none", "mail": "mail_none", "file": "fil_none",
    }  # fmt: skip


def address(root: str, act: Act, ids: Mapping[str, str]) -> str:
    return root + re.sub(r"\{(\w+)\}", lambda name: ids[name[1]], act.path)


def example_body(act: Act) -> dict[str, Any] | None:
    """A body of the examples of its members, None if the act takes none."""
    return {name: example(member) for name, member in act.body.items()} or None


def example(member: Field) -> Any:
    constraint: Any = member.constraint
    value = constraint.example
    return list(value) if isinstance(value, tuple) else value
