"""`hub user`: the people who sign in."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import click

from hub.cli.invocation import Invocation, invoked
from hub.cli.output import print_result, say, show_fields, show_table
from hub.clock import system_clock
from hub.domain.words import LEVELS, ROLES

if TYPE_CHECKING:
    from hub.config.settings import Settings
    from hub.mail.outbox import Outbox
    from hub.operations.users.login_links import LoginLinkDocument
    from hub.operations.users.users import RoleDocument, UserDocument
    from hub.storage import Store


def role_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options that name a role."""
    for option in (
        click.option("--level", type=click.Choice(LEVELS), help="For the role merchant (default: owner)."),
        click.option("--affiliate", "affiliate_id", metavar="ID", help="Which affiliate, for the role affiliate."),
        click.option("--merchant", "merchant_id", metavar="ID", help="Which merchant, for the role merchant."),
        click.option("--role", required=True, type=click.Choice(ROLES), help="The role."),
    ):
        command = option(command)
    return command


def outbox_of(settings: Settings) -> Outbox:
    """Return the outbox of a command: a running hub sends what it stores."""
    from hub.mail.outbox import Outbox
    from hub.sealing import load_sealer

    return Outbox(load_sealer(settings), settings.mail.is_on)


@click.group()
def user() -> None:
    """Create, disable and list the people who sign in."""


@user.command()
@click.option("--email", required=True, help="How the person signs in.")
@click.option(
    "--role",
    required=True,
    type=click.Choice(ROLES),
    help="What the person may see.",
)
@click.option("--merchant", "merchant_id", metavar="ID", help="Whose user, for the role merchant.")
@click.option("--affiliate", "affiliate_id", metavar="ID", help="Whose user, for the role affiliate.")
@click.option("--level", type=click.Choice(LEVELS), help="For the role merchant (default: owner).")
@click.option("--name", help="What the person is called (default: from the e-mail address).")
@invoked
def create(invocation: Invocation, **wanted: Any) -> None:
    """Create a user with a role."""
    from hub.operations.users.users import NewUser, create_user

    made = invocation.with_store(lambda store: create_user(store, system_clock, NewUser(**wanted)), creates=True)
    fields = {
        "id": made["id"],
        "email": made["email"],
        "role": [_role(role) for role in made["roles"]],
        "next": f"hub user login-link {made['email']}",
    }
    print_result(invocation, made, lambda: show_fields(made["name"], fields))


@user.command()
@click.option("--email", required=True, help="Who is invited.")
@click.option(
    "--role",
    required=True,
    type=click.Choice(ROLES),
    help="What the person may see.",
)
@click.option("--merchant", "merchant_id", metavar="ID", help="Whose user; without it the guest registers one.")
@click.option("--affiliate", "affiliate_id", metavar="ID", help="Whose user; without it the guest registers one.")
@click.option("--level", type=click.Choice(LEVELS), help="For the role merchant (default: owner).")
@click.option("--name", help="What the person is called (default: from the e-mail address).")
@invoked
def invite(invocation: Invocation, **wanted: Any) -> None:
    """Invite a person to a role, by mail; without a mail server print the link to hand over."""
    from hub.operations.affiliates.links import public_root
    from hub.operations.users.invitations import InvitationDocument, invite
    from hub.operations.users.users import NewUser

    settings = invocation.settings()

    async def send(store: Store) -> InvitationDocument:
        root, mode = await public_root(store, settings.server), settings.people.registration
        new, outbox = NewUser(**wanted), outbox_of(settings)
        return await invite(
            store, system_clock, outbox, root, new, inviter="The operator of this hub", registration=mode
        )

    made = invocation.with_store(send, settings)
    if made["url"]:
        lines = [made["url"], f"Hand it over; it works once, until {made['expiresAt']}."]
    else:
        lines = [f"A mail to {made['email']} is on its way."]
    print_result(invocation, made, lambda: say(*lines))


@user.command()
@click.argument("email", metavar="EMAIL")
@role_options
@invoked
def grant(invocation: Invocation, email: str, **wanted: Any) -> None:
    """Give a user one more role, or another level at their merchant."""
    from hub.operations.users.user_roles import grant_role

    _change_roles(invocation, email, wanted, grant_role)


