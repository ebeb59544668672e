"""/operator/apps: the operator's own apps on platforms, by which store owners connect in one step."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from aiohttp import web

from hub.domain.connectors.request_logins import OAuthConsent
from hub.operations.connections.consents import RETURN_PATH
from hub.operations.connections.platform_apps import delete_app, list_apps, set_app
from hub.operations.errors import OperatorFault
from hub.pages.form_faults import NO_FAULTS
from hub.pages.operator import parts
from hub.pages.rendering import see_other
from hub.pages.route_table import RouteTable
from hub.pages.visit import Visit
from hub.plugin_host.catalog import Declaration

HERE: Final = "/operator/apps"
PAGES: Final = RouteTable(parts.operator_page)


@PAGES.post(HERE)
async def store(visit: Visit) -> web.StreamResponse:
    """Store the app of a platform, or replace it."""
    given = {name: visit.form.get(name, "").strip() for name in ("connector", "client_id", "client_secret")}
    try:
        await set_app(visit.services.platforms, given["connector"], given["client_id"], given["client_secret"])
    except OperatorFault as fault:
        return await show_apps(visit, {"": str(fault)})
    return see_other(f"{HERE}?done=saved")


@PAGES.post(f"{HERE}/{{connector}}/delete", back=lambda _: HERE)
async def delete(visit: Visit) -> web.StreamResponse:
    """Delete the app of a platform; stores that are connected stay so."""
    return await parts.act_on(
        visit,
        _named,
        lambda name: delete_app(visit.services.platforms, name),
        HERE,
        lambda visit, _, faults: show_apps(visit, faults),
    )


async def _named(visit: Visit) -> str:
    name = visit.path["connector"]
    if all(each["connector"] != name for each in await list_apps(visit.services.platforms)):
        raise OperatorFault(f"There is no app for {name}.")
    return name


@PAGES.get(HERE)
async def show_apps(visit: Visit, faults: Mapping[str, str] = NO_FAULTS) -> web.StreamResponse:
    """Show the apps without their secrets, and a form for one."""
    services, may_act = visit.services, visit.may(HERE)
    installing = [each for each in (await services.plugins.catalog()).connectors if _installs(each)]
    rows = [
        (
            parts.text(each["connector"]),
            parts.code(each["clientId"]),
            parts.at(each["changedAt"]),
            parts.button(_deletion(each["connector"]) if may_act else None),
        )
        for each in await list_apps(services.platforms)
    ]
    listing = parts.Listing(
        "Apps", ("Platform", "Client id", "Changed", ""), rows,
        "There is no app yet. Without one, store owners type the credentials of their own store.",
    )  # fmt: skip
    lead = (
        "With an app of yours, store owners install it on the platform's own page instead of typing credentials. Set "
        f"{await services.root()}{RETURN_PATH} as its redirect address."
    )
    create = _form(installing, visit.form) if installing and may_act else None
    return parts.show_list(visit, parts.ListPage("Apps on platforms", HERE, listing, lead, create=create), faults)


def _installs(connector: Declaration) -> bool:
    return connector.requests is not None and isinstance(connector.requests.consent, OAuthConsent)


def _form(installing: list[Declaration], given: Mapping[str, str]) -> parts.Form:
    platforms = [(each.name, each.title) for each in installing]
    fields = (
        parts.Field("connector", "Platform", "choice", given.get("connector", ""), options=platforms),
        parts.Field("client_id", "Client id", value=given.get("client_id", "")),
        parts.Field("client_secret", "Client secret", "password", hint="Encrypted, and never shown again."),
    )
    return parts.Form(HERE, "Save", fields, "", title="Store an app", hint="It replaces the platform's previous app.")


def _deletion(connector: str) -> parts.Form:
    return parts.Form(f"{HERE}/{connector}/delete", "Delete", tone="danger", title=f"the app of {connector}")
