"""What the plugin host answers: a body's translation, a handshake, the faults of options, a package, a played store."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from time import monotonic
from typing import Any, Protocol

from attrs import frozen

from hub.api import parse_body
from hub.domain.connectors.connector import Body, Connector, Context, PackageContext, Uninteresting, Unmappable
from hub.domain.connectors.deliveries import erasure_of
from hub.domain.connectors.options import OptionsFault, read_options
from hub.domain.connectors.scenarios import played
from hub.domain.connectors.scenes import Play
from hub.domain.connectors.shop_clocks import shown_at
from hub.domain.money import MoneyError
from hub.plugin_host.fact_json import WrongValue, erasure_to_json, fact_to_json
from hub.plugin_host.packages import scenes_of
from hub.plugin_host.places import LONGEST, raised_at, said
from hub.plugin_host.played_json import deliveries_to_json
from hub.plugin_host.registry import Registry
from hub.plugin_host.translation import Failure
from hub.plugin_runtime.facts import LONGEST_ID, delivered_facts, webhook_facts
from hub.plugin_runtime.guard import Overtime

Document = dict[str, Any]
MOST_PACKAGE_BYTES = 16 * 1024 * 1024


class Notes(Protocol):
    """What is told of each call into a plugin, and what bounds it: a process's `Guard`."""

    def note(self, connector: str, distribution: str, part: str, function: object = None) -> None:
        """Note whose code is called next."""

    def rest(self) -> None:
        """Note that no plugin's code runs."""

    @property
    def noted(self) -> list[str]:
        """What was noted last: connector, distribution, part and where the function is defined."""

    def limited(self, seconds: float) -> AbstractContextManager[None]:
        """Return what raises `Overtime` inside a block that takes longer."""


class SpentProcess(Exception):
    """The process must not answer anything more after this; `document` is its last answer."""

    def __init__(self, document: Document) -> None:
        super().__init__()
        self.document = document


