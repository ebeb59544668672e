"""/merchant/keys: made with a secret that is shown once, rotated, changed and revoked."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Final

from aiohttp import web

from hub.operations.errors import OperatorFault
from hub.operations.merchants.key_uses import last_uses
from hub.operations.merchants.keys import (
    KeyChange,
    issue_key,
    list_keys,
    revoke_key,
    rotate_key,
    update_key,
)
from hub.operations.merchants.merchant_profiles import show_profile
from hub.pages.form_faults import NO_FAULTS
from hub.pages.merchant.access import MerchantVisit, NotInAccount, merchant_page
from hub.pages.merchant.acts import done_or_refused
from hub.pages.rendering import see_other
from hub.pages.route_table import RouteTable
from hub.pages.tokens import state_of
from hub.records.credentials import KeyDocument

HERE: Final = "/merchant/keys"
ENDS: Final = (("", "never"), ("30d", "in 30 days"), ("90d", "in 90 days"), ("365d", "in a year"))
OVERLAPS: Final = (("1h", "one hour"), ("24h", "one day"), ("7d", "a week"))
DONE: Final = {
    "changed": "The key is changed.",
    "revoked": "The key is revoked.",
    "stored": "Good. It is not shown again.",
}
ONE: Final = f"{HERE}/{{key}}"
PAGES: Final = RouteTable(merchant_page)


def _typed(form: Mapping[str, str]) -> dict[str, str]:
    return {name: form.get(name, "") for name in ("addresses", "ends", "version", "name")}


@PAGES.post(HERE)
async def create(shown: MerchantVisit) -> web.StreamResponse:
    """Make a key, and lead on to its secret."""
    typed = _typed(shown.form)
    if shown.visit.session is None:
        return see_other("/login")
    services = shown.services
    try:
        await _refuse_live(shown)
        made = await issue_key(
            services.store,
            services.sealer,
            services.clock,
            merchant_id=shown.merchant_id,
            mode=shown.mode,
            allowed=typed["addresses"].split(),
            expires_in=typed["ends"] or None,
            signature_version=2 if typed["version"] else 1,
            name=typed["name"],
        )
    except OperatorFault as fault:
        return await show(shown, 422, {_field_of(fault): fault.reason})
    await services.fresh_secrets.show(shown.visit.session.session_id, made.key_id)
    return see_other(f"{HERE}/{made.key_id}/secret")


@PAGES.post(ONE)
async def change(shown: MerchantVisit) -> web.StreamResponse:
    """Change the key's name, and from where and until when it is accepted."""
    key, services = await _found(shown), shown.services
    ends = shown.form.get("ends", "keep")
    wanted = KeyChange(
        shown.form.get("addresses", "").split(), None if ends == "keep" else ends or "never", shown.form.get("name")
    )
    act = update_key(services.store, services.clock, key.key_id, wanted)
    return await done_or_refused(act, f"{HERE}/{key.key_id}?done=changed", partial(show_one, shown, 422))


@PAGES.get(f"{ONE}/secret", viewers=False)
async def show_secret(shown: MerchantVisit) -> web.StreamResponse:
    """Show the secret of a key that this session just made, in the forms in which it is needed."""
    key, session = await _found(shown), shown.visit.session
    if session is None:
        return see_other("/login")
    secret = await shown.services.fresh_secrets.of_key(session.session_id, shown.account_id, key.key_id)
    if secret is None:
        return await show_one(shown, 200, {})
    base = f"{(await shown.services.root()).rstrip('/')}/api"
    return shown.page("merchant/key_secret.html", key=key, secret=secret, base=base)


@PAGES.post(f"{ONE}/stored")
async def hide_secret(shown: MerchantVisit) -> web.StreamResponse:
    """Stop showing the secret: it is stored."""
    key, session = await _found(shown), shown.visit.session
    if session is not None:
        await shown.services.fresh_secrets.hide(session.session_id, key.key_id)
    return see_other(f"{HERE}?done=stored")


