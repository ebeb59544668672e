"""Setting a hub up on a machine: settings, secrets, services and a proxy's file, from four answers.

Everything is written below one folder, `/` on a real machine; nothing that is there is replaced.
"""

from __future__ import annotations

import os
import secrets
import sys
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Final
from urllib.parse import unquote, urlsplit

from attrs import field, frozen

from hub.operations.checks import checked_email
from hub.operations.errors import OperatorFault

PACKAGE: Final = Path(__file__).resolve().parents[2]
NAME: Final = "affiliate-hub"
PROGRAM: Final = "/opt/affiliate-hub/bin/hub"
"""Where the units of deploy/ say that the hub is."""


@frozen
class Answers:
    """What `hub setup` asks: the public host name, a mail server (`smtp://user:password@host:587`), a database."""

    name: str
    mail: str = field(repr=False)
    database: str = field(repr=False)
    operator: str

    def __attrs_post_init__(self) -> None:
        if urlsplit(f"https://{self.name}").hostname != self.name.lower() or "." not in self.name:
            raise OperatorFault(f"{self.name!r} is no public host name, such as hub.example.com.")
        if self.mail and not _is_server(self.mail):
            raise OperatorFault("A mail server is written as smtp://user:password@host:587, or smtps:// for port 465.")
        if self.database and not self.database.startswith(("postgresql://", "postgres://")):
            raise OperatorFault("A database is sqlite, or written as postgresql://user:password@host/name.")
        checked_email(self.operator)


def _is_server(text: str) -> bool:
    try:
        parts = urlsplit(text)
        return parts.scheme in ("smtp", "smtps") and bool(parts.hostname) and parts.port != 0
    except ValueError:  # a port that is no number
        return False


@frozen
class Layout:
    """Where the files of an installation are, below a root."""

    root: Path

    @property
    def settings(self) -> Path:
        """The settings, without secrets."""
        return self.root / "etc" / NAME / "hub.toml"

    @property
    def secrets(self) -> Path:
        """The secrets, as variables of the environment."""
        return self.root / "etc" / NAME / "hub.env"

    @property
    def data(self) -> Path:
        """The folder of database and uploads."""
        return self.root / "var" / "lib" / NAME

    @property
    def units(self) -> Path:
        """The folder of the services."""
        return self.root / "etc" / "systemd" / "system"

    @property
    def proxy(self) -> Path:
        """Caddy's part for the hub."""
        return self.root / "etc" / NAME / "Caddyfile"

    @property
    def caddy(self) -> Path:
        """Caddy's own file, which may be there already."""
        return self.root / "etc" / "caddy" / "Caddyfile"

    @property
    def command(self) -> Path:
        """The command of this installation, with its settings and as its user."""
        return self.root / "usr" / "local" / "bin" / NAME


def deploy_folder() -> Path:
    """Return the folder deploy/: that of a checkout, else the copy in the installed package."""
    checkout = PACKAGE.parent / "deploy"
    return checkout if (checkout / "systemd").is_dir() else PACKAGE / "_data" / "deploy"


def write_installation(answers: Answers, layout: Layout, program: Path | None = None) -> list[Path]:
    """Write every file of an installation and return them; raise `OperatorFault` before any if one is there.

    `program` is the hub's command, by default the one of the environment that runs.
    """
    hub = program or Path(sys.prefix) / "bin" / "hub"
    database = answers.database or f"sqlite:///{layout.data.absolute()}/hub.db"
    files = dict(_files(answers, layout, hub, database))
    there = [str(file) for file in files if file.exists()]
    if there:
        raise OperatorFault(f"A hub was set up here: {', '.join(there)}. Change those, or remove them to begin anew.")
    for folder in (layout.data, layout.data / "uploads", layout.data / "backups"):
        folder.mkdir(parents=True, exist_ok=True)
        folder.chmod(0o700)
    for file, (text, mode) in files.items():
        file.parent.mkdir(parents=True, exist_ok=True)
        descriptor = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode)
        with os.fdopen(descriptor, "w", encoding="utf-8") as opened:
            opened.write(text)
        file.chmod(mode)
    if layout.caddy.exists():
        with layout.caddy.open("a", encoding="utf-8") as opened:
            opened.write(_import_line(layout))
    return list(files)


