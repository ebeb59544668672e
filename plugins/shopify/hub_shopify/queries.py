"""The GraphQL documents that the hub asks Shopify with, and their pages' sizes.

Source: shopify.dev/docs/api/admin-graphql/2026-10 (Order, LineItem, Refund, Product, ProductVariant, BulkOperation,
WebhookSubscription), /docs/apps/build/apis/graphql-admin/rate-limits: a query may cost 1,000 points, an object is one,
a connection as many as it may return. No field here is protected customer data of level 2, such as a name or an e-mail.
"""

from __future__ import annotations

from typing import Final

LINES: Final = 40
"""Lines of an order that are asked for with it; the rest follow in pages of as many."""
REFUND_LINES: Final = 40
VARIANTS: Final = 100

_MONEY: Final = "{ shopMoney { amount currencyCode } }"
_LINE: Final = f"""
  id title name sku quantity currentQuantity isGiftCard
  customAttributes {{ key value }}
  originalUnitPriceSet {_MONEY}
  discountAllocations {{ allocatedAmountSet {_MONEY} }}
  taxLines {{ priceSet {_MONEY} }}
  product {{ id }}
  variant {{ id }}
"""
_DISCOUNT: Final = "__typename targetType ... on DiscountCodeApplication { code }"
_ORDER: Final = f"""
  id legacyResourceId name createdAt processedAt updatedAt cancelledAt cancelReason currencyCode
  displayFinancialStatus displayFulfillmentStatus paymentGatewayNames sourceName taxesIncluded test tags
  customAttributes {{ key value }}
  customerJourneySummary {{ lastVisit {{ landingPage }} }}
  totalPriceSet {_MONEY}
  currentTotalPriceSet {_MONEY}
  subtotalPriceSet {_MONEY}
  totalTaxSet {_MONEY}
  totalTipReceivedSet {_MONEY}
  fulfillments {{ id status displayStatus createdAt updatedAt }}
"""
_REFUND: Final = f"""
  id createdAt
  duties {{ amountSet {_MONEY} }}
  refundLineItems(first: {REFUND_LINES}) {{
    pageInfo {{ hasNextPage }}
    nodes {{
      quantity restockType subtotalSet {_MONEY} totalTaxSet {_MONEY} lineItem {{ id }}
    }}
  }}
  transactions(first: 10) {{
    pageInfo {{ hasNextPage }}
    nodes {{ id kind status test amountSet {_MONEY} }}
  }}
  orderAdjustments(first: 5) {{
    pageInfo {{ hasNextPage }}
    nodes {{ amountSet {_MONEY} taxAmountSet {_MONEY} }}
  }}
  refundShippingLines(first: 5) {{
    pageInfo {{ hasNextPage }}
    nodes {{ subtotalAmountSet {_MONEY} taxAmountSet {_MONEY} }}
  }}
"""
_VARIANT: Final = """
  id title sku price compareAtPrice inventoryQuantity inventoryPolicy updatedAt inventoryItem { id tracked }
"""
_PRODUCT: Final = """
  id legacyResourceId title vendor productType handle status publishedAt updatedAt
  featuredMedia { preview { image { url } } }
"""
_PAGE: Final = "pageInfo { hasNextPage endCursor }"


def _one_line(document: str) -> str:
    return " ".join(document.split())


SHOP: Final = _one_line("query { shop { name currencyCode myshopifyDomain } }")
SCOPES_GIVEN: Final = _one_line("query { currentAppInstallation { accessScopes { handle } } }")
ORDERS: Final = _one_line(
    f"""
    query($first: Int!, $after: String, $filter: String!) {{
      orders(first: $first, after: $after, query: $filter, sortKey: ID) {{ {_PAGE} nodes {{ id legacyResourceId }} }}
    }}
    """
)
"""Their ids alone: an order with its lines and refunds costs some hundred points, and is asked for by itself."""
ORDER: Final = _one_line(
    f"""
    query($id: ID!) {{
      order(id: $id) {{
        {_ORDER}
        discountApplications(first: 10) {{ nodes {{ {_DISCOUNT} }} }}
        lineItems(first: {LINES}) {{ {_PAGE} nodes {{ {_LINE} }} }}
        refunds {{ {_REFUND} }}
      }}
    }}
    """
)
MORE_LINES: Final = _one_line(
    f"""
    query($id: ID!, $first: Int!, $after: String) {{
      order(id: $id) {{ lineItems(first: $first, after: $after) {{ {_PAGE} nodes {{ {_LINE} }} }} }}
    }}
    """
)
ALL_ORDERS: Final = _one_line(
    f"""
    {{
      orders(query: "updated_at:>='{{since_z}}'") {{
        edges {{
          node {{
            {_ORDER}
            refunds {{ id }}
            discountApplications {{ edges {{ node {{ {_DISCOUNT} }} }} }}
            lineItems {{ edges {{ node {{ __typename {_LINE} }} }} }}
          }}
        }}
      }}
    }}
    """
)
"""For a bulk operation: no connection may stand in a list there, so what refunds are of is asked for afterwards."""
PRODUCTS: Final = _one_line(
    f"""
    query($first: Int!, $after: String) {{
      products(first: $first, after: $after, sortKey: ID) {{ {_PAGE} nodes {{ id legacyResourceId }} }}
    }}
    """
)
PRODUCT: Final = _one_line(
    f"""
    query($id: ID!) {{
      product(id: $id) {{ {_PRODUCT} variants(first: {VARIANTS}) {{ {_PAGE} nodes {{ {_VARIANT} }} }} }}
    }}
    """
)
MORE_VARIANTS: Final = _one_line(
    f"""
    query($id: ID!, $first: Int!, $after: String) {{
      product(id: $id) {{ variants(first: $first, after: $after) {{ {_PAGE} nodes {{ {_VARIANT} }} }} }}
    }}
    """
)
ALL_PRODUCTS: Final = _one_line(
    f"""
    {{
      products {{
        edges {{ node {{ {_PRODUCT} variants {{ edges {{ node {{ __typename {_VARIANT} }} }} }} }} }}
      }}
    }}
    """
)
BEGIN_BULK: Final = _one_line(
    """
    mutation($query: String!) {
      bulkOperationRunQuery(query: $query, groupObjects: true) {
        bulkOperation { id status }
        userErrors { field message }
      }
    }
    """
)
LOOK_AT_BULK: Final = _one_line(
    "query($id: ID!) { node(id: $id) { ... on BulkOperation { id status errorCode url } } }"
)
WEBHOOKS: Final = _one_line(
    f"""
    query($first: Int!, $after: String) {{
      webhookSubscriptions(first: $first, after: $after) {{ {_PAGE} nodes {{ id topic uri }} }}
    }}
    """
)
MAKE_WEBHOOK: Final = _one_line(
    """
    mutation($topic: WebhookSubscriptionTopic!, $uri: String!) {
      webhookSubscriptionCreate(topic: $topic, webhookSubscription: { uri: $uri, format: JSON }) {
        webhookSubscription { id }
        userErrors { field message }
      }
    }
    """
)
DELETE_WEBHOOK: Final = _one_line(
    """
    mutation($id: ID!) {
      webhookSubscriptionDelete(id: $id) { deletedWebhookSubscriptionId userErrors { field message } }
    }
    """
)
