"""Four eyes: who may confirm what another one did, so that nobody is both pairs of eyes.

A token that belongs to nobody is neither of the two: whoever does the other act may hold it. The terminal's system user
is a person, and lets nobody in: who has the terminal has the database. The clock, which drafts runs, is neither of the
two.
"""

from __future__ import annotations

from typing import Final

from hub.domain.orders.introductions import is_of_another_hand
from hub.operations.trail import TIMER, current_actor
from hub.storage import Tx

SAME_HANDS: Final = (
    "and the hub does not count you as two people yet: one of you recently let the other in, or someone recently let "
    "both of you in"
)


def is_of_nobody(actor_id: str) -> bool:
    """Return whether an act was done by a token that belongs to nobody; one of a person acts in the person's name."""
    return actor_id.startswith("tok_")


async def why_not_second(tx: Tx, now: int, first: str, *, after: int) -> str | None:
    """Return why the one who acts may not confirm what `first` (an actor's id) did; None if they are another person.

    `after` is how long (ms) it counts who let whom in: the setting `payouts.second_person_after`.
    """
    actor = current_actor()
    if TIMER.id in (first, actor.id):
        return "the clock is not a person"
    if actor.id == first:
        return "you did the first act yourself"
    if is_of_nobody(first):
        return "a token that belongs to nobody did the first act, and you may hold it"
    if actor.kind == "system" and actor.source == "api":
        return "a token that belongs to nobody is not a person"
    rows = await tx.all("introductions_since", since=now - after)
    alone = is_of_another_hand(first, actor.id, {(row["user_id"], row["introduced_by"]) for row in rows})
    return None if alone else f"{first} did the first act, {SAME_HANDS}"
