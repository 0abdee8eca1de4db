"""`python -m server.http.serving.check`: exits with 0 if the local server is healthy, else with 1.

This is the image's health check. It runs every few seconds, so it imports only the standard
library.
"""

import http.client
import os
import ssl
import sys

TIMEOUT_S = 4.0


def is_healthy() -> bool:
    """Whether /healthz answers with 200, over http or https depending on HEADLIGHT_CERTFILE."""
    port = int(os.environ.get("HEADLIGHT_PORT") or 8000)
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=TIMEOUT_S)
    if os.environ.get("HEADLIGHT_CERTFILE"):
        unchecked = ssl.create_default_context()  # the certificate is for the public name
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
    sys.exit(not is_healthy())
