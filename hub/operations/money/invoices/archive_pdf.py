"""A PDF that is kept for years and carries a file: PDF/A-3b (ISO 19005-3) with an attachment, as Factur-X asks for.

The page itself has to be fit for it: fonts embedded, nothing transparent. Added are what the colours mean (an sRGB
output intent), what the file is (XMP), and the attachment as an alternative of the page.

pypdf takes a tenth of a second and 20 MB to load, so callers import this module where they write such a file.
"""

from __future__ import annotations

import io
from datetime import UTC, datetime
from functools import cache
from typing import Final
from xml.sax.saxutils import escape

from attrs import frozen
from PIL import ImageCms
from pypdf import PdfReader, PdfWriter
from pypdf.generic import ArrayObject, DictionaryObject, NameObject, NumberObject, StreamObject, TextStringObject

_PRODUCER: Final = "affiliate hub"
_PROFILE_DATE: Final = slice(24, 36)
"""The bytes of an ICC profile that say when it was made (ICC.1, 7.2.8): the same file has to make the same bytes."""
_FX: Final = "urn:factur-x:pdfa:CrossIndustryDocument:invoice:1p0#"
_PROPERTIES: Final = (
    ("DocumentFileName", "The name of the embedded XML file"),
    ("DocumentType", "The type of the document: INVOICE"),
    ("Version", "The version of the standard of the XML file"),
    ("ConformanceLevel", "The profile of the XML file"),
)


@frozen
class Attachment:
    """A file that a PDF carries: its name, its bytes (XML), and what it is, for people."""

    name: str
    content: bytes
    about: str


def archived(pdf: bytes, attachment: Attachment, moment: str) -> bytes:
    """Return the PDF as PDF/A-3b with the attachment, dated a moment (RFC 3339); the same make the same bytes."""
    reader = PdfReader(io.BytesIO(pdf))
    title, author = _said(reader, "/Title"), _said(reader, "/Author")
    writer = PdfWriter(clone_from=reader)
    # The dates of the page's maker are left out: here and in the XMP they would have to be the same.
    writer.metadata = {"/Title": title, "/Author": author, "/Producer": _PRODUCER}
    when = datetime.fromisoformat(moment).astimezone(UTC)
    _attach(writer, attachment, when)
    writer.pdf_header = "%PDF-1.7"
    catalogue = writer.root_object
    catalogue[NameObject("/OutputIntents")] = ArrayObject([_output_intent(writer)])
    writer.xmp_metadata = _xmp(title, author, attachment.name).encode()
    file = io.BytesIO()
    writer.write(file)
    return file.getvalue()


def _said(reader: PdfReader, name: str) -> str:
    return "" if reader.metadata is None else str(reader.metadata.get(name, ""))


def _attach(writer: PdfWriter, attachment: Attachment, when: datetime) -> None:
    embedded = writer.add_attachment(attachment.name, attachment.content)
    embedded.subtype = NameObject("/text/xml")
    embedded.description = TextStringObject(attachment.about)
    embedded.associated_file_relationship = NameObject("/Alternative")
    embedded.modification_date = when
    embedded.size = NumberObject(len(attachment.content))
    names = writer.root_object["/Names"]["/EmbeddedFiles"]["/Names"]  # type: ignore[index]  # a dictionary of PDF
    writer.root_object[NameObject("/AF")] = ArrayObject([names[1].indirect_reference or names[1]])


def _output_intent(writer: PdfWriter) -> DictionaryObject:
    stream = StreamObject()
    stream.set_data(_srgb())
    stream[NameObject("/N")] = NumberObject(3)
    stream.indirect_reference = None
    kept = stream.clone(writer)  # a stream has to be an object of the file, which others point to
    assert kept.indirect_reference is not None  # noqa: S101 - for the type checker
    return DictionaryObject({
        NameObject("/Type"): NameObject("/OutputIntent"),
        NameObject("/S"): NameObject("/GTS_PDFA1"),
        NameObject("/OutputConditionIdentifier"): TextStringObject("sRGB"),
        NameObject("/DestOutputProfile"): kept.indirect_reference,
    })  # fmt: skip


@cache
def _srgb() -> bytes:
    profile = bytearray(ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes())
    profile[_PROFILE_DATE] = bytes(12)
    return bytes(profile)


def _xmp(title: str, author: str, file_name: str) -> str:
    """Return what the file is: PDF/A-3b, its title and author, and the invoice inside with the words that name it."""
    described = "".join(
        f'<rdf:li rdf:parseType="Resource"><pdfaProperty:name>{name}</pdfaProperty:name>'
        "<pdfaProperty:valueType>Text</pdfaProperty:valueType><pdfaProperty:category>external</pdfaProperty:category>"
        f"<pdfaProperty:description>{about}</pdfaProperty:description></rdf:li>"
        for name, about in _PROPERTIES
    )
    return f"""\
<?xpacket begin="\ufeff" id="W5M0MpCehiHzreSzNTczkc9d"?>
<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
<rdf:Description rdf:about="" xmlns:pdfaid="http://www.aiim.org/pdfa/ns/id/">
<pdfaid:part>3</pdfaid:part><pdfaid:conformance>B</pdfaid:conformance></rdf:Description>
<rdf:Description rdf:about="" xmlns:dc="http://purl.org/dc/elements/1.1/">
<dc:title><rdf:Alt><rdf:li xml:lang="x-default">{escape(title)}</rdf:li></rdf:Alt></dc:title>
<dc:creator><rdf:Seq><rdf:li>{escape(author)}</rdf:li></rdf:Seq></dc:creator></rdf:Description>
<rdf:Description rdf:about="" xmlns:pdf="http://ns.adobe.com/pdf/1.3/">
<pdf:Producer>{_PRODUCER}</pdf:Producer></rdf:Description>
<rdf:Description rdf:about="" xmlns:pdfaExtension="http://www.aiim.org/pdfa/ns/extension/"
 xmlns:pdfaSchema="http://www.aiim.org/pdfa/ns/schema#" xmlns:pdfaProperty="http://www.aiim.org/pdfa/ns/property#">
<pdfaExtension:schemas><rdf:Bag><rdf:li rdf:parseType="Resource"><pdfaSchema:schema>Factur-X</pdfaSchema:schema>
<pdfaSchema:namespaceURI>{_FX}</pdfaSchema:namespaceURI><pdfaSchema:prefix>fx</pdfaSchema:prefix>
<pdfaSchema:property><rdf:Seq>{described}</rdf:Seq></pdfaSchema:property></rdf:li></rdf:Bag></pdfaExtension:schemas>
</rdf:Description>
<rdf:Description rdf:about="" xmlns:fx="{_FX}"><fx:DocumentType>INVOICE</fx:DocumentType>
<fx:DocumentFileName>{escape(file_name)}</fx:DocumentFileName><fx:Version>1.0</fx:Version>
<fx:ConformanceLevel>EN 16931</fx:ConformanceLevel></rdf:Description>
</rdf:RDF></x:xmpmeta>
<?xpacket end="w"?>"""
