"""Every surface is asked as every role, freshly proved and not: each answers as the table of acts says.

The cells are made from the table: a page of an act for each of its forms, of what it shows and asks before, an endpoint
for each act of the APIs, a command for each that a person can be named for.
"""

from __future__ import annotations

import re
from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import AsyncExitStack
from typing import Final

import click
import pytest
from attrs import evolve, frozen

from hub.acts.act import Act
from hub.acts.authority import FRESH_MS, OPERATORS, Grant
from hub.acts.table import ACTS, AFFILIATES_API, GRANTS, OPERATORS_API
from hub.app import Hub
from hub.cli import hub as command_line
from hub.operations.lists import Wanted
from hub.operations.trail_lists import list_acts
from hub.operations.users.api_tokens import NewToken, create_token
from hub.operations.users.users import NewUser, create_user
from hub.testing.clock import FakeClock
from tests.cli.conftest import Operator
from tests.pages.test_isolation_of_accounts import FIELDS
from tests.pages.visitor import Seen, Visitor, browser, enter
from tests.pages.world import World, world_of
from tests.sampled import Part, in_parts
from tests.served_hub import served
from tests.token_api.callers import ADMIN, AFFILIATE, Program, address, example_body, ids_of, program

PEOPLE: Final = {
    "operator-admin": ("operator-admin", None),
    "operator": ("operator", None),
    "owner": ("merchant", "owner"),
    "viewer": ("merchant", "viewer"),
    "affiliate": ("affiliate", None),
}
"""The role and the level of each person."""
LAST: Final = ("/disable", "/remove", "/delete", "/close", "/revoke", "/empty", "/logout", "/end")
"""How the addresses of the forms end that take away what others need; they are asked last."""
GONE: Final = {
    "/merchant/people/{user}/remove",
    "/merchant/webhooks/{webhook}/delete",
    "/affiliate/webhooks/{subscription}/delete",
    "/operator/webhooks/{subscription}/delete",
    "/merchant/connections/{connection}/secrets/end",
    "/merchant/connections/{connection}/replay",
    "/operator/apps/{connector}/delete",
    "/affiliate/join/{name}",
}
"""Forms whose thing is not there, or was deleted by another cell: who is let in gets their 404, too."""
MORE: Final = {
    "campaign policy": ("--rule", "click"),
    "campaign update": ("--title", "Spring"),
    "merchant update": ("--name", "Fern"),
    "payee set": ("--paypal", "bea@blog.example"),
    "rule preview": ("--merchant", "Fjord & Fern", "--commission", "PERCENTAGE:8", "--draft"),
    "statement fee": ("--set", "2"),
}
"""What a command needs beside its required options."""


def expected(person: str, grant: Grant, *, fresh: bool) -> str:
    """What a page answers, by the table alone."""
    role, level = PEOPLE[person]
    if grant.roles and role not in grant.roles:
        return "unknown"
    if grant.area == "merchant" and level == "viewer" and not grant.viewers:
        return "only look"
    return "prove it" if grant.asks_proof and not fresh else "taken"


def answered(seen: Seen) -> str:
    """What a page answered."""
    location = seen.location or ""
    if seen.status == 303 and location.startswith("/login?then="):
        return "sign in"
    if seen.status == 303 and location.startswith("/login/confirm?then="):
        return "prove it"
    if seen.status == 403 and "You can only view" in seen.words:
        return "only look"
    return "unknown" if seen.status == 404 else "taken" if seen.status < 500 else "broken"


@frozen
class Stage:
    """A hub with a world, a spare person to act on, and everybody's browser."""

    hub: Hub
    clock: FakeClock
    world: World
    ids: Mapping[str, str]
    browsers: Mapping[str, Visitor]

    def address(self, path: str) -> str:
        return re.sub(r"\{(\w+)\}", lambda name: self.ids[name[1]], path)

    async def ask(self, visitor: Visitor, method: str, path: str, csrf: str) -> Seen:
        if method == "GET":
            return await visitor.get(self.address(path))
        about = {name: self.address(value) for name, value in FIELDS.get(f"POST {path}", {}).items()}
        about |= {"account": self.world.account_id} if path.startswith("/merchant") else {}
        return await visitor.post(self.address(path), {"csrf": csrf, **about})

    async def acts(self) -> int:
        return len((await list_acts(self.hub.parts.store, Wanted(limit=5_000))).entries)


