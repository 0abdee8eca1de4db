"""The TLS context, made from a certificate and its key."""

import ssl
from pathlib import Path

from model.errors import HeadlightError
from server.settings import Settings


class TlsError(HeadlightError):
    """The certificate or its key cannot be used."""

    code = "tls"


def tls_context(settings: Settings) -> ssl.SSLContext | None:
    """The TLS context of the server; None without a certificate.

    Raises:
        TlsError: a file is missing or unusable, or the key does not match the certificate.
    """
    certificate, key = settings.certfile, settings.keyfile
    if certificate is None:
        if key is not None:
            raise TlsError(
                f"Got a key ({key}) but no certificate. Set the certificate too, with --certfile "
                "or HEADLIGHT_CERTFILE."
            )
        return None
    for what, file in (("certificate", certificate), ("key", key)):
        _check_readable(what, file)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    try:
        context.load_cert_chain(certificate, key, password=_no_passphrase)
    except ssl.SSLError as error:
        raise TlsError(_explain(error, certificate, key)) from None
    return context


def _check_readable(what: str, file: Path | None) -> None:
    if file is None:
        return
    try:
        file.read_bytes()
    except OSError as error:
        raise TlsError(f"The {what} {file} cannot be read: {error.strerror}.") from None


def _no_passphrase() -> str:
    raise TlsError(
        "The key is protected by a passphrase, which a server cannot type in. Remove the "
        "passphrase: openssl pkey -in KEY -out KEY_WITHOUT_PASSPHRASE."
    )


def _explain(error: ssl.SSLError, certificate: Path, key: Path | None) -> str:
    if error.reason == "KEY_VALUES_MISMATCH":
        return f"The key {key or certificate} does not match the certificate {certificate}."
    if key is None:
        return (
            f"Expected a certificate and its key in {certificate}, both as PEM. If the key is in "
            "its own file, set it with --keyfile or HEADLIGHT_KEYFILE."
        )
    return f"Expected a certificate in {certificate} and its key in {key}, both as PEM."
