"""Whether the wall clock can be trusted: it should move on as a clock does that nobody can set.

A hold or a retention time that ends by the clock ends for good. So after a jump none of them ends until the clock has
returned, has run steadily for a while, or an operator has said that it is right.
"""

from __future__ import annotations

from attrs import evolve, frozen

JUMP_MS = 300_000
"""A clock that is corrected by more than this at once has jumped."""
STEADY_MS = 6 * 3_600_000
"""A clock that has run steadily for this long after a jump is believed."""
BEHIND_MS = 3_600_000
"""A clock that is this far behind what it has already shown has been set back."""


@frozen
class ClockTrust:
    """What is known of the wall clock; all in milliseconds.

    `offset` is by how much the wall clock was ahead of the steady one when it was last trusted, `jump` by how much it
    has jumped since (0: it is trusted), and `since` the steady time from which on it shows that jump. Where another
    clock contradicts it (`is_contradicted`), that it runs steadily proves nothing.
    """

    offset: int
    jump: int = 0
    since: int = 0
    is_contradicted: bool = False


def trust_at_start(wall: int, steady: int, newest: int | None, database: int | None = None) -> ClockTrust:
    """Return the trust in a clock at the start of a process.

    `newest` is the newest moment in the store, if any, and `database` what the database's own clock says now, if it has
    one. That is the better witness: another process, whose clock was wrong, may have stored the newest moment.
    """
    if database is not None:
        if abs(wall - database) <= JUMP_MS:
            return ClockTrust(wall - steady)
        return ClockTrust(database - steady, wall - database, steady, is_contradicted=True)
    if newest is not None and newest - wall > BEHIND_MS:
        return ClockTrust(newest - steady, wall - newest, steady)
    return ClockTrust(wall - steady)


def observe(trust: ClockTrust, wall: int, steady: int) -> ClockTrust:
    """Return the trust after one more look at both clocks."""
    jump = wall - steady - trust.offset
    if abs(jump) <= JUMP_MS:
        return ClockTrust(wall - steady)  # it is slewed, or it has returned
    if trust.jump == 0 or abs(jump - trust.jump) > JUMP_MS:
        return evolve(trust, jump=jump, since=steady)
    is_believed = steady - trust.since >= STEADY_MS and not trust.is_contradicted
    return ClockTrust(wall - steady) if is_believed else trust
