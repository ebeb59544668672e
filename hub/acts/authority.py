"""Who may do an act, and how lately they must have proved who they are; one sentence for every surface.

A page asks for the role and for the proof of the person who has signed in. A token stands for the person who made it,
who proved who they are for that, and ends with that person's roles; so an API asks for the role and the scope. At the
terminal the system user acts, who could change the database itself, or an operator-admin who is named.
"""

from __future__ import annotations

from typing import Final

from attrs import frozen

FRESH_MS: Final = 10 * 60_000
"""How old a proof may be before secrets, money and the rights of others."""


@frozen
class Grant:
    """Leave to do an act, for people who have one of `roles` and proved who they are within `proof_ms`, if it says so.

    No roles means everybody who has signed in, for what is their own. Of a merchant's people only owners act, unless
    viewers may, too. `area` is where these people do it: the first part of the address of a page.
    """

    area: str
    roles: tuple[str, ...] = ()
    proof_ms: int | None = None
    viewers: bool = False

    @property
    def asks_proof(self) -> bool:
        """Whether the person has to have proved lately who they are."""
        return self.proof_ms is not None


@frozen
class FourEyes:
    """A second person confirms what a first one did: above the limit that a setting names, always without one."""

    limit: str = ""


OPERATORS: Final = Grant("operator", ("operator", "operator-admin"))
ADMINS: Final = Grant("operator", ("operator-admin",))
PROVED_OPERATORS: Final = Grant("operator", ("operator", "operator-admin"), FRESH_MS)
PROVED_ADMINS: Final = Grant("operator", ("operator-admin",), FRESH_MS)
OWNERS: Final = Grant("merchant", ("merchant",))
PROVED_OWNERS: Final = Grant("merchant", ("merchant",), FRESH_MS)
AFFILIATES: Final = Grant("affiliate", ("affiliate",))
PROVED_AFFILIATES: Final = Grant("affiliate", ("affiliate",), FRESH_MS)
ONESELF: Final = Grant("account")
PROVED_ONESELF: Final = Grant("account", (), FRESH_MS)
TOKEN_ROLES: Final = ("operator", "operator-admin", "affiliate")
