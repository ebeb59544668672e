"""What a store's or a network's own app is deployed from: its configuration, and a theme app extension.

Source: shopify.dev/docs/apps/build/cli-for-apps/app-configuration (shopify.app.toml; compliance topics can be set
nowhere else), /docs/apps/build/online-store/theme-app-extensions/configuration (a block whose target is `head` is an
app embed, which the merchant turns on without editing the theme), /docs/api/customer-privacy.
"""

from __future__ import annotations

import io
import json
from urllib.parse import urlsplit
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from hub.api import PackageContext
from hub_shopify.requests import API, SCOPES

NAME = "affiliate-hub"
EXTENSION = f"{NAME}/extensions/affiliate-capture"
PRIVACY = ("customers/data_request", "customers/redact", "shop/redact")
CONFIGURATION = """# `shopify app config link` writes the client ID of your app here; then `shopify app deploy`.
name = "Affiliate hub"
application_url = {root}
embedded = false

[access_scopes]
scopes = {scopes}

[auth]
redirect_urls = [{consent}]

[webhooks]
api_version = {api}

[[webhooks.subscriptions]]
compliance_topics = {privacy}
uri = {url}
"""
SETTINGS = {
    "name": "Affiliate clicks",
    "target": "head",
    "settings": [
        {
            "type": "select",
            "id": "consent",
            "label": "Keep the click",
            "options": [
                {"value": "wait", "label": "After consent to marketing"},
                {"value": "now", "label": "At once"},
            ],
            "default": "wait",
        },
        {
            "type": "range", "id": "days", "label": "Days that a click is kept", "min": 1, "max": 90, "step": 1,
            "default": 30,
        },
    ],
}  # fmt: skip
BLOCK = """<script
  src={capture}
  data-platform="shopify"
  data-days="{{{{ block.settings.days }}}}"
  {{% if block.settings.consent == "wait" %}}data-consent="shopify"{{% endif %}}
></script>
{{% schema %}}
{settings}
{{% endschema %}}
"""


def package(context: PackageContext) -> tuple[str, bytes]:
    """Make affiliate-hub.zip, the same bytes for the same connection; it holds no secret."""
    parts = urlsplit(context.url)
    root = f"{parts.scheme}://{parts.netloc}"
    files = {
        f"{NAME}/shopify.app.toml": CONFIGURATION.format(
            root=json.dumps(root),
            scopes=json.dumps(",".join(SCOPES)),
            consent=json.dumps(f"{root}/merchant/consent"),
            api=json.dumps(API),
            privacy=json.dumps(PRIVACY),
            url=json.dumps(context.url),
        ),
        f"{EXTENSION}/shopify.extension.toml": 'name = "affiliate-capture"\ntype = "theme"\n',
        f"{EXTENSION}/blocks/capture.liquid": BLOCK.format(
            capture=json.dumps(context.capture_url), settings=json.dumps(SETTINGS, indent=2)
        ),
    }
    packed = io.BytesIO()
    with ZipFile(packed, "w", ZIP_DEFLATED) as archive:
        for name, text in files.items():
            archive.writestr(ZipInfo(name, (2020, 1, 1, 0, 0, 0)), text)
    return f"{NAME}.zip", packed.getvalue()
