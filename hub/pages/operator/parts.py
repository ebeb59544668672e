"""What the operator's pages are made of: lists of rows, objects with their fields and acts, as plain values.

The pages differ in what they show, not in how; `operator/list.html` and `operator/object.html` draw these values.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any, Final, TypeVar
from urllib.parse import urlencode

from aiohttp import web
from attrs import evolve, field, frozen

from hub.acts.authority import OPERATORS, Grant
from hub.domain.words import LIVE_FIRST
from hub.operations.errors import OperatorFault
from hub.operations.lists import NOTHING
from hub.operations.lists import Page as Part
from hub.operations.references import named_parties
from hub.pages.operator.said import said_of
from hub.pages.rendering import see_other
from hub.pages.visit import Page, PageHandler, Visit

T = TypeVar("T")
MODES: Final = tuple((mode, mode) for mode in LIVE_FIRST)


@frozen
class Cell:
    """A value and how it is drawn: "text", "code", "status", "money", "instant", "link", or "act" for a form.

    A "gain" is a difference of money, with its sign.
    """

    kind: str
    value: Any
    more: str = ""
    """The currency of money, the address of a link."""
    note: str = ""


def text(value: object, note: str = "") -> Cell:
    """Return a cell of plain words."""
    return Cell("text", "" if value is None else str(value), note=note)


def code(value: str | None) -> Cell:
    """Return a cell of an id or another text to copy."""
    return Cell("code", value) if value else Cell("text", "")


def state(value: str, note: str = "") -> Cell:
    """Return a cell of a status."""
    return Cell("status", value, note=note)


def money(amount: int | str, currency: str) -> Cell:
    """Return a cell of an amount: minor units or decimal text."""
    return Cell("money", amount, currency)


def at(moment: int | str | None) -> Cell:
    """Return a cell of a time in ms UTC or RFC 3339; an empty one without it."""
    return Cell("text", "") if moment is None else Cell("instant", moment)


def link(words: str, address: str, note: str = "") -> Cell:
    """Return a cell that leads on."""
    return Cell("link", words, address, note)


@frozen
class Listing:
    """A table with a heading for each column; without rows `empty` says what will be here."""

    caption: str
    columns: Sequence[str]
    rows: Sequence[Sequence[Cell]]
    empty: str
    older: str | None = None
    newer: str | None = None
    places: Mapping[str, str] = field(factory=dict)
    """On a phone a row has two lines: where some columns stand in them, see `.lines` in hub.css; none: it folds."""

    @property
    def kinds(self) -> list[str]:
        """The classes of each column: amounts stand right."""
        amounts = {at for row in self.rows for at, cell in enumerate(row) if cell.kind in ("money", "gain")}
        numbers = ["number" if at in amounts else "" for at in range(len(self.columns))]
        return [f"{kind} {self.places.get(each, '')}".strip() for kind, each in zip(numbers, self.columns, strict=True)]


@frozen
class Field:
    """A field of a form.

    `kind` is "text", "email", "password", "date", "area", "choice", "tick", "file" or "hidden". Into a text anything
    may be typed; its options, a value with what it stands for, are offered meanwhile.
    """

    name: str
    label: str
    kind: str = "text"
    value: str = ""
    hint: str = ""
    optional: bool = False
    options: Sequence[tuple[str, str]] = ()


@frozen
class Form:
    """An act: a button with the fields it needs; `tone` is "" for the page's filled button, "quiet" or "danger"."""

    address: str
    words: str
    fields: Sequence[Field] = ()
    tone: str = "quiet"
    title: str = ""
    hint: str = ""

    @property
    def hidden(self) -> dict[str, str]:
        """The values of the hidden fields by name."""
        return {each.name: each.value for each in self.fields if each.kind == "hidden"}


def button(form: Form | None) -> Cell:
    """Return a cell with an act on its row, empty for None.

    The form has hidden fields alone, and its title says on what it acts.
    """
    return Cell("act", form)


@frozen
class Section:
    """A part of an object's page."""

    title: str
    facts: Sequence[tuple[str, Cell]] = ()
    listing: Listing | None = None
    paragraphs: Sequence[str] = ()
    source: str = ""
    """JSON or another text in the type of code."""
    links: Sequence[tuple[str, str]] = ()
    """Words and addresses of what belongs to the object."""


@frozen
class Shown:
    """An object's page."""

    title: str
    back: tuple[str, str]
    status: str = ""
    lead: str = ""
    sections: Sequence[Section] = ()
    forms: Sequence[Form] = ()
    last: tuple[str, str] | None = None
    """Words and address of a page that asks before it ends the object."""


