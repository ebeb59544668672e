"""Acts that no token API has: what is one's own, what a browser or a file is needed for, and what merchants decide."""

from __future__ import annotations

from typing import Final

from hub.acts.act import HandMadeAct
from hub.acts.authority import (
    ADMINS,
    FRESH_MS,
    ONESELF,
    OPERATORS,
    OWNERS,
    PROVED_ADMINS,
    PROVED_ONESELF,
    PROVED_OWNERS,
    TOKEN_ROLES,
    FourEyes,
    Grant,
)

OWN_FACTOR: Final = "a second factor is one's own; the operator may only reset it"
BY_MERCHANTS_API: Final = "the merchant's API does it"
SIGN_IN: Final = "a terminal has its own sign-in"
AT_THE_BOOKS: Final = "an audit at the terminal finds it, and whoever mends it looks at the whole of it there"
CONFIRMED: Final = "a person in a browser does it"

APPS: Final[tuple[HandMadeAct, ...]] = tuple(
    HandMadeAct(
        summary, (trail,), (PROVED_ADMINS,), commands=(command,), pages=(page,),
        without={"api": "a client secret is typed or read from a file, and no token hands it over"},
    )
    for summary, trail, command, page in (
        ("Keep the network's own app on a platform", "app.set", "connection app set", "/operator/apps"),
        ("Forget the network's own app on a platform", "app.deleted", "connection app delete",
         "/operator/apps/{connector}/delete"),
    )
)  # fmt: skip

OPERATORS_ACTS: Final[tuple[HandMadeAct, ...]] = (
    *APPS,
    HandMadeAct("Change a merchant's name, address and domains", ("merchant.updated",), (OPERATORS,),
                pages=("/operator/merchants/{merchant}",)),
    HandMadeAct("Set the network's name, logo, colour, imprint and terms", ("network.branded",), (ADMINS,),
                pages=("/operator/branding",),
                without={"api": "a person looks at it in a browser", "command": "a logo is looked at, not typed"}),
    HandMadeAct("Issue the invoices of a month", ("invoice.issued",), (PROVED_ADMINS,), commands=("statement invoice",),
                pages=("/operator/owed/{merchant}/invoices",),
                without={"api": "invoices are issued once a month, by a timer of the machine or by hand"}),
    HandMadeAct("Read a bank's statement, and match what merchants paid", ("statement.read",), (PROVED_ADMINS,),
                commands=("receipt read",), pages=("/operator/receipts",),
                without={"api": "a statement is a file of the bank's, and not JSON"}),
    HandMadeAct("Send in what a bank says of a run's payments, or of an account", ("bank-report.sent",),
                (PROVED_ADMINS,), commands=("payout settle", "receipt read"),
                pages=("/operator/payouts/{payout}/settle", "/operator/receipts"),
                without={"api": "it is a file of the bank's, with account numbers, and not JSON"}),
    HandMadeAct("Propose to adopt what the ledger lacks", ("ledger.mend-proposed",), (PROVED_ADMINS,),
                commands=("ledger mend",), without={"api": AT_THE_BOOKS, "page": AT_THE_BOOKS}),
    HandMadeAct("Adopt what the ledger lacks, as a second person", ("ledger.mended",), (PROVED_ADMINS,),
                four_eyes=FourEyes(), commands=("ledger adopt",),
                without={"api": AT_THE_BOOKS, "page": AT_THE_BOOKS}),
    HandMadeAct("Write the file that a bank pays by", ("payout.exported",), (PROVED_ADMINS,),
                commands=("payout export",), pages=("/operator/payouts/{payout}/files",),
                shows=("/operator/payouts/{payout}/files/{file}",),
                without={"api": "a file for a bank is not JSON, and has account numbers in clear"}),
    HandMadeAct("Write what affiliates were paid in a year, for tax offices", ("year.exported",), (PROVED_ADMINS,),
                commands=("statement year",),
                without={"api": "it has the tax numbers of payees in clear, and a token is easily lost",
                         "page": "once a year, where the key of the database is"}),
    HandMadeAct("Change a user's name and address", ("user.updated",), (PROVED_ADMINS,), tells=("the person",),
                commands=("user update",), pages=("/operator/users/{user}",),
                without={"api": "a token that moves an account to another address would take it over"}),
    HandMadeAct("Make a sign-in link for a user", ("user.link-issued",), (PROVED_ADMINS,), tells=("the person",),
                commands=("user login-link",), pages=("/operator/users/{user}/link",),
                without={"api": "a token that signs people in would reach further than its scope"}),
)  # fmt: skip

