"""/merchant/tokens: bearer tokens of an account, made with a secret that is shown once, and revoked."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from aiohttp import web

from hub.domain.scopes import SCOPES, readers
from hub.operations.errors import OperatorFault
from hub.operations.merchants.signed_only import require_signatures, signatures_of
from hub.operations.users.api_tokens import NewToken, create_token, list_tokens, revoke_token
from hub.pages.form_faults import NO_FAULTS
from hub.pages.merchant.access import MerchantVisit, NotInAccount, merchant_page
from hub.pages.merchant.keys import may_make
from hub.pages.rendering import see_other
from hub.pages.route_table import RouteTable
from hub.pages.shown_once import STORED, show_once
from hub.pages.tokens import ENDS, state_of

HERE: Final = "/merchant/tokens"
DONE: Final = {
    "revoked": "The token is revoked.",
    "signed": "Only signed requests are accepted here now.",
    "tokens": "Tokens are accepted here again.",
    **STORED,
}
FIELDS: Final = ("name", "ends", "addresses", *SCOPES["merchant"])
PAGES: Final = RouteTable(merchant_page)


def _typed(form: Mapping[str, str]) -> dict[str, str]:
    return {name: form[name] for name in FIELDS if form.get(name)}


@PAGES.post(HERE, viewers=True)
async def create(shown: MerchantVisit) -> web.StreamResponse:
    """Make a token, and lead on to it."""
    typed, services = _typed(shown.form), shown.services
    wanted = NewToken(
        typed.get("name") or "made on the page",
        [scope for scope in _offered(shown) if scope in typed],
        None,
        typed.get("ends") or ENDS[0][0],
        typed.get("addresses", "").split(),
        shown.visit.person.user_id,
        shown.merchant_id,
        shown.mode,
    )
    if not wanted.scopes:
        return await show(shown, 422, {"orders:read": "Choose what the token may do."})
    if not await may_make(shown):
        return await show(shown, 422, {"": "You can create live tokens once the operator has granted live access."})
    try:
        made = await create_token(services.store, services.clock, wanted)
    except OperatorFault as fault:
        return await show(shown, 422, {"": fault.reason})
    root = (await services.root()).rstrip("/")
    then, first = f"{HERE}?mode={shown.mode}&done=stored", f"{root}/api/v1/{_first_call(made.scopes)}"
    return await show_once(shown.visit, "token", then, token=made.token, first=first)


def _first_call(scopes: Sequence[str]) -> str:
    """Return a call that the scopes reach, to try the token with."""
    calls = {"orders": "conversions", "payouts": "balances", "webhooks": "subscriptions", "requests": "request-log",
             "reports": "reports/daily"}  # fmt: skip
    resource = scopes[0].partition(":")[0]
    return calls.get(resource, resource)


@PAGES.post(f"{HERE}/signatures", back=lambda _: HERE)
async def require(shown: MerchantVisit) -> web.StreamResponse:
    """Take signatures alone in this account, or tokens too."""
    services, required = shown.services, shown.form.get("required") == "1"
    await require_signatures(services.store, services.clock, shown.merchant_id, shown.mode, required=required)
    return see_other(f"{HERE}?done={'signed' if required else 'tokens'}")


@PAGES.post(f"{HERE}/{{token}}/revoke", back=lambda _: HERE)
async def revoke(shown: MerchantVisit) -> web.StreamResponse:
    """End a token of the account."""
    services = shown.services
    try:
        await revoke_token(services.store, services.clock, shown.path["token"], account_id=shown.account_id)
    except OperatorFault:
        raise NotInAccount from None
    return see_other(f"{HERE}?done=revoked")


def _offered(shown: MerchantVisit) -> tuple[str, ...]:
    """Return the scopes that a token of this person may have here."""
    scopes = SCOPES["merchant"]
    return scopes if shown.is_owner else tuple(sorted(readers(scopes), key=scopes.index))


@PAGES.get(HERE)
async def show(shown: MerchantVisit, status: int = 200, faults: Mapping[str, str] = NO_FAULTS) -> web.Response:
    """Show the tokens of the account, and the form for one more."""
    services, given = shown.services, shown.form
    now, found = services.clock(), await list_tokens(services.store, account_id=shown.account_id)
    signatures = await signatures_of(services.store, shown.merchant_id)
    return shown.page(
        "merchant/tokens.html",
        status,
        tokens=[(token, state_of(token, now)) for token in found],
        offered=_offered(shown),
        may_make=await may_make(shown),
        signed_only=signatures["live"] if shown.mode == "live" else signatures["test"],
        ends=ENDS,
        given={name: given.get(name, "") for name in FIELDS},
        faults=faults,
        done=DONE.get(shown.query.get("done", "")),
    )
