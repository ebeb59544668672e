"""`hub csv check|apply|template|uploads`: what a person types, sees and gets, alone and beside a running server."""

from __future__ import annotations

import csv
import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from attrs import evolve, frozen

from hub.cli.csv_progress import Progress, Rate, clock_text
from hub.clock import system_clock
from hub.csv_import import job_store
from hub.csv_import.job import COMMAND, new_upload
from hub.operations.files import submit_to_server
from hub.storage import Store, StoreBusy
from hub.storage.sqlite.server_lock import ServerLock
from tests.cli.conftest import ENVIRONMENT, Operator
from tests.cli.test_serve import serving
from tests.forked import Forked
from tests.polling import until_blocking

HEADER = "external_order_id;order amount;Click-ID;remark\n"


@frozen
class Shop:
    """An operator with a merchant and a folder for files."""

    operator: Operator
    merchant: str
    folder: Path

    def file(self, name: str, text: str) -> Path:
        path = self.folder / name
        path.write_text(text, encoding="utf-8")
        return path

    def orders(self, name: str, count: int) -> Path:
        return self.file(name, HEADER + "".join(f"{name}-{n};49.90;;x\n" for n in range(count)))

    def arguments(self, verb: str, kind: str, path: Path, *options: str) -> list[str]:
        return ["csv", verb, kind, str(path), "--merchant", self.merchant, "--mode", "test", *options]

    def result_of(self, verb: str, kind: str, path: Path, *options: str, status: int = 0) -> Any:
        """Runs a command with --json; returns its document."""
        result = self.operator.run(*self.arguments(verb, kind, path, *options), "--json")
        assert result.exit_code == status, result.output
        return json.loads(result.stdout)

    def process(self, verb: str, kind: str, path: Path, *options: str) -> Forked:
        """The command as a process of its own."""
        clean = {name: value for name, value in os.environ.items() if not name.startswith("HUB_")}
        environment = {**clean, **ENVIRONMENT, "HUB_DATABASE_URL": self.operator.url}
        return Forked(self.arguments(verb, kind, path, *options), environment)


def verdicts(path: Path) -> list[dict[str, str]]:
    with Path(f"{path}.verdicts.csv").open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


@pytest.fixture
def shop(operator: Operator, tmp_path: Path) -> Shop:
    return Shop(operator, operator.merchant(), tmp_path)


@pytest.fixture
def either_shop(either: Operator, tmp_path: Path) -> Shop:
    return Shop(either, either.merchant(), tmp_path)


class TestTemplates:
    @pytest.mark.parametrize("kind", ["products", "orders", "statuses"])
    def test_a_template_passes(self, shop: Shop, kind: str) -> None:
        """The hub accepts the file that it prints itself."""
        path = shop.folder / "new.csv"
        result = shop.operator.run("csv", "template", kind, "--out", str(path))
        assert result.exit_code == 0, result.output
        assert shop.operator.run("csv", "template", kind).stdout_bytes == path.read_bytes()
        assert shop.result_of("check", kind, path)["created"] == 2
        assert shop.result_of("apply", kind, path)["created"] == 2

    def test_nobodys_work_is_overwritten(self, shop: Shop) -> None:
        path = shop.file("mine.csv", "mine")
        assert "exists already" in shop.operator.refused("csv", "template", "orders", "--out", str(path))
        assert path.read_text() == "mine"

    def test_a_template_as_json_names_the_required_columns(self, shop: Shop) -> None:
        made = shop.operator.do("csv", "template", "statuses")
        assert made["required"] == ["externalOrderId", "status"]
        assert made["template"].startswith("externalOrderId,status,")


