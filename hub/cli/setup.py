"""`hub setup`: from four answers to a hub that can be started."""

from __future__ import annotations

import asyncio
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from hub.cli.doctor import show_findings
from hub.cli.invocation import FAULT, Fault, Invocation
from hub.cli.output import print_result, say
from hub.cli.user import outbox_of
from hub.clock import system_clock

if TYPE_CHECKING:
    from hub.config.settings import Settings
    from hub.operations.audits.doctor import FindingDocument
    from hub.operations.system.installation import Answers, Layout

NAME = "affiliate-hub"
NEXT = f"systemctl enable --now {NAME} {NAME}-audit.timer"
BACKUP = f" {NAME}-backup.timer"
UNASKED = (
    "Nobody answers here, and nothing was written. Say all of it: "
    "hub setup hub.example.com --mail none --database sqlite --operator ada@example.com"
)


@click.command()
@click.argument("name", metavar="HOST", required=False)
@click.option("--mail", metavar="URL", help="smtp://user:password@host:587, smtps:// for port 465, or none.")
@click.option("--database", "database", metavar="URL", help="sqlite, or postgresql://user:password@host/name.")
@click.option("--operator", metavar="EMAIL", help="Who signs in first.")
@click.option("--root", type=click.Path(path_type=Path), default=Path("/"), help="Write everything below this folder.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
def setup(
    name: str | None, mail: str | None, database: str | None, operator: str | None, root: Path, *, as_json: bool
) -> None:
    """Set up a hub on this machine; HOST is its public name.

    Asks for what is not given: public name, mail server, database, first operator. Writes settings, a master key, the
    services of systemd and a file for Caddy; makes the database and the operator, sends a test mail, prints the link
    with which the operator signs in, and says what is still wrong, as `hub doctor` does. Replaces no existing file.
    """
    from hub.operations.system.installation import Answers, Layout, take_back, write_installation

    name = name or _asked("Public name of the hub, such as hub.example.com")
    mail = mail or _asked("Mail server: smtp://user:password@host:587, or none", "none")
    database = database or _asked("Database: sqlite, or postgresql://user:password@host/name", "sqlite")
    operator = operator or _asked("E-mail address of the first operator")
    answers = Answers(name, "" if mail == "none" else mail, "" if database == "sqlite" else database, operator)
    layout = Layout(root)
    files = write_installation(answers, layout)
    settings = _settings(layout)
    try:
        link = asyncio.run(_begin(settings, answers.operator))
    except BaseException:
        take_back(files, layout)  # or whoever mends what is wrong could not set it up again
        raise
    fault = asyncio.run(_test_mail(settings, answers))
    _give_away(layout)
    found = _examined(settings)
    document: dict[str, object] = {
        "files": [str(file) for file in files], "signIn": link, "testMail": fault or "sent", "findings": found,
        "next": _next(answers),
    }  # fmt: skip
    print_result(Invocation(json=as_json), document, lambda: _show(document, found, answers, fault))
    if any(each["state"] == "fault" for each in found):
        click.get_current_context().exit(FAULT)


def _asked(question: str, usual: str | None = None) -> str:
    """Return a person's answer; raise `Fault` where there is nobody to give one."""
    try:
        answer: str = click.prompt(question, default=usual)
    except click.Abort:
        if sys.stdin.isatty():
            raise
        click.echo(err=True)
        raise Fault(UNASKED) from None
    return answer


def _settings(layout: Layout) -> Settings:
    from hub.config.settings import load_settings
    from hub.operations.system.installation import environment_of

    return load_settings(layout.settings, environment_of(layout))


async def _begin(settings: Settings, email: str) -> str:
    """Make the schema and the first operator; return the link by which they sign in."""
    from hub.operations.users.login_links import issue_login_link
    from hub.operations.users.users import NewUser, create_user
    from hub.storage import Store

    async with await Store.open(settings.database.url, migrate=True, serve=True, transient=True) as store:
        await create_user(store, system_clock, NewUser(email, "operator-admin"))
        made = await issue_login_link(store, system_clock, outbox_of(settings), settings.server.public_url, email)
    return made["url"]


async def _test_mail(settings: Settings, answers: Answers) -> str | None:
    """Send the first operator a mail; return what is said against it, None if it was taken or none is sent."""
    from hub.operations.audits.outside import send_test_mail

    return await send_test_mail(settings, answers.operator, system_clock())


def _give_away(layout: Layout) -> None:
    """Make the hub's own user, on a real machine as root, and give it the data."""
    if layout.root != Path("/") or os.geteuid() != 0:
        return
    made = ["useradd", "--system", "--home-dir", str(layout.data), "--shell", "/usr/sbin/nologin", NAME]
    done = subprocess.run(made, capture_output=True, text=True, check=False)  # noqa: S603 - our own words
    if done.returncode not in (0, 9):  # 9: there is one of this name
        raise Fault(f"The user {NAME} could not be made: {done.stderr.strip()}.")
    for path in (layout.data, *layout.data.rglob("*")):
        shutil.chown(path, NAME, NAME)


def _examined(settings: Settings) -> list[FindingDocument]:
    from hub.operations.audits.doctor import examine, finding_document

    return [finding_document(each) for each in asyncio.run(examine(settings, system_clock, serves=False))]


def _next(answers: Answers) -> str:
    return NEXT + ("" if answers.database else BACKUP)


def _show(document: dict[str, object], found: list[FindingDocument], answers: Answers, fault: str | None) -> None:
    for file in document["files"]:  # type: ignore[attr-defined]  # a list of texts
        say(f"wrote {file}")
    if answers.mail:
        say(
            f"The test mail was not accepted: {fault}" if fault else f"A test mail is on its way to {answers.operator}."
        )
    say("", "What is wrong:")
    show_findings(found)
    say("", "Start it, and have the proxy read its part (etc/affiliate-hub/Caddyfile):")
    say(f"  {_next(answers)}", "Then this link signs the first operator in, once, within 15 minutes:")
    say(f"  {document['signIn']}", f"Later ones: {NAME} user login-link {answers.operator}", f"And: {NAME} doctor")