MERCHANTS_ACTS: Final[tuple[HandMadeAct, ...]] = (
    HandMadeAct("Prove a domain", ("domain.proved",), (OWNERS,), commands=("domain prove",),
                pages=("/merchant/domains/{domain}/prove",),
                without={"api": "the merchant proves it, who changes the zone or the site"}),
    HandMadeAct("Ask for live access", ("merchant.live-asked",), (OWNERS,), commands=("merchant live-access",),
                pages=("/merchant/onboarding/live-access",),
                without={"api": "the merchant asks, the operator decides"}),
    HandMadeAct("Say what the shop runs on", ("merchant.platform-set",), (OWNERS,),
                pages=("/merchant/onboarding/platform",),
                without={"api": CONFIRMED, "command": "the pages of the merchant alone depend on it"}),
    HandMadeAct("Follow the test partner's link", ("account.followed",), (OWNERS,),
                pages=("/merchant/onboarding/follow",),
                without={"api": "a program follows it itself", "command": "at the terminal curl follows a link"}),
    HandMadeAct("Take what was tried to live", ("merchant.taken-live",), (OWNERS,),
                pages=("/merchant/onboarding/take",),
                without={"api": BY_MERCHANTS_API, "command": "the merchant decides when it is ready"}),
    HandMadeAct("Take a test store to live, in place", ("connection.taken-live",), (OWNERS,),
                pages=("/merchant/onboarding/store",),
                without={"api": CONFIRMED, "command": "the merchant decides when it is ready"}),
    HandMadeAct("Invite partners by mail", ("partner.invited",), (OWNERS,), tells=("the person",),
                pages=("/merchant/affiliates/invite",),
                without={"api": CONFIRMED, "command": "the merchant invites in its own name"}),
    HandMadeAct("Write the page by which partners come", ("partner.page-set",), (OWNERS,),
                pages=("/merchant/affiliates/page",),
                without={"api": CONFIRMED, "command": "the merchant writes it, and looks at it"}),
    HandMadeAct("Give partners a material", ("material.added",), (OWNERS,), pages=("/merchant/materials",),
                without={"api": CONFIRMED, "command": "the merchant chooses what its partners publish"}),
    HandMadeAct("Delete a material", ("material.deleted",), (OWNERS,), pages=("/merchant/materials/{material}/delete",),
                without={"api": CONFIRMED, "command": "the merchant chooses what its partners publish"}),
    HandMadeAct("Note something of a partner", ("partner.noted",), (OWNERS,),
                pages=("/merchant/affiliates/{affiliate}/note",),
                without={"api": CONFIRMED, "command": "the merchant's own people read it"}),
    HandMadeAct("Take an invitation back", ("partner.invitation-taken-back",), (OWNERS,),
                pages=("/merchant/affiliates/invite/back",),
                without={"api": CONFIRMED, "command": "whoever sent it takes it back"}),
    HandMadeAct("Accept an invitation", ("partner.accepted",), (),
                without={"api": SIGN_IN, "command": "the guest does it", "page": "the page of a registration does it"}),
    HandMadeAct("Invite a colleague", ("user.invited", "user.role-granted"), (PROVED_OWNERS,), tells=("the person",),
                pages=("/merchant/people",)),
    HandMadeAct("Remove a colleague", ("user.role-revoked",), (PROVED_OWNERS,), tells=("the person",),
                pages=("/merchant/people/{user}/remove",)),
    HandMadeAct("Create or change a product", ("product.created", "product.updated"), (OWNERS,),
                commands=("product put",),
                pages=("/merchant/products", "/merchant/products/{product}", "/merchant/products/{product}/status"),
                without={"api": "the merchant's API puts products"}),
    HandMadeAct("Begin to connect a store by its owner's consent", ("connection.consent-begun",), (PROVED_OWNERS,),
                pages=("/merchant/connections/{connection}/consent",),
                without={"api": CONFIRMED, "command": "the store owner agrees in the browser"}),
    HandMadeAct("Fetch the file that is installed in the store, with its secret", (), (PROVED_OWNERS,),
                commands=("connection package",), pages=("/merchant/connections/{connection}/package",),
                without={"api": "a file to install is not JSON"}),
    HandMadeAct("Play a store on the test account", ("account.played",), (OWNERS,),
                pages=("/merchant/test/play", "/merchant/onboarding/order", "/merchant/onboarding/deliver"),
                without={"api": BY_MERCHANTS_API,
                         "command": "at the terminal `hub simulate` and `hub request` play a store"}),
    HandMadeAct("Approve or reject commissions", ("commission.approved", "commission.rejected"), (OWNERS,),
                pages=("/merchant/commissions", "/merchant/orders/{order}/decide"),
                without={"api": BY_MERCHANTS_API,
                         "command": "the merchant decides; its shop may send the same fact by the API"}),
    HandMadeAct("Set a failed message or an open matter aside, or take it up again",
                ("matter.set-aside", "matter.taken-up"), (OWNERS,),
                pages=("/merchant/attention/aside", "/merchant/attention/back", "/merchant/messages/aside",
                       "/merchant/messages/back"),
                without={"api": CONFIRMED, "command": "it is about what a page shows its reader"}),
    HandMadeAct("Open a review again", ("conversion.reopened",), (OWNERS,),
                pages=("/merchant/orders/{order}/reopen", "/merchant/reviews/undo"),
                without={"api": CONFIRMED, "command": "undoes what a page did a moment ago"}),
    HandMadeAct("Send a file of products, orders or statuses", ("upload.received",), (OWNERS,),
                pages=("/merchant/uploads", "/merchant/reconcile", "/merchant/reconcile/send"),
                without={"api": BY_MERCHANTS_API, "command": "the terminal reads a file itself: `hub csv apply`"}),
)  # fmt: skip