@frozen(eq=False)
class Answers:
    """Answers by running connectors, each call noted and limited by the guard."""

    registry: Registry
    guard: Notes
    seconds: float

    def answer(self, asked: Document, raw: bytes) -> tuple[Document, bytes]:
        """Return what is answered, and the bytes beside it; raise `SpentProcess` if nothing more can be trusted."""
        acts: dict[str, Callable[[Document, bytes], tuple[Document, bytes]]] = {
            "translate": self._translate,
            "handshake": self._handshake,
            "options": self._options,
            "package": self._package,
            "play": self._play,
        }
        try:
            with self.guard.limited(self.seconds):
                return acts[asked["do"]](asked, raw)
        except (MemoryError, Overtime) as fault:
            # Another body may have used up the memory, and what was interrupted may hold anything: the next
            # body begins in a new process.
            raise SpentProcess(self._failure(fault)) from None
        except BaseException as fault:  # noqa: BLE001 - a plugin may raise anything, SystemExit too
            return self._failure(fault), b""
        finally:
            self.guard.rest()

    def _failure(self, fault: BaseException) -> Document:
        connector, distribution, part, defined_at = self.guard.noted
        text = str(fault) if isinstance(fault, WrongValue | Overtime) else said(fault)
        place, violent = raised_at(fault) or defined_at, isinstance(fault, Overtime | MemoryError)
        return {"failure": Failure(connector, distribution, part, place, text[:LONGEST], violent).to_json()}

    def _call(self, connector: Connector, part: str, function: object = None) -> None:
        """Note that a function of a connector is called next."""
        self.guard.note(connector.name, self.registry.origins.get(connector.name, ""), part, function)

    def _named(self, asked: Document) -> Connector:
        connector = self.registry.named(asked["connector"])
        if connector is None:
            self.guard.note(str(asked["connector"]), "", "loading", None)
            raise LookupError("it is not installed")
        return connector

    def _translate(self, asked: Document, raw: bytes) -> tuple[Document, bytes]:
        if monotonic() > asked["until"]:
            return {"wait": True}, b""
        body: Body = {}
        try:
            body = parse_body(raw)
            if asked["connector"] is None:
                return self._webhook(asked, body), b""
            return self._delivery(asked, body), b""
        except Uninteresting as reason:
            return {"uninteresting": _words(reason)}, b""
        except OptionsFault as fault:
            said = f"the connection's options do not hold: {_words(fault)}"
            return {"unmappable": said, "order": self._order(asked, body)}, b""
        except (Unmappable, MoneyError) as fault:
            return {"unmappable": _words(fault), "order": self._order(asked, body)}, b""

    def _order(self, asked: Document, body: Body) -> str | None:
        """Return the order that a body is about which cannot be read, None if its connector cannot name it."""
        connector = None if asked["connector"] is None else self.registry.named(asked["connector"])
        if connector is None or not body:
            return None
        self._call(connector, "order_of", connector.order_of)
        named = connector.order_of(asked["topic"] or "", body)
        return named if isinstance(named, str) and 0 < len(named) <= LONGEST_ID and named.isprintable() else None

    def _webhook(self, asked: Document, body: Body) -> Document:
        connector = self._recognising(body, asked["without"])
        if connector is None:
            return self._unrecognised(asked["without"])
        if asked["live"] and self._is_test(connector, body, {}):
            return {"test": True}
        self._call(connector, "options")
        context = Context(asked["deliveryId"], asked["receivedAt"], asked["currency"], connector.options())
        self._call(connector, f"translate_webhook of {asked['kind']}", connector.translate_webhook)
        return {"facts": [fact_to_json(fact) for fact in webhook_facts(connector, asked["kind"], body, context)]}

    def _delivery(self, asked: Document, body: Body) -> Document:
        connector, topic, headers = self._named(asked), asked["topic"], asked["headers"]
        if asked["live"] and self._is_test(connector, body, headers):
            return {"test": True}
        self._call(connector, "erasure", connector.erasure)
        if (erasure := erasure_of(connector, topic, body)) is not None:
            return {"erasure": erasure_to_json(erasure)}
        self._call(connector, "options")
        options = read_options(connector.options, asked["options"])
        context = Context(asked["deliveryId"], asked["receivedAt"], asked["currency"], options, headers)
        known = next((each.translate for each in connector.topics if each.name == topic), None)
        self._call(connector, f"translate of {topic}", known)
        facts = [fact_to_json(fact) for fact in delivered_facts(connector, topic, body, context)]
        shown = shown_at(connector.clock, body)
        return {"facts": facts} if shown is None else {"facts": facts, "shownAt": shown}

    def _recognising(self, body: Body, without: list[str]) -> Connector | None:
        """Return the first connector that recognises a free-form body; one that stumbles over it does not."""
        for connector in self.registry.connectors:
            if connector.name not in without:
                self._call(connector, "recognises", connector.recognises)
                try:
                    if connector.recognises(body):
                        return connector
                except (MemoryError, Overtime):
                    raise
                except BaseException:  # noqa: BLE001, S112 - it must not keep the others from being asked
                    continue
        return None

    def _unrecognised(self, without: list[str]) -> Document:
        """Let a body wait that may be of a connector that was not asked, fail the attempt if a plugin is set aside.

        Raise `Unmappable` if it is nobody's.
        """
        if without:
            return {"wait": True}
        aside = next((each for each in self.registry.set_aside if not each.off), None)
        if aside is not None:
            return {"failure": Failure.of_set_aside(aside).to_json()}
        raise Unmappable("no installed connector recognises the body; install hub-generic, which takes any")

    def _is_test(self, connector: Connector, body: Body, headers: Mapping[str, str]) -> bool:
        self._call(connector, "is_test", connector.is_test)
        return bool(connector.is_test(body, headers))

    def _handshake(self, asked: Document, raw: bytes) -> tuple[Document, bytes]:
        connector = self._named(asked)
        self._call(connector, "handshake", connector.handshake)
        return {"handshake": connector.handshake(asked["headers"], raw) is True}, b""

    def _options(self, asked: Document, _: bytes) -> tuple[Document, bytes]:
        connector = self._named(asked)
        self._call(connector, "options", connector.options)
        try:
            read_options(connector.options, asked["options"])
        except OptionsFault as fault:
            return {"faults": [_words(each) for each in fault.faults]}, b""
        return {"faults": []}, b""

    def _package(self, asked: Document, _: bytes) -> tuple[Document, bytes]:
        connector = self._named(asked)
        self._call(connector, "package", connector.package)
        if connector.package is None:
            raise LookupError("it makes none")
        name, content = connector.package(PackageContext(asked["url"], asked["secret"], asked["captureUrl"]))
        if not isinstance(name, str) or not isinstance(content, bytes) or len(content) > MOST_PACKAGE_BYTES:
            raise WrongValue(f"gives no name with at most {MOST_PACKAGE_BYTES:,} bytes")
        return {"name": name}, content

    def _play(self, asked: Document, _: bytes) -> tuple[Document, bytes]:
        connector = self._named(asked)
        self._call(connector, "scenarios")
        return deliveries_to_json(played(scenes_of(connector), Play(**asked["play"]))), b""


def _words(reason: object) -> str:
    """Return the words of a plugin's refusal as text that can be stored."""
    return "".join(each if each.isprintable() else " " for each in str(reason)[:LONGEST])
