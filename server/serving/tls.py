"""TLS, from a certificate and its key."""

import ssl
from pathlib import Path

from model.errors import HeadlightError
from server.settings import Settings


class TlsError(HeadlightError):
    """The certificate or its key cannot be used."""

    code = "tls"


def tls_context(settings: Settings) -> ssl.SSLContext | None:
    """What encrypts the connections; None without a certificate.

    Raises:
        TlsError: a file is missing, is not what it should be, or the two do not belong together.
    """
    certificate, key = settings.certfile, settings.keyfile
    if certificate is None:
        if key is not None:
            raise TlsError(
                f"There is a key ({key}) without a certificate. Name the certificate, too: "
                "--certfile or HEADLIGHT_CERTFILE."
            )
        return None
    for what, file in (("certificate", certificate), ("key", key)):
        _check_readable(what, file)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    try:
        context.load_cert_chain(certificate, key, password=_no_passphrase)
    except ssl.SSLError as error:
        raise TlsError(_in_words(error, certificate, key)) from None
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
        "The key is protected by a passphrase, and nobody is there to type it. Store it without: "
        "openssl pkey -in KEY -out KEY_WITHOUT_PASSPHRASE."
    )


def _in_words(error: ssl.SSLError, certificate: Path, key: Path | None) -> str:
    if error.reason == "KEY_VALUES_MISMATCH":
        return f"The key {key or certificate} does not belong to the certificate {certificate}."
    if key is None:
        return (
            f"Expected a certificate and its key in {certificate}, both as PEM. If the key has a "
            "file of its own, name it: --keyfile or HEADLIGHT_KEYFILE."
        )
    return f"Expected a certificate in {certificate} and its key in {key}, both as PEM."