class TestCheckAndApply:
    def test_check_writes_nothing(self, either_shop: Shop) -> None:
        """A check predicts what applying does; a second time there are only duplicates."""
        path = either_shop.orders("a.csv", 3)
        checked = either_shop.result_of("check", "orders", path)
        assert (checked["uploadId"], checked["dryRun"], checked["created"]) == (None, True, 3)
        assert either_shop.result_of("check", "orders", path)["created"] == 3
        applied = either_shop.result_of("apply", "orders", path)
        assert (applied["status"], applied["created"], applied["ignoredColumns"]) == ("DONE", 3, ["remark"])
        assert applied["verdicts"] == f"{path}.verdicts.csv"
        assert [row["verdict"] for row in verdicts(path)] == ["created"] * 3
        again = either_shop.result_of("apply", "orders", path)
        assert (again["created"], again["duplicate"]) == (0, 3)
        listed = either_shop.operator.do("csv", "uploads", "--merchant", either_shop.merchant, "--mode", "test")
        assert [upload["uploadId"] for upload in listed] == [again["uploadId"], applied["uploadId"]]
        assert [path.name for path in either_shop.folder.glob("*.part")] == []

    def test_a_file_that_is_given_up_has_its_verdicts(self, shop: Shop) -> None:
        """The rows until then are decided; the last line says why there are no more."""
        path = shop.file("odd.csv", f"{HEADER}1;49.90;;x\n" + "B;49,90;;x\n" * 12_000)
        result = shop.operator.run(*shop.arguments("apply", "orders", path))
        assert result.exit_code == 1
        assert f"odd.csv was given up after 12,000 rows; {path}.verdicts.csv has their verdicts." in result.stderr
        assert "10,000 rows failed one after the other" in result.stderr
        first, *_, last = verdicts(path)
        assert (first["verdict"], last["verdict"]) == ("created", "stopped")
        assert shop.result_of("check", "orders", path, status=1)["verdicts"] == f"{path}.verdicts.csv"

    def test_a_bad_row_fails_alone(self, shop: Shop) -> None:
        """Exit status 1, the first faults on the screen, all of them in the verdict file."""
        bad = "".join(f"B-{n};49,90;;x\n" for n in range(7))
        path = shop.file("bad.csv", f"{HEADER}1;49.90;;x\n{bad}")
        for verb in ("check", "apply"):
            result = shop.operator.run(*shop.arguments(verb, "orders", path))
            assert result.exit_code == 1
            assert result.stdout.count("`orderAmount` must be money") == 5
            assert "… and 2 more" in result.stdout
            assert "unknown columns  remark" in result.stdout
        failed = [row for row in verdicts(path) if row["verdict"] == "failed"]
        assert (failed[0]["line"], failed[0]["id"], failed[0]["column"]) == ("3", "B-0", "orderAmount")
        assert shop.result_of("apply", "orders", path, status=1)["failed"] == 7

    def test_the_summary_has_counts_the_verdict_file_and_the_next_step(self, shop: Shop) -> None:
        """Without a terminal there are no escape codes."""
        path = shop.orders("a.csv", 2)
        checked = shop.operator.run(*shop.arguments("check", "orders", path))
        assert checked.stdout.splitlines()[:2] == [
            "a.csv: 2 rows checked, nothing applied. Applying it now would give",
            "  created          2",
        ]
        applied = shop.operator.run(*shop.arguments("apply", "orders", path))
        assert applied.stdout.startswith("a.csv: 2 rows applied\n")
        assert applied.stdout.endswith("The hub decides on them while `hub serve` runs.\n")
        assert "updated" not in applied.stdout
        assert "\x1b" not in applied.stdout + applied.stderr
        assert applied.stderr == ""

    def test_a_refused_file_is_refused_before_its_first_row(self, shop: Shop) -> None:
        """The fault says how to correct it, and no verdict file is left that could be taken for this file's."""
        path = shop.file("no.csv", "external_order_id;ordr_amount\n1;2\n")
        result = shop.operator.run(*shop.arguments("apply", "orders", path))
        assert result.exit_code == 1
        assert "no.csv is refused as a whole; nothing of it was applied." in result.stderr
        assert "did you mean it by `ordr_amount`?" in result.stderr
        document = shop.result_of("check", "orders", path, status=1)
        assert (document["status"], document["verdicts"], len(document["faults"])) == ("REFUSED", None, 1)
        assert sorted(each.name for each in shop.folder.glob("no.csv*")) == ["no.csv"]

    def test_paths_and_names_that_cannot_be_meant_are_refused(self, shop: Shop) -> None:
        path = shop.orders("a.csv", 1)
        operator, where = shop.operator, shop.arguments("apply", "orders", path)
        assert "overwrite the file itself" in operator.refused(*where, "--verdicts", str(path))
        assert "directory that exists" in operator.refused(*where, "--verdicts", str(shop.folder / "no" / "v.csv"))
        assert "There is no merchant" in operator.refused(*where, "--merchant", "mer_x")
        assert operator.run(*shop.arguments("apply", "parcels", path)).exit_code == 2
        assert operator.run(*shop.arguments("apply", "orders", shop.folder / "none.csv")).exit_code == 2
        os.mkfifo(shop.folder / "pipe")
        assert operator.run(*shop.arguments("apply", "orders", shop.folder / "pipe")).exit_code in (1, 2)


