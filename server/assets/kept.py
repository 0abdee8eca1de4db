"""Bodies that are sent again and again, each compressed once for every encoding."""

import gzip
import hashlib
from collections.abc import Callable, Mapping
from functools import partial
from threading import Lock

import brotli
from starlette.datastructures import Headers
from starlette.responses import Response

FOREVER = "public, max-age=31536000, immutable"  # where the address changes with the content
ASK_AGAIN = "no-cache"  # kept, and asked about each time

# The best first. Brotli's highest quality would save a tenth, and take 20 s for plotly.
ENCODERS: Mapping[str, Callable[[bytes], bytes]] = {
    "br": partial(brotli.compress, quality=6),
    "gzip": partial(gzip.compress, compresslevel=9, mtime=0),
}
MIN_BYTES = 1_024  # bytes: compressing less saves no packet


class Kept:
    """One body."""

    def __init__(self, body: bytes, media_type: str) -> None:
        self._body = body
        self._media_type = media_type
        self._tag = f'W/"{hashlib.sha256(body).hexdigest()[:16]}"'  # weak: of any encoding
        self._encoded: dict[str, bytes] = {}
        self._lock = Lock()

    def encoded(self, encoding: str) -> bytes:
        """The body in an encoding of `ENCODERS`."""
        with self._lock:  # what one thread has begun, another waits for
            if encoding not in self._encoded:
                self._encoded[encoding] = ENCODERS[encoding](self._body)
            return self._encoded[encoding]

    def compress(self) -> None:
        """Compress it in every encoding, before anybody asks."""
        if len(self._body) >= MIN_BYTES:
            for encoding in ENCODERS:
                self.encoded(encoding)

    def answer(self, asked: Headers, cache_control: str, status: int = 200) -> Response:
        """For a request's headers: 304 where the browser has it, else in the best encoding."""
        headers = {"Cache-Control": cache_control, "ETag": self._tag, "Vary": "Accept-Encoding"}
        known = {tag.strip() for tag in asked.get("if-none-match", "").split(",")}
        if self._tag in known and status == 200:
            return Response(status_code=304, headers=headers)
        encoding = best(asked.get("accept-encoding", "")) if len(self._body) >= MIN_BYTES else None
        if encoding is None:
            return Response(self._body, status, headers, self._media_type)
        headers["Content-Encoding"] = encoding
        return Response(self.encoded(encoding), status, headers, self._media_type)


def best(accepted: str) -> str | None:
    """The first of `ENCODERS` that an Accept-Encoding header allows. `gzip;q=0` does not."""
    allowed = set()
    for offer in accepted.lower().replace(" ", "").split(","):
        name, _, weight = offer.partition(";q=")
        if weight == "" or weight.strip("0."):
            allowed.add(name)
    return next((name for name in ENCODERS if name in allowed), None)
