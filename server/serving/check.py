"""`python -m server.serving.check`: whether the server of this machine lives, as an exit status.

For the image's health check: nothing but the standard library, as it runs every few seconds.
"""

import http.client
import os
import ssl
import sys

TIMEOUT_S = 4.0


def lives() -> bool:
    """Whether /healthz answers, by http or https as the HEADLIGHT_* variables say."""
    port = int(os.environ.get("HEADLIGHT_PORT") or 8000)
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=TIMEOUT_S)
    if os.environ.get("HEADLIGHT_CERTFILE"):
        unchecked = ssl.create_default_context()  # the certificate names this machine's outside
        unchecked.check_hostname, unchecked.verify_mode = False, ssl.CERT_NONE
        connection = http.client.HTTPSConnection(
            "127.0.0.1", port, timeout=TIMEOUT_S, context=unchecked
        )
    try:
        connection.request("GET", "/healthz")
        return connection.getresponse().status == 200
    except (OSError, http.client.HTTPException):
        return False
    finally:
        connection.close()


if __name__ == "__main__":
    sys.exit(not lives())
