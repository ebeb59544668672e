"""The section of the changelog that belongs to a release."""

from __future__ import annotations

import re

from release.version import Release, ReleaseFault

UNRELEASED = "Unreleased"


def section_of(changelog: str, release: Release) -> str:
    """Return the section of the release; that of what is not released yet for a commit without a tag.

    Raises `ReleaseFault` if a tagged release has no section, which is how a forgotten one is noticed.
    """
    wanted = release.version if release.is_tagged else UNRELEASED
    sections = re.split(r"^## ", changelog, flags=re.MULTILINE)[1:]
    for section in sections:
        if section.splitlines()[0].split(" ")[0].strip("[]") == wanted:
            return f"## {section.strip()}\n"
    raise ReleaseFault(f"CHANGELOG.md has no section '## {wanted}': name there what changed, and set the tag after it.")
