"""The streams of one worker: what goes wrong with one class is not felt in another."""

import asyncio
import logging

import pytest

from server.classes.errors import store_fails
from server.classes.live import Document, Listener, Live, Looks

GOOD, BAD = "BCDFGHJ", "XXXXXXX"


class Classes:
    """Two classes, of which one can be made to fail."""

    def __init__(self) -> None:
        self.revision = 1
        self.failure: Exception | None = None
        self.touched: set[str] = set()

    async def version(self) -> object:
        return self.revision

    async def document(self, code: str) -> tuple[Document, Document, int]:
        if code == BAD and self.failure:
            raise self.failure
        return {"revision": self.revision, "mode": f"m{self.revision}"}, {}, 1

    async def touch(self, code: str, people: list[str], teacher: bool) -> None:
        if code == BAD and self.failure:
            raise self.failure
        self.touched.add(code)

    def live(self) -> Live:
        return Live(Looks(self.version, self.document, self.touch))


async def told(listener: Listener) -> bytes:
    message = await asyncio.wait_for(listener.messages.get(), 20)
    assert message is not None
    return message


@pytest.mark.parametrize("failure", [IndexError("a grid of another size"), store_fails("full.")])
def test_one_class_that_fails_stops_no_other(
    failure: Exception, caplog: pytest.LogCaptureFixture
) -> None:
    async def run() -> None:
        classes = Classes()
        live, first = classes.live(), {"revision": 1, "mode": "m1"}
        async with live.listen(BAD, "a", False, first), live.listen(GOOD, "b", False, first) as b:
            classes.failure = failure
            for revision in (2, 3):
                classes.revision = revision
                live.wake()
                while b'"mode":"m%d"' % revision not in await told(b):
                    pass
            assert GOOD in classes.touched

    with caplog.at_level(logging.ERROR, logger="headlight"):
        asyncio.run(run())
    logged = [record for record in caplog.records if BAD in record.getMessage()]
    assert len(logged) == (isinstance(failure, IndexError))  # once, though it was tried often


def test_a_class_that_works_again_catches_up() -> None:
    async def run() -> None:
        classes = Classes()
        live, first = classes.live(), {"revision": 1, "mode": "m1"}
        async with live.listen(BAD, "a", False, first) as a:
            classes.failure, classes.revision = IndexError("no"), 2
            live.wake()
            await asyncio.sleep(0.3)
            classes.failure, classes.revision = None, 3
            while b'"mode":"m3"' not in await told(a):
                pass

    asyncio.run(run())