@user.command()
@click.argument("email", metavar="EMAIL")
@role_options
@invoked
def revoke(invocation: Invocation, email: str, **wanted: Any) -> None:
    """Take a role from a user."""
    from hub.operations.users.user_roles import revoke_role

    _change_roles(invocation, email, wanted, revoke_role)


@user.command()
@click.argument("reference", metavar="ID")
@click.option("--name", help="Another name.")
@click.option("--email", help="Another e-mail address, by which the person signs in from then on.")
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


@user.command(name="reset-factors")
@click.argument("reference", metavar="ID")
@invoked
def reset_factors_(invocation: Invocation, reference: str) -> None:
    """Take a user's authenticator app and passkeys away, and sign them out."""
    from hub.operations.users.user_factors import reset_factors

    settings = invocation.settings()
    done = invocation.with_store(
        lambda store: reset_factors(store, system_clock, outbox_of(settings), reference), settings
    )
    print_result(invocation, done, lambda: say(f"{done['email']} signs in by password or link alone now."))


@user.command(name="login-link")
@click.argument("email", metavar="EMAIL")
@invoked
def login_link(invocation: Invocation, email: str) -> None:
    """Make a link that signs a user in once, within 15 minutes."""
    from hub.operations.affiliates.links import public_root
    from hub.operations.users.login_links import issue_login_link

    settings = invocation.settings()

    async def issue(store: Store) -> LoginLinkDocument:
        return await issue_login_link(store, system_clock, await public_root(store, settings.server), email)

    made = invocation.with_store(issue, settings)
    print_result(invocation, made, lambda: say(made["url"], f"It works once, until {made['expiresAt']}."))


@user.command()
@click.argument("reference", metavar="ID")
@invoked
def disable(invocation: Invocation, reference: str) -> None:
    """Sign a user out everywhere and let nobody in as it."""
    _set_status(invocation, reference, "DISABLED")


@user.command()
@click.argument("reference", metavar="ID")
@invoked
def enable(invocation: Invocation, reference: str) -> None:
    """Let a disabled user sign in again."""
    _set_status(invocation, reference, "ACTIVE")


@user.command(name="list")
@invoked
def list_(invocation: Invocation) -> None:
    """List all users, oldest first."""
    from hub.operations.users.users import list_users, role_subjects

    async def listed(store: Store) -> tuple[list[UserDocument], dict[str, str]]:
        return await list_users(store), await role_subjects(store)

    found, names = invocation.with_store(listed)
    rows = ((u["id"], u["status"], u["email"], u["name"], [_role(role, names) for role in u["roles"]]) for u in found)
    empty = "There are no users yet. Create one: hub user create --email … --role operator-admin"
    print_result(invocation, found, lambda: show_table(["id", "status", "e-mail", "name", "roles"], rows, empty))


def _change_roles(
    invocation: Invocation, email: str, wanted: Mapping[str, Any], change: Callable[..., Awaitable[UserDocument]]
) -> None:
    from hub.operations.users.users import NewUser

    settings = invocation.settings()
    changed = invocation.with_store(
        lambda store: change(store, system_clock, outbox_of(settings), NewUser(email, **wanted)), settings
    )
    roles = ", ".join(_role(role) for role in changed["roles"]) or "no role"
    print_result(invocation, changed, lambda: say(f"{changed['email']} has {roles} now."))


def _set_status(invocation: Invocation, reference: str, status: str) -> None:
    from hub.operations.users.users import set_user_status

    moved = invocation.with_store(lambda store: set_user_status(store, system_clock, reference, status))
    print_result(invocation, moved, lambda: say(f"{moved['email']} ({moved['id']}) is {status} now."))


def _role(role: RoleDocument, names: Mapping[str, str] = MappingProxyType({})) -> str:
    """Return a role in words, with the name of the merchant or affiliate if it is among `names`."""
    subject = role["merchantId"] or role["affiliateId"]
    return " ".join(filter(None, [role["role"], names.get(subject or "", subject), role["level"]]))
