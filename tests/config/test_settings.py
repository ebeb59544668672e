"""Settings: every source, every fault at once in plain sentences, and config/hub.toml equal to the classes."""

from __future__ import annotations

import base64
import contextlib
import ipaddress
import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hub.config import readers as kinds
from hub.config.sections import ServerSettings
from hub.config.settings import Settings, SettingsFault, load_settings, settings_by_path
from hub.config.sources import variable_name

ROOT = Path(__file__).resolve().parents[2]
EXAMPLE = ROOT / "config" / "hub.toml"
DAY_MS = 86_400_000


def written(tmp_path: Path, toml: str) -> Path:
    file = tmp_path / "hub.toml"
    file.write_text(toml, "utf-8")
    return file


def faults_of(config: Path | None = None, environ: dict[str, str] | None = None, **overrides: object) -> list[str]:
    with pytest.raises(SettingsFault) as caught:
        load_settings(config, environ or {}, overrides)
    assert str(caught.value) == "\n".join(caught.value.faults)
    return caught.value.faults


class TestExample:
    def test_shows_every_setting_with_its_default_and_meaning(self) -> None:
        """The example file is what an operator reads first, so it may not differ from the classes by a letter."""
        preface = EXAMPLE.read_text("utf-8").partition("\n\n")[0]
        assert all(line.startswith("#") for line in preface.splitlines())
        lines, section = [preface], ""
        for path, attribute in settings_by_path().items():
            head, _, name = path.rpartition(".")
            if head != section:
                lines += ["", f"[{head}]"]
                section = head
            elif not head:
                lines.append("")
            shown = attribute.metadata["toml"]
            lines += [f"# {attribute.metadata['meaning']}", f"{name} = {json.dumps(shown)}"]
        assert EXAMPLE.read_text("utf-8") == "\n".join(lines) + "\n"

    def test_loads_as_the_defaults(self) -> None:
        """The example file changes nothing when it is used as it is."""
        assert load_settings(EXAMPLE, {}) == load_settings(None, {}) == Settings()


class TestSources:
    def test_the_defaults_are_those_of_the_specification(self) -> None:
        """The defaults are those of the specification's decisions."""
        settings = Settings()
        assert settings.database.url == "sqlite:///var/hub.db"
        assert settings.commission.hold == 14 * DAY_MS
        assert settings.commission.platform_percentage == "5"
        assert settings.attribution.default_window == 30 * DAY_MS
        assert settings.idempotency.ttl_ms == DAY_MS
        assert (settings.server.max_body, settings.server.max_import) == (1024 * 1024, 8 * 1024 * 1024)
        assert (settings.limits.per_minute, settings.limits.import_per_hour) == (6_000, 1_000)
        assert settings.master_key == ()

    def test_environment_beats_the_file_and_the_command_line_beats_both(self, tmp_path: Path) -> None:
        """The nearer to the operator's hand, the stronger."""
        config = written(tmp_path, '[server]\nhost = "10.0.0.1"\nport = 1\nmax_body = 4096\n')
        environ = {"HUB_SERVER_PORT": "2", "HUB_SERVER_MAX_BODY": "5000"}
        server = load_settings(config, environ, {"server.port": 3, "server.host": None}).server
        assert (server.host, server.port, server.max_body) == ("10.0.0.1", 3, 5_000)

    @pytest.mark.parametrize(
        ("variable", "value", "path", "expected"),
        [
            ("HUB_DATABASE_URL", "sqlite:////data/hub.db", "database.url", "sqlite:////data/hub.db"),
            ("HUB_COMMISSION_HOLD", "2s", "commission.hold", 2_000),
            ("HUB_ATTRIBUTION_DEFAULT_WINDOW", "12h", "attribution.default_window", 12 * 3_600_000),
            ("HUB_LIMITS_PER_MINUTE", "0", "limits.per_minute", 0),
            ("HUB_LIMITS_IMPORT_PER_HOUR", "7", "limits.import_per_hour", 7),
            ("HUB_TRUSTED_PROXIES", "10.0.0.0/8, ::1", "server.trusted_proxies", ("10.0.0.0/8", "::1/128")),
            ("HUB_SERVER_TRUSTED_PROXIES", "", "server.trusted_proxies", ()),
            ("IDEMPOTENCY_TTL_HOURS", "0.5", "idempotency.ttl_hours", 0.5),
            ("HUB_SERVER_WORKERS", "4", "server.workers", 4),
            ("HUB_UPLOADS_MAX_BYTES", "5000", "uploads.max_bytes", 5_000),
            ("HUB_RETENTION_UPLOADS", "7d", "retention.uploads", 7 * DAY_MS),
            ("HUB_WORKER_ENABLED", "no", "worker.enabled", False),
            ("HUB_LOG_LEVEL", "WARNING", "log.level", "warning"),
        ],
    )
    def test_the_promised_variables_are_read(self, variable: str, value: str, path: str, expected: object) -> None:
        """These names are promised to operators."""
        section, name = path.split(".")
        read = getattr(getattr(load_settings(None, {variable: value}), section), name)
        if name == "trusted_proxies":
            read = tuple(str(network) for network in read)
        assert read == expected

    def test_every_setting_has_its_own_variable(self) -> None:
        """A default written as text into the setting's variable is the default again."""
        for path, setting in settings_by_path().items():
            shown = setting.metadata["toml"]
            value = ",".join(shown) if isinstance(shown, list) else str(shown)
            assert load_settings(None, {variable_name(path): value}) == Settings(), path

    def test_foreign_variables_are_left_alone(self) -> None:
        """Kubernetes sets HUB_PORT and its like in pods beside a service named hub; the test suite has HUB_TEST_*."""
        environ = {
            "HUB_PORT": "tcp://10.0.0.1:80",
            "HUB_PORT_80_TCP_ADDR": "10.0.0.1",
            "HUB_SERVICE_HOST": "10.0.0.1",
            "HUB_TEST_PG_URL": "postgresql://x",
            "HUB_CHECKOUT": "/srv/hub",
            "PATH": "/bin",
        }
        assert load_settings(None, environ) == Settings()

    @pytest.mark.parametrize("name", ["HUB_DATABSE_URL", "HUB_SERVER_CHECKOUT", "HUB_WORKER_"])
    def test_control_a_slip_stops_the_start(self, name: str) -> None:
        """What is nearly a setting, or in a section, was meant as one: the hub would run with its default."""
        (fault,) = faults_of(None, {name: "x"})
        assert fault.startswith(f"{name} is not a setting")


