"""What acts work with at the terminal: each part is put together when an act asks for it, and closed at the end."""

from __future__ import annotations

import sys
from collections.abc import Awaitable, Callable, Iterator
from contextlib import AsyncExitStack, contextmanager
from functools import cached_property, partial
from typing import TYPE_CHECKING, Final, TypeVar

from hub.cli.invocation import Invocation
from hub.clock import Clock, system_clock

if TYPE_CHECKING:
    from hub.acts.call import Call
    from hub.config.settings import Settings
    from hub.mail.outbox import Outbox
    from hub.platform_sync.access import Platforms
    from hub.plugin_host.translation import Plugins
    from hub.processing.policy import Policy
    from hub.sealing import Sealer
    from hub.storage import Store

T = TypeVar("T")

CALLER: Final = "the operator's command line"


class CommandServices:
    """What the act of one command works with; what it opened is closed with `opened`."""

    def __init__(self, settings: Settings, store: Store, opened: AsyncExitStack) -> None:
        self.settings = settings
        self._store = store
        self._opened = opened

    @property
    def clock(self) -> Clock:
        """The machine's clock."""
        return system_clock

    @cached_property
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

        return partial(public_root, self._store, self.settings.server)

    @cached_property
    def plugins(self) -> Plugins:
        """The installed connectors, in a host of this command's own."""
        from hub.operations.system.plugins import plugin_host_for

        plugins = plugin_host_for(self.settings.plugins, self.settings.private_files, serves=False)
        self._opened.push_async_callback(plugins.close)
        return plugins

    @cached_property
    def platforms(self) -> Platforms:
        """What asks platforms."""
        from hub.outbound.pacing import Pacer
        from hub.platform_sync.access import Platforms

        self._opened.enter_context(_errors_alone())
        outbound, pacer = self.settings.outbound, Pacer(self.settings.outbound.host_per_second)
        return Platforms(
            self._store, self.sealer, self.plugins, self.clock, self.outbox, self.root, outbound.allowed_networks,
            pacer=pacer,
        )  # fmt: skip


def over_call(
    invocation: Invocation, act: Callable[[Call], Awaitable[T]], settings: Settings | None = None, *,
    creates: bool = False, seals: bool = False, by: str | None = None,
) -> T:  # fmt: skip
    """Run an act as the person with the e-mail address `by`; None is the system user.

    One that `seals` secrets needs the master key that the processes have.
    """
    chosen = settings or invocation.settings()

    async def run(store: Store) -> T:
        from hub.acts.call import Call
        from hub.operations.acting import administrator_named
        from hub.operations.system.master_keys import require_sealing_key
        from hub.operations.trail import acting_as

        async with AsyncExitStack() as opened:
            services = CommandServices(chosen, store, opened)
            if seals:
                await require_sealing_key(store, services.sealer, system_clock)
            with acting_as(await administrator_named(store, by)):
                return await act(Call(services, store, {}, CALLER))

    return invocation.with_store(run, chosen, creates=creates)


@contextmanager
def _errors_alone() -> Iterator[None]:
    """Log errors alone, to standard error: what a server logs, a command says in its own words."""
    import logging

    import structlog

    usual = structlog.get_config()
    structlog.configure(
        logger_factory=structlog.PrintLoggerFactory(sys.stderr),
        wrapper_class=structlog.make_filtering_bound_logger(logging.ERROR),
    )
    try:
        yield
    finally:
        structlog.configure(**usual)
