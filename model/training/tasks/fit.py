"""Trains small networks side by side until each can do its task, and keeps what they became.

Each has a folder that opens as any checkpoint of ours does, with a film. A training that was
interrupted goes on where its state was last saved.
"""

import json
import math
from base64 import b64encode
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from typing import Literal
from zlib import crc32

import torch
from torch import Tensor

from model.core.attention import attend
from model.core.checkpoint import Checkpoint, save_checkpoint
from model.film import ABOUT, FRAMES, Film, frame_path, frames_in, save_frame, write_film
from model.training.recipe.interrupted import STATE, resume, save_state
from model.training.tasks.learner import Learner, Score, answers

EVERY = 25  # steps between two scores
SAVE_EVERY = 100  # steps between two saved states
MAX_FRAMES = 40
SCORES = "scores.json"  # of the points so far, beside the state
SHOWN = 6  # held-out lines whose answers are told
MOST_SEEN = 24  # characters of the line whose patterns are told

Ended = Literal["goal", "steps", "stopped", "diverged"]


@dataclass(frozen=True)
class Shown:
    """A held-out line, and what the network says at the places that are asked."""

    line: str
    asked: tuple[int, ...]
    said: tuple[str, ...]  # a token for each of them


@dataclass(frozen=True)
class Point:
    """How far a network has come."""

    step: int
    loss: float | None  # of the last batch, in nats per answer; None before the first
    score: Score | None  # None: the numbers have grown beyond float32
    shown: tuple[Shown, ...]
    # the weights of attention on the beginning of the first line: layer · head · query · key bytes
    pattern: bytes
    ended: Ended | None = None

    def told(self) -> dict[str, object]:
        """The point as JSON."""
        return {
            **asdict(self),
            "score": None if self.score is None else self.score._asdict(),
            "pattern": b64encode(self.pattern).decode(),
        }


def fit(
    learners: Sequence[tuple[Learner, Path]],
    tell: Callable[[int, Point], None],
    is_stopped: Callable[[], bool] = lambda: False,
) -> None:
    """Train all of them in turns, and call `tell` with the place of one and its new point.

    Each has a folder, which need not be there. `is_stopped` is asked at every point.
    """
    lanes = [
        _Lane(learner, folder, partial(tell, at)) for at, (learner, folder) in enumerate(learners)
    ]
    going = [lane.run(is_stopped) for lane in lanes]
    while going:
        going = [lane for lane in going if next(lane, None) is not None]