class TestStopping:
    @pytest.mark.prove
    def test_ctrl_c_leaves_a_clean_prefix(self, shop: Shop) -> None:
        """Exit status 130; the same command goes on after the rows that are done."""
        path = shop.orders("long.csv", 20_000)
        command = shop.process("apply", "orders", path)
        wait_for_rows(shop)
        command.send_signal(signal.SIGINT)
        out, told = command.communicate(timeout=300)
        assert command.returncode == 130, told
        assert "run the same command again to go on" in out
        (stopped,) = shop.operator.do("csv", "uploads", "--merchant", shop.merchant, "--mode", "test")
        assert 0 < stopped["rows"] < 20_000
        result = shop.operator.run(*shop.arguments("apply", "orders", path), "--json")
        assert f"{stopped['rows']:,} rows were applied before; going on after them." in result.stderr
        document = json.loads(result.stdout)
        assert (document["uploadId"], document["created"], document["duplicate"]) == (stopped["uploadId"], 20_000, 0)
        assert [row["row"] for row in verdicts(path)] == [str(n) for n in range(1, 20_001)]

    async def test_a_rival_on_the_same_file_is_waited_for_and_then_refused(
        self, postgres_url: str, tmp_path: Path
    ) -> None:
        """On PostgreSQL two commands may meet: the second waits, and is refused where the first does not end."""
        from hub.config.settings import load_settings
        from hub.operations.errors import OperatorFault
        from hub.operations.files.file_jobs import FileJob, Observer
        from hub.operations.files.uploads import apply_file
        from hub.operations.merchants.merchants import NewMerchant, create_merchant
        from hub.operations.references import account_id_of

        async with await Store.open(postgres_url) as store:
            made = await create_merchant(store, system_clock, NewMerchant("Shop", "a@shop.example", ["shop.example"]))
            account = await account_id_of(store, str(made.id), "test")
            rival = new_upload(account, "orders", dry_run=False, source=COMMAND, size=1, sha256="x", now=system_clock())
            async with store.write() as tx:
                await job_store.insert(tx, rival)
            assert await job_store.lease(store, rival, "rival", system_clock() + 10**9, 60_000)
        times = iter(range(system_clock(), system_clock() + 10**9, 30_000))
        told: list[str] = []
        job = FileJob(account, "orders", tmp_path / "x", tmp_path / "v", 1, "x")
        settings = load_settings(None, {"HUB_DATABASE_URL": postgres_url})
        with pytest.raises(OperatorFault, match="Another process is applying this very file"):
            await apply_file(settings, lambda: next(times), job, Observer(say=told.append))
        assert "being applied already" in told[0]


@pytest.mark.prove
class TestBesideAServer:
    def test_beside_a_server_the_server_applies_the_file(self, shop: Shop) -> None:
        """SQLite has one writer, so the command submits the file, follows it, and copies the verdict file."""
        path = shop.file("a.csv", HEADER + "1;49.90;;x\n2;much;;x\n")
        with serving(shop.operator.url):
            document = shop.result_of("apply", "orders", path, status=1)
            checked = shop.result_of("check", "orders", path, status=1)
        assert (document["status"], document["created"], document["failed"]) == ("DONE", 1, 1)
        assert (checked["duplicate"], checked["failed"]) == (1, 1)
        assert [row["verdict"] for row in verdicts(path)] == ["duplicate", "failed"]

    @pytest.mark.prove
    def test_ctrl_c_leaves_it_to_the_server(self, shop: Shop) -> None:
        """The server goes on; the same command again follows it and enters nothing anew."""
        path = shop.orders("long.csv", 10_000)
        with serving(shop.operator.url):
            command = shop.process("apply", "orders", path)
            wait_for_rows(shop)
            command.send_signal(signal.SIGINT)
            out, told = command.communicate(timeout=300)
            assert command.returncode == 130, told
            assert "The server goes on with upl_" in out
            document = shop.result_of("apply", "orders", path)
        assert (document["created"], document["rows"]) == (10_000, 10_000)
        assert len(shop.operator.do("csv", "uploads", "--merchant", shop.merchant, "--mode", "test")) == 1

    @pytest.mark.prove
    def test_a_command_waits_while_another_one_has_the_database(self, shop: Shop) -> None:
        """The second waits for the first and then applies its own file itself."""
        long, short = shop.orders("long.csv", 60_000), shop.orders("short.csv", 5)
        first = shop.process("apply", "orders", long, "--json")
        wait_for_rows(shop)
        second = shop.process("apply", "orders", short, "--json")
        out, told = second.communicate(timeout=300)
        assert json.loads(out)["created"] == 5
        assert "Another `hub csv apply` has the database" in told
        assert json.loads(first.communicate(timeout=300)[0])["created"] == 60_000


