"""A worker's view of the classes: when they end, and what it says if they cannot be kept."""

import asyncio
from pathlib import Path
from types import SimpleNamespace

import pytest

from server.classes import room as module
from server.classes.errors import ClassError
from server.classes.room import GRACE_S, SWEEP_S, Room, open_class
from server.classes.session import now_ms
from server.settings import Settings

HOUR_MS = 3_600_000


class Clock:
    """Two clocks: one that never jumps, and the one on the wall."""

    def __init__(self, patch: pytest.MonkeyPatch) -> None:
        self.steady, self.wall_ms = 1_000.0, now_ms()
        patch.setattr(module, "time", SimpleNamespace(time=self.wall, monotonic=self.monotonic))
        patch.setattr(module, "now_ms", lambda: self.wall_ms)

    def wall(self) -> float:
        return self.wall_ms / 1_000

    def monotonic(self) -> float:
        return self.steady

    def wait(self, seconds: float) -> None:
        self.steady += seconds
        self.wall_ms += round(1_000 * seconds)


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    return Clock(monkeypatch)


async def opened(folder: Path) -> tuple[Room, str]:
    """A class on a server that has run for a while."""
    room = Room(Settings(class_store=str(folder), classes="on"))
    code, _ = await room.open(lambda store, settings: open_class(store, settings, None), "")
    return room, code


async def goes_on(room: Room, code: str, clock: Clock, seconds: float, teacher: bool) -> None:
    """Time passes, in which people ask for the class, and a connected teacher is seen."""
    while seconds > 0:
        if teacher:
            await room.live._looks.touch(code, [], True)
        await room.find(code)
        clock.wait(8)
        seconds -= 8


def test_a_jump_of_the_clock_ends_no_class_whose_teacher_is_connected(
    tmp_path: Path, clock: Clock
) -> None:
    async def run() -> None:
        room, code = await opened(tmp_path)
        await goes_on(room, code, clock, 2 * GRACE_S, teacher=True)
        clock.wall_ms += 20 * HOUR_MS  # the machine slept
        await room.find(code)  # somebody is faster than the teacher's page
        await goes_on(room, code, clock, 3 * SWEEP_S, teacher=True)
        clock.wall_ms += 20 * HOUR_MS
        with pytest.raises(ClassError, match="no class"):
            await goes_on(room, code, clock, 3 * SWEEP_S, teacher=False)
        await room.close()

    asyncio.run(run())


def test_an_old_class_ends_once_its_teacher_has_gone(tmp_path: Path, clock: Clock) -> None:
    async def run() -> None:
        room, code = await opened(tmp_path)
        clock.wait(13 * 3_600)
        await goes_on(room, code, clock, 3 * SWEEP_S, teacher=True)
        with pytest.raises(ClassError, match="no class"):
            await goes_on(room, code, clock, 3 * SWEEP_S, teacher=False)
        await room.close()

    asyncio.run(run())
