"""Sealing: texts open only for their own row and key, and the embedded key file is made once, for its owner alone."""

from __future__ import annotations

import re
import stat
import threading
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hub.config.settings import Settings, load_settings
from hub.sealing import Sealer, SealingFault, load_sealer, master_key_id

OLD, NEW = bytes(32), bytes(range(32))


def embedded(tmp_path: Path) -> Settings:
    return load_settings(None, {}, {"database.url": f"sqlite:///{tmp_path}/var/hub.db"})


class TestSealer:
    @given(st.binary(max_size=200), st.text(max_size=50))
    def test_a_sealer_opens_what_it_sealed(self, plaintext: bytes, identity: str) -> None:
        """Any bytes come back for the same identity."""
        sealer = Sealer.of([NEW])
        assert sealer.open(sealer.seal(plaintext, identity), identity) == plaintext

    def test_a_sealed_text_names_its_format_and_master_key(self) -> None:
        """The text names its format and its master key, so that both can change later."""
        sealed = Sealer.of([OLD, NEW]).seal(b"secret", "key_1")
        assert re.fullmatch(rf"v1\.{master_key_id(NEW)}\.[\w-]{{16}}\.[\w-]+", sealed)
        assert master_key_id(OLD) == "66687aad"

    def test_no_text_is_sealed_alike_twice(self) -> None:
        """A nonce used twice under one key would give both secrets away."""
        sealer = Sealer.of([NEW])
        assert len({sealer.seal(b"secret", "key_1") for _ in range(100)}) == 100

    def test_another_row_cannot_open_it(self) -> None:
        """A ciphertext copied to another row is worth nothing."""
        sealer = Sealer.of([NEW])
        with pytest.raises(SealingFault, match="altered or moved"):
            sealer.open(sealer.seal(b"secret", "key_1"), "key_2")

    def test_the_last_master_key_seals_and_all_of_them_open(self) -> None:
        """With "old,new" the new key seals and both open; with the new key alone the old text names what is missing."""
        sealed = Sealer.of([OLD]).seal(b"secret", "key_1")
        assert Sealer.of([OLD, NEW]).open(sealed, "key_1") == b"secret"
        with pytest.raises(SealingFault, match=f"master key {master_key_id(OLD)}.*HUB_MASTER_KEY"):
            Sealer.of([NEW]).open(sealed, "key_1")

    def test_every_altered_character_is_noticed(self) -> None:
        """No edit of the text opens, and none ends in another exception."""
        sealer = Sealer.of([NEW])
        sealed = sealer.seal(b"secret", "key_1")
        for position, letter in enumerate(sealed[:-1]):
            changed = sealed[:position] + ("A" if letter != "A" else "B") + sealed[position + 1 :]
            with pytest.raises(SealingFault):
                sealer.open(changed, "key_1")
        for damaged in ("", "v1", sealed[:-1], sealed + "A", sealed + "AA", sealed + "=", "x" + sealed, sealed + "\n"):
            with pytest.raises(SealingFault):
                sealer.open(damaged, "key_1")

    def test_master_keys_are_not_shown(self) -> None:
        """A sealer in a log line shows key ids only."""
        assert repr(Sealer.of([NEW])) == f"Sealer(keys=<{master_key_id(NEW)}>, current='{master_key_id(NEW)}')"

    def test_short_keys_are_refused(self) -> None:
        """AES would take 16 bytes too; the promise is 256 bits."""
        with pytest.raises(SealingFault, match="32 bytes"):
            Sealer.of([b"x" * 16])
        with pytest.raises(SealingFault, match="current"):
            Sealer({master_key_id(NEW): NEW}, "00000000")


class TestMasterKey:
    def test_configured_keys_are_used_as_they_are(self) -> None:
        """HUB_MASTER_KEY is used as it is: the last of several seals."""
        settings = load_settings(None, {"HUB_MASTER_KEY": f"{OLD.hex()},{NEW.hex()}"})
        sealer = load_sealer(settings)
        assert (list(sealer.keys.values()), sealer.current) == ([OLD, NEW], master_key_id(NEW))

    def test_the_embedded_key_is_made_once(self, tmp_path: Path) -> None:
        """The first start makes directory and key, for the owner alone; the next one reads the same key."""
        first = load_sealer(embedded(tmp_path))
        file = tmp_path / "var" / "hub.db.key"
        assert stat.S_IMODE(file.stat().st_mode) == 0o600
        assert bytes.fromhex(file.read_text().strip()) == first.keys[first.current]
        assert load_sealer(embedded(tmp_path)) == first
        assert [path.name for path in (tmp_path / "var").iterdir()] == ["hub.db.key"]

    def test_starts_that_race_agree_on_one_key(self, tmp_path: Path) -> None:
        """Of several first starts one makes the key, and all use it."""
        found: list[str] = []
        barrier = threading.Barrier(8)
        settings = embedded(tmp_path)

        def start() -> None:
            barrier.wait()
            found.append(load_sealer(settings).current)

        threads = [threading.Thread(target=start) for _ in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert len(found) == 8
        assert len(set(found)) == 1

    def test_postgresql_says_what_it_needs(self) -> None:
        """Nodes share a database but no disk, so the key must be given."""
        with pytest.raises(SealingFault, match="set HUB_MASTER_KEY"):
            load_sealer(load_settings(None, {"HUB_DATABASE_URL": "postgresql://h/d"}))

    @pytest.mark.parametrize("mode", [0o640, 0o604, 0o666])
    def test_a_key_that_others_can_read_is_refused(self, tmp_path: Path, mode: int) -> None:
        """The fault says the command that mends it."""
        load_sealer(embedded(tmp_path))
        file = tmp_path / "var" / "hub.db.key"
        file.chmod(mode)
        with pytest.raises(SealingFault, match=re.escape(f'run "chmod 600 {file}"')):
            load_sealer(embedded(tmp_path))

    @pytest.mark.parametrize("content", ["", "ab", "0" * 63, "0" * 65, "0" * 64 + "\n\n", "G" * 64, "0" * 9_999])
    def test_a_damaged_key_is_refused_and_not_replaced(self, tmp_path: Path, content: str) -> None:
        """A damaged file is never replaced: the stored secrets belong to the lost key."""
        load_sealer(embedded(tmp_path))
        file = tmp_path / "var" / "hub.db.key"
        file.write_text(content)
        with pytest.raises(SealingFault, match="restore it from a backup"):
            load_sealer(embedded(tmp_path))
        assert file.read_text() == content

    def test_a_place_that_cannot_hold_the_key_is_refused_in_a_sentence(self, tmp_path: Path) -> None:
        """A directory that cannot be made is a sentence, not a traceback."""
        (tmp_path / "var").write_text("a file")
        with pytest.raises(SealingFault, match="cannot be made or read"):
            load_sealer(embedded(tmp_path))