async def staged(stack: AsyncExitStack, url: str, clock: FakeClock, **settings: str) -> Stage:
    """Serve a hub with a world and everybody's browser until the stack ends."""
    whole = {"HUB_LIMITS_PER_MINUTE": "0", "HUB_LIMITS_PER_HOUR": "0", "HUB_PAYOUTS_DAC7": "true"}
    hub = await stack.enter_async_context(served(url, clock, **whole, **settings))
    world, store = await world_of(hub, clock, "Aurora"), hub.parts.store
    spare = await create_user(store, clock, NewUser("spare@hub.example", "operator"))
    ids = {**world.ids, "merchant": world.merchant_id, "user": spare["id"], "connector": "shopify",
           "session": "ses_none", "file": "pof_none", "passkey": "pk_none", "token": "tok_none"}  # fmt: skip
    browsers = {}
    for person, (role, level) in PEOPLE.items():
        visitor = browsers[person] = await stack.enter_async_context(browser(hub))
        if role.startswith("operator"):
            await create_user(store, clock, NewUser(f"{role}@hub.example", role))
            await enter(visitor, hub, clock, f"{role}@hub.example")
        else:
            await world.person(visitor, role, level)
    return Stage(hub, clock, world, ids, browsers)


@pytest.fixture
async def stage(sqlite_url: str, clock: FakeClock) -> AsyncIterator[Stage]:
    async with AsyncExitStack() as stack:
        yield await staged(stack, sqlite_url, clock)


def pages() -> list[tuple[str, str, Grant]]:
    """Every page of an act: method, path, and who may; what takes something away last."""
    found = [(method, path, grant) for (method, path), grant in GRANTS.items()]
    return sorted(found, key=lambda page: (page[1].endswith(LAST), page[1], page[0]))


@in_parts(5)
async def test_every_page_is_open_to_whom_the_table_says(stage: Stage, part: Part) -> None:
    """Whom the table does not name gets no further, and nothing is done; without a fresh proof one is asked for."""
    tokens = {person: (await each.get("/account")).csrf for person, each in stage.browsers.items()}
    wrong, cells, asked = [], 0, part.of(pages())

    async def differing(*, fresh: bool, taken: bool) -> None:
        nonlocal cells
        for method, path, grant in asked:
            for person, visitor in stage.browsers.items():
                due = expected(person, grant, fresh=fresh)
                if (due == "taken") is not taken or path == "/logout":
                    continue
                cells += 1
                found = answered(await stage.ask(visitor, method, path, tokens[person]))
                if found != due and not (taken and "none" in stage.address(path)) and path not in GONE:
                    wrong.append(f"{person}, {'fresh' if fresh else 'stale'}: {method} {path} is {found}, not {due}")

    before = await stage.acts()
    await differing(fresh=True, taken=False)
    stage.clock.now += FRESH_MS
    await differing(fresh=False, taken=False)
    assert wrong == []
    assert await stage.acts() == before, "nothing is done by whom the table does not name"
    stage.clock.now -= FRESH_MS
    await differing(fresh=True, taken=True)
    assert wrong == []
    assert await stage.acts() > before, "the control: what is taken is done"
    assert cells > 1_000 / part.one_in


@in_parts(5)
async def test_the_way_back_from_a_proof_is_a_page(stage: Stage, part: Part) -> None:
    """Whoever is asked for a proof comes back to where the form is."""
    tokens = {person: (await each.get("/account")).csrf for person, each in stage.browsers.items()}
    stage.clock.now += FRESH_MS
    for method, path, grant in part.of(pages()):
        for person, visitor in stage.browsers.items():
            if expected(person, grant, fresh=False) == "prove it" and method == "POST":
                asked = await stage.ask(visitor, method, path, tokens[person])
                back = (asked.location or "").partition("?then=")[2]
                seen = await visitor.get(re.sub("%3F", "?", back).replace("%3D", "=").replace("%26", "&"))
                assert answered(seen) in ("taken", "prove it"), f"{path} leads back to {back}"


@in_parts(5)
async def test_nobody_gets_anywhere_without_signing_in(stage: Stage, part: Part) -> None:
    async with browser(stage.hub) as stranger:
        csrf = (await stranger.get("/login")).csrf
        for method, path, _ in part.of(pages()):
            assert answered(await stage.ask(stranger, method, path, csrf)) == "sign in", path


async def test_every_api_is_open_to_whom_the_table_says(stage: Stage) -> None:
    """A token reaches what its person may do on pages, within its scopes; it ends with the person's roles."""
    store, ids, cells = stage.hub.parts.store, await ids_of(stage.world), 0
    before, wrong = await stage.acts(), []
    async with program(stage.hub) as nobody:
        asking: dict[str, Program] = {}
        for role in ("operator-admin", "operator"):
            person = await create_user(store, stage.clock, NewUser(f"api-{role}@hub.example", role))
            wanted = NewToken("test", ("admin:read", "admin:write", "people:write"), user_id=person["id"])
            asking[role] = nobody.using((await create_token(store, stage.clock, wanted)).token)
        before = await stage.acts()
        for act in OPERATORS_API:
            grant = act.granted_in("operator")
            may = "operator" in grant.roles and not act.writes
            for role, ask in asking.items():
                if role == "operator-admin" and act.writes:
                    continue  # what they may do is done in test_acts_over_http
                cells += 1
                reply = await ask(act.method, address(ADMIN, act, ids), example_body(act))
                due = role == "operator-admin" or may
                if (reply.status != 403) is not due:
                    wrong.append(f"{role}: {act.operation} is {reply.status}")
    assert wrong == []
    assert await stage.acts() == before
    assert cells > 150