class _Lane:
    """One of the networks, its folder, and the scores so far."""

    def __init__(self, learner: Learner, folder: Path, tell: Callable[[Point], None]) -> None:
        self.learner, self.folder, self.tell = learner, folder, tell
        self.curves: dict[int, Score] = {}
        lines = "\n".join(example.line for example in learner.held_out)  # of one's own text, too
        settings: dict[str, object] = {"task": learner.task.id, **asdict(learner.network)}
        self.settings = settings | {"lines": crc32(lines.encode())}

    def run(self, is_stopped: Callable[[], bool]) -> Iterator[int]:
        """Train to the end; yields after each step, so that others have their turn."""
        learner, folder = self.learner, self.folder
        folder.mkdir(parents=True, exist_ok=True)
        optimizers = [learner.optimizer]
        if has_ended(folder):
            return
        for made in (folder / "config.json", folder / FRAMES / ABOUT):
            made.unlink(missing_ok=True)  # it goes on: they would not fit its frames
        first = resume(folder, learner.model, optimizers, self.settings)
        self._recall(first)
        loss: float | None = None
        for step in range(first, learner.network.steps + 1):
            if step % EVERY == 0 or step in (5, 10) or step == learner.network.steps:
                ended = self._point(step, loss, is_stopped())
                if ended:
                    return
            if step % SAVE_EVERY == 0 and step > first:
                self._save(step)
            loss = learner.step(step)
            if not math.isfinite(loss):
                self._diverged(step)
                return
            yield step

    def _diverged(self, step: int) -> Ended:
        self.tell(Point(step, None, None, (), b"", "diverged"))
        return "diverged"

    def _save(self, step: int) -> None:
        """Write where it stands, to go on from there."""
        known = {at: score for at, score in self.curves.items() if at <= step}
        (self.folder / SCORES).write_text(json.dumps(known), encoding="utf-8")
        learner = self.learner
        save_state(self.folder, step, learner.model, [learner.optimizer], self.settings)

    def _recall(self, first: int) -> None:
        """The scores up to the first step; frames of later ones are trained once more."""
        if first:
            known = json.loads((self.folder / SCORES).read_text(encoding="utf-8"))
            self.curves = {int(at): Score(*score) for at, score in known.items()}
        self._keep(set(self.curves))

    def _keep(self, steps: set[int]) -> None:
        """Remove the frames of other steps."""
        for frame in set(frames_in(self.folder)) - steps:
            frame_path(self.folder, frame).unlink()

    def _point(self, step: int, loss: float | None, stopped: bool) -> Ended | None:
        learner = self.learner
        score = learner.score()
        if not math.isfinite(score.loss):
            return self._diverged(step)
        ended: Ended | None = "steps" if step == learner.network.steps else None
        if score.accuracy >= learner.task.goal:
            ended = "goal"
        elif stopped:
            ended = "stopped"
        self.curves[step] = score
        shown, pattern = look(learner)
        if ended:
            self._finish(step, ended)
        else:
            save_frame(self.folder, step, learner.model.state_dict())
        self.tell(Point(step, loss, score, shown, pattern, ended))
        return ended

    def _finish(self, step: int, ended: Ended) -> None:
        """Write the checkpoint, whose film has at most MAX_FRAMES steps."""
        learner, folder = self.learner, self.folder
        frames = frames_in(folder)
        self._keep(set(frames[:: math.ceil(len(frames) / MAX_FRAMES) or 1]))
        keep(learner, folder)
        steps = (*frames_in(folder), step)
        scores = [self.curves[each] for each in steps]
        curves = {name: [getattr(score, name) for score in scores] for name in Score._fields}
        write_film(folder, Film(steps, curves, {}))
        if ended == "stopped":
            self._save(step)  # it may go on
            return
        for unfinished in (STATE, SCORES):
            (folder / unfinished).unlink(missing_ok=True)


def has_ended(folder: Path) -> bool:
    """Whether a folder holds a network that has been trained to its end."""
    return (folder / "config.json").exists() and not (folder / STATE).exists()


def keep(learner: Learner, folder: Path) -> None:
    """Write what it is now as a checkpoint."""
    task = learner.task
    checkpoint = Checkpoint(
        learner.model,
        learner.tokenizer,
        description=f"Trained by hand: {task.name.lower()}. {task.about}",
        trained_on=f"lines of the task “{task.name}”",
    )
    save_checkpoint(folder, checkpoint)


@torch.inference_mode()
def look(learner: Learner) -> tuple[tuple[Shown, ...], bytes]:
    """What a network says on some held-out lines, and its pattern on the first of them."""
    shown = []
    for example in [*dict.fromkeys(learner.held_out)][:SHOWN]:
        read = learner.read([example])
        said = learner.logits(read).argmax(-1).tolist()
        assert len(said) == len(answers(read))
        tokenizer = learner.tokenizer  # a special token has a name only
        texts = tuple(tokenizer.decode([id]) or tokenizer.token_text(id) for id in said)
        shown.append(Shown(example.line, example.asked, texts))
    return tuple(shown), pattern_of(learner, learner.held_out[0].line[:MOST_SEEN])


def pattern_of(learner: Learner, line: str) -> bytes:
    """The weights of attention of all heads on a line, as round(255 · weight)."""
    ids = torch.tensor(learner.tokenizer.encode_ids([line]))
    mask = learner.model.own_mask(ids.shape[1])
    patterns: list[Tensor] = []
    for block, passed in zip(
        learner.model.layers, learner.model(ids, record=True).attention, strict=True
    ):
        given = {"mask": mask, "bias": passed.whole_bias, **block.attention.settings()}
        found = attend(passed.q, passed.k, passed.v, need="all", **given)
        patterns.append(found.pattern)
    return (255 * torch.cat(patterns)).round().to(torch.uint8).numpy().tobytes()
