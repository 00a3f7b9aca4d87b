"""A certificate authority of the cluster's own, and one certificate for all its servers and clients
on loopback.
"""

from __future__ import annotations

import ipaddress
import json
import socket
import ssl
import urllib.request
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import msgspec
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

from liuying.installation.database_members import tls_files

LOOPBACK = "127.0.0.1"
LASTS = timedelta(days=365)
# HAProxy asks each PostgreSQL server for its name; pgBackRest compares names, not addresses.
NAMES = ("localhost", "pg1", "pg2", "pg3")


class Certificates(msgspec.Struct, frozen=True):
    """Files in PEM.

    Attributes:
        authority: The authority's certificate.
        certificate: The servers' and clients'.
        key: Its private key.
    """

    authority: Path
    certificate: Path
    key: Path


def make_certificates(folder: Path) -> Certificates:
    """Make an authority and a certificate; the authority's key is not kept."""
    found = Certificates(*tls_files(folder))
    now = datetime.now(UTC)
    authority_key, key = (ec.generate_private_key(ec.SECP256R1()) for _ in range(2))
    authority_name, name = _name("流影 cluster"), _name(LOOPBACK)
    authority = (
        _builder(authority_name, authority_name, authority_key, now)
        .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
        .sign(authority_key, hashes.SHA256())
    )
    own = (
        _builder(name, authority_name, key, now)
        .add_extension(
            x509.SubjectAlternativeName(
                [x509.IPAddress(ipaddress.ip_address(LOOPBACK)), *map(x509.DNSName, NAMES)]
            ),
            critical=False,
        )
        .add_extension(
            x509.ExtendedKeyUsage(
                [ExtendedKeyUsageOID.SERVER_AUTH, ExtendedKeyUsageOID.CLIENT_AUTH]
            ),
            critical=False,
        )
        .sign(authority_key, hashes.SHA256())
    )
    encoding = serialization.Encoding.PEM
    found.authority.write_bytes(authority.public_bytes(encoding))
    found.certificate.write_bytes(own.public_bytes(encoding))
    private = key.private_bytes(
        encoding, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    found.key.touch(mode=0o600)
    found.key.write_bytes(private)
    return found


def client_context(certificates: Certificates) -> ssl.SSLContext:
    """A client that shows its certificate, and trusts the cluster's authority alone."""
    context = ssl.create_default_context(cafile=str(certificates.authority))
    context.load_cert_chain(certificates.certificate, certificates.key)
    return context


def ask(certificates: Certificates, port: int, path: str, body: bytes | None = None) -> Any:
    """What a part on a port of loopback says in JSON to a client with a certificate.

    Raises:
        OSError: It does not answer, or not with 200.
    """
    context = client_context(certificates)
    address = f"https://{LOOPBACK}:{port}{path}"
    with urllib.request.urlopen(address, body, timeout=2, context=context) as answer:
        return json.load(answer)


def refuses(port: int, certificates: Certificates) -> bool:
    """Whether who listens on a port of loopback ends the connection of a client that shows no
    certificate, and is no server without TLS.

    Raises:
        OSError: Nobody listens.
    """
    stranger = ssl.create_default_context(cafile=str(certificates.authority))
    # gRPC wants to be told that it is spoken.
    stranger.set_alpn_protocols(["h2", "http/1.1"])
    with socket.create_connection((LOOPBACK, port), timeout=5) as plain:
        try:
            with stranger.wrap_socket(plain, server_hostname=LOOPBACK) as connection:
                # With TLS 1.3 a client learns of it with the first answer.
                connection.recv(1)
        except ssl.SSLError as error:
            return "CERTIFICATE_REQUIRED" in str(error).upper()
    return False


def _name(common: str) -> x509.Name:
    return x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, common)])


def _builder(
    subject: x509.Name, issuer: x509.Name, key: ec.EllipticCurvePrivateKey, now: datetime
) -> x509.CertificateBuilder:
    return (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(issuer)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - timedelta(hours=1))
        .not_valid_after(now + LASTS)
    )
