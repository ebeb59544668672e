"""What a command of an act takes: the terminal's words for the things that it acts on and for its values."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import click
from attrs import evolve, frozen

from hub.cli.invocation import shared_parameters

if TYPE_CHECKING:
    from hub.acts.fields import Field

Typed = Mapping[str, Any]
"""What was typed, by the names of parameters."""


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

    `fixed` are values that the command stands for, and `lifts` the flags that make one of them false. With `texts` each
    text of the act that is not among the values has an option of its own name. `some` is the sentence if none of the
    values is given. `own` are parameters that no value of the act is like: then `reads` makes
    the act's values of everything that was typed, and may raise `UsageError`.
    """

    on: Mapping[str, Value] = {}
    values: Mapping[str, Value] = {}
    fixed: Mapping[str, Any] = {}
    lifts: Mapping[str, Value] = {}
    texts: bool = False
    some: str = ""
    own: Sequence[click.Parameter] = ()
    reads: Callable[[Typed], dict[str, Any]] | None = None

    def with_texts(self, fields: Mapping[str, Field]) -> Takes:
        """Return it with the values that `texts` adds, of an act that has these fields."""
        from hub.acts.fields import snake
        from hub.validation.constraints import Text

        rest = [name for name, field in fields.items() if isinstance(field.constraint, Text)] if self.texts else []
        options = {name: Value(f"--{snake(name).replace('_', '-')}") for name in rest}
        return evolve(self, values={**options, **self.values})

    def parameters(self, fields: Mapping[str, Field]) -> list[click.Parameter]:
        """Return the arguments and options of a command whose act has these fields, with those of every command."""
        from hub.acts.fields import snake

        return [
            *(_parameter(name, value, None) for name, value in self.on.items()),
            *(_parameter(snake(name), value, fields[name]) for name, value in self.values.items()),
            *self.own,
            *(click.Option([value.flag, _lifted(name)], is_flag=True, help=value.about)
              for name, value in self.lifts.items()),
            *shared_parameters(),
        ]  # fmt: skip

    def body(self, typed: Typed) -> dict[str, Any]:
        """Return the act's values for what was typed; raise `UsageError` if nothing was and something must be."""
        from hub.acts.fields import snake

        given = {name: typed[name] for name in map(snake, self.values) if typed[name] is not False}
        given |= {each.name: typed[each.name] for each in self.own if each.name is not None}
        given = {name: value for name, value in given.items() if value is not None and value != ()}
        body = given if self.reads is None else self.reads(given)
        if self.some and not body:
            raise click.UsageError(self.some)
        return body | {name: False if typed.get(_lifted(name)) else value for name, value in self.fixed.items()}


class Moment(click.ParamType[int]):
    """A moment as RFC 3339, in ms UTC."""

    name = "moment"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Return the moment; fail for another text."""
        from hub.domain.instants import parse_instant

        try:
            return parse_instant(value) if isinstance(value, str) else value
        except ValueError:
            self.fail(f"{value!r} is not an RFC 3339 moment, like 2026-11-30T00:00:00Z.", param, ctx)


def _lifted(name: str) -> str:
    return f"not_{name}"


def _parameter(name: str, value: Value, field: Field | None) -> click.Parameter:
    more = {} if field is None else _typed(field)
    if not value.flag:
        return click.Argument([name], metavar=value.metavar, required=field is None or field.required, **more)
    required = value.required or field is None or field.required
    about = value.about or getattr(field and field.constraint, "description", "")
    if value.default is not None:
        more |= {"default": value.default, "show_default": True}
    return click.Option([value.flag, name], help=about, metavar=value.metavar, required=required, **more)


def _typed(field: Field) -> dict[str, Any]:
    """Return the type of a field at the terminal."""
    from hub.validation.constraints import Choice, Flag, Instant, Whole
    from hub.validation.container_constraints import ListOf

    constraint = field.constraint
    if isinstance(constraint, Choice):
        return {"type": click.Choice(constraint.words, case_sensitive=False)}
    if isinstance(constraint, Whole):
        return {"type": click.IntRange(constraint.min, constraint.max)}
    if isinstance(constraint, Instant):
        return {"type": Moment()}
    if isinstance(constraint, Flag):
        return {"is_flag": True}
    return {"multiple": True} if isinstance(constraint, ListOf) else {}
