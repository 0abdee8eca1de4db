"""Response bodies that are sent often, each compressed once per encoding."""

import gzip
import hashlib
from collections.abc import Callable, Mapping
from functools import partial
from threading import Lock
from types import MappingProxyType

import brotli
from starlette.datastructures import Headers
from starlette.responses import Response

IMMUTABLE = "public, max-age=31536000, immutable"  # for URLs that change with the content
REVALIDATE = "no-cache"  # cached, but revalidated each time

LARGE = 2**17  # bytes


def _brotli(body: bytes) -> bytes:
    """A better quality would save another tenth of a large body, but take 20 s for plotly."""
    compressed: bytes = brotli.compress(body, quality=6 if len(body) > LARGE else 10)
    return compressed


# Best first.
ENCODERS: Mapping[str, Callable[[bytes], bytes]] = {
    "br": _brotli,
    "gzip": partial(gzip.compress, compresslevel=9, mtime=0),
}
MIN_BYTES = 1_024  # compressing a smaller body would not save a packet


class EncodedBody:
    """A body with its compressed versions."""

    def __init__(
        self, body: bytes, media_type: str, encoded: Mapping[str, bytes] = MappingProxyType({})
    ) -> None:
        """`encoded`: what is compressed already, by the names of `ENCODERS`."""
        self._body = body
        self._media_type = media_type
        self._tag = f'W/"{hashlib.sha256(body).hexdigest()[:16]}"'  # weak: for any encoding
        self._encoded = dict(encoded)
        self._lock = Lock()

    def encoded(self, encoding: str) -> bytes:
        """The body in an encoding of `ENCODERS`."""
        with self._lock:  # so that only one thread compresses
            if encoding not in self._encoded:
                self._encoded[encoding] = ENCODERS[encoding](self._body)
            return self._encoded[encoding]

    def response(self, request: Headers, cache_control: str, status: int = 200) -> Response:
        """The response for a request's headers: 304 if the browser has it, else best-encoded."""
        headers = {"Cache-Control": cache_control, "ETag": self._tag, "Vary": "Accept-Encoding"}
        known = {tag.strip() for tag in request.get("if-none-match", "").split(",")}
        if self._tag in known and status == 200:
            return Response(status_code=304, headers=headers)
        accepted = request.get("accept-encoding", "")
        encoding = best_encoding(accepted) if len(self._body) >= MIN_BYTES else None
        if encoding is None:
            return Response(self._body, status, headers, self._media_type)
        headers["Content-Encoding"] = encoding
        return Response(self.encoded(encoding), status, headers, self._media_type)


def best_encoding(accepted: str) -> str | None:
    """The first of `ENCODERS` that an Accept-Encoding header allows; `gzip;q=0` forbids gzip."""
    allowed = set()
    for offer in accepted.lower().replace(" ", "").split(","):
        name, _, weight = offer.partition(";q=")
        if weight == "" or weight.strip("0."):
            allowed.add(name)
    return next((name for name in ENCODERS if name in allowed), None)
