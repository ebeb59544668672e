"""The endpoints of v1 as the specification lists them, and what this hub has beyond them."""

from __future__ import annotations

SPECIFIED = """
POST  /v1/products/import          202 400 401 429
POST  /v1/products/upsert          202 400 401
GET   /v1/products                 200 401
GET   /v1/products/{id}            200 401 404
PATCH /v1/products/{id}            200 400 401 404
POST  /v1/products/archive         200 401
POST  /v1/campaigns                201 400 401
GET   /v1/campaigns                200 401
GET   /v1/campaigns/{id}           200 404
PATCH /v1/campaigns/{id}           200 404
POST  /v1/campaigns/{id}/pause     200
POST  /v1/campaigns/{id}/activate  200
POST  /v1/conversions              202 400 401
POST  /v1/order-status             202 400 401
POST  /v1/webhooks/order-created   202 401
POST  /v1/webhooks/order-paid      202 401
POST  /v1/webhooks/order-delivered 202 401
POST  /v1/webhooks/order-cancelled 202 401
POST  /v1/webhooks/order-returned  202 401
POST  /v1/webhooks/order-refunded  202 401
POST  /v1/webhooks/product-updated 202 401
POST  /v1/webhooks/product-stock-updated 202 401
GET   /v1/events/{eventId}         200
"""
"""The specification's endpoint table, row by row: method, path, success, listed errors."""

EXTENSIONS = """
POST  /v1/uploads/products
POST  /v1/uploads/orders
POST  /v1/uploads/statuses
GET   /v1/uploads/{id}
GET   /v1/uploads/{id}/verdicts
GET   /v1/clicks
GET   /v1/changes
GET   /v1/conversions
GET   /v1/conversions/{id}
POST  /v1/conversions/{id}/attribute
POST  /v1/conversions/{id}/dismiss
GET   /v1/events
GET   /v1/commissions
GET   /v1/commissions/{id}
GET   /v1/review
GET   /v1/links
POST  /v1/links
POST  /v1/links/{id}/disable
GET   /v1/affiliates
GET   /v1/request-log
GET   /v1/reports/daily
GET   /v1/reports/campaigns
GET   /v1/reports/affiliates
GET   /v1/reports/products
GET   /v1/reports/links
GET   /v1/balances
GET   /v1/statements
GET   /v1/event-types
GET   /v1/subscriptions
POST  /v1/subscriptions
PATCH /v1/subscriptions/{id}
POST  /v1/subscriptions/{id}/test
POST  /v1/subscriptions/{id}/retry
POST  /v1/subscriptions/{id}/pause
POST  /v1/subscriptions/{id}/resume
POST  /v1/subscriptions/{id}/rotate
DELETE /v1/subscriptions/{id}
GET   /v1/subscriptions/{id}/deliveries
POST  /v1/subscriptions/{id}/replay
"""
"""What this hub has beyond the specification."""
