"""What all commands share: help, misspellings, settings, faults, tables."""

from __future__ import annotations

import json
import os
import sqlite3
import subprocess
import sys
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from hub.cli import BEGIN, MODULES, PURPOSES, hub
from hub.cli.invocation import BUSY_TRIES, Invocation, _explained
from hub.cli.output import WIDE, printable, show_table
from hub.domain.durations import duration_text
from hub.storage import Store, StoreUnavailable
from hub.storage.migrations.files import load_migrations
from tests.cli.conftest import Operator
from tests.docs_site.test_commands import faults_of


def leaves() -> list[list[str]]:
    """Every command by the words that call it."""
    return [words for name in PURPOSES for words in below(hub.get_command(click.Context(hub), name), [name])]


def below(command: click.Command | None, words: list[str]) -> list[list[str]]:
    if not isinstance(command, click.Group):
        return [words]
    return [found for verb, inner in command.commands.items() for found in below(inner, [*words, verb])]


class TestHelp:
    def test_the_root_lists_every_command_by_section(self) -> None:
        result = CliRunner().invoke(hub, ["--help"])
        assert result.exit_code == 0
        for name, purpose in PURPOSES.items():
            assert purpose in result.stdout, name
        assert len(PURPOSES) == 55

    def test_it_ends_with_where_to_begin(self) -> None:
        """Each of which is a command; `hub` alone says the same, and is no success."""
        for words, status in (["--help"], 0), ([], 2):
            result = CliRunner().invoke(hub, words)
            assert result.exit_code == status
            shown = result.output.rpartition("Begin with:")[2]
            assert [words for words in BEGIN if words not in shown] == []
        assert [fault for words in BEGIN if "COMMAND" not in words for fault in faults_of(words)] == []

    def test_every_command_has_help(self) -> None:
        helps = {" ".join(words): CliRunner().invoke(hub, [*words, "--help"]) for words in leaves()}
        assert [words for words, shown in helps.items() if shown.exit_code or "--json" not in shown.stdout] == []
        assert len(helps) > 200

    def test_the_purpose_is_the_commands_own(self) -> None:
        """The root tells purposes without importing; each is what the command says of itself."""
        commands = {name: hub.get_command(click.Context(hub), name) for name in PURPOSES}
        assert None not in commands.values()
        said = {name: each.help for name, each in commands.items() if isinstance(each, click.Group)}
        assert said == {name: PURPOSES[name] for name in said}

    @pytest.mark.parametrize(
        ("program", "heavy"),
        [
            (
                "from hub.cli import hub\nhub(['--help'], standalone_mode=False)",
                {"aiohttp", "asyncpg", "aiosqlite", "rich", "cryptography", "asyncio"},
            ),
            pytest.param(
                "import hub.app, hub.cli.serve", {"reportlab", "pypdf", "lxml", "dns"}, marks=pytest.mark.prove
            ),
        ],
        ids=["help imports no framework", "a hub that serves imports nothing that few need"],
    )
    def test_a_start_is_quick(self, program: str, heavy: set[str]) -> None:
        """`hub --help` answers at once; a hub listens soon, and holds no library of PDFs before it writes one."""
        checked = f"import sys\n{program}\nfound = {heavy} & set(sys.modules)\nsys.exit(repr(found) if found else 0)"
        done = subprocess.run([sys.executable, "-c", checked], capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr

    def test_every_named_module_exists(self) -> None:
        assert MODULES == {"sign": "request", "trigger": "listen", "restore": "backup", "payout": "payout_bank"}


class TestFaults:
    def test_a_misspelt_command_is_answered_with_the_nearest(self) -> None:
        result = CliRunner().invoke(hub, ["merchent"])
        assert result.exit_code == 2
        assert "Did you mean `hub merchant`?" in result.stderr
        assert "`hub --help` shows them all." in CliRunner().invoke(hub, ["zzz"]).stderr

    @pytest.mark.parametrize(
        ("words", "next_step"),
        [
            (("merchant", "lst"), "There is no command `hub merchant lst`. Did you mean `hub merchant list`?"),
            (("csv", "import"), "Did you mean `hub csv apply`?\n"),
            (("csv", "upload"), "Did you mean `hub csv apply` or `hub csv uploads`?"),
            (("csv", "download", "orders"), "Did you mean `hub csv export`?"),
            (("orders", "list"), "Did you mean `hub conversion`?"),
            (("webhook",), "Did you mean `hub subscription`?"),
            (("key", "ls"), "Did you mean `hub key list`?"),
            (("merchant", "zzz"), "`hub merchant --help` shows them all."),
            (("merchant", "create", "--nme", "x"), "Did you mean '--name'?"),
            (("merchant", "show"), "Try 'hub merchant show --help' for help."),
            (("key", "create"), "Missing: --merchant ID, --mode [test|live]."),
            (("key", "create", "--mode", "test"), "Missing option '--merchant'"),
            (("csv", "apply", "--mode", "test"), "Missing: KIND, FILE, --merchant ID."),
            (("request", "GET", "/v1/products"), "Missing: --key K (or HUB_KEY), --secret S (or HUB_SECRET)."),
            (("request", "GET", "/v1/products", "--key", "k"), "Missing: --secret S (or HUB_SECRET)."),
            (("find", " "), "name what to find"),
            (("event", "list", "--status", "zzz"), "'failed'"),
            (("serve", "--port", "99999"), "0<=x<=65535"),
            (("status", "--config", "none.toml"), "name an existing file with --config"),
        ],
    )
    def test_a_wrong_word_is_answered_with_what_to_type(
        self, operator: Operator, words: tuple[str, ...], next_step: str
    ) -> None:
        result = operator.run(*words)
        assert (result.exit_code, result.stdout) == (2, "")
        assert next_step in result.stderr

    def test_all_bad_settings_are_named_at_once(self, operator: Operator) -> None:
        """A misspelt key or bad value stops every command and names all faults at once; exit status 2."""
        for command in (["serve"], ["merchant", "list"], ["audit"], ["demo"]):
            result = operator.run(*command, HUB_SERVER_PRT="1", HUB_COMMISSION_HOLD="soon")
            assert result.exit_code == 2
            assert "HUB_SERVER_PRT is not a setting; did you mean HUB_SERVER_PORT?" in result.stderr
            assert "HUB_COMMISSION_HOLD must be a duration" in result.stderr

    def test_the_clients_variables_are_not_settings(self, operator: Operator) -> None:
        result = operator.run("merchant", "list", HUB_KEY="k", HUB_SECRET="s", HUB_BASE_URL="http://x")
        assert result.exit_code == 0

    def test_a_database_that_does_not_exist_is_named(self, tmp_path: Path) -> None:
        """A slip in the address must not make an empty database that answers with nothing."""
        operator = Operator(f"sqlite:///{tmp_path / 'typo.db'}")
        assert "There is no database" in operator.refused("merchant", "list")
        assert not (tmp_path / "typo.db").exists()
        operator.merchant()
        assert len(operator.do("merchant", "list")) == 1

    def test_a_database_that_does_not_answer_is_one_sentence(self) -> None:
        operator = Operator("postgresql://nobody@127.0.0.1:9/none")
        told = operator.refused("merchant", "list")
        assert told.endswith("which `hub settings` shows; then try again.\n")
        assert "Traceback" not in told

    def test_only_what_may_pass_is_tried_again_in_a_moment(self, postgres: object) -> None:
        """A database that is not there comes to nobody who waits."""
        url: str = postgres.create_empty()  # type: ignore[attr-defined]  # a fixture of the class
        told = Operator(f"{url.rpartition('/')[0]}/none").refused("merchant", "list")
        assert 'database "none" does not exist' in told
        assert "Check that it runs, and that database.url is right" in told
        locked = sqlite3.OperationalError("database is locked")
        fault = StoreUnavailable("It is locked.")
        fault.__cause__ = locked
        assert _explained(fault) == (1, ["It is locked. Try again in a moment."])

    def test_an_old_schema_is_answered_with_the_command_that_updates_it(self, postgres: object) -> None:
        """PostgreSQL is migrated by `hub migrate`; the server and the commands say so."""
        operator = Operator(postgres.create_empty())  # type: ignore[attr-defined]  # a fixture of the class
        assert "run `hub migrate`" in operator.refused("merchant", "list")
        result = operator.run("serve", "--port", "0")
        assert result.exit_code == 1
        assert "run `hub migrate`" in result.stderr
        assert operator.do("migrate") == {"schemaVersion": len(load_migrations("postgresql"))}
        assert operator.do("migrate") == {"schemaVersion": len(load_migrations("postgresql"))}
        assert operator.do("merchant", "list") == []

    def test_a_locked_database_is_tried_again(self, sqlite_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
        """Nothing was begun, so all of it may be done again; any other fault is told at once."""
        monkeypatch.setenv("HUB_DATABASE_URL", sqlite_url)
        for code, expected in ((sqlite3.SQLITE_BUSY, BUSY_TRIES), (sqlite3.SQLITE_FULL, 1)):
            tried = 0

            async def act(_: Store, code: int = code) -> None:
                nonlocal tried
                tried += 1
                cause = sqlite3.OperationalError("no")
                cause.sqlite_errorcode = code
                raise StoreUnavailable("no.") from cause

            with pytest.raises(StoreUnavailable):
                Invocation().with_store(act)
            assert tried == expected


class TestOptions:
    def test_they_may_come_before_the_group_or_after_the_command(self, sqlite_url: str, tmp_path: Path) -> None:
        config = tmp_path / "hub.toml"
        config.write_text(f'[database]\nurl = "{sqlite_url}"\n')
        for arguments in (
            ["--json", "--database", sqlite_url, "merchant", "list"],
            ["merchant", "list", "--json", "--database", sqlite_url],
            ["--config", str(config), "merchant", "list", "--json"],
            ["merchant", "list", "--json", "--config", str(config)],
        ):
            result = CliRunner().invoke(hub, arguments)
            assert (result.exit_code, result.stdout) == (0, "[]\n"), result.output

    def test_the_package_runs_as_a_module(self, sqlite_url: str) -> None:
        """`python -m hub` is the same command."""
        environment = {**os.environ, "HUB_DATABASE_URL": sqlite_url}
        arguments = [sys.executable, "-m", "hub", "merchant", "list", "--json"]
        done = subprocess.run(arguments, env=environment, capture_output=True, text=True, check=True)
        assert json.loads(done.stdout) == []


class TestHuman:
    def test_every_list_says_what_to_do_when_it_is_empty(self, operator: Operator) -> None:
        for noun in ("merchant", "affiliate", "link", "campaign", "conversion", "commission"):
            result = operator.run(noun, "list")
            assert (result.exit_code, result.stdout[:9]) == (0, "There are"), result.output

    def test_every_act_prints_for_a_person(self, operator: Operator) -> None:
        """Without --json a person reads sentences and tables with the ids whole."""
        merchant = operator.merchant("--commission", "FIXED:5.00", "--hold", "36h")
        affiliate = operator.affiliate("--coupon", "BEA")
        key = operator.do("key", "create", "--merchant", merchant, "--mode", "test")["keyId"]
        operator.do("link", "create", "--merchant", merchant, "--mode", "test", "--affiliate", affiliate)
        told = {
            ("merchant", "show", merchant): "36h",
            ("merchant", "list"): "FIXED:5.00",
            ("merchant", "approve", merchant): f"Fjord & Fern ({merchant}) is APPROVED now.",
            ("key", "list", "--merchant", merchant): key,
            ("key", "create", "--merchant", merchant, "--mode", "live"): "never shown again",
            ("key", "revoke", key): f"{key} is revoked since",
            ("affiliate", "show", affiliate): "BEA",
            ("affiliate", "list"): affiliate,
            ("affiliate", "deactivate", affiliate): "is INACTIVE now",
            ("link", "list"): affiliate,
            ("log", "--merchant", merchant): "There are no such requests.",
            ("log", "--strangers"): "There are no such requests.",
            ("audit",): "Everything holds.",
            ("migrate",): "The schema is at version",
        }
        for arguments, text in told.items():
            result = operator.run(*arguments)
            assert result.exit_code == 0, result.output
            assert text in result.stdout
            assert all(line == line.rstrip() for line in result.stdout.splitlines())

    def test_log_needs_a_merchant_or_strangers(self, operator: Operator) -> None:
        assert "Say whose log" in operator.run("log").stderr
        assert "There is no merchant" in operator.refused("log", "--merchant", "mer_x")

    def test_control_characters_reach_no_terminal(self, capsys: pytest.CaptureFixture[str]) -> None:
        """An order id may hold escape codes; they are shown, not obeyed."""
        show_table(["order"], [["\x1b[2Jevil\u202e\u0085[red]x[/red]"]], "")
        shown = capsys.readouterr().out
        assert "\\x1b[2Jevil\\u202e\\x85[red]x[/red]" in shown
        assert printable("a\nb") == "a\\nb"

    def test_long_values_are_not_cut(self, capsys: pytest.CaptureFixture[str]) -> None:
        show_table(["id", "name"], [["x" * 200, "y" * (WIDE // 4)]], "")
        assert "x" * 200 in capsys.readouterr().out

    def test_one_long_value_moves_its_own_row_alone(self, capsys: pytest.CaptureFixture[str]) -> None:
        """One order number of 160 characters would else push the columns of all orders off the screen."""
        show_table(["order", "amount", "state"], [["1001", "9.00", "PAID"], ["9" * 160, "10.00", "HOLD"]], "")
        head, usual, long = capsys.readouterr().out.splitlines()
        assert (head, usual) == ("ORDER  AMOUNT  STATE", "1001     9.00  PAID")
        assert long == f"{'9' * 160}   10.00  HOLD"

    @pytest.mark.parametrize(
        ("milliseconds", "text"),
        [(1_209_600_000, "14d"), (90_000, "90s"), (120_000, "2m"), (1_500, "1500ms"), (0, "0ms"), (129_600_000, "36h")],
    )
    def test_durations_are_shown_in_their_largest_whole_unit(self, milliseconds: int, text: str) -> None:
        assert duration_text(milliseconds) == text
