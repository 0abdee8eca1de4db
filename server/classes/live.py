"""Tells everybody who listens in this worker what changed in their class.

All workers' changes lie in the store, which is looked at every LOOK_S while somebody listens. A
change is encoded once for all listeners. A message names the revision that it goes out from, so
that a page which has missed one asks for the whole document.
"""

import asyncio
import contextlib
import logging
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any

from server.classes.errors import ClassError
from server.http.events import event

log = logging.getLogger("headlight")

LOOK_S = 0.1  # how often the store is looked at
BEAT_S = 2.0  # between two beats, which say that the connection lives
MAX_STREAMS = 8  # per person and worker, some tabs; with one more, the oldest ends
MAX_WAITING = 50  # messages that a listener may leave unread; then it is told to come again

Document = dict[str, Any]


@dataclass(eq=False)
class Listener:
    """A page that listens. `messages` ends with None."""

    code: str
    person: str | None  # None: the teacher
    desk: bool
    messages: asyncio.Queue[bytes | None] = field(default_factory=asyncio.Queue)

    def send(self, message: bytes) -> None:
        if self.messages.qsize() < MAX_WAITING:
            self.messages.put_nowait(message)
        else:
            self.close()

    def close(self) -> None:
        self.messages.put_nowait(None)


@dataclass
class _Class:
    """The listeners of one class, and what they were told last."""

    document: Document
    desk: Document
    listeners: dict[Listener, None] = field(default_factory=dict)  # the oldest first
    problem: str = ""  # which was logged


@dataclass(frozen=True)
class Looks:
    """How the hub looks at the store: all in the store's thread."""

    version: Callable[[], Awaitable[object]]
    # the documents of everybody and of the desk, and how many people are here; None: it has ended
    document: Callable[[str], Awaitable[tuple[Document, Document, int] | None]]
    touch: Callable[[str, list[str], bool], Awaitable[None]]


class Live:
    """The listeners of this worker."""

    def __init__(self, looks: Looks) -> None:
        self._looks = looks
        self._classes: dict[str, _Class] = {}
        self._task: asyncio.Task[None] | None = None
        self._changed = asyncio.Event()

    def dismiss(self, code: str, person: str) -> None:
        """End the streams of somebody who was taken out; the next request says why."""
        if known := self._classes.get(code):
            for listener in known.listeners:
                if listener.person == person:
                    listener.close()

    def wake(self) -> None:
        """Look at the store now: this worker has changed something."""
        self._changed.set()

    @contextlib.asynccontextmanager
    async def listen(
        self, code: str, person: str | None, desk: bool, first: Document
    ) -> AsyncIterator[Listener]:
        """A listener who has `first`, everybody's document, and gets all that comes after it."""
        listener = Listener(code, person, desk)
        known = self._classes.setdefault(code, _Class(first, {}))
        known.listeners[listener] = None
        own = [each for each in known.listeners if each.person == person]
        for oldest in own[:-MAX_STREAMS]:
            oldest.close()
        if known.document["revision"] != first["revision"]:
            self._changed.set()  # it heals by its first beat or change
        if self._task is None or self._task.done():
            self._task = asyncio.create_task(self._run())
        try:
            yield listener
        finally:
            known.listeners.pop(listener, None)
            if not known.listeners and self._classes.get(code) is known:
                del self._classes[code]

    async def _run(self) -> None:
        """Until nobody listens any more."""
        loop = asyncio.get_running_loop()
        version: object = None
        beat_at, touch_at = loop.time() + BEAT_S, loop.time()
        while self._classes:
            now = loop.time()
            if now >= touch_at:  # before a look, which ends classes whose teacher was not seen
                touch_at = now + 4 * BEAT_S
                for code in list(self._classes):
                    await self._try(code, self._touch(code))
            if beats := now >= beat_at:
                beat_at = now + BEAT_S
            last = version
            with contextlib.suppress(ClassError):  # of the store, which `Room` has logged
                version = await self._looks.version()
            if version != last or beats:
                for code in list(self._classes):
                    await self._try(code, self._tell(code, beats))
            self._changed.clear()
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._changed.wait(), LOOK_S)

    async def _try(self, code: str, doing: Awaitable[None]) -> None:
        """Do something for one class, whose errors are nobody else's."""
        try:
            await doing
        except ClassError:
            pass  # of the store, or of damaged data: logged where it is raised
        except Exception as error:
            known = self._classes.get(code)
            if known is not None and known.problem != repr(error):
                known.problem = repr(error)
                log.error("The class %s could not be read", code, exc_info=error)

    async def _tell(self, code: str, beats: bool) -> None:
        found = await self._looks.document(code)
        known = self._classes.get(code)
        if known is None:
            return
        known.problem = ""
        if found is None:
            del self._classes[code]
            for listener in known.listeners:
                listener.send(event("end", {"ended": True}))
                listener.close()
            return
        document, desk, people = found
        messages = []
        if changed := _difference(known.document, document):
            was = known.document["revision"]
            change = {"revision": document["revision"], "from": was, "set": changed}
            messages.append(event("change", change))
        if beats:
            messages.append(event("beat", {"revision": document["revision"], "people": people}))
        new_desk = event("desk", {"desk": desk}) if desk != known.desk else None
        known.document, known.desk = document, desk
        for listener in known.listeners:
            for message in messages:
                listener.send(message)
            if listener.desk and new_desk:
                listener.send(new_desk)

    async def _touch(self, code: str) -> None:
        if known := self._classes.get(code):
            people = {each.person for each in known.listeners}
            await self._looks.touch(code, [each for each in people if each], None in people)


def _difference(old: Document, new: Document) -> Document:
    """The parts that differ. What tells two revisions apart is not a part."""
    return {key: value for key, value in new.items() if key != "revision" and old.get(key) != value}
