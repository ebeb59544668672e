"""The master keys that a hub needs once it has left its SQLite file and the key file beside it."""

from __future__ import annotations

import shlex
from pathlib import Path

from attrs import frozen

from hub.config.settings import Settings
from hub.sealing import key_file, key_file_id, master_key_id, master_keys_of
from hub.storage import Store


@frozen
class MasterKeys:
    """The ids of the keys that are needed, configured in HUB_MASTER_KEY, and filed beside the database."""

    needed: frozenset[str]
    configured: frozenset[str]
    file: Path
    filed: str | None

    @property
    def missing(self) -> list[str]:
        """Return the keys that are neither configured nor filed: what they sealed cannot be read."""
        return sorted(self.needed - self.configured - {self.filed})

    @property
    def assignment(self) -> str | None:
        """Return what to set in a shell, without any key in it; None if HUB_MASTER_KEY may stay as it is."""
        uses_file = self.filed is not None and (not self.configured or self.filed in self.needed - self.configured)
        if self.configured and not uses_file:
            return None
        parts = [f"$(cat {shlex.quote(str(self.file))})"] if uses_file else []
        parts += ["$HUB_MASTER_KEY"] if self.configured else []
        return f'export HUB_MASTER_KEY="{",".join(parts or ["$(openssl rand -hex 32)"])}"'


def keys_at_hand(settings: Settings, database: Path) -> MasterKeys:
    """Return the keys that are configured and filed; raise SealingFault if the file cannot be used."""
    configured = frozenset(map(master_key_id, settings.master_key))
    return MasterKeys(frozenset(), configured, key_file(database).absolute(), key_file_id(database))


async def keys_needed(store: Store) -> frozenset[str]:
    """Return the ids of the master keys that the store's secrets are sealed under."""
    async with store.read() as tx:
        rows = await tx.all("sealed_texts")
    return frozenset().union(*(master_keys_of(row["sealed"]) for row in rows))