class TestFaults:
    def test_all_faults_are_reported_at_once(self, tmp_path: Path) -> None:
        """One start shows every slip of all three sources, so one edit mends them."""
        config = written(
            tmp_path,
            "prot = 1\nworker = 5\n[sever]\nport = 1\n"
            '[server]\nprot = 80\nport = "a"\nhost = 7\n[commission]\nhold = 14\n',
        )
        environ = {"HUB_LIMITS_PER_MINUT": "3", "HUB_WORKER_BATCH": "0", "IDEMPOTENCY_TTL_HOUR": "1"}
        environ["HUB_LOG_LEVEL"] = "x"
        faults = faults_of(config, environ, **{"server.max_body": 1, "server.zzz": "x"})
        duration = 'must be a duration of at most 36500d, such as "500ms", "2s", "15m", "12h" or "14d", not 14.'
        assert faults == [
            f"{config}: `prot` is not a setting; `hub settings` shows those that there are.",
            f"{config}: `worker` is a section; write [worker] and its keys below.",
            f"{config}: `sever.port` is not a setting; did you mean server.port?",
            f"{config}: `server.prot` is not a setting; did you mean server.port?",
            f"{config}: `server.port` must be a whole number from 0 to 65535, not 'a'.",
            f"{config}: `server.host` must be text, not 7.",
            f"{config}: `commission.hold` {duration}",
            "HUB_LIMITS_PER_MINUT is not a setting; did you mean HUB_LIMITS_PER_MINUTE?",
            "HUB_LOG_LEVEL must be one of debug, info, warning, error, not 'x'.",
            "HUB_WORKER_BATCH must be a whole number from 1 to 10000, not '0'.",
            "IDEMPOTENCY_TTL_HOUR is not a setting; did you mean IDEMPOTENCY_TTL_HOURS?",
            "On the command line `server.max_body` must be a whole number from 1024 to 1073741824, not 1.",
            "The command line sets `server.zzz`, which is not a setting; `hub settings` shows those that there are.",
        ]

    def test_a_key_under_the_wrong_section_is_found(self, tmp_path: Path) -> None:
        """The key's own section is a better guess than a key of similar letters."""
        assert faults_of(written(tmp_path, "hold = '2s'\n[limits]\nport = 1\n")) == [
            f"{tmp_path}/hub.toml: `hold` is not a setting; did you mean commission.hold?",
            f"{tmp_path}/hub.toml: `limits.port` is not a setting; did you mean mail.port?",
        ]

    def test_two_names_for_one_setting_are_refused(self) -> None:
        """Which of the two would win is nobody's guess."""
        environ = {"HUB_TRUSTED_PROXIES": "10.0.0.1", "HUB_SERVER_TRUSTED_PROXIES": "10.0.0.2"}
        assert faults_of(None, environ) == [
            "HUB_SERVER_TRUSTED_PROXIES and HUB_TRUSTED_PROXIES set the same thing; keep one of them."
        ]

    def test_a_file_that_cannot_be_read_is_named(self, tmp_path: Path) -> None:
        """A missing, broken or foreign file is named together with the environment's faults."""
        missing = tmp_path / "none.toml"
        first, second = faults_of(missing, {"HUB_WORKER_ZZZ": "1"})
        assert first == f"{missing} does not exist; name an existing file with --config."
        assert second == "HUB_WORKER_ZZZ is not a setting; `hub settings` shows those that there are."
        assert "is not valid TOML" in faults_of(written(tmp_path, "a = \n"))[0]
        missing.write_bytes(b"\xff\xfe")
        assert "is not UTF-8 text" in faults_of(missing)[0]
        assert "cannot be read" in faults_of(tmp_path)[0]

    @pytest.mark.parametrize(
        ("path", "raw"),
        [
            ("server.port", True),
            ("server.port", 80.0),
            ("server.port", "-1"),
            ("server.port", "٣"),
            ("server.port", 65_536),
            ("server.host", "http://x"),
            ("server.host", ""),
            ("server.public_url", "ftp://x"),
            ("server.public_url", "https://x/?a=1"),
            ("server.public_url", "https://u@x"),
            ("server.public_url", "http://x:99999"),
            ("server.trusted_proxies", [1]),
            ("server.trusted_proxies", "nonsense"),
            ("commission.hold", "14"),
            ("commission.hold", "14w"),
            ("commission.hold", "-1d"),
            ("commission.hold", "99999d"),
            ("retention.payloads", "0d"),
            ("uploads.directory", "a\nb"),
            ("uploads.max_bytes", "1 GiB"),
            ("commission.platform_percentage", "101"),
            ("commission.platform_percentage", "-1"),
            ("commission.platform_percentage", True),
            ("idempotency.ttl_hours", "0"),
            ("idempotency.ttl_hours", True),
            ("idempotency.ttl_hours", "nan"),
            ("worker.enabled", 1),
            ("worker.enabled", "maybe"),
            ("log.level", 3),
            ("database.url", "sqlite://hub.db"),
            ("database.url", "sqlite:///"),
            ("database.url", "sqlite:///var/"),
            ("database.url", "sqlite:///:memory:"),
            ("database.url", "sqlite:///a.db?mode=ro"),
            ("database.url", "sqlite:///a\x00.db"),
            ("database.url", "postgres://h/d"),
            ("database.url", "postgresql://"),
            ("database.url", "postgresql://h:port/d"),
            ("database.url", "mysql://h/d"),
            ("master_key", "abc"),
            ("master_key", "0" * 63),
            ("master_key", "0" * 64 + ","),
            ("master_key", 5),
        ],
    )
    def test_each_bad_value_is_one_fault(self, path: str, raw: object) -> None:
        """Each bad value is one fault that names its setting and ends as a sentence."""
        (fault,) = faults_of(None, {}, **{path: raw})
        assert fault.startswith(f"On the command line `{path}` ")
        assert fault.endswith(".")
        assert "\x00" not in fault

    def test_a_range_with_host_bits_is_answered_with_the_range(self) -> None:
        """The mend of the commonest slip in a CIDR list is known, so it is said."""
        (fault,) = faults_of(None, {"HUB_TRUSTED_PROXIES": "10.0.0.1/8"})
        assert fault.endswith("has the address '10.0.0.1/8' inside a range; the range itself is '10.0.0.0/8'.")

    def test_secrets_are_never_echoed(self) -> None:
        """Faults and representations end in logs; a password or a master key must not."""
        secret = "hunter2hunter2"
        environ = {"HUB_DATABASE_URL": f"postgres://u:{secret}@h/d", "HUB_MASTER_KEY": secret}
        assert secret not in "".join(faults_of(None, environ))
        environ = {"HUB_DATABASE_URL": f"postgresql://u:{secret}@h/d", "HUB_MASTER_KEY": "ab" * 32}
        settings = load_settings(None, environ)
        assert secret not in repr(settings)
        assert repr(bytes.fromhex("ab" * 32)) not in repr(settings)

    @given(st.sampled_from(sorted(settings_by_path())), st.text(max_size=80) | st.integers() | st.floats() | st.none())
    def test_any_value_is_read_or_refused(self, path: str, raw: object) -> None:
        """No value whatever ends in another exception than SettingsFault."""
        with contextlib.suppress(SettingsFault):
            load_settings(None, {}, {path: raw})


