"""The settings of the people who sign in: their sessions, how they get in, and the mail that is sent to them."""

from __future__ import annotations

from attrs import frozen

from hub.config import readers as kinds
from hub.config.sections import setting


@frozen
class SessionSettings:
    """How long people stay signed in."""

    lifetime: int = setting("30d", kinds.duration(1), "How long a session lasts at most.")
    idle_timeout: int = setting("12h", kinds.duration(1), "How long a session lasts without a request.")


@frozen
class PeopleSettings:
    """How people get in."""

    registration: str = setting(
        "off",
        kinds.choice("off", "invited", "open"),
        "Who may register as a merchant or affiliate: off: nobody; invited: people with an invitation; open: anyone.",
    )
    operators_need_second_factor: bool = setting(
        False, kinds.switch, "true: operators see nothing until they have a passkey or an authenticator app."
    )


@frozen
class MailSettings:
    """How mail is sent."""

    host: str = setting(
        "", kinds.text, "SMTP server; empty: the hub sends no mail, and operators pass links on themselves."
    )
    port: int = setting(587, kinds.whole_number(1, 65_535), "Port of the SMTP server.")
    user: str = setting("", kinds.text, "User name for the SMTP server; empty: no sign-in.")
    password: str = setting("", kinds.text, "Password for the SMTP server.", secret=True)
    from_: str = setting("", kinds.text, 'Sender, such as "Hub <hub@shop.example>"; empty: hub@ and the public host.')
    tls: str = setting(
        "starttls",
        kinds.choice("starttls", "implicit", "none"),
        "starttls: nothing is sent before TLS; implicit: TLS from the first byte (port 465); none: unencrypted.",
    )
    given_up_after: int = setting(
        "3d", kinds.duration(1_000), "How long sending a mail is retried before it is given up."
    )

    @property
    def is_on(self) -> bool:
        """Whether the hub sends mail."""
        return self.host != ""
