"""Put a changed module in the place of the one that everything has imported, in this process.

Other modules hold its functions and classes, so these stay and get the new code; a constant that reads otherwise is
replaced wherever it was imported under its name.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from types import CodeType, FunctionType, ModuleType
from typing import Any


def swap(name: str, code: CodeType) -> None:
    """Give a module that is imported the code of a changed one; raises whatever that raises as it is imported."""
    live = sys.modules[name]
    fresh = ModuleType(name)
    fresh.__dict__.update({key: value for key, value in vars(live).items() if key.startswith("__")})
    exec(code, fresh.__dict__)  # the module's own source, changed in one place
    for key, new in list(vars(fresh).items()):
        old = vars(live).get(key)
        if key.startswith("__") or old is new:
            continue
        if isinstance(new, type) or _function(new) is not None:
            if getattr(new, "__module__", None) == name:
                _transplant(old, new)
        elif repr(old) != repr(new):
            _replace(key, old, new)


def forget(name: str) -> None:
    """Empty the caches of a module's functions, so that the next call reaches them."""
    for value in vars(sys.modules[name]).values():
        if callable(clear := getattr(value, "cache_clear", None)):
            clear()


def _transplant(old: Any, new: Any) -> None:
    """Give a function, or all of a class's, the code and defaults of a changed one."""
    if isinstance(new, type):
        for key, value in vars(new).items():
            if key in vars(old):
                _transplant(vars(old)[key], value)
        return
    for kept, changed in zip(_functions(old), _functions(new), strict=True):
        kept.__code__ = changed.__code__
        kept.__defaults__ = changed.__defaults__
        kept.__kwdefaults__ = changed.__kwdefaults__
    if callable(clear := getattr(old, "cache_clear", None)):
        clear()


def _functions(value: Any) -> Iterator[FunctionType]:
    for each in (value.fget, value.fset) if isinstance(value, property) else (value,):
        found = _function(each)
        if found is not None:
            yield found


def _function(value: Any) -> FunctionType | None:
    """Return the function behind decorators (a cache, a static or class method), None if there is none."""
    found = value
    while not isinstance(found, type):
        inner = getattr(found, "__wrapped__", None) or getattr(found, "__func__", None)
        if inner is None:
            break
        found = inner
    return found if isinstance(found, FunctionType) else None


def _replace(key: str, old: Any, new: Any) -> None:
    for module in list(sys.modules.values()):
        if isinstance(module, ModuleType) and vars(module).get(key) is old:
            vars(module)[key] = new