PEOPLES_ACTS: Final[tuple[HandMadeAct, ...]] = (
    # No API has it: a token that makes its person's tokens would outlive its own end.
    HandMadeAct("Make a token of one's own", ("token.created",), (Grant("account", TOKEN_ROLES, FRESH_MS),),
                commands=("token create",), pages=("/account/tokens",)),
    HandMadeAct("Use an authenticator app", ("user.app-added",), (PROVED_ONESELF,), tells=("the person",),
                pages=("/account/app",), shows=("/account/app",),
                without={"api": OWN_FACTOR, "command": OWN_FACTOR}),
    *(HandMadeAct(summary, (trail,), by, tells=("the person",), pages=pages,
                  without={"api": OWN_FACTOR, "command": OWN_FACTOR})
      for summary, trail, by, pages in (
          ("Give up an authenticator app", "user.app-removed", (PROVED_ONESELF,), ("/account/app/remove",)),
          ("Make new recovery codes", "user.codes-renewed", (PROVED_ONESELF,), ("/account/app/codes",)),
          ("Use a recovery code", "user.code-used", (), ("/login/second", "/login/confirm")),
          ("Add a passkey", "user.passkey-added", (PROVED_ONESELF,), ("/account/passkeys",)),
          ("Remove a passkey", "user.passkey-removed", (PROVED_ONESELF,), ("/account/passkeys/{passkey}/remove",)),
      )),
    HandMadeAct("Set a password", ("user.password-set",), (PROVED_ONESELF,), tells=("the person",),
                pages=("/account/password",),
                without={"api": "a password is one's own", "command": "a password is one's own"}),
    HandMadeAct("Ask for a new password", ("user.reset-mailed",), (), tells=("the person",), pages=("/login/recover",),
                without={"api": SIGN_IN, "command": "whoever forgot a password asks at the sign-in page"}),
    HandMadeAct("Sign in", ("user.signed-in",), (), tells=("the person",),
                pages=("/login", "/login/second", "/login/passkey", "/login/link/{token}"),
                without={"api": SIGN_IN, "command": SIGN_IN}),
    HandMadeAct("Sign out", ("user.signed-out",), (ONESELF,), pages=("/logout", "/account/sessions/{session}/end"),
                without={"api": SIGN_IN, "command": SIGN_IN}),
)  # fmt: skip

ACTS: Final = (*OPERATORS_ACTS, *MERCHANTS_ACTS, *PEOPLES_ACTS)

NO_ACTS: Final = {
    "/login/confirm/options": "a challenge for a passkey, which nothing keeps",
    "/login/confirm/passkey": "a proof of who one is, on which other acts rest",
    "/login/passkey/options": "a challenge for a passkey, which nothing keeps",
    "/account/passkeys/options": "a challenge for a passkey, which nothing keeps",
    "/account/passkeys/{passkey}/name": "a name that only its person sees",
    "/account/name": "one's own name",
    "/account/notices/read": "what oneself has read",
    "/account/notices/mails": "what one gets by mail oneself",
    "/account/settings": "how pages look to oneself",
    "/account/zone": "how pages look to oneself",
    "/account/views": "how pages look to oneself",
    "/account/views/{view}/rename": "how pages look to oneself",
    "/account/views/{view}/delete": "how pages look to oneself",
    "/register": "a stranger asks for a link; what comes of it is the user's first entry",
    "/join/{name}": "a stranger asks for a link; what comes of it is the user's first entry",
    "/register/{token}": "the user's own first entry, in the name of nobody else",
    "/merchant/keys/{key}/stored": "the person has stored a secret, which is not shown again",
    "/merchant/logs/signature": "a check, which keeps nothing",
    "/merchant/logs/delivery": "a check, which keeps nothing",
    "/account/once/{once}": "the person has stored something secret, or handed a link over, and it is not shown again",
}
"""Forms that leave nothing in the trail, and why."""
