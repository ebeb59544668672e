"""The master keys that a hub needs and those at hand: in HUB_MASTER_KEY, or in the key file beside SQLite."""

from __future__ import annotations

import secrets
import shlex
from pathlib import Path

from attrs import frozen

from hub.clock import Clock
from hub.config.readers import MASTER_KEY_BYTES
from hub.config.settings import Settings
from hub.operations.errors import OperatorFault
from hub.operations.system.nodes import list_nodes
from hub.sealing import (
    Sealer,
    SealingFault,
    key_file,
    key_file_ids,
    load_sealer,
    master_key_id,
    read_key_file,
    sealed_under,
    write_key_file,
)
from hub.storage import Store


@frozen
class MasterKeys:
    """The ids of the keys that are needed, configured in HUB_MASTER_KEY, and filed beside an SQLite database."""

    needed: frozenset[str]
    configured: frozenset[str]
    file: Path | None
    filed: frozenset[str]

    @property
    def missing(self) -> list[str]:
        """Return the keys that are neither configured nor filed: what they sealed cannot be read."""
        return sorted(self.needed - self.configured - self.filed)

    @property
    def assignment(self) -> str | None:
        """Return what to set in a shell, without any key in it; None if HUB_MASTER_KEY may stay as it is."""
        uses_file = bool(self.filed and (not self.configured or self.filed & (self.needed - self.configured)))
        if self.configured and not uses_file:
            return None
        parts = [f"$(cat {shlex.quote(str(self.file))})"] if uses_file else []
        parts += ["$HUB_MASTER_KEY"] if self.configured else []
        return f'export HUB_MASTER_KEY="{",".join(parts or ["$(openssl rand -hex 32)"])}"'


def keys_at_hand(settings: Settings, database: Path | None) -> MasterKeys:
    """Return the keys that are configured, and filed if the database is a file; raise SealingFault for a bad file."""
    configured = frozenset(map(master_key_id, settings.master_key))
    if database is None:
        return MasterKeys(frozenset(), configured, None, frozenset())
    return MasterKeys(frozenset(), configured, key_file(database).absolute(), key_file_ids(database))


async def keys_needed(store: Store) -> frozenset[str]:
    """Return the ids of the master keys that the store's secrets are sealed under."""
    async with store.read() as tx:
        rows = await tx.all("sealed_texts")
    return frozenset().union(*(sealed_under(row["sealed"]) for row in rows))


async def require_master_keys(store: Store, sealer: Sealer) -> None:
    """Raise SealingFault, naming them, if secrets are sealed under master keys that are not at hand."""
    missing = sorted(await keys_needed(store) - sealer.keys.keys())
    if missing:
        raise SealingFault(
            f"Secrets are sealed under the master keys {', '.join(missing)}, and this hub has only "
            f"{', '.join(sealer.keys)}. Restore the key file, or put the missing keys first in HUB_MASTER_KEY."
        )


async def require_known_key(store: Store, sealer: Sealer, clock: Clock) -> None:
    """Raise OperatorFault if a process that serves lacks the key that seals, and could open nothing new."""
    nodes = await list_nodes(store, clock)
    lacking = [node["nodeId"] for node in nodes if node["serves"] and sealer.current not in node["masterKeys"]]
    if lacking:
        raise OperatorFault(
            f"The master key {sealer.current} is not known to {', '.join(lacking)}, which could open no secret then. "
            "Add it to their HUB_MASTER_KEY, restart them, and run this again."
        )


async def require_sealing_key(store: Store, sealer: Sealer, clock: Clock) -> None:
    """Raise SealingFault or OperatorFault if what is sealed now could not be opened by those who open the rest."""
    await require_master_keys(store, sealer)
    if sealer.reread is None:  # processes read a key file again when they need to, HUB_MASTER_KEY only at their start
        await require_known_key(store, sealer, clock)


def add_key(settings: Settings) -> str:
    """Add a new master key to the key file, which seals from now on; return its id."""
    file = _own_key_file(settings)
    load_sealer(settings)  # makes the file if there is none
    key = secrets.token_bytes(MASTER_KEY_BYTES)
    write_key_file(file, [*read_key_file(file), key])
    return master_key_id(key)


def drop_key(settings: Settings, key_id: str) -> None:
    """Take a master key out of the key file; raise OperatorFault if it is not in it, or is the one that seals."""
    file = _own_key_file(settings)
    keys = read_key_file(file)
    ids = list(map(master_key_id, keys))
    if key_id not in ids:
        raise OperatorFault(f"There is no master key {key_id} in {file}.", command="`hub secret status` shows them.")
    if key_id == ids[-1]:
        raise OperatorFault(
            f"The master key {key_id} is the one that seals. Make a new one first.",
            command="To make one: hub secret add",
        )
    write_key_file(file, [key for key in keys if master_key_id(key) != key_id])


def _own_key_file(settings: Settings) -> Path:
    database = settings.database.path
    if settings.master_key or database is None:
        raise OperatorFault(
            "The master keys are in HUB_MASTER_KEY here, not in a file: change that, and restart each process.",
            command='The last key seals and all of them open: "old,new" first, "new" once `hub secret rotate` has run.',
        )
    return key_file(database)