class TestDatabase:
    @pytest.mark.parametrize(
        ("url", "dialect", "path"),
        [
            ("sqlite:///var/hub.db", "sqlite", Path("var/hub.db")),
            ("sqlite:////srv/hub.db", "sqlite", Path("/srv/hub.db")),
            ("postgresql://hub:pw@db.example:5432/hub", "postgresql", None),
            ("postgresql:///hub?host=/run/postgresql", "postgresql", None),
        ],
    )
    def test_a_database_url_names_dialect_and_file(self, url: str, dialect: str, path: Path | None) -> None:
        """Three slashes are relative to the working directory, four are absolute."""
        database = load_settings(None, {"HUB_DATABASE_URL": url}).database
        assert (database.url, database.dialect, database.path) == (url, dialect, path)


class TestUploads:
    @pytest.mark.parametrize(
        ("environ", "directory"),
        [
            ({}, "var/hub.db.uploads"),
            ({"HUB_DATABASE_URL": "sqlite:////srv/hub.db"}, "/srv/hub.db.uploads"),
            ({"HUB_DATABASE_URL": "postgresql://h/d"}, "var/uploads"),
            ({"HUB_UPLOADS_DIRECTORY": "/data/files"}, "/data/files"),
        ],
    )
    def test_the_directory_of_uploads_is_beside_the_database(self, environ: dict[str, str], directory: str) -> None:
        """Beside the embedded database unless another is named, so that the command and the server find each other."""
        assert load_settings(None, environ).upload_directory == Path(directory)


