"""`hub migrate --from … --to …`: a hub leaves its SQLite file and goes on living in PostgreSQL."""

from __future__ import annotations

import asyncio
import io
import json
import shlex
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import asyncpg
import pytest
from click.testing import CliRunner, Result
from rich.console import Console
from rich.progress import Progress

from hub.cli import hub
from hub.cli.move import Track, without_password
from hub.operations.audits.audit import audit
from hub.operations.system.master_keys import MasterKeys
from hub.sealing import Sealer
from hub.storage import Store
from hub.storage.migrations.files import load_migrations
from hub.testing.postgres import PostgresServer
from tests.cli.conftest import Operator
from tests.processing.harness import DAY, Harness


@pytest.fixture
def target(postgres: PostgresServer) -> Iterator[str]:
    """The address of a PostgreSQL database without any table."""
    url = postgres.create_empty()
    yield url
    postgres.drop(url)


def migrate(*arguments: str, **environment: str) -> Result:
    given = {"HUB_DATABASE_URL": None, "HUB_MASTER_KEY": None, **environment}
    return CliRunner().invoke(hub, ["migrate", *arguments], env=given, prog_name="hub")


def move(source: str, target: str, **environment: str) -> Any:
    """Move, which must succeed, and return the one JSON document."""
    result = migrate("--from", source, "--to", target, "--json", **environment)
    assert result.exit_code == 0, result.output
    assert result.stderr == ""
    return json.loads(result.stdout)


@pytest.mark.prove
class TestLife:
    async def test_goes_on_where_it_was(self, sqlite_url: str, target: str) -> None:
        """An order that SQLite took earns, is paid and is refused a second time on PostgreSQL."""
        old = await Harness.open(sqlite_url)
        campaign = await old.campaign()
        for number in ("1001", "1002"):
            await old.order(number, clickId=await old.click(campaign))
        await old.status("1003", "delivered")  # parked: its order has not come yet
        await old.work()
        await old.order("1004", clickId=await old.click(campaign))  # accepted, not decided
        assert (await old.commission("1001") or {})["state"] == "PENDING"
        await old.close()

        document = await asyncio.to_thread(move, sqlite_url, target)
        assert document["kept"] is True

        new = await Harness.attach(target)
        new.account_id, new.merchant_id, new.affiliate_id = old.account_id, old.merchant_id, old.affiliate_id
        new.clock.now = old.clock() + 60_000
        assert (await new.order("1001")).duplicate
        await new.order("1003")
        await new.status("1001", "delivered")
        await new.status("1002", "cancelled")
        await new.work()
        states = {number: ((await new.commission(number)) or {}).get("state") for number in ("1001", "1002", "1004")}
        assert states == {"1001": "HOLD", "1002": "REJECTED", "1004": "PENDING"}
        assert (await new.commission("1001") or {})["amount_minor"] == 1000
        found = await audit(new.store, new.clock)
        assert (found["accepted"], found["parked"], found["violations"]) == (7, 0, [])
        new.clock.now += 15 * DAY
        await new.close()

    def test_the_audit_is_clean(self, sqlite_url: str, target: str) -> None:
        """The commands find on PostgreSQL what they left on SQLite."""
        before = Operator(sqlite_url)
        merchant, affiliate = before.merchant("--approve"), before.affiliate("--coupon", "BEA")
        whose = ["--merchant", merchant, "--mode", "live"]
        before.do("link", "create", *whose, "--affiliate", affiliate)
        before.do("key", "create", *whose)
        document = move(sqlite_url, target, HUB_MASTER_KEY="5a" * 32)
        after = Operator(target)
        for question in (["merchant", "list"], ["affiliate", "list"], ["link", "list"], ["audit"]):
            assert after.do(*question) == before.do(*question)
        assert after.do("migrate") == {"schemaVersion": document["schemaVersion"]}


