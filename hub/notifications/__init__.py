"""Outgoing webhooks and postbacks: the messages that the outbox holds, delivered at least once."""
