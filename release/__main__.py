"""`python -m release FOLDER`: make a release of what is committed, named by the tag of its commit."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from release.changes import section_of
from release.sbom import write_bill
from release.tree import export, stamp
from release.version import Release, ReleaseFault, git, release_at_head
from release.wheels import build_wheels, write_pins, write_sums

ROOT = Path(__file__).resolve().parent.parent
CHANGES = "CHANGES.md"


def make_release(root: Path, folder: Path) -> Release:
    """Write a release of the checkout's commit into the folder, in place of what is there; return what it is.

    Raises `ReleaseFault` before anything is replaced, unless a wheel cannot be built.
    """
    release = release_at_head(root)
    with TemporaryDirectory(prefix="hub-release-") as scratch:
        tree, made = Path(scratch, "tree"), Path(scratch, "made")
        made.mkdir()
        export(root, release, tree)
        changes = section_of((tree / "CHANGELOG.md").read_text("utf-8"), release)
        stamp(tree, release)
        wheels = build_wheels(tree, made, release)
        (made / CHANGES).write_text(changes, "utf-8")
        write_pins(tree, made, wheels, release)
        write_bill(tree, made, wheels, release)
        write_sums(made)
        shutil.rmtree(folder, ignore_errors=True)
        shutil.copytree(made, folder)
    return release


def main() -> None:
    """Make the release and say what was made; exit with 1 and a sentence if none can be."""
    folder = Path(sys.argv[1] if len(sys.argv) > 1 else "dist").absolute()
    try:
        release = make_release(ROOT, folder)
        changed = git(ROOT, "status", "--porcelain").splitlines()
    except ReleaseFault as fault:
        sys.exit(f"No release: {fault}")
    print(f"affiliate-hub {release.version} of commit {release.commit[:12]} is in {folder}:")  # noqa: T201 - for the person who makes it
    print("".join(f"  {file.name}\n" for file in sorted(folder.iterdir())), end="")  # noqa: T201 - as above
    if changed:
        print(f"Not in it: {len(changed)} files that are not committed.")  # noqa: T201 - as above
    if not release.is_tagged:
        print("A development release: `git tag -s v1.2.3` on the commit makes the next one 1.2.3.")  # noqa: T201 - as above


if __name__ == "__main__":
    main()
