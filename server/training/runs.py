"""The runs of training by hand, as folders that all workers share.

A run's folder holds what was asked (`asked.json`), a line for each point so far (`points.jsonl`), a
folder for each network, and empty files that say what has happened to it. So any worker can answer
for any run, and what a killed process leaves is where the next one begins.
"""

import json
import re
import secrets
import shutil
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from model.errors import CheckpointError
from model.files import read_json
from model.film import ABOUT, FRAMES
from model.sources.registry import Frames, Load
from server.run.finding import film_model
from server.training.errors import no_run, not_writable, still_training, too_many_runs

ASKED, POINTS, FAILED = "asked.json", "points.jsonl", "failed"
STARTED, STOP, ENDED = "started", "stop", "ended"
ID = re.compile(r"[a-z2-9]{8}")
MODEL = re.compile(r"trained-([a-z2-9]{8})-(\d+)-(\d+)")  # a network after its last step
LETTERS = "abcdefghjkmnpqrstuvwxyz23456789"  # without those that look alike
KEPT_S = 24 * 3600.0
MAX_WAITING, MAX_KEPT = 40, 400

State = Literal["waiting", "training", "ended", "stopped", "failed"]


@dataclass(frozen=True)
class Run:
    """One run: what was asked, and where it stands."""

    id: str
    folder: Path

    @property
    def asked(self) -> dict[str, Any]:
        """{task, text, networks, participant}: the networks with all their settings."""
        return read_json(self.folder / ASKED)

    @property
    def state(self) -> State:
        if self._has(FAILED):
            return "failed"
        if self._has(ENDED):
            return "stopped" if self._has(STOP) else "ended"
        return "training" if self._has(STARTED) else "waiting"

    @property
    def is_over(self) -> bool:
        return self.state not in ("waiting", "training")

    @property
    def problem(self) -> str | None:
        """Why it failed."""
        return (self.folder / FAILED).read_text(encoding="utf-8") if self._has(FAILED) else None

    def mark(self, name: str, text: str = "") -> None:
        (self.folder / name).write_text(text, encoding="utf-8")

    def unmark(self, *names: str) -> None:
        for name in names:
            (self.folder / name).unlink(missing_ok=True)

    def network(self, lane: int) -> Path:
        """The folder of one of its networks."""
        return self.folder / str(lane)

    def points(self, start: int = 0) -> tuple[list[dict[str, Any]], int]:
        """The points after the first `start` bytes of them, and where the next ones begin."""
        try:
            with (self.folder / POINTS).open("rb") as file:
                file.seek(start)
                whole, _, _ = file.read().rpartition(b"\n")  # the last line may be half written
        except FileNotFoundError:
            return [], start
        if not whole:
            return [], start
        points = []
        for line in whole.split(b"\n"):
            with suppress(ValueError):  # a process was killed while it wrote this line
                points.append(json.loads(line))
        return points, start + len(whole) + 1

    def _has(self, name: str) -> bool:
        return (self.folder / name).exists()


class Runs:
    """All runs of a server, in one folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def get(self, id: str) -> Run:
        """The run of that id.

        Raises:
            Refusal: there is none.
        """
        run = Run(id, self.folder / id)
        if not ID.fullmatch(id) or not (run.folder / ASKED).is_file():
            raise no_run()
        return run

    def all(self) -> Iterator[Run]:
        """Every run, the oldest first."""
        if not self.folder.is_dir():
            return
        found = [path for path in self.folder.iterdir() if (path / ASKED).is_file()]
        for path in sorted(found, key=lambda path: (path / ASKED).stat().st_mtime):
            yield Run(path.name, path)

    def unfinished(self) -> list[Run]:
        """The runs that train or wait, the oldest first."""
        return [run for run in self.all() if not run.is_over]

    def create(self, asked: dict[str, Any]) -> Run:
        """Let a run wait for its turn.

        Raises:
            Refusal: this participant has one already, too many wait, or it cannot be written.
        """
        with self._writing():
            return self._create(asked)

    @contextmanager
    def _writing(self) -> Iterator[None]:
        """Make the folder, remove what is old, and say what is wrong with it."""
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            self._forget()
            yield
        except OSError as error:
            raise not_writable(error.strerror or "") from error

    def _create(self, asked: dict[str, Any]) -> Run:
        self._check_room(asked["participant"])
        run = self._new()
        self.ask(run, asked)
        return run

    def _check_room(self, participant: str) -> None:
        unfinished = self.unfinished()
        for other in unfinished:
            if other.asked["participant"] == participant:
                raise still_training()
        if len(unfinished) >= MAX_WAITING:
            raise too_many_runs(MAX_WAITING)

    def _new(self) -> Run:
        id = "".join(secrets.choice(LETTERS) for _ in range(8))
        run = Run(id, self.folder / id)
        run.folder.mkdir()
        return run

    def ask(self, run: Run, asked: dict[str, Any]) -> None:
        """Write what was asked of a run, which makes it known."""
        (run.folder / f"{ASKED}.part").write_text(json.dumps(asked), encoding="utf-8")
        (run.folder / f"{ASKED}.part").replace(run.folder / ASKED)

    def begin(self) -> Run:
        """The folder of a run that nobody trains; it is known once `ask` has been called.

        Raises:
            Refusal: it cannot be written.
        """
        with self._writing():
            return self._new()

    def remove(self, run: Run) -> None:
        shutil.rmtree(run.folder, ignore_errors=True)

    def stop(self, run: Run) -> None:
        """Let a run end at its next point; one that waits ends at once."""
        if run.is_over:
            return
        run.mark(STOP)
        if run.state == "waiting":
            run.mark(ENDED)

    def resume(self, run: Run) -> None:
        """Let a run that was stopped, or has failed, go on.

        Raises:
            Refusal: its participant has another one by now, or too many wait.
        """
        if run.state in ("stopped", "failed"):
            self._check_room(run.asked["participant"])
            run.unmark(STARTED, STOP, FAILED, ENDED)

    def place(self, run: Run) -> int:
        """How many runs have their turn before it; 0: it trains, or has ended."""
        if run.state != "waiting":
            return 0
        ids = [each.id for each in self.unfinished()]
        return ids.index(run.id) if run.id in ids else 0

    def model(self, name: str) -> Path | None:
        """The folder of a trained network by the name of its model; None: there is no such one."""
        found = MODEL.fullmatch(name)
        if found is None:
            return None
        folder = self.folder / found[1] / found[2]
        if not (folder / "config.json").is_file():
            return None
        with suppress(CheckpointError):  # it goes on
            if read_json(folder / FRAMES / ABOUT)["steps"][-1] == int(found[3]):
                return folder
        return None

    def find(self, name: str) -> tuple[Load, Frames | None] | None:
        """How a trained network is opened by the name of its model; None: there is no such one."""
        folder = self.model(name)
        return None if folder is None else film_model(name, folder)

    def _forget(self) -> None:
        """Remove runs that ended long ago, and the oldest of too many."""
        over = [run for run in self.all() if run.is_over]
        old = time.time() - KEPT_S
        for at, run in enumerate(over):
            if at < len(over) - MAX_KEPT or (run.folder / ASKED).stat().st_mtime < old:
                self.remove(run)


def model_name(id: str, lane: int, step: int) -> str:
    """The name of a trained network as a model."""
    return f"trained-{id}-{lane}-{step}"
