"""The tests of clicks share a hub by file: each has a merchant, and sees no other's."""

from __future__ import annotations

from tests.shared_hub import api, clock, clock_of_the_file, either_api, either_hub, file_of_the_hub, hub

__all__ = ["api", "clock", "clock_of_the_file", "either_api", "either_hub", "file_of_the_hub", "hub"]
