"""Certificates that sign themselves, for servers of tests."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

LONG_AGO = datetime(2020, 1, 1, tzinfo=UTC)


def self_signed(folder: Path, name: str, until: datetime = LONG_AGO + timedelta(days=36_500)) -> tuple[Path, Path]:
    """Write a key and a certificate of a name; return their files."""
    key = ec.generate_private_key(ec.SECP256R1())
    called = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])
    certificate = (
        x509.CertificateBuilder()
        .subject_name(called)
        .issuer_name(called)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(LONG_AGO)
        .not_valid_after(until)
        .add_extension(x509.SubjectAlternativeName([x509.DNSName(name)]), critical=False)
        .sign(key, hashes.SHA256())
    )
    plain, pem = serialization.NoEncryption(), serialization.Encoding.PEM
    files = folder / "key.pem", folder / "certificate.pem"
    files[0].write_bytes(key.private_bytes(pem, serialization.PrivateFormat.PKCS8, plain))
    files[1].write_bytes(certificate.public_bytes(pem))
    return files
