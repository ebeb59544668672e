"""Commands made from the table of acts: what they take, in whose name they are done, and what they print.

A command names its act and says in the terminal's words what it is about; types, choices and what must be given come
from the act's fields. The act is imported when its options are asked for, so that the list of a group stays quick.
"""

from __future__ import annotations

import importlib
from collections.abc import Awaitable, Callable, Mapping
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any, Final

import click
from attrs import frozen

from hub.cli.acting import by_parameter
from hub.cli.invocation import Invocation, shared_parameters
from hub.cli.output import print_result, say
from hub.clock import Clock, system_clock

if TYPE_CHECKING:
    from hub.acts.act import Act
    from hub.acts.fields import Field
    from hub.config.settings import Settings
    from hub.mail.outbox import Outbox
    from hub.platform_sync.access import Platforms
    from hub.plugin_host.translation import Plugins
    from hub.processing.policy import Policy
    from hub.sealing import Sealer
    from hub.storage import Store

CALLER: Final = "the operator's command line"


@frozen
class Value:
    """How the terminal names a value of an act: `flag` like "--coupon", or empty for an argument.

    Without `about` the field's own description is the help; `required` is for what only the terminal insists on.
    """

    flag: str
    about: str = ""
    metavar: str | None = None
    required: bool = False
    default: str | None = None


@frozen
class Takes:
    """What a command takes: the things that it acts `on` and the `values`, each by the act's name of it.

    `fixed` are values that the command stands for, and `lifts` the flags that take one of them back; `some` is the
    sentence if none of the values is given.
    """

    on: Mapping[str, Value] = {}
    values: Mapping[str, Value] = {}
    fixed: Mapping[str, Any] = {}
    lifts: Mapping[str, Value] = {}
    some: str = ""


class ActCommand(click.Command):
    """A command that does an act, named by its module in `hub/acts` and its operation: "links.disableLink".

    `shows` prints the answer for a person: a sentence with the members of the answer in braces, or a function.
    """

    def __init__(
        self,
        name: str,
        act: str,
        about: str,
        shows: str | Callable[[Any], None],
        takes: Takes | None = None,
        *,
        creates: bool = False,
    ) -> None:
        super().__init__(name, help=about, callback=self._do)
        self._place = act
        self._shows = shows
        self._takes = takes or Takes()
        self._creates = creates

    @cached_property
    def act(self) -> Act:
        """The act, imported from its module."""
        module, operation = self._place.split(".")
        acts: tuple[Act, ...] = importlib.import_module(f"hub.acts.{module}").ACTS
        return next(act for act in acts if act.operation == operation)

    def get_params(self, ctx: click.Context) -> list[click.Parameter]:
        """Return the arguments and options; they are made when they are first asked for."""
        if not self.params:
            self.params = self._parameters()
        return super().get_params(ctx)

    def _parameters(self) -> list[click.Parameter]:
        takes, fields = self._takes, self.act.body
        made = [_parameter(name, value, None) for name, value in takes.on.items()]
        made += [_parameter(_snake(name), value, fields[name]) for name, value in takes.values.items()]
        made += [
            click.Option([value.flag, name], is_flag=True, help=value.about) for name, value in takes.lifts.items()
        ]
        named = [by_parameter()] if self._asks_who else []
        return [*made, *named, *shared_parameters()]

    @property
    def _asks_who(self) -> bool:
        """Whether a person may be named who does it: pages ask an administrator for a proof of who they are."""
        grant = self.act.granted_in("operator")
        return grant.asks_proof and "operator" not in grant.roles

    def _do(self, config: Any, database: str | None, json: bool, **given: Any) -> None:
        root = click.get_current_context().find_object(Invocation) or Invocation()
        invocation, takes = root.over(Invocation(config, database, json)), self._takes
        by = given["by"] if self._asks_who else None
        path = {name: given[name] for name in takes.on}
        values = {_snake(name): given[_snake(name)] for name in takes.values}
        body = {name: value for name, value in values.items() if value not in (None, (), False)}
        if takes.some and not body:
            raise click.UsageError(takes.some)
        settings = invocation.settings()
        fixed = {name: value for name, value in takes.fixed.items() if not given.get(name)}
        run = partial(self._run, settings, path, {**fixed, **body}, by)
        done = invocation.with_store(run, settings, creates=self._creates)
        print_result(invocation, done, lambda: self._show(done))

    async def _run(
        self, settings: Settings, path: Mapping[str, str], body: dict[str, Any], by: str | None, store: Store
    ) -> Any:
        from hub.acts.call import Call
        from hub.operations.acting import administrator_named
        from hub.operations.trail import acting_as

        call = Call(CommandServices(settings, store), store, path, CALLER, body=body)
        with acting_as(await administrator_named(store, by)):
            answer = await self.act.run(call)
        return answer["data"] if isinstance(answer, dict) and "nextCursor" in answer else answer

    def _show(self, done: Any) -> None:
        from hub.records.wire import write

        if isinstance(self._shows, str):
            say(self._shows.format_map(write(done)))
        else:
            self._shows(done)


@frozen(eq=False)
class CommandServices:
    """What acts work with at the terminal, put together when an act asks for it."""

    settings: Settings
    store: Store

    @property
    def clock(self) -> Clock:
        """The machine's clock."""
        return system_clock

    @property
    def sealer(self) -> Sealer:
        """What seals stored secrets."""
        from hub.sealing import load_sealer

        return load_sealer(self.settings)

    @property
    def outbox(self) -> Outbox:
        """Where mails wait; a running hub sends them."""
        from hub.mail.outbox import Outbox

        return Outbox(self.sealer, self.settings.mail.is_on)

    @property
    def policy(self) -> Policy:
        """What counts if neither campaign nor merchant says so."""
        from hub.processing.policy import policy_of

        return policy_of(self.settings)

    @property
    def root(self) -> Callable[[], Awaitable[str]]:
        """What returns the root of the hub's links."""
        from hub.operations.affiliates.links import public_root

        return partial(public_root, self.store, self.settings.server)

    @property
    def plugins(self) -> Plugins:
        """The installed connectors, which the commands of connections start themselves."""
        raise LookupError("a command of a connection starts the plugins itself")

    @property
    def platforms(self) -> Platforms:
        """What asks platforms, which the commands of connections put together themselves."""
        raise LookupError("a command of a connection starts the plugins itself")


def _parameter(name: str, value: Value, field: Field | None) -> click.Parameter:
    if not value.flag:
        return click.Argument([name], metavar=value.metavar)
    more: dict[str, Any] = {} if field is None else _typed(field)
    required = value.required or field is None or field.required
    about = value.about or getattr(field and field.constraint, "description", "")
    if value.default is not None:
        more |= {"default": value.default, "show_default": True}
    return click.Option([value.flag, name], help=about, metavar=value.metavar, required=required, **more)


def _typed(field: Field) -> dict[str, Any]:
    """Return the type of a field at the terminal."""
    from hub.validation.constraints import Choice, Flag, Whole
    from hub.validation.container_constraints import ListOf

    constraint = field.constraint
    if isinstance(constraint, Choice):
        return {"type": click.Choice(constraint.words)}
    if isinstance(constraint, Whole):
        return {"type": click.IntRange(constraint.min, constraint.max)}
    if isinstance(constraint, Flag):
        return {"is_flag": True}
    return {"multiple": True} if isinstance(constraint, ListOf) else {}


def _snake(name: str) -> str:
    return "".join(f"_{char.lower()}" if char.isupper() else char for char in name)
