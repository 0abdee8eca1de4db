"""static/ over HTTP."""

import re

from fastapi.staticfiles import StaticFiles
from starlette.datastructures import Headers
from starlette.exceptions import HTTPException
from starlette.responses import Response
from starlette.types import Scope

from server.assets.folders import STATIC
from server.assets.kept import ASK_AGAIN, FOREVER
from server.assets.packing import DIGEST_LENGTH
from server.assets.release import Release, current

_VERSIONED = re.compile(rf"([0-9a-f]{{{DIGEST_LENGTH}}})/(.+)")


class OwnFiles(StaticFiles):
    """static/: kept for ever where the address names the release, else asked about each time.

    An address of another release gives the file of this one: a page that was opened before an
    update, or with another replica, may still ask for a file by it.
    """

    def __init__(self) -> None:
        super().__init__(directory=STATIC)
        self._release: Release | None = None

    async def get_response(self, path: str, scope: Scope) -> Response:
        versioned = _VERSIONED.fullmatch(path)
        if versioned is None:
            response = await super().get_response(path, scope)
            response.headers["Cache-Control"] = ASK_AGAIN
            return response
        digest, name = versioned.groups()
        if self._release is None or self._release.digest != digest:
            self._release = current()
        kept = self._release.kept(name)
        if kept is None:
            raise HTTPException(404)
        is_named = self._release.digest == digest
        return kept.answer(Headers(scope=scope), FOREVER if is_named else ASK_AGAIN)
