"""How an act is declared: what it does and to what, who may do it, and where on each surface it is done."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

from attrs import field, frozen

from hub.acts.authority import OPERATORS, FourEyes, Grant
from hub.acts.call import Run
from hub.acts.fields import Fields
from hub.domain.deprecations import Deprecation
from hub.records.record import Pick
from hub.records.wire import write

Surface = Literal["api", "command", "page"]


@frozen
class Endpoint:
    """Where an API has an act: its method, its path below the root of the API, its name and the status of success."""

    method: str
    path: str
    operation: str
    success: int = 200


def get(path: str, operation: str) -> Endpoint:
    """Return the endpoint of a reader."""
    return Endpoint("GET", path, operation)


def post(path: str, operation: str, success: int = 200) -> Endpoint:
    """Return an endpoint that does something."""
    return Endpoint("POST", path, operation, success)


def put(path: str, operation: str) -> Endpoint:
    """Return an endpoint that says how something is from now on."""
    return Endpoint("PUT", path, operation)


def patch(path: str, operation: str) -> Endpoint:
    """Return an endpoint that changes members of something."""
    return Endpoint("PATCH", path, operation)


def delete(path: str, operation: str) -> Endpoint:
    """Return an endpoint that deletes something."""
    return Endpoint("DELETE", path, operation)


@frozen
class ListOfEntries:
    """The answer of a list: a page of entries of a class, named by one of their members."""

    entry: Any


def written(answer: Any, result: Any) -> Any:
    """Return the result of an act as JSON's own types, as the answer that was declared shows it."""
    if isinstance(answer, ListOfEntries):
        return {**result, "data": [written(answer.entry, each) for each in result["data"]]}
    return write(result, answer if isinstance(answer, Pick) else None)


@frozen(eq=False)
class Act:
    """An act that an API has, or a reader; `answer` is the class of its answer.

    `trail` names what it leaves there, nothing for a reader. `commands` are how the terminal says it, without "hub".
    `pages` are the addresses of the forms that do it, `asks` those of pages that ask before, `shows` those of pages
    that show what only `by` may see. A surface that an act is not on stands in `without`, with the reason. `tells` are
    those who get a mail about it.
    """

    endpoint: Endpoint
    summary: str
    run: Run
    answer: Any
    body: Fields = field(factory=dict)
    query: Fields = field(factory=dict)
    trail: tuple[str, ...] = ()
    by: tuple[Grant, ...] = (OPERATORS,)
    four_eyes: FourEyes | None = None
    tells: tuple[str, ...] = ()
    commands: tuple[str, ...] = ()
    pages: tuple[str, ...] = ()
    asks: tuple[str, ...] = ()
    shows: tuple[str, ...] = ()
    without: Mapping[Surface, str] = field(factory=dict)
    scopes: tuple[str, ...] = ()
    """Those of which a token needs one, where the resource of the path is not the measure: `hub/acts/scopes.py`."""
    absent: bool = False
    """Whether what it shows may not be there, although its path names nothing."""
    deprecated: Deprecation | None = None
    """That its endpoint will go, which answers and documents say."""

    @property
    def method(self) -> str:
        """The method of its requests."""
        return self.endpoint.method

    @property
    def path(self) -> str:
        """Its path below the root of the API."""
        return self.endpoint.path

    @property
    def operation(self) -> str:
        """Its name in the API."""
        return self.endpoint.operation

    @property
    def success(self) -> int:
        """The status of its success."""
        return self.endpoint.success

    @property
    def writes(self) -> bool:
        """Whether the act changes something, so that its token needs the scope to write."""
        return self.method != "GET"

    def granted_in(self, area: str) -> Grant:
        """Return who may do it among the people of an area."""
        return next(grant for grant in self.by if grant.area == area)

    @property
    def tag(self) -> str:
        """The group of the act: "merchants"."""
        return self.path.split("/")[1]


@frozen(eq=False)
class HandMadeAct:
    """An act that no token API has, and that its page and its command do each in their own way."""

    summary: str
    trail: tuple[str, ...]
    by: tuple[Grant, ...]
    four_eyes: FourEyes | None = None
    tells: tuple[str, ...] = ()
    commands: tuple[str, ...] = ()
    pages: tuple[str, ...] = ()
    asks: tuple[str, ...] = ()
    shows: tuple[str, ...] = ()
    without: Mapping[Surface, str] = field(factory=dict)
