"""Serves static/."""

import re
from pathlib import Path

from fastapi.staticfiles import StaticFiles
from starlette.datastructures import Headers
from starlette.exceptions import HTTPException
from starlette.responses import Response
from starlette.types import Scope

from server.pages.assets.encoded import IMMUTABLE, REVALIDATE
from server.pages.assets.folders import STATIC
from server.pages.assets.packing import DIGEST_LENGTH
from server.pages.assets.release import Release, current

_VERSIONED = re.compile(rf"([0-9a-f]{{{DIGEST_LENGTH}}})/(.+)")


class OwnFiles(StaticFiles):
    """Serves static/: cached for ever if the URL names the release, else revalidated.

    A URL of another release gets the file of this one. A page that was opened before an update,
    or from another replica, may still request it.
    """

    def __init__(self) -> None:
        super().__init__(directory=STATIC)
        self._release: Release | None = None

    async def get_response(self, path: str, scope: Scope) -> Response:
        # Starlette also finds js/main.js under js//main.js and js/main.js/, where its imports fail
        if not scope["path"].endswith(f"/{Path(path).as_posix()}"):
            raise HTTPException(404)
        versioned = _VERSIONED.fullmatch(path)
        if versioned is None:
            response = await super().get_response(path, scope)
            response.headers["Cache-Control"] = REVALIDATE
            return response
        digest, name = versioned.groups()
        if self._release is None or self._release.digest != digest:
            self._release = current()
        body = self._release.body(name)
        if body is None:
            raise HTTPException(404)
        is_current = self._release.digest == digest
        return body.response(Headers(scope=scope), IMMUTABLE if is_current else REVALIDATE)