@frozen
class ListPage:
    """A page with a list: its filters stand in the address; `create` is the form for one more."""

    title: str
    address: str
    listing: Listing
    lead: str = ""
    filters: Sequence[Field] = ()
    create: Form | None = None
    notes: Sequence[str] = ()
    more: Sequence[tuple[str, str]] = ()
    """The words and the addresses of what may be done with all rows, and of lists beside this one."""
    template: str = "operator/list.html"


def operator_page(
    method: str,
    path: str,
    handler: PageHandler,
    otherwise: Grant = OPERATORS,
    *,
    takes_file: bool = False,
    back: Callable[[Visit], str] | None = None,
) -> Page:
    """Return a page for operators; what is unknown is answered as a page that does not exist.

    The table of acts says who may send a form; `otherwise` is for what it does not name.
    """
    return Page(method, path, handler, otherwise, takes_file=takes_file, back=back)


def asked_for(visit: Visit, *names: str) -> dict[str, str]:
    """Return the filters of the address, "" for those that are not given."""
    return {name: visit.query.get(name, "").strip()[:255] for name in names}


async def read_list(reading: Awaitable[Part[T]]) -> tuple[Part[T], dict[str, str]]:
    """Return the part of a list, or nothing and why the filters of the address name nothing."""
    try:
        return await reading, {}
    except OperatorFault as fault:
        return NOTHING, {"": str(fault)}


async def party_filters(visit: Visit, asked: Mapping[str, str], *nouns: str) -> tuple[Field, ...]:
    """Return the filters of a list by merchant, by affiliate or by both, which offer those that there are."""
    options = await named_parties(visit.services.store, *nouns)
    return tuple(Field(noun, noun.capitalize(), value=asked[noun], options=options[noun]) for noun in nouns)


def mode_filter(asked: Mapping[str, str]) -> Field:
    """Return the filter of a list by mode."""
    return Field("mode", "Mode", "choice", asked["mode"], options=MODES)


def filled(form: Form, values: Mapping[str, str]) -> Form:
    """Return a form as somebody filled it in; as it is without values."""
    if not values:
        return form
    fields = [
        each
        if each.kind == "hidden"
        else evolve(each, value=values.get(each.name, "" if each.kind == "tick" else each.value))
        for each in form.fields
    ]
    return evolve(form, fields=fields)


def show_list(visit: Visit, page: ListPage, faults: Mapping[str, str] | None = None) -> web.Response:
    """Return the page of a list, with the chips of the filters in force; its status is 422 with faults."""
    given = {each.name: each.value for each in page.filters if each.value}
    chips = [
        (f"{each.label}: {_words(each)}", _without(page.address, given, each.name))
        for each in page.filters
        if each.value
    ]
    if page.create is not None and not visit.may(page.create.address):
        page = evolve(page, create=None)
    return visit.page(
        page.template, 422 if faults else 200, page=page, chips=chips, faults=faults or {}, said=said_of(visit)
    )


def show_object(
    visit: Visit,
    shown: Shown,
    status: int = 200,
    faults: Mapping[str, str] | None = None,
    template: str = "operator/object.html",
    **values: Any,
) -> web.Response:
    """Return the page of an object; a `template` that extends the plain one gets `values` beside it.

    A form that was sent to the address of this visit is shown as it was filled in. What the person may not do is not
    offered.
    """
    forms = [
        filled(form, visit.form) if form.address == visit.address else form
        for form in shown.forms
        if visit.may(form.address)
    ]
    shown = evolve(shown, forms=forms)
    return visit.page(template, status, shown=shown, faults=faults or {}, said=said_of(visit), **values)


Again = Callable[[Visit, int, Mapping[str, str]], Awaitable[web.StreamResponse]]
"""Shows the page of a form again, with a status and what is wrong."""


async def act_on(
    visit: Visit,
    find: Callable[[Visit], Awaitable[T]],
    doing: Callable[[T], Awaitable[object]],
    then: str,
    again: Again,
) -> web.StreamResponse:
    """Act on what the address names and lead on to `then`: 404 if it is unknown, the page again if it is refused."""
    found = await find(visit)
    try:
        await doing(found)
    except OperatorFault as fault:
        return await again(visit, 422, {"": str(fault).replace("say --anyway", "tick the box")})
    return see_other(then)


def _words(each: Field) -> str:
    return dict(each.options).get(each.value, each.value) if each.kind == "choice" else each.value


def _without(address: str, given: Mapping[str, str], name: str) -> str:
    left = urlencode({key: value for key, value in given.items() if key != name})
    return f"{address}?{left}" if left else address
