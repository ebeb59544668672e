"""`traced_hub.py FILE MODULE ARGUMENTS`: run a module, and write to the file how often it called each function.

A function is named by its file's last two folders and its qualified name: "domain/signing.py:sign". A function written
in C has its name alone.
"""

from __future__ import annotations

import json
import runpy
import sys
from collections import Counter
from pathlib import Path
from types import FrameType
from typing import Any


class Calls:
    """Counts calls, as `sys.setprofile` reports them."""

    def __init__(self) -> None:
        self.codes: Counter[Any] = Counter()
        self.builtins: Counter[str] = Counter()

    def __call__(self, frame: FrameType, event: str, argument: Any) -> None:
        if event == "call":
            self.codes[frame.f_code] += 1
        elif event == "c_call":
            self.builtins[argument.__qualname__] += 1

    def by_name(self) -> Counter[str]:
        """How often each function was called; a coroutine counts each time it goes on, too."""
        named = Counter(self.builtins)
        for code, times in self.codes.items():
            named[f"{'/'.join(Path(code.co_filename).parts[-2:])}:{code.co_qualname}"] += times
        return named


def main(file: str, module: str, *arguments: str) -> None:
    sys.argv = [module, *arguments]
    calls = Calls()
    sys.setprofile(calls)
    try:
        runpy.run_module(module, run_name="__main__", alter_sys=True)
    finally:
        sys.setprofile(None)
        Path(file).write_text(json.dumps(calls.by_name()))


if __name__ == "__main__":
    main(*sys.argv[1:])
