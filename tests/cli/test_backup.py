"""`hub backup`, `hub restore` and `hub secret` as an operator types them, and what a damaged database says."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from hub.storage.sqlite.version import has_wal_reset_fault
from tests.cli.conftest import ENVIRONMENT, Operator
from tests.cli.test_serve import serving
from tests.observability.test_troubles import Seeds
from tests.storage.test_backup import damage


@pytest.fixture
def backup(tmp_path: Path) -> Path:
    return tmp_path / "backup.db"


def file_of(operator: Operator) -> Path:
    return Path(operator.url.removeprefix("sqlite:///"))


@pytest.mark.prove
def test_a_backup_beside_a_server_and_its_way_back(operator: Operator, backup: Path) -> None:
    merchant = operator.merchant("--approve")
    key = operator.do("key", "create", "--merchant", merchant, "--mode", "test")
    with serving(operator.url):
        made = operator.do("backup", str(backup))
        assert made["rows"]["merchants"] == 1
        assert (len(made["masterKeys"]), made["missingKeys"]) == (1, [])
        assert "cannot be replaced beneath" in operator.refused("restore", str(backup))
        assert operator.do("restore", str(backup), "--verify")["rows"] == made["rows"]
    operator.do("key", "revoke", key["keyId"])
    restored = operator.do("restore", str(backup))
    assert Path(restored["aside"]).exists()
    (found,) = operator.do("key", "list", "--merchant", merchant)
    assert found["revokedAt"] is None
    assert operator.do("audit")["violations"] == []


def test_what_has_to_be_kept_beside_it_is_said(operator: Operator, backup: Path) -> None:
    operator.do("key", "create", "--merchant", operator.merchant(), "--mode", "test")
    shown = operator.run("backup", str(backup)).stdout
    assert "Keep with it, but apart: the master key" in shown
    assert f"{file_of(operator)}.uploads" in shown


def test_a_backup_whose_master_key_is_missing_is_not_restored(operator: Operator, backup: Path) -> None:
    operator.do("key", "create", "--merchant", operator.merchant(), "--mode", "test")
    operator.do("backup", str(backup))
    result = operator.run("restore", str(backup), HUB_MASTER_KEY="00" * 32)
    assert (result.exit_code, "which are not here" in " ".join(result.stderr.split())) == (1, True)


def test_postgresql_is_backed_up_by_its_own_tools(backup: Path) -> None:
    operator = Operator("postgresql://nobody@127.0.0.1:1/none")
    for command in ("backup", "restore"):
        assert "pg_dump" in operator.refused(command, str(backup))


def test_the_audit_of_a_damaged_file_says_to_restore_a_backup(operator: Operator) -> None:
    assert operator.do("audit")["violations"] == []
    with closing(sqlite3.connect(file_of(operator))) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    damage(file_of(operator))
    told = operator.refused("audit")
    assert "restore a backup: hub restore FILE" in told
    assert "Try again" not in told


def test_the_master_key_is_changed_beside_sqlite(operator: Operator) -> None:
    """The steps of docs/operator.md, with the key file and no variable."""
    bare = {"HUB_MASTER_KEY": ""}

    def run(*words: str) -> str:
        result = operator.run(*words, **bare)
        assert result.exit_code == 0, result.output
        return result.stdout

    merchant = operator.merchant("--approve")
    run("key", "create", "--merchant", merchant, "--mode", "test")
    old = json.loads(run("secret", "status", "--json"))["current"]
    run("secret", "add")
    assert operator.run("secret", "drop", old, **bare).exit_code == 1
    assert "1 secrets were resealed" in run("secret", "rotate")
    run("secret", "drop", old)
    assert old not in run("secret", "status")
    assert "0 secrets were resealed" in run("secret", "rotate")


@pytest.mark.prove
def test_nothing_is_sealed_under_a_key_that_those_who_serve_do_not_have(operator: Operator) -> None:
    """Else it would be a key that gets 503 until somebody finds out."""
    merchant = operator.merchant("--approve")
    create = ("key", "create", "--merchant", merchant, "--mode", "test")
    other = "00" * 32
    both = f"{ENVIRONMENT['HUB_MASTER_KEY']},{other}"
    with serving(operator.url):
        for master_key in (other, both):
            result = operator.run(*create, HUB_MASTER_KEY=master_key)
            assert (result.exit_code, "is not known to" in result.stderr) == (1, True)
        operator.do(*create)
    result = operator.run(*create, HUB_MASTER_KEY=other)
    assert (result.exit_code, "Secrets are sealed under the master keys" in result.stderr) == (1, True)
    assert len(operator.do("key", "list", "--merchant", merchant)) == 1


def test_configured_master_keys_are_no_file(operator: Operator) -> None:
    assert ENVIRONMENT["HUB_MASTER_KEY"]
    assert "HUB_MASTER_KEY" in operator.refused("secret", "add")


def test_clocks(operator: Operator) -> None:
    assert operator.do("clock", "status") == []
    assert operator.do("clock", "confirm") == {"confirmed": 0}
    with serving(operator.url):
        (node,) = operator.do("clock", "status")
        assert (node["serves"], node["clockJumpSeconds"]) == (True, 0)


@pytest.mark.parametrize(
    ("version", "faulty"),
    [((3, 6, 23), False), ((3, 7, 0), True), ((3, 40, 1), True), ((3, 51, 2), True), ((3, 51, 3), False)],
)
def test_releases_of_sqlite_that_can_damage_a_file(version: tuple[int, int, int], faulty: bool) -> None:
    assert has_wal_reset_fault(version) is faulty


class TestRehearsal:
    """`hub restore --rehearse`: the way back is tried without taking it."""

    def test_a_sound_backup_is_restored_aside_and_audited(self, operator: Operator, tmp_path: Path) -> None:
        operator.merchant()
        backup, live = tmp_path / "backup.db", Path(operator.url.removeprefix("sqlite:///"))
        operator.do("backup", str(backup))
        before = live.read_bytes()
        found = operator.do("restore", str(backup), "--rehearse")
        assert (found["audit"]["violations"], found["missingKeys"]) == ([], [])
        assert live.read_bytes() == before
        assert not list(tmp_path.glob("hub-rehearsal-*")), "nothing is left"

    def test_what_its_audit_finds_is_an_exit_status(self, operator: Operator, tmp_path: Path) -> None:
        """The control: the same backup after a claim without its event got into it."""
        operator.merchant()
        backup = tmp_path / "backup.db"
        operator.do("backup", str(backup))
        Seeds(backup).add("claims", account_id="acc", scope="order", claim_key="A-1", event_id="evt_gone")
        result = operator.run("restore", str(backup), "--rehearse")
        assert result.exit_code == 1
        assert "its event is missing" in result.stdout

    def test_postgresql_is_told_its_own_tools(self, tmp_path: Path, operator: Operator) -> None:
        result = operator.run(
            "restore", str(tmp_path / "hub.dump"), "--rehearse", HUB_DATABASE_URL="postgresql://hub@db.example/hub"
        )
        assert result.exit_code == 1
        assert "pg_restore" in result.stderr