class TestDocument:
    def test_json(self, sqlite_url: str, target: str) -> None:
        """Every table with what was counted on either side."""
        Operator(sqlite_url).merchant()
        document = move(sqlite_url, target)
        tables = {table["table"]: table for table in document.pop("tables")}
        assert document.pop("seconds") > 0
        assert document == {
            "from": sqlite_url.removeprefix("sqlite:///"),
            "to": without_password(target),
            "schemaVersion": len(load_migrations("postgresql")),
            "kept": True,
            "rows": 4,  # a merchant, its two accounts, and the line of the trail
            "left": [],
            "masterKey": {"needed": [], "missing": [], "set": 'export HUB_MASTER_KEY="$(openssl rand -hex 32)"'},
            "uploads": None,
        }
        assert [(name, table["source"]["rows"]) for name, table in tables.items() if table["source"]["rows"]] == [
            ("accounts", 2), ("merchants", 1),
            ("trail", 1),
        ]  # fmt: skip
        merchants = tables["merchants"]
        assert merchants["same"] is True
        assert merchants["source"] == merchants["target"]
        assert merchants["source"]["sums"].keys() == {
            "hold_ms",
            "created_at",
            "updated_at",
            "closed_at",
            "live_asked_at",
            "deposit_required",
        }
        assert len(merchants["source"]["digest"]) == 16

    def test_a_person_reads_a_table_and_what_is_next(self, sqlite_url: str, target: str) -> None:
        Operator(sqlite_url).merchant()
        result = migrate("--from", sqlite_url, "--to", target)
        assert result.exit_code == 0, result.output
        lines = result.stdout.splitlines()
        assert lines[0].split() == ["TABLE", "ROWS", "COLUMNS", "SUMMED", "DIGEST", "TARGET"]
        assert [line.split()[:3] for line in lines if line.startswith("accounts")] == [["accounts", "2", "2"]]
        assert "all is the same." in result.stdout
        assert "run `hub audit`" in result.stdout
        assert "Never serve it again" in result.stdout
        assert "HUB_UPLOADS_DIRECTORY" not in result.stdout

    def test_uploaded_files_are_named(self, sqlite_url: str, target: str) -> None:
        """Rows move, files do not: an upload that was accepted goes on only where its file can be found."""
        files = Path(sqlite_url.removeprefix("sqlite:///") + ".uploads")
        files.mkdir()
        assert f"HUB_UPLOADS_DIRECTORY={files}" in migrate("--from", sqlite_url, "--to", target).stdout

    async def test_a_difference_keeps_nothing(self, sqlite_url: str, postgres_url: str) -> None:
        """Exit status 1, the table and what differs are named, the target stays empty; control: without the trigger."""
        await asyncio.to_thread(Operator(sqlite_url).merchant)
        connection = await asyncpg.connect(postgres_url)
        await connection.execute(
            "CREATE FUNCTION spoil() RETURNS trigger LANGUAGE plpgsql AS"
            " $$ BEGIN NEW.created_at := NEW.created_at + 1; RETURN NEW; END $$;"
            "CREATE TRIGGER spoil BEFORE INSERT ON merchants FOR EACH ROW EXECUTE FUNCTION spoil()"
        )
        arguments = ["--from", sqlite_url, "--to", postgres_url]
        result = await asyncio.to_thread(migrate, *arguments)
        assert result.exit_code == 1
        assert "Nothing was kept: merchants differ." in result.stdout
        (line,) = [line for line in result.stdout.splitlines() if line.startswith("merchants")]
        assert "created_at" in line
        assert "digest" in line
        assert "Next:" not in result.stdout
        result = await asyncio.to_thread(migrate, *arguments, "--json")
        assert result.exit_code == 1
        document = json.loads(result.stdout)
        assert document["kept"] is False
        assert [table["table"] for table in document["tables"] if not table["same"]] == ["merchants"]
        assert await connection.fetchval("SELECT count(*) FROM merchants") == 0
        await connection.execute("DROP TRIGGER spoil ON merchants")
        await connection.close()
        assert (await asyncio.to_thread(move, sqlite_url, postgres_url))["kept"] is True

    def test_progress(self) -> None:
        """One line a table, with its rows, how many a second, and what is being done."""
        text = io.StringIO()
        console = Console(file=text, force_terminal=True, width=120)
        columns = ("{task.description}", "{task.completed}", "{task.fields[speed]}", "{task.fields[stage]}")
        with Progress(*columns, console=console, auto_refresh=False) as progress:
            track = Track(progress)
            for step in (("count", 0, 0), ("copy", 0, 2_000), ("copy", 1_000, 2_000), ("copy", 2_000, 2_000)):
                track(step[0], "clicks", *step[1:])
                progress.refresh()
            for stage in ("count", "copy", "verify"):
                track(stage, "links", 0, 0)
                progress.refresh()
            track("verify", "clicks", 2_000, 2_000)
        for told in ("counting", "copying", "1000", "verifying", "rows/s", "links"):
            assert told in text.getvalue()
        last = text.getvalue().rpartition("clicks")[2]
        assert "links" not in last, "an empty table needs no line"
        assert [word for word in last.split() if word.endswith(("ing", "ied"))] == ["verifying"]

    def test_passwords_are_not_shown(self) -> None:
        told = without_password("postgresql://ann:p%40ss:x@db.example:6432/hub?password=y#z")
        assert told == "postgresql://ann@db.example:6432/hub"
        assert without_password("postgresql://localhost/hub") == "postgresql://localhost/hub"