@PAGES.post(f"{ONE}/rotate")
async def rotate(shown: MerchantVisit) -> web.StreamResponse:
    """Make a key like this one, which ends after a while."""
    key, services = await _found(shown), shown.services
    if shown.visit.session is None:
        return see_other("/login")
    overlap = shown.form.get("overlap", "24h")
    try:
        await _refuse_live(shown)
        made = await rotate_key(services.store, services.sealer, services.clock, key.key_id, overlap=overlap)
    except OperatorFault as fault:
        return await show_one(shown, 422, {"": fault.reason})
    await services.fresh_secrets.show(shown.visit.session.session_id, made.key_id)
    return see_other(f"{HERE}/{made.key_id}/secret")


@PAGES.get(f"{ONE}/revoke", viewers=False)
async def ask_to_revoke(shown: MerchantVisit) -> web.StreamResponse:
    """Say what revoking does, before it is done."""
    key = await _found(shown)
    used = (await last_uses(shown.services.store, shown.account_id)).get(key.key_id)
    return shown.page("merchant/key_revoke.html", key=key, used=used)


@PAGES.post(f"{ONE}/revoke")
async def revoke(shown: MerchantVisit) -> web.StreamResponse:
    """End a key at once."""
    key, services = await _found(shown), shown.services
    await revoke_key(services.store, services.clock, key.key_id)
    return see_other(f"{HERE}?done=revoked")


async def _refuse_live(shown: MerchantVisit) -> None:
    """Raise `OperatorFault` for a live key of a merchant without live access."""
    if not await may_make(shown):
        raise OperatorFault(
            "You can create live keys once the operator has granted live access. Request it under Set up."
        )


async def may_make(shown: MerchantVisit) -> bool:
    """Return whether keys and tokens are made here: live ones once the operator has granted live access."""
    if shown.mode == "test":
        return True
    profile = await show_profile(shown.services.store, shown.merchant_id)
    return profile["status"] == "APPROVED" and profile["liveAccess"] == "GRANTED"


async def _found(shown: MerchantVisit) -> KeyDocument:
    for key in await _keys(shown):
        if key.key_id == shown.path["key"]:
            return key
    raise NotInAccount


async def _keys(shown: MerchantVisit) -> list[KeyDocument]:
    keys = await list_keys(shown.services.store, shown.merchant_id)
    return [key for key in reversed(keys) if key.mode == shown.mode]


def _field_of(fault: OperatorFault) -> str:
    """Return the field of the form that a fault is about, empty for the whole."""
    return "name" if fault.reason.startswith("A key's name") else ""


@PAGES.get(HERE)
async def show(shown: MerchantVisit, status: int = 200, faults: Mapping[str, str] = NO_FAULTS) -> web.Response:
    """Show the keys of the account, and the form for one more."""
    services, given = shown.services, shown.form
    now = services.clock()
    return shown.page(
        "merchant/keys.html",
        status,
        keys=[(key, state_of(key, now)) for key in await _keys(shown)],
        used=await last_uses(services.store, shown.account_id),
        may_make=await may_make(shown),
        given={name: given.get(name, "") for name in ("addresses", "ends", "version", "name")},
        ends=ENDS,
        faults=faults,
        done=DONE.get(shown.query.get("done", "")),
    )


@PAGES.get(ONE)
async def show_one(shown: MerchantVisit, status: int = 200, faults: Mapping[str, str] = NO_FAULTS) -> web.Response:
    """Show one key with the forms that change it."""
    key, services = await _found(shown), shown.services
    return shown.page(
        "merchant/key.html",
        status,
        key=key,
        state=state_of(key, services.clock()),
        used=(await last_uses(services.store, shown.account_id)).get(key.key_id),
        ends=(("keep", "as it is"), *ENDS),
        overlaps=OVERLAPS,
        given=shown.form,
        faults=faults,
        done=DONE.get(shown.query.get("done", "")),
    )
