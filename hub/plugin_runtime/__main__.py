"""The program of one plugin process: first its keeper, which forks what serves and imports none of that itself."""

from __future__ import annotations

import json
import sys
from importlib import import_module

from hub.plugin_runtime.keeper import under_a_keeper


def main() -> None:
    """Run with the hub's process id, the descriptors of requests, answers and notes, and the limits as JSON."""
    hub, *descriptors = (int(text) for text in sys.argv[1:5])
    limits = json.loads(sys.argv[5])
    apart = under_a_keeper(hub, descriptors, apart=limits["sandbox"] != "off")
    import_module("hub.plugin_runtime.serving").run(hub, tuple(descriptors), limits, apart)


if __name__ == "__main__":
    main()