class TestRefusals:
    @pytest.mark.parametrize(
        ("arguments", "sentence"),
        [
            (["--from", "sqlite:///a.db"], "A move needs both"),
            (["--to", "postgresql://h/x"], "A move needs both"),
            (["--from", "sqlite:///a.db", "--to", "sqlite:///a.db"], "are the same database"),
            (["--from", "postgresql://h/x", "--to", "postgresql://h/x"], "are the same database"),
            (["--from", "sqlite:///", "--to", "postgresql://h/y"], "must name a file"),
            (["--from", "sqlite:///a.db", "--to", "mysql://u:secret@h/y"], "must be"),
            (
                ["--from", "sqlite:///a.db", "--to", "postgresql://h/y", "--database", "sqlite:///a.db"],
                "--database is for the schema",
            ),
        ],
    )
    def test_a_move_that_there_is_not(self, arguments: list[str], sentence: str) -> None:
        """Told before anything is opened; exit status 2, as for every wrong call."""
        result = migrate(*arguments)
        assert result.exit_code == 2
        assert sentence in " ".join(result.stderr.split())
        assert "secret" not in result.output

    def test_a_missing_file(self, tmp_path: Path) -> None:
        result = migrate("--from", f"sqlite:///{tmp_path}/typo.db", "--to", "postgresql://127.0.0.1:9/none")
        assert (result.exit_code, result.stdout) == (1, "")
        assert "There is no database" in result.stderr

    async def test_a_hub_that_serves(self, sqlite_url: str, target: str) -> None:
        """What it would accept meanwhile would be left behind."""
        async with await Store.open(sqlite_url, serve=True):
            result = await asyncio.to_thread(migrate, "--from", sqlite_url, "--to", target)
        assert (result.exit_code, result.stdout) == (1, "")
        assert "already serves" in result.stderr
        assert "Stop it first: what it accepts during the move would be left behind." in result.stderr

    def test_a_key_file_that_others_read(self, sqlite_url: str, target: str) -> None:
        """Told before the move: after it, the file would be all that is left of the key."""
        path = Path(sqlite_url.removeprefix("sqlite:///") + ".key")
        path.write_text("ab" * 32)
        path.chmod(0o644)
        result = migrate("--from", sqlite_url, "--to", target)
        assert result.exit_code == 1
        assert "chmod 600" in result.stderr
        assert "ab" * 32 not in result.output


