"""Webhooks that go out: subscriptions and what was delivered."""
