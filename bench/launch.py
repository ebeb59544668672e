"""`python -m bench.launch TECHNIQUE[,TECHNIQUE ...] ARGUMENTS`: the `hub` command without these speed techniques."""

from __future__ import annotations

import sys

from bench.plain import LEAVE_OUT
from hub.cli import main

if __name__ == "__main__":
    for name in sys.argv.pop(1).split(","):
        LEAVE_OUT[name]()
    main()