KEYS = MasterKeys(frozenset(), frozenset(), Path("/var/hub.db.key"), frozenset())
FILE, OURS, NEW = "$(cat /var/hub.db.key)", "$HUB_MASTER_KEY", "$(openssl rand -hex 32)"


class TestMasterKey:
    def test_the_file_beside_sqlite_is_named_and_opens_every_secret(
        self, sqlite_url: str, target: str, tmp_path: Path
    ) -> None:
        """Set as the command says, the key opens what was sealed; no output ever holds it."""
        before = Operator(sqlite_url)
        merchant = json.loads(
            before.run(
                "merchant", "create", "--name", "N", "--email", "n@n.example", "--domain", "n.example", "--json",
                HUB_MASTER_KEY="",
            ).stdout
        )  # fmt: skip
        made = before.run("key", "create", "--merchant", merchant["id"], "--mode", "test", "--json", HUB_MASTER_KEY="")
        key = json.loads(made.stdout)
        file = Path(sqlite_url.removeprefix("sqlite:///") + ".key")
        result = migrate("--from", sqlite_url, "--to", target, "--json")
        asked = json.loads(result.stdout)["masterKey"]
        assert (len(asked["needed"]), asked["missing"]) == (1, [])
        assert asked["set"] == f'export HUB_MASTER_KEY="$(cat {shlex.quote(str(file))})"'
        assert file.read_text().strip() not in result.output
        script = f'{asked["set"]}; printf %s "$HUB_MASTER_KEY"'
        given = subprocess.run(["sh", "-c", script], capture_output=True, text=True, check=True).stdout
        row = asyncio.run(sealed_row(target, key["keyId"]))
        sealer = Sealer.of([bytes.fromhex(given)])
        assert sealer.open(row, key["keyId"]).decode() == key["signingSecret"]

    def test_a_key_that_is_not_here_is_told(self, sqlite_url: str, target: str) -> None:
        """The rows were sealed under a key of another shell's environment: that one is needed."""
        before = Operator(sqlite_url)
        before.do("key", "create", "--merchant", before.merchant(), "--mode", "test")
        result = migrate("--from", sqlite_url, "--to", target)
        assert result.exit_code == 0
        assert "sealed under master keys that are not here: " in result.stdout
        assert "Find them first" in result.stdout

    def test_a_configured_key_stays(self, sqlite_url: str, target: str) -> None:
        result = migrate("--from", sqlite_url, "--to", target, HUB_MASTER_KEY="5a" * 32)
        assert "HUB_MASTER_KEY stays as it is" in result.stdout

    @pytest.mark.parametrize(
        ("needed", "configured", "filed", "value"),
        [
            ("", "", None, NEW),
            ("", "", "f", FILE),
            ("f", "", "f", FILE),
            ("f", "c", "f", f"{FILE},{OURS}"),  # the hub turned to the variable once it had sealed under the file's
            ("fc", "c", "f", f"{FILE},{OURS}"),
            ("c", "c", "f", None),  # the file is an old one that nothing needs
            ("c", "c", None, None),
            ("", "c", None, None),
            ("x", "", "f", FILE),
        ],
    )
    def test_what_to_set(self, needed: str, configured: str, filed: str | None, value: str | None) -> None:
        """Every key that is needed, and one that seals."""
        keys = MasterKeys(frozenset(needed), frozenset(configured), KEYS.file, frozenset(filed or ""))
        assert keys.assignment == (value and f'export HUB_MASTER_KEY="{value}"')
        assert keys.missing == (["x"] if needed == "x" else [])


async def sealed_row(url: str, key_id: str) -> str:
    connection = await asyncpg.connect(url)
    try:
        return str(await connection.fetchval("SELECT sealed_secret FROM api_keys WHERE key_id = $1", key_id))
    finally:
        await connection.close()
