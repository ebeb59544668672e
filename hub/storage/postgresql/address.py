"""Where a PostgreSQL server is, and whether a pooler that lends its sessions by transaction stands before it.

pgbouncer in transaction mode gives each transaction any session of the server. So nothing may be left in a session:
what the hub needs of one is said as each transaction begins, no statement is prepared under a name, and no startup
parameter is sent that the pooler would refuse (it takes the client's encoding, its time zone and its name).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final
from urllib.parse import parse_qsl, urlencode, urlsplit, urlunsplit

from attrs import frozen

from hub.storage.errors import StoreError

POOLER: Final = "pooler"
"""The parameter of the address that names the pooler's mode; it is the hub's own, and the server never sees it."""
_TRANSACTION: Final = "transaction"
_STATEMENTS: Final = 500
_NAMED: Final = {"application_name": "hub", "timezone": "UTC"}
"""What a pooler keeps for each of its clients."""
_DURABLE: Final = {
    "synchronous_commit": "on",
    "jit": "off",  # the queries are short: compiling a plan costs more than it saves
}
_ISOLATED: Final = {"default_transaction_isolation": "read committed"}
LIMITS: Final = {"statement_timeout": "30s", "idle_in_transaction_session_timeout": "10s"}
_NO_LIMITS: Final = dict.fromkeys(LIMITS, "0")


@frozen
class Address:
    """A server's URL as asyncpg reads it; `pooled` if sessions are lent by transaction."""

    url: str
    pooled: bool

    @property
    def begin_write(self) -> str:
        """Return what opens a transaction that writes."""
        return f"BEGIN ISOLATION LEVEL READ COMMITTED{self._said_again}" if self.pooled else "BEGIN"

    @property
    def begin_read(self) -> str:
        """Return what opens a transaction that reads one snapshot."""
        return f"BEGIN ISOLATION LEVEL REPEATABLE READ, READ ONLY{self._said_again if self.pooled else ''}"

    def session(self, *, limited: bool = True) -> Mapping[str, Any]:
        """Return what asyncpg is told of a session: its settings, with time limits or none, and of its statements."""
        if self.pooled:
            return {"server_settings": _NAMED, "statement_cache_size": 0}
        settings = _NAMED | _DURABLE | _ISOLATED | (LIMITS if limited else _NO_LIMITS)
        return {
            "server_settings": settings,
            "statement_cache_size": _STATEMENTS,
            "max_cached_statement_lifetime": 0,
        }

    @property
    def _said_again(self) -> str:
        return "".join(f"; SET LOCAL {name} = '{value}'" for name, value in (_DURABLE | LIMITS).items())


def read_address(url: str) -> Address:
    """Return the address that a URL says; raise StoreError if the mode of its pooler is not one the hub knows."""
    parts = urlsplit(url)
    pairs = parse_qsl(parts.query, keep_blank_values=True)
    modes = [value for name, value in pairs if name == POOLER]
    if not modes:
        return Address(url, pooled=False)
    if modes != [_TRANSACTION]:
        raise StoreError(
            f"The database address says {POOLER}={modes[-1]}; the hub knows {POOLER}={_TRANSACTION}, once. A pooler "
            "that lends a session for as long as a client is connected needs no word of it."
        )
    rest = urlencode([pair for pair in pairs if pair[0] != POOLER])
    return Address(urlunsplit(parts._replace(query=rest)), pooled=True)