class TestPublicUrl:
    @pytest.mark.parametrize(
        ("host", "expected"),
        [
            ("127.0.0.1", "http://127.0.0.1:8080"),
            ("0.0.0.0", "http://127.0.0.1:8080"),
            ("::", "http://[::1]:8080"),
            ("shop.example", "http://shop.example:8080"),
        ],
    )
    def test_comes_from_host_and_port(self, host: str, expected: str) -> None:
        """An address that only means "all interfaces" is no link."""
        assert ServerSettings(host=host).public_url == expected

    def test_follows_the_bound_port_unless_configured(self) -> None:
        """With port 0 the real port is known only after binding."""
        assert ServerSettings(port=0).serving_at(5_000).public_url == "http://127.0.0.1:5000"
        configured = load_settings(None, {"HUB_SERVER_PUBLIC_URL": "https://hub.example/"}).server.serving_at(5_000)
        assert (configured.public_url, configured.port) == ("https://hub.example", 5_000)


class TestKinds:
    def test_master_keys_in_every_notation(self) -> None:
        """Hex, base64 with and without padding, and its URL alphabet name the same key; the order is kept."""
        key = bytes(range(223, 255))
        padded, url_safe = base64.b64encode(key).decode(), base64.urlsafe_b64encode(key).decode().rstrip("=")
        assert {"+", "/"} < set(padded)
        notations = [key.hex(), key.hex().upper(), padded, url_safe]
        for notation in notations:
            assert kinds.master_keys(f" {'00' * 32} , {notation} ") == (bytes(32), key)

    def test_percentages_keep_their_text(self) -> None:
        """A rule's value is shown as it was written, and TOML may write it as a number."""
        assert [kinds.percentage(raw) for raw in ("5", 5, 7.25, "0.1250")] == ["5", "5", "7.25", "0.1250"]

    def test_networks_from_text_and_arrays(self) -> None:
        """The environment has commas, TOML has arrays."""
        expected = (ipaddress.ip_network("10.0.0.0/8"), ipaddress.ip_network("192.0.2.1"))
        assert kinds.networks("10.0.0.0/8,192.0.2.1,") == kinds.networks(["10.0.0.0/8", "192.0.2.1"]) == expected
