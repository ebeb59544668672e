"""Forms that do an act of the table: what was typed goes to the act, which says who may and what it takes.

For acts that name one thing and take a few values; what needs more is written by hand beside its page.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any, Final

from aiohttp import web
from attrs import frozen

from hub.acts.act import Act
from hub.acts.call import Call
from hub.acts.fields import snake
from hub.operations.errors import OperatorFault, UnknownReference
from hub.pages.operator.parts import Again, operator_page
from hub.pages.rendering import see_other
from hub.pages.visit import Page, Visit
from hub.validation.constraints import Constraint, Flag, Whole

MOST_DIGITS: Final = 16
NO_NAMES: Final[Mapping[str, str]] = {}


@frozen(eq=False)
class ActForm:
    """A form at `path` that does an act and leads on to the thing with `?done=word`, or shows its page again.

    `names` are the act's names of values by those in the address or of the fields that differ; `fixed` are values that
    the form stands for. `back` is where it leads on to, and a proof back to, if the thing has no page of its own.
    """

    path: str
    act: Act
    word: str
    again: Again
    names: Mapping[str, str] = NO_NAMES
    fixed: Mapping[str, Any] = {}
    back: Callable[[Visit], str] | None = None

    def page(self) -> Page:
        """Return the page that takes the form."""
        return operator_page("POST", self.path, self.serve, back=self.back)

    async def serve(self, visit: Visit) -> web.StreamResponse:
        """Do the act: 404 if the page's thing is unknown, the page again with the reason if the act is refused."""
        services = visit.services
        typed = {**self._nothing(), **self._named(visit.form), **self._named(visit.path)}
        call = Call(services, services.store, typed, visit.person.user_id)
        try:
            call.body = {**self._body(typed), **self.fixed}
            await self.act.run(call)
        except UnknownReference as fault:
            if self.back is None and fault.reference in visit.path.values():
                return visit.page("not_found.html", 404)
            return await self.again(visit, 422, {"": str(fault)})
        except OperatorFault as fault:
            return await self.again(visit, 422, {"": str(fault).replace("say --anyway", "tick the box")})
        return see_other(f"{self._then(visit)}?done={self.word}")

    def _nothing(self) -> dict[str, str]:
        """Return what the act's path names, for a form that a stranger sent without: nothing has no name."""
        return dict.fromkeys(re.findall(r"{(\w+)}", self.act.path), "")

    def _named(self, typed: Mapping[str, str]) -> dict[str, str]:
        return {self.names.get(name, name): value for name, value in typed.items()}

    def _body(self, typed: Mapping[str, str]) -> dict[str, Any]:
        """Return the values that were typed, by the names of the operation; an empty field is one left out."""
        body: dict[str, Any] = {}
        for name, field in self.act.body.items():
            value = typed.get(name, "").strip()
            if value or field.required:
                body[snake(name)] = _typed(name, value, field.constraint)
        return body

    def _then(self, visit: Visit) -> str:
        return visit.address.rpartition("/")[0] if self.back is None else self.back(visit)


def _typed(name: str, value: str, constraint: Constraint) -> object:
    """Return what was typed as the act takes it; raise `OperatorFault` for no number where one is needed."""
    if isinstance(constraint, Flag):
        return value not in ("", "0")
    if not isinstance(constraint, Whole):
        return value
    is_number = value.isascii() and value.isdigit() and len(value) < MOST_DIGITS
    if not is_number or not constraint.min <= int(value) <= constraint.max:
        raise OperatorFault(f"{name} is a whole number from {constraint.min} to {constraint.max}; {value!r} is none.")
    return int(value)


def act_named(acts: tuple[Act, ...], operation: str) -> Act:
    """Return an act by its name in the API."""
    return next(act for act in acts if act.operation == operation)


def act_pages(acts: tuple[Act, ...], again: Again, forms: Mapping[str, tuple[str, str]], **how: Any) -> list[Page]:
    """Return the pages of forms by their paths, each with its act's name in the API and the word that it ends with."""
    return [
        ActForm(path, act_named(acts, operation), word, again, **how).page()
        for path, (operation, word) in forms.items()
    ]
