"""Commands made from the table of acts: what they take, in whose name they are done, and what they print.

A command names its act and says in the terminal's words what it is about; types, choices and what must be given come
from the act's fields. The act is imported when its options are asked for, so that the list of a group stays quick.
"""

from __future__ import annotations

import importlib
from collections.abc import Awaitable, Callable, Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Any

import click
from attrs import evolve

from hub.cli.act_values import Takes, Value
from hub.cli.acting import by_parameter
from hub.cli.invocation import Invocation, of_root
from hub.cli.output import print_result, say
from hub.cli.services import over_call

if TYPE_CHECKING:
    from hub.acts.act import Act
    from hub.acts.call import Call
    from hub.acts.fields import Field

__all__ = ["ActCommand", "Takes", "Value"]

Shows = str | Callable[[Any], None] | Callable[[Any, Any], None]
"""What prints an answer for a person: a sentence with members of the answer in braces, or a function, which may get
what was read beside the answer as well."""


class ActCommand(click.Command):
    """A command that does an act, named by its module in `hub/acts` and its operation: "links.disableLink".

    With a `reader`, an act that reads, its answer is the command's; the act is done before, if any value is given.
    `beside` reads what only a person is shown with it. What `creates` something may create an SQLite file; what `seals`
    a secret needs the master key that the processes have.
    """

    def __init__(
        self,
        name: str,
        act: str,
        about: str,
        shows: Shows,
        takes: Takes | None = None,
        *,
        reader: str = "",
        beside: Callable[[Call, Any], Awaitable[Any]] | None = None,
        creates: bool = False,
        seals: bool = False,
    ) -> None:
        super().__init__(name, help=about, callback=self._do)
        self._place = act
        self._shows = shows
        self._takes = takes or Takes()
        self._reader = reader
        self._beside = beside
        self._creates = creates
        self._seals = seals

    @cached_property
    def act(self) -> Act:
        """The act, imported from its module."""
        return _act_at(self._place)

    @cached_property
    def takes(self) -> Takes:
        """What it takes, with the texts of its act."""
        return self._takes.with_texts(self._fields)

    @property
    def _fields(self) -> Mapping[str, Field]:
        return {**self.act.query, **self.act.body}

    def get_params(self, ctx: click.Context) -> list[click.Parameter]:
        """Return the arguments and options; they are made when they are first asked for."""
        if not self.params:
            *own, config, database, json = self.takes.parameters(self._fields)
            self.params = [*own, *([by_parameter()] if self._asks_who else []), config, database, json]
        return super().get_params(ctx)

    @property
    def _asks_who(self) -> bool:
        """Whether a person may be named who does it: pages ask an administrator for a proof of who they are."""
        grant = self.act.granted_in("operator")
        return grant.asks_proof and "operator" not in grant.roles

    def _do(self, config: Any, database: str | None, json: bool, **given: Any) -> None:
        invocation, takes = of_root(Invocation(config, database, json)), self.takes
        path, typed = {name: given[name] for name in takes.on}, takes.body(given)
        beside = None if json else self._beside

        async def run(call: Call) -> tuple[Any, ...]:
            call.path = path
            done = [(self.act, typed)] if typed or not self._reader else []
            read: list[tuple[Act, dict[str, Any]]] = [(_act_at(self._reader), {})] if self._reader else []
            answers = [await _answer(act, call, values) for act, values in (*done, *read)]
            return (answers[-1],) if beside is None else (answers[-1], await beside(call, answers[-1]))

        by = given["by"] if self._asks_who else None
        answers = over_call(invocation, run, creates=self._creates, seals=self._seals, by=by)
        print_result(invocation, answers[0], lambda: self._show(*answers))

    def _show(self, done: Any, *beside: Any) -> None:
        from hub.records.wire import write

        if isinstance(self._shows, str):
            say(self._shows.format_map(write(done)))
        else:
            self._shows(done, *beside)


def _act_at(place: str) -> Act:
    """Return an act by its module in `hub/acts` and its operation."""
    module, operation = place.split(".")
    acts: tuple[Act, ...] = importlib.import_module(f"hub.acts.{module}").ACTS
    return next(act for act in acts if act.operation == operation)


async def _answer(act: Act, call: Call, given: dict[str, Any]) -> Any:
    """Return the answer of an act; that of a list has all its entries."""
    from hub.acts.call import MOST_ENTRIES

    if act.writes:
        answer = await act.run(evolve(call, body=given))
        return answer["data"] if isinstance(answer, dict) and "nextCursor" in answer else answer
    asked = given | ({"limit": MOST_ENTRIES} if "limit" in act.query else {})
    answer = await act.run(evolve(call, query=asked))
    if not isinstance(answer, dict) or "nextCursor" not in answer:
        return answer
    entries = [*answer["data"]]
    while answer["nextCursor"] is not None:
        following = asked | {"cursor": answer["nextCursor"]}
        answer = await act.run(evolve(call, query=following))
        entries += answer["data"]
    return entries
