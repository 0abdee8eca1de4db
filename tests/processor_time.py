"""The processor time of each test file, with all processes that it starts, and the budget for it.

Wall time says little on a busy machine; processor time changes less with what runs beside it.
A file over the budget fails the run, so that `make test` stays short. Where all files together take
longer than on the machine that the budgets were written on, so may each of them.
"""

from collections import Counter
from collections.abc import Generator, Iterator
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

import psutil
import pytest

TESTS = Path(__file__).parent
BUDGET_S = 20  # of a file, on an idle machine
SLACK = 2  # beside other work, the same takes up to this many times as much
WHOLE_S = 2000  # of a whole run, on that machine
SHOWN = 10  # files at the end of the output
SHARED = "(what the files of a folder share)"  # servers and browsers


class ProcessorTime:
    """Adds up what each file takes: in every process that runs tests, and of all in the first."""

    def __init__(self, allowed: dict[str, float]) -> None:
        self.allowed = allowed
        self.spent_s: Counter[str] = Counter()
        self.file = SHARED  # whose test runs
        self.meter = Meter()
        self.before_s = self.meter.read()

    @pytest.hookimpl(trylast=True)
    def pytest_collection_finish(self) -> None:
        """Reading all files is no part of the first one's tests."""
        self._charge(SHARED)

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(
        self, item: pytest.Item, nextitem: pytest.Item | None
    ) -> Iterator[None]:
        self.file = item.path.relative_to(TESTS).as_posix()
        result = yield
        if nextitem is None or nextitem.path != item.path:
            self._charge(self.file)
        return result

    @pytest.hookimpl(wrapper=True)
    def pytest_fixture_setup(
        self, fixturedef: pytest.FixtureDef[object]
    ) -> Generator[None, object, object]:
        if fixturedef.scope not in ("package", "session"):
            return (yield)
        self._charge(self.file)
        result = yield
        self._charge(SHARED)
        return result

    def _charge(self, name: str) -> None:
        """Whose is what was spent since the last time."""
        now_s = self.meter.read()
        self.spent_s[name] += max(0.0, now_s - self.before_s)  # type: ignore[assignment]
        self.before_s = now_s

    @pytest.hookimpl(trylast=True)
    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        if (sent := getattr(session.config, "workeroutput", None)) is not None:
            sent["processor_time"] = dict(self.spent_s)
        elif self.over() and session.exitstatus == pytest.ExitCode.OK:
            session.exitstatus = pytest.ExitCode.TESTS_FAILED

    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodedown(self, node: object) -> None:
        """A process of pytest-xdist has ended."""
        self.spent_s.update(getattr(node, "workeroutput", {}).get("processor_time", {}))

    def over(self) -> list[str]:
        """What is said of each file that takes more than it may."""
        slower = max(1.0, self.spent_s.total() / WHOLE_S)
        return [
            f"{file} took {took:.0f} s of processor time; {may:.0f} s are its budget. Make it "
            "faster, or give it a longer one in LONG (tests/conftest.py), with the reason."
            for file, took in self.spent_s.items()
            if file != SHARED and took > SLACK * slower * (may := self.allowed.get(file, BUDGET_S))
        ]

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        write = terminalreporter.write_line
        total = self.spent_s.total()
        if total < BUDGET_S:
            return  # a few tests, while somebody works on them
        terminalreporter.section(f"processor time: {total:.0f} s")
        for file, took in self.spent_s.most_common(SHOWN):
            write(f"{took:6.1f} s  {file}")
        for words in self.over():
            write(words, red=True)


class Meter:
    """The processor time of this process and all below it, those that have ended too (seconds).

    A process adds to its own time that of the children that it waited for. Chromium's do not all
    wait: what a process had taken when it was last seen is then added here.
    """

    def __init__(self) -> None:
        self._seen: dict[int, _Seen] = {}
        self._lost_s = 0.0
        self.read()

    def read(self) -> float:
        this = psutil.Process()
        now: dict[int, _Seen] = {}
        for process in (this, *this.children(recursive=True)):
            with suppress(psutil.NoSuchProcess):
                user, system, *ended = process.cpu_times()[:4]
                now[process.pid] = _Seen(process.ppid(), user + system, sum(ended))
        missing: Counter[int] = Counter()
        for pid in self._seen.keys() - now.keys():
            seen = above = self._seen[pid]
            while above.parent in self._seen and above.parent not in now:
                above = self._seen[above.parent]
            missing[above.parent] += seen.own_s + seen.ended_s  # type: ignore[assignment]
        for parent, lost_s in missing.items():
            told_s = 0.0
            if parent in now and parent in self._seen:
                told_s = now[parent].ended_s - self._seen[parent].ended_s
            self._lost_s += max(0.0, lost_s - told_s)
        self._seen = now
        return self._lost_s + sum(each.own_s + each.ended_s for each in now.values())


class _Seen(NamedTuple):
    parent: int
    own_s: float
    ended_s: float  # of children that have ended
