"""`hub user`: the people who sign in."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

import click

from hub.cli.act_command import ActCommand, Takes, Value
from hub.cli.invocation import Invocation, invoked
from hub.cli.output import print_result, say, show_fields, show_table
from hub.clock import system_clock

if TYPE_CHECKING:
    from hub.acts.call import Call
    from hub.config.settings import Settings
    from hub.mail.outbox import Outbox
    from hub.operations.users.invitations import InvitationDocument
    from hub.operations.users.login_links import LoginLinkDocument
    from hub.operations.users.users import RoleDocument, UserDocument
    from hub.storage import Store


def outbox_of(settings: Settings) -> Outbox:
    """Return the outbox of a command: a running hub sends what it stores."""
    from hub.mail.outbox import Outbox
    from hub.sealing import load_sealer

    return Outbox(load_sealer(settings), settings.mail.is_on)


@click.group()
def user() -> None:
    """Create, disable and list the people who sign in."""


@user.command()
@click.argument("reference", metavar="ID")
@click.option("--name", help="New name.")
@click.option("--email", help="New e-mail address, which the person signs in with from then on.")
@invoked
def update(invocation: Invocation, reference: str, name: str | None, email: str | None) -> None:
    """Change a user's name or e-mail address; open sign-in links end with the old address."""
    from hub.operations.users.user_changes import update_user

    if name is None and email is None:
        raise click.UsageError("Say what changes: --name, --email or both.")
    settings = invocation.settings()
    changed = invocation.with_store(
        lambda store: update_user(store, system_clock, outbox_of(settings), reference, name=name, email=email), settings
    )
    print_result(invocation, changed, lambda: say(f"{changed['name']} signs in as {changed['email']}."))


@user.command(name="login-link")
@click.argument("email", metavar="EMAIL")
@invoked
def login_link(invocation: Invocation, email: str) -> None:
    """Make a link that signs a user in once, within 15 minutes."""
    from hub.operations.affiliates.links import public_root
    from hub.operations.users.login_links import issue_login_link

    settings = invocation.settings()

    async def issue(store: Store) -> LoginLinkDocument:
        return await issue_login_link(
            store, system_clock, outbox_of(settings), await public_root(store, settings.server), email
        )

    made = invocation.with_store(issue, settings)
    print_result(invocation, made, lambda: say(made["url"], f"It works once, until {made['expiresAt']}."))


def _role(role: RoleDocument, names: Mapping[str, str] = MappingProxyType({})) -> str:
    """Return a role in words, with the name of the merchant or affiliate if it is among `names`."""
    subject = role["merchantId"] or role["affiliateId"]
    return " ".join(filter(None, [role["role"], names.get(subject or "", subject), role["level"]]))


def _show_list(found: Sequence[UserDocument], names: Mapping[str, str]) -> None:
    rows = ((u["id"], u["status"], u["email"], u["name"], [_role(role, names) for role in u["roles"]]) for u in found)
    empty = "There are no users yet. Create one: hub user create --email … --role operator-admin"
    show_table(["id", "status", "e-mail", "name", "roles"], rows, empty)


async def _names(call: Call, found: Sequence[UserDocument]) -> dict[str, str]:
    from hub.operations.users.users import names_of_subjects

    return await names_of_subjects(call.store, found)


def _show_new(made: UserDocument) -> None:
    fields = {
        "id": made["id"],
        "email": made["email"],
        "role": [_role(role) for role in made["roles"]],
        "next": f"hub user login-link {made['email']}",
    }
    show_fields(made["name"], fields)


def _say_invited(made: InvitationDocument) -> None:
    if made["url"]:
        say(made["url"], f"Hand it over; it works once, until {made['expiresAt']}.")
    else:
        say(f"A mail to {made['email']} is on its way.")


def _say_roles(changed: UserDocument) -> None:
    roles = ", ".join(_role(role) for role in changed["roles"]) or "no role"
    say(f"{changed['email']} has {roles} now.")


def _new(merchant: str, affiliate: str, email: str) -> dict[str, Value]:
    return {
        "email": Value("--email", email),
        "role": Value("--role", "What the person may see."),
        "merchantId": Value("--merchant", merchant, "ID"),
        "affiliateId": Value("--affiliate", affiliate, "ID"),
        "level": Value("--level", "For the role merchant (default: owner)."),
        "name": Value("--name", "What the person is called (default: from the e-mail address)."),
    }


USER: Final = Takes(on={"user": Value("", metavar="ID")})
REGISTERS: Final = "Whose user; without it the guest registers one."
OF_USER: Final = Takes(
    on={"user": Value("", metavar="EMAIL")},
    values={
        "role": Value("--role", "The role."),
        "merchantId": Value("--merchant", "Which merchant, for the role merchant.", "ID"),
        "affiliateId": Value("--affiliate", "Which affiliate, for the role affiliate.", "ID"),
        "level": Value("--level", "For the role merchant (default: owner)."),
    },
)

for each in (
    ActCommand("list", "users.listUsers", "List all users, oldest first.", _show_list, beside=_names),
    ActCommand("create", "users.createUser", "Create a user with a role.", _show_new,
               Takes(values=_new("Whose user, for the role merchant.", "Whose user, for the role affiliate.",
                                 "How the person signs in.")),
               creates=True),
    ActCommand("invite", "users.inviteUser",
               "Invite a person to a role, by mail; without a mail server print the link to hand over.", _say_invited,
               Takes(values=_new(REGISTERS, REGISTERS, "Who is invited."))),
    ActCommand("grant", "users.grantRole", "Give a user one more role, or another level at their merchant.",
               _say_roles, OF_USER),
    ActCommand("revoke", "users.revokeRole", "Remove a role from a user.", _say_roles, OF_USER),
    ActCommand("reset-factors", "users.resetFactors",
               "Remove a user's authenticator app and passkeys, and sign them out.",
               "{email} signs in by password or link alone now.", USER),
    ActCommand("disable", "users.disableUser", "Sign a user out everywhere and block their sign-in.",
               "{email} ({id}) is {status} now.", USER),
    ActCommand("enable", "users.enableUser", "Let a disabled user sign in again.", "{email} ({id}) is {status} now.",
               USER),
):  # fmt: skip
    user.add_command(each)
