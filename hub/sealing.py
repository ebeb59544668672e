"""Secrets at rest: AES-256-GCM under a master key, each text bound to the row that it belongs to."""

from __future__ import annotations

import base64
import contextlib
import hashlib
import hmac
import os
import re
import secrets
import stat
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path

from attrs import field, frozen
from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from hub.config.readers import MASTER_KEY_BYTES
from hub.config.settings import Settings

DECOY_SECRET = secrets.token_bytes(43)
"""Used in place of the secret of an unknown key or connection, so that refusing it takes as long as a bad signature."""
LONGEST_KEY_FILE = 100 * 65
"""A key file holds a hundred keys at most."""
_NONCE_BYTES = 12
_SEALED = re.compile(r"v1\.([0-9a-f]{8})\.([A-Za-z0-9_-]{16})\.([A-Za-z0-9_-]{22,})")


class SealingFault(Exception):
    """A secret cannot be opened, or the master key is missing; the text says what to do."""


@frozen
class Sealer:
    """Seals with the current master key and opens with any of `keys`, which are named by `master_key_id`."""

    keys: Mapping[str, bytes] = field(repr=lambda keys: f"<{', '.join(keys)}>")
    current: str
    reread: Callable[[], Sequence[bytes]] | None = field(default=None, eq=False, repr=False)
    """Returns the keys as they are in the key file by now, which may have got another one."""

    def __attrs_post_init__(self) -> None:
        if self.current not in self.keys or any(len(key) != MASTER_KEY_BYTES for key in self.keys.values()):
            raise SealingFault(f"A master key has {MASTER_KEY_BYTES} bytes, and the current one is among the keys.")

    @classmethod
    def of(cls, keys: Sequence[bytes], reread: Callable[[], Sequence[bytes]] | None = None) -> Sealer:
        """Make a sealer of the master keys, oldest first: the last one seals."""
        by_id = {master_key_id(key): key for key in keys}
        return cls(by_id, master_key_id(keys[-1]), reread)

    def derived_key(self, purpose: str) -> bytes:
        """Return a key of 32 bytes for one purpose, made from the current master key."""
        return hmac.digest(self.keys[self.current], purpose.encode(), "sha256")

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
        key = self.keys.get(key_id) or self._added_key(key_id)
        if key is None:
            raise SealingFault(
                f"The secret of {identity} was sealed with the master key {key_id}, which this hub does not have; "
                f'restore the key file, or put that key before the current one in HUB_MASTER_KEY ("old,new").'
            )
        try:
            return AESGCM(key).decrypt(_to_bytes(nonce), _to_bytes(ciphertext), identity.encode())
        except (InvalidTag, ValueError):
            raise SealingFault(
                f"The sealed secret of {identity} was altered or moved from another row; restore its row from a backup."
            ) from None

    def _added_key(self, key_id: str) -> bytes | None:
        """Return a key that was put into the key file since it was read."""
        try:
            keys = [] if self.reread is None else self.reread()
        except OSError:
            return None
        return {master_key_id(key): key for key in keys}.get(key_id)


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
        return Sealer.of(read_key_file(file), partial(read_key_file, file))
    except OSError as error:
        raise SealingFault(f"The master key {file} cannot be made or read: {error.strerror}.") from error


def key_file(database: Path) -> Path:
    """Return the path of an SQLite database's own key file."""
    return database.with_name(f"{database.name}.key")


def key_file_ids(database: Path) -> frozenset[str]:
    """Return the ids of the master keys beside an embedded database; none if there is no file of them."""
    try:
        return frozenset(map(master_key_id, read_key_file(key_file(database))))
    except FileNotFoundError:
        return frozenset()
    except OSError as error:
        raise SealingFault(f"The master key {key_file(database)} cannot be read: {error.strerror}.") from error


def sealed_under(text: str) -> list[str]:
    """Return the id of the master key of each sealed secret in a text."""
    return [match[1] for match in _SEALED.finditer(text)]


def _create_key_file(file: Path) -> None:
    if file.exists():
        return
    file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    # A link never replaces: of two hubs that start together, one names its key and both read that one.
    with _drafted(file, [secrets.token_bytes(MASTER_KEY_BYTES)]) as draft, contextlib.suppress(FileExistsError):
        os.link(draft, file)


def write_key_file(file: Path, keys: Sequence[bytes]) -> None:
    """Replace the keys in an existing key file, oldest first, as a whole."""
    with _drafted(file, keys) as draft:
        draft.replace(file)


@contextlib.contextmanager
def _drafted(file: Path, keys: Sequence[bytes]) -> Iterator[Path]:
    """Yield a file beside the key file that holds these keys; make durable what the block does with it."""
    draft = file.with_name(f"{file.name}.{secrets.token_hex(8)}")
    try:
        descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(descriptor, "w", encoding="ascii") as stream:
            stream.write("".join(f"{key.hex()}\n" for key in keys))
            stream.flush()
            os.fsync(stream.fileno())
        yield draft
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


def read_key_file(file: Path) -> list[bytes]:
    """Return the master keys in a key file, oldest first; raise OSError, or SealingFault if it is damaged or open."""
    with file.open("rb") as stream:
        mode = stat.S_IMODE(os.fstat(stream.fileno()).st_mode)
        content = stream.read(LONGEST_KEY_FILE)
    if mode & 0o077:
        raise SealingFault(f'The master key {file} can be read by others (mode {mode:04o}); run "chmod 600 {file}".')
    if not re.fullmatch(rb"([0-9a-f]{64}\n)*[0-9a-f]{64}\n?", content):
        raise SealingFault(
            f"The master key {file} does not hold 64 hex digits; restore it from a backup. "
            "A new key would leave every stored secret unreadable."
        )
    return [bytes.fromhex(line) for line in content.decode().split()]


def _to_text(value: bytes) -> str:
    return base64.urlsafe_b64encode(value).rstrip(b"=").decode()


def _to_bytes(value: str) -> bytes:
    return base64.urlsafe_b64decode(value + "=" * (-len(value) % 4))
