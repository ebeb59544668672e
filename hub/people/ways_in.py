"""Every way in, as the pages use them."""

from __future__ import annotations

from attrs import frozen

from hub.clock import Clock
from hub.config.people_sections import PeopleSettings
from hub.mail.outbox import Outbox
from hub.people.authenticator import Authenticator
from hub.people.passkeys import Passkeys
from hub.people.passwords import Passwords
from hub.people.registration import Registrations
from hub.people.sessions import Sessions
from hub.people.sign_in import SignIn
from hub.storage import Store


@frozen(eq=False)
class WaysIn:
    """The ways in; `settings` say who may register, and whether operators need a second factor."""

    settings: PeopleSettings
    sign_in: SignIn
    authenticator: Authenticator
    passkeys: Passkeys
    registrations: Registrations


def ways_in(
    settings: PeopleSettings, store: Store, clock: Clock, outbox: Outbox, sessions: Sessions, passwords: Passwords
) -> WaysIn:
    """Return the ways in of a hub."""
    sign_in = SignIn(store, clock, sessions, passwords, outbox)
    return WaysIn(
        settings=settings,
        sign_in=sign_in,
        authenticator=Authenticator(store, clock, outbox.sealer, sign_in, outbox),
        passkeys=Passkeys(store, clock, sign_in, outbox),
        registrations=Registrations(store, clock, sign_in, outbox, settings.registration),
    )
