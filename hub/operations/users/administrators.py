"""The rule that a hub always has somebody who may let others in: the last active administrator stays."""

from __future__ import annotations

from hub.operations.errors import OperatorFault
from hub.storage import Tx


async def refuse_if_last_administrator(tx: Tx, user_id: str) -> None:
    """Raise `OperatorFault` unless another ACTIVE user has the role operator-admin.

    Two transactions that take each other's administrator away take turns until they end: the second one is refused.
    """
    await tx.run("lock_administrators")
    if await tx.one("another_administrator", user_id=user_id) is None:
        raise OperatorFault("This is the last active administrator; give somebody else the role operator-admin first.")
