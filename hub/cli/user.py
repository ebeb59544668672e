"""`hub user`: the people who sign in."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from hub.cli.invocation import Invocation, invoked
from hub.cli.output import print_result, say, show_fields, show_table
from hub.clock import system_clock

if TYPE_CHECKING:
    from hub.operations.users import LoginLinkDocument, RoleDocument
    from hub.storage import Store


@click.group()
def user() -> None:
    """Create, disable and list the people who sign in."""


@user.command()
@click.option("--email", required=True, help="How the person signs in.")
@click.option(
    "--role",
    required=True,
    type=click.Choice(["operator", "operator-admin", "merchant", "affiliate"]),
    help="What the person may see.",
)
@click.option("--merchant", "merchant_id", metavar="ID", help="Whose user, for the role merchant.")
@click.option("--affiliate", "affiliate_id", metavar="ID", help="Whose user, for the role affiliate.")
@click.option("--level", type=click.Choice(["owner", "viewer"]), help="For the role merchant (default: owner).")
@click.option("--name", help="What the person is called (default: from the e-mail address).")
@invoked
def create(invocation: Invocation, **wanted: Any) -> None:
    """Create a user with a role."""
    from hub.operations.users import NewUser, create_user

    made = invocation.with_store(lambda store: create_user(store, system_clock, NewUser(**wanted)), creates=True)
    fields = {
        "id": made["id"],
        "email": made["email"],
        "role": [_role(role) for role in made["roles"]],
        "next": f"hub user login-link {made['email']}",
    }
    print_result(invocation, made, lambda: show_fields(made["name"], fields))


@user.command(name="login-link")
@click.argument("email", metavar="EMAIL")
@invoked
def login_link(invocation: Invocation, email: str) -> None:
    """Make a link that signs a user in once, within 15 minutes."""
    from hub.operations.links import public_root
    from hub.operations.users import issue_login_link

    settings = invocation.settings()

    async def issue(store: Store) -> LoginLinkDocument:
        return await issue_login_link(store, system_clock, await public_root(store, settings.server), email)

    made = invocation.with_store(issue, settings)
    print_result(invocation, made, lambda: say(f"{made['url']}\nIt works once, until {made['expiresAt']}."))


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
    from hub.operations.users import list_users

    found = invocation.with_store(list_users)
    rows = ((u["id"], u["status"], u["email"], u["name"], [_role(role) for role in u["roles"]]) for u in found)
    empty = "There are no users yet. Create one: hub user create --email … --role operator-admin"
    print_result(invocation, found, lambda: show_table(["id", "status", "e-mail", "name", "roles"], rows, empty))


def _set_status(invocation: Invocation, reference: str, status: str) -> None:
    from hub.operations.users import set_user_status

    moved = invocation.with_store(lambda store: set_user_status(store, system_clock, reference, status))
    print_result(invocation, moved, lambda: say(f"{moved['email']} ({moved['id']}) is {status} now."))


def _role(role: RoleDocument) -> str:
    return " ".join(filter(None, [role["role"], role["merchantId"], role["affiliateId"], role["level"]]))