def test_a_look_whether_the_server_runs_is_not_taken_for_a_server(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """To look is to hold the lock for a moment; another command that starts just then waits until it is free."""
    passing = []
    release = ServerLock.release

    def release_later(place: ServerLock) -> None:
        with pytest.raises(StoreBusy) as busy:
            ServerLock(tmp_path / "hub.db").acquire()
        passing.append(busy.value.transient)
        release(place)

    monkeypatch.setattr(ServerLock, "release", release_later)
    assert submit_to_server.is_free(ServerLock(tmp_path / "hub.db"))
    assert passing == [True]


class TestProgress:
    def test_the_rate_is_that_of_the_last_seconds(self) -> None:
        rate = Rate()
        assert rate.words == ""
        rate.note(0, 0, 1_000, 0.0)
        assert rate.words == "0 rows"
        rate.note(1_000, 100, 1_000, 1.0)
        assert rate.words == "1,000 rows   1,000 rows/s   0:00:09 left"
        for second in range(2, 30):
            rate.note(1_000 + 10 * second, 100 + second, 1_000, float(second))
        assert rate.words == "1,290 rows   10 rows/s   0:14:31 left"

    def test_seconds_are_shown_as_a_clock_shows_them(self) -> None:
        assert [clock_text(seconds) for seconds in (0, 65.4, 3_661)] == ["0:00:00", "0:01:05", "1:01:01"]

    def test_plain_lines_where_there_is_no_terminal(
        self, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """A line now and then, for a log; control characters of a file's name are shown, not obeyed."""
        times = iter([0.0, 5.0, 11.0, 12.0])
        monkeypatch.setattr("hub.cli.csv_progress.monotonic", lambda: next(times))
        with Progress("Applying \x1b[2Jx.csv") as progress:
            for rows in (100, 200, 300):
                upload = new_upload("acc", "orders", dry_run=False, source=COMMAND, size=1_000, sha256="", now=0)
                progress(evolve(upload, position=rows, rows=rows))
        assert capsys.readouterr().err == "Applying \\x1b[2Jx.csv   20%   200 rows   17 rows/s   0:00:48 left\n"

    @pytest.mark.prove
    def test_a_moving_line_on_a_terminal(self, shop: Shop) -> None:
        """`script` gives the command a terminal: the line moves, and is gone when the summary comes."""
        path = shop.orders("long.csv", 20_000)
        words = " ".join(shop.arguments("apply", "orders", path))
        clean = {name: value for name, value in os.environ.items() if not name.startswith("HUB_")}
        done = subprocess.run(
            ["script", "-qec", f"{sys.executable} -m hub {words}", "/dev/null"],
            env={**clean, **ENVIRONMENT, "HUB_DATABASE_URL": shop.operator.url, "TERM": "xterm", "COLUMNS": "120"},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=300,
            check=False,
        )
        assert done.returncode == 0, done.stdout
        assert "rows/s" in done.stdout
        assert "\x1b[1A\x1b[2K" in done.stdout
        assert "20,000 rows applied" in done.stdout.rpartition("\x1b[2K")[2]


def wait_for_rows(shop: Shop) -> None:
    """Waits until some rows are decided."""

    def is_begun() -> bool:
        found = shop.operator.do("csv", "uploads", "--merchant", shop.merchant, "--mode", "test")
        return bool(found and found[0]["rows"])

    until_blocking(is_begun)
