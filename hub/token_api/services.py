"""What the acts work with when a token asks for them."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from attrs import frozen

from hub.clock import Clock
from hub.config.settings import Settings
from hub.mail.outbox import Outbox
from hub.merchant_api.services import Services
from hub.platform_sync.access import Platforms
from hub.plugin_host.translation import Plugins
from hub.processing.policy import Policy
from hub.sealing import Sealer


@frozen
class TokenServices:
    """What the acts work with, beside what the merchant API has; put together by the composition root."""

    shared: Services
    settings: Settings
    platforms: Platforms
    outbox: Outbox

    @property
    def clock(self) -> Clock:
        """The hub's clock."""
        return self.shared.clock

    @property
    def policy(self) -> Policy:
        """What counts if neither campaign nor merchant says so."""
        return self.shared.policy

    @property
    def root(self) -> Callable[[], Awaitable[str]]:
        """What returns the root of the hub's links."""
        return self.shared.public_root

    @property
    def sealer(self) -> Sealer:
        """What seals stored secrets."""
        return self.platforms.sealer

    @property
    def plugins(self) -> Plugins:
        """The installed connectors."""
        return self.platforms.plugins