async def test_an_affiliates_api_is_open_to_affiliates_alone(stage: Stage) -> None:
    """Their token stands for one affiliate, and for the person who made it as long as they are that affiliate."""
    store, ids = stage.hub.parts.store, await ids_of(stage.world)
    other = await create_user(store, stage.clock, NewUser("lost@hub.example", "operator"))
    scopes = ("affiliate:read", "affiliate:write")
    wanted = NewToken("test", scopes, affiliate=stage.world.affiliate_id, user_id=other["id"])
    async with program(stage.hub, (await create_token(store, stage.clock, wanted)).token) as ask:
        for act in AFFILIATES_API:
            reply = await ask(act.method, address(AFFILIATE, act, ids), example_body(act))
            assert reply.status == 401, act.operation


def parameters(command: click.Command) -> list[click.Parameter]:
    """What a command takes."""
    return command.get_params(click.Context(command))


def commands_of_persons() -> Iterator[tuple[str, click.Command]]:
    """The commands of acts for which a person can be named."""
    for name in sorted({command for act in ACTS for command in act.commands}):
        command: click.Command | None = command_line
        for word in name.split():
            assert isinstance(command, click.Group)
            command = command.get_command(click.Context(command), word)
        assert command is not None
        if any(option.name == "by" and option.metavar == "E-MAIL" for option in parameters(command)):
            yield name, command


def arguments_of(command: click.Command) -> list[str]:
    """What a command needs at least."""
    given: list[str] = []
    for option in parameters(command):
        if not option.required:
            continue
        value = option.type.choices[0] if isinstance(option.type, click.Choice) else "1"
        given += [str(value)] if isinstance(option, click.Argument) else [option.opts[-1], str(value)]
    return given


@in_parts(5)
def test_a_person_who_is_named_at_the_terminal_has_the_role_that_the_table_says(sqlite_url: str, part: Part) -> None:
    """The machine's own user may do all; whoever is named with --by may do what they may on pages."""
    terminal, named = Operator(sqlite_url), dict(commands_of_persons())
    terminal.do("user", "create", "--email", "pat@hub.example", "--role", "operator")
    terminal.merchant()
    assert {"payout create", "payout release", "adjustment approve", "deposit add", "statement fee"} <= named.keys()
    for name, command in part.of(named.items()):
        grants = [grant for act in ACTS if name in act.commands for grant in act.by if grant.area == "operator"]
        assert {grant.roles for grant in grants} == {("operator-admin",)}, name
        sentence = terminal.refused(
            *name.split(), *arguments_of(command), *MORE.get(name, ()), "--by", "pat@hub.example"
        )
        assert "No active operator-admin has the address" in sentence, name


def test_money_and_the_rights_of_others_need_an_administrator_who_proved_it() -> None:
    """What docs/people.md promises: money, rates, holds, clocks, payees, ways in and roles of others."""
    guarded = re.compile(
        r"commission\.paid|payout\.\w+|adjustment\.\w+|deposit\.\w+|fee\.set|invoice\.issued|rate\.\w+|payee\.\w+"
        r"|membership\.rated|clock\.confirmed|app\.\w+|user\.(created|invited|updated|disabled|enabled|link|factors|role).*"
    )
    found = [act for act in ACTS if any(guarded.fullmatch(kind) for kind in act.trail)]
    assert len(found) > 25
    for act in found:
        for grant in act.by:
            assert grant.area != "operator" or (grant.roles, grant.asks_proof) == (("operator-admin",), True), (
                act.summary
            )


def test_no_surface_lets_in_whom_another_keeps_out() -> None:
    """Pages, endpoints and commands take the same grant; what several acts share is shared by the same people."""
    for act in ACTS:
        for page in act.pages:
            grant = GRANTS.get(("POST", page))
            assert grant in act.by or page.startswith(("/login", "/logout")), act.summary
        if isinstance(act, Act) and act in OPERATORS_API:
            assert set(act.granted_in("operator").roles) <= set(OPERATORS.roles), act.summary


def test_control_a_cell_that_differs_is_seen() -> None:
    """The expectation follows the grant, so a grant that is changed fails a cell."""
    grant = GRANTS["POST", "/operator/orders/{order}/pay"]
    assert expected("operator", grant, fresh=True) == "unknown"
    assert expected("operator-admin", grant, fresh=False) == "prove it"
    loose = evolve(grant, roles=OPERATORS.roles, proof_ms=None)
    assert (expected("operator", loose, fresh=False), expected("viewer", loose, fresh=True)) == ("taken", "unknown")
