"""Secrets at rest: AES-256-GCM under a master key, each text bound to the row that it belongs to."""

from __future__ import annotations

import base64
import contextlib
import hashlib
import os
import re
import secrets
import stat
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from attrs import field, frozen
from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from hub.config.readers import MASTER_KEY_BYTES
from hub.config.settings import Settings

DECOY_SECRET = secrets.token_bytes(43)
"""Used in place of the secret of an unknown key or connection, so that refusing it takes as long as a bad signature."""
_NONCE_BYTES = 12
_SEALED = re.compile(r"v1\.([0-9a-f]{8})\.([A-Za-z0-9_-]{16})\.([A-Za-z0-9_-]{22,})")


class SealingFault(Exception):
    """A secret cannot be opened, or the master key is missing; the text says what to do."""


@frozen
class Sealer:
    """Seals with the current master key and opens with any of `keys`, which are named by `master_key_id`."""

    keys: Mapping[str, bytes] = field(repr=lambda keys: f"<{', '.join(keys)}>")
    current: str

    def __attrs_post_init__(self) -> None:
        if self.current not in self.keys or any(len(key) != MASTER_KEY_BYTES for key in self.keys.values()):
            raise SealingFault(f"A master key has {MASTER_KEY_BYTES} bytes, and the current one is among the keys.")

    @classmethod
    def of(cls, keys: Sequence[bytes]) -> Sealer:
        """Make a sealer with these master keys, oldest first: the last one seals."""
        by_id = {master_key_id(key): key for key in keys}
        return cls(by_id, master_key_id(keys[-1]))

    def seal(self, plaintext: bytes, identity: str) -> str:
        """Encrypt for the row named by `identity`; return "v1.<master key id>.<nonce>.<ciphertext>"."""
        nonce = secrets.token_bytes(_NONCE_BYTES)
        ciphertext = AESGCM(self.keys[self.current]).encrypt(nonce, plaintext, identity.encode())
        return f"v1.{self.current}.{_to_text(nonce)}.{_to_text(ciphertext)}"

    def open(self, sealed: str, identity: str) -> bytes:
        """Decrypt what `seal` returned for the same identity; raise SealingFault for anything else."""
        parts = _SEALED.fullmatch(sealed)
        if parts is None:
            raise SealingFault(f"The sealed secret of {identity} is damaged; restore its row from a backup.")
        key_id, nonce, ciphertext = parts.groups()
        if key_id not in self.keys:
            raise SealingFault(
                f"The secret of {identity} was sealed with the master key {key_id}, which this hub does not have; "
                f'restore the key file, or put that key before the current one in HUB_MASTER_KEY ("old,new").'
            )
        try:
            return AESGCM(self.keys[key_id]).decrypt(_to_bytes(nonce), _to_bytes(ciphertext), identity.encode())
        except (InvalidTag, ValueError):
            raise SealingFault(
                f"The sealed secret of {identity} was altered or moved from another row; restore its row from a backup."
            ) from None


def master_key_id(key: bytes) -> str:
    """Return the id of a master key in sealed texts: the first 8 hex digits of its SHA-256."""
    return hashlib.sha256(key).hexdigest()[:8]


def load_sealer(settings: Settings) -> Sealer:
    """Return the sealer of the configured master keys, else of the database's own key file, made if it is missing.

    Raises SealingFault if there is no key to be had.
    """
    if settings.master_key:
        return Sealer.of(settings.master_key)
    database = settings.database.path
    if database is None:
        raise SealingFault(
            "PostgreSQL needs a master key that all nodes share: set HUB_MASTER_KEY to 64 hex digits, "
            'such as those that "openssl rand -hex 32" prints, and keep a copy.'
        )
    file = key_file(database)
    try:
        _create_key_file(file)
        return Sealer.of([_read_key_file(file)])
    except OSError as error:
        raise SealingFault(f"The master key {file} cannot be made or read: {error.strerror}.") from error


def key_file(database: Path) -> Path:
    """Return the path of an SQLite database's own key file."""
    return database.with_name(f"{database.name}.key")


def key_file_id(database: Path) -> str | None:
    """Return the id of the master key beside an SQLite database, None without one; raise SealingFault if unreadable."""
    try:
        return master_key_id(_read_key_file(key_file(database)))
    except FileNotFoundError:
        return None
    except OSError as error:
        raise SealingFault(f"The master key {key_file(database)} cannot be read: {error.strerror}.") from error


def master_keys_of(text: str) -> set[str]:
    """Return the ids of the master keys that the sealed secrets in a text need."""
    return {match[1] for match in _SEALED.finditer(text)}


def _create_key_file(file: Path) -> None:
    if file.exists():
        return
    file.parent.mkdir(parents=True, exist_ok=True)
    draft = file.with_name(f"{file.name}.{secrets.token_hex(8)}")
    try:
        descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(descriptor, "w", encoding="ascii") as stream:
            stream.write(secrets.token_hex(MASTER_KEY_BYTES) + "\n")
            stream.flush()
            os.fsync(stream.fileno())
        # A link never replaces a file: of two hubs that start together, one creates the key and both read it.
        with contextlib.suppress(FileExistsError):
            os.link(draft, file)
    finally:
        draft.unlink(missing_ok=True)
    with _directory(file.parent) as descriptor:
        os.fsync(descriptor)  # a key that is lost in a power cut makes every secret unreadable


@contextlib.contextmanager
def _directory(path: Path) -> Iterator[int]:
    descriptor = os.open(path, os.O_RDONLY | os.O_DIRECTORY)
    try:
        yield descriptor
    finally:
        os.close(descriptor)


def _read_key_file(file: Path) -> bytes:
    with file.open("rb") as stream:
        mode = stat.S_IMODE(os.fstat(stream.fileno()).st_mode)
        content = stream.read(MASTER_KEY_BYTES * 4)
    if mode & 0o077:
        raise SealingFault(f'The master key {file} can be read by others (mode {mode:04o}); run "chmod 600 {file}".')
    if not re.fullmatch(rb"[0-9a-f]{64}\n?", content):
        raise SealingFault(
            f"The master key {file} does not hold 64 hex digits; restore it from a backup. "
            "A new key would leave every stored secret unreadable."
        )
    return bytes.fromhex(content.decode().strip())


def _to_text(value: bytes) -> str:
    return base64.urlsafe_b64encode(value).rstrip(b"=").decode()


def _to_bytes(value: str) -> bytes:
    return base64.urlsafe_b64decode(value + "=" * (-len(value) % 4))
