"""A progress bar for what takes longer than a second."""

import time
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self

if TYPE_CHECKING:
    from rich.progress import Progress as Bar
    from rich.progress import TaskID

AFTER_S = 1.0


class Progress:
    """Shows how much is done, on stderr or in a notebook, once it takes longer than a second."""

    def __init__(self, doing: str, total: int | None = None) -> None:
        self._doing, self._total = doing, total
        self._began = time.monotonic()
        self._bar: Bar | None = None
        self._task: TaskID | None = None
        self._line: NotebookLine | None = None

    def at(self, done: int, total: int | None = None) -> None:
        """Say how much is done; `total` where that was not known before."""
        self._total = total or self._total
        if self._bar is None and self._line is None and time.monotonic() - self._began > AFTER_S:
            self._open()
        if self._bar is not None and self._task is not None:
            self._bar.update(self._task, completed=done, total=self._total)
        if self._line is not None:
            self._line.at(done, self._total)

    def _open(self) -> None:
        from rich.console import Console
        from rich.progress import Progress as Bar

        console = Console(stderr=True)
        if console.is_jupyter:
            self._line = NotebookLine(self._doing)
            return
        # in a file, a bar would be lines of noise
        self._bar = Bar(console=console, transient=True, disable=not console.is_terminal)
        self._task = self._bar.add_task(self._doing, total=self._total)
        self._bar.start()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        if self._bar is not None:
            self._bar.stop()
        if self._line is not None:
            self._line.clear()


class NotebookLine:
    """A line below a cell of a notebook, empty when the work is done.

    rich would leave a widget there, which a saved notebook shows as `Output()`.
    """

    def __init__(self, doing: str) -> None:
        from IPython.display import display

        self._doing = doing
        self._handle: Any = display(_plain(f"{doing} …"), raw=True, display_id=True)  # type: ignore[no-untyped-call]

    def at(self, done: int, total: int | None) -> None:
        of = "" if total is None else f" of {total}"
        self._handle.update(_plain(f"{self._doing}: {done}{of}"), raw=True)

    def clear(self) -> None:
        self._handle.update({**_plain(""), "text/html": ""}, raw=True)


def _plain(text: str) -> dict[str, str]:
    return {"text/plain": text}
