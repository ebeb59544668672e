"""Requests that the hub itself makes to addresses that others typed: guarded, and bounded in time and bytes."""
