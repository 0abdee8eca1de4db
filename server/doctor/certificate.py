"""The certificate as a browser sees it: its dates, its names, and whether it is trusted.

A handshake in memory asks OpenSSL, which also knows why it refuses.
"""

import ssl
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from server.doctor.finding import Finding
from server.http.serving.tls import tls_context
from server.settings import Settings

NOT_YET, EXPIRED = 9, 10  # X509_V_ERR_CERT_NOT_YET_VALID, X509_V_ERR_CERT_HAS_EXPIRED
DAY_S = 86_400
SOON_DAYS = 2


def certificate(settings: Settings) -> Iterator[Finding]:
    """Its dates, and whether phones will trust it."""
    context = tls_context(settings)
    if context is None or settings.certfile is None:
        yield Finding("certificate", "ok", "none: http, which works without one")
        return
    own = ssl.create_default_context(cafile=str(settings.certfile))
    own.verify_flags |= ssl.VERIFY_X509_PARTIAL_CHAIN  # as if everybody trusted it
    try:
        shown = handshake(context, own)
    except ssl.SSLCertVerificationError as error:
        if error.verify_code == NOT_YET:
            advice = "Set this machine's clock: a certificate from the future means it is behind."
        elif error.verify_code == EXPIRED:
            advice = "Renew it, or start without --certfile. If it is new, set the clock."
        else:
            advice = "Browsers will refuse it. Make another one, or start without --certfile."
        yield Finding("certificate", "problem", f"{error.verify_message}", advice)
        return
    left = (ssl.cert_time_to_seconds(shown["notAfter"]) - time.time()) / DAY_S
    names = ", ".join(name for _, name in shown.get("subjectAltName", ())) or "no name"
    found = f"valid until {shown['notAfter']}, for {names}"
    if left < SOON_DAYS:
        yield Finding("certificate", "warning", found, "It expires soon: renew it before class.")
    else:
        yield Finding("certificate", "ok", found)
    yield _trust(context)


def _trust(context: ssl.SSLContext) -> Finding:
    try:
        handshake(context, ssl.create_default_context())
    except ssl.SSLCertVerificationError as error:
        advice = (
            "Phones show a warning first, and some refuse. Use one that they know, or http, which "
            "a class in one room can do without."
        )
        return Finding("trust", "warning", f"{error.verify_message}", advice)
    return Finding("trust", "ok", "signed by an authority that this machine knows")


def handshake(server: ssl.SSLContext, client: ssl.SSLContext) -> dict[str, Any]:
    """The server's certificate, as the client reads it after checking it, but for its name.

    Raises:
        ssl.SSLCertVerificationError: the client refuses it.
    """
    client.check_hostname = False
    up, down = ssl.MemoryBIO(), ssl.MemoryBIO()
    asks, answers = client.wrap_bio(down, up), server.wrap_bio(up, down, server_side=True)
    for side in (asks, answers, asks, answers):  # hello, hello and certificate, finished
        try:
            side.do_handshake()
        except ssl.SSLWantReadError:
            continue
    found = asks.getpeercert()
    assert found is not None
    return dict(found)


def clock(settings: Settings) -> Iterator[Finding]:
    """A clock that is behind the files of this very package is wrong."""
    now = time.time()
    shown = time.strftime("%d %B %Y, %H:%M", time.localtime(now))
    if now < Path(__file__).stat().st_mtime - DAY_S:
        advice = "Set it: the certificate's dates and the report's times depend on it."
        yield Finding("clock", "problem", f"{shown}, which is before Headlight was made", advice)
    else:
        yield Finding("clock", "ok", shown)