def take_back(files: Iterable[Path], layout: Layout) -> None:
    """Remove what `write_installation` wrote, so that it can be done again; what the database has stays."""
    for file in files:
        file.unlink(missing_ok=True)
    if layout.caddy.exists():
        text = layout.caddy.read_text("utf-8")
        layout.caddy.write_text(text.removesuffix(_import_line(layout)), "utf-8")


def _import_line(layout: Layout) -> str:
    return f"\nimport {layout.proxy.absolute()}\n"


def _files(answers: Answers, layout: Layout, hub: Path, database: str) -> Iterator[tuple[Path, tuple[str, int]]]:
    yield layout.settings, (settings_text(answers, layout), 0o644)
    yield layout.secrets, (secrets_text(answers, database), 0o600)
    yield layout.command, (command_text(layout, hub), 0o755)
    deploy = deploy_folder()
    caddy = (deploy / "Caddyfile").read_text("utf-8").replace("{$PUBLIC_NAME:hub.example.com}", answers.name)
    yield layout.proxy, (caddy.replace("{$UPSTREAM:127.0.0.1:8080}", "127.0.0.1:8080"), 0o644)
    moved = {
        PROGRAM: str(hub),
        f"/etc/{NAME}/": f"{layout.settings.parent}/",
        f"/var/lib/{NAME}": str(layout.data),
    }
    for unit in sorted((deploy / "systemd").iterdir()):
        if "backup" in unit.name and not database.startswith("sqlite"):
            continue
        text = unit.read_text("utf-8")
        for shipped, own in moved.items():
            text = text.replace(shipped, own)
        yield layout.units / unit.name, (text, 0o644)


def settings_text(answers: Answers, layout: Layout) -> str:
    """Return the settings file."""
    mail = urlsplit(answers.mail)
    lines = [
        "# Written by `hub setup`. `hub settings` shows all that is in force; secrets are in hub.env beside this file.",
        "[server]",
        'host = "127.0.0.1"',
        "port = 8080",
        f'public_url = "https://{answers.name}"',
        'operations_address = "127.0.0.1:9090"',
        'trusted_proxies = ["127.0.0.1", "::1"]',
        "",
        "[uploads]",
        f'directory = "{layout.data.absolute()}/uploads"',
    ]
    if answers.mail:
        tls = "implicit" if mail.scheme == "smtps" else "starttls"
        port = mail.port or (465 if tls == "implicit" else 587)
        lines += ["", "[mail]", f'host = "{mail.hostname}"', f"port = {port}", f'tls = "{tls}"',
                  f'from = "Affiliate hub <hub@{answers.name}>"']  # fmt: skip
        if mail.username:
            lines.append(f'user = "{unquote(mail.username)}"')
    return "\n".join(lines) + "\n"


def secrets_text(answers: Answers, database: str) -> str:
    """Return the environment file: the database's address may hold a password."""
    password = unquote(urlsplit(answers.mail).password or "")
    values = {"HUB_MASTER_KEY": secrets.token_hex(32), "HUB_DATABASE_URL": database}
    if password:
        values["HUB_MAIL_PASSWORD"] = password
    if any("'" in value or "\n" in value for value in values.values()):
        raise OperatorFault("A password with a quote or a line break cannot be written here; choose another one.")
    note = "# Secrets of the hub; keep a copy of HUB_MASTER_KEY where secrets are kept, apart from the backups.\n"
    return note + "".join(f"{name}='{value}'\n" for name, value in values.items())


def command_text(layout: Layout, hub: Path) -> str:
    """Return the command that runs `hub` with the installation's settings and secrets, as its user."""
    return (
        "#!/bin/sh\n# `hub` with the settings of this installation. Written by `hub setup`.\nset -a\n"
        f". {layout.secrets.absolute()}\nset +a\n"
        f'set -- "{hub}" --config "{layout.settings.absolute()}" "$@"\n'
        f'if [ "$(id -u)" = 0 ] && id {NAME} >/dev/null 2>&1; then\n'
        f'    exec setpriv --reuid={NAME} --regid={NAME} --init-groups "$@"\nfi\nexec "$@"\n'
    )


def environment_of(layout: Layout) -> Mapping[str, str]:
    """Return the variables of the environment file."""
    lines = layout.secrets.read_text("utf-8").splitlines()
    pairs = (line.partition("=") for line in lines if line and not line.startswith("#"))
    return {name: value.strip("'") for name, _, value in pairs}
