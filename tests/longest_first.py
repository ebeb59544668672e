"""In which order the workers of a run begin the files: those that take longest first, then those of the most tests.

A long file that begins last would keep one worker for itself while the other has nothing left to do.
"""

from __future__ import annotations

from collections import Counter
from typing import Final

import pytest

from tests.within import file_of

LONGEST: Final = (
    "tests/tracking/browser/test_capture_browser.py", "tests/cli/test_plugin.py", "tests/lists/test_page_lists.py",
    "tests/plugin_host/test_set_aside.py", "tests/plugin_host/test_sandbox.py", "tests/plugin_host/test_reload.py",
    "tests/storage/test_queries.py",
    "tests/storage/test_conformance.py", "tests/nodes/test_two_nodes.py", "tests/csv_import/test_runner.py",
    "tests/pages/test_browser.py", "tests/bench/test_budget.py", "tests/storage/test_transfer.py",
    "tests/ledger/test_verify.py", "tests/ledger/test_gathering.py", "tests/test_architecture.py",
    "tests/plugin_host/test_hub_with_plugins.py", "tests/storage/test_list_plans.py",
    "tests/observability/test_troubles.py", "tests/demo/test_shop.py", "tests/cli/test_doctor.py",
    "tests/cli/test_backup.py", "tests/nodes/test_two_nodes_caches.py",
)  # fmt: skip
"""The files that take four seconds or more of a processor, the longest first; `pytest --durations 50` shows them."""


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Bring the files into this order where there are several workers; alone a run goes by the files' names."""
    if hasattr(config, "workerinput"):
        order = places(items)
        items.sort(key=lambda item: order[file_of(item.nodeid)])


def places(items: list[pytest.Item]) -> dict[str, tuple[int, int]]:
    """Return the place of each file, as what it is sorted by."""
    long = {file: place for place, file in enumerate(LONGEST)}
    tests = Counter(file_of(item.nodeid) for item in items)
    return {file: (long.get(file, len(LONGEST)), -number) for file, number in tests.items()}
