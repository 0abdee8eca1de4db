"""Evaluates a native checkpoint on sentences that training never showed.

There are two kinds of results: relations between tokens that a head attends along, and measures of
the model's predictions. A relation is measured at two rows, the token itself and the row before,
which predicts it, because a causal head often resolves a relation one token early.
"""

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from random import Random
from typing import Literal

import torch
from jaxtyping import Bool, Float
from rich.console import Console
from rich.table import Table
from torch import Tensor

from model.analysis import HeadScores, ProbeScores, head_scores, probe
from model.sources.native import NativeSource
from model.sources.source import Inputs
from model.training.evaluation.look import HeadReadings, look
from model.training.evaluation.masking import masking
from model.training.grammar.grammar import Along, Row, Share, grammar_of

SEED = 1_000_003  # not a training seed
N, N_UNSEEN, N_TEXTS, N_COPIES, COPIED = 300, 200, 200, 32, 20

POSITIONS = ("previous_token", "induction", "same_token")


@dataclass(frozen=True)
class Best:
    """The best head for a relation, and its mean share of attention, from 0 to 1."""

    value: float
    layer: int
    head: int


@dataclass(frozen=True)
class Relation:
    """A relation between two tokens, measured at both rows. The goal is for the row `counts`."""

    id: str
    name: str  # for people
    token: Best | None
    predicting: Best | None
    counts: Row
    goal: float
    over: str

    @property
    def at_token(self) -> bool:
        """Whether the row that counts (if either does, the better one) is the token itself."""
        if self.token is None or self.predicting is None or self.counts != "either":
            return self.counts != "predicting"
        return self.token.value >= self.predicting.value

    @property
    def best(self) -> Best:
        best = self.token if self.at_token else self.predicting
        assert best is not None  # the row that counts is always measured
        return best

    @property
    def reached(self) -> bool:
        return self.best.value >= self.goal


@dataclass(frozen=True)
class Measure:
    """One measure of predictions: a share from 0 to 1, or nats, where less is better."""

    name: str
    value: float
    unit: Literal["share", "nats"]
    goal: float | None
    over: str

    @property
    def reached(self) -> bool | None:
        if self.goal is None:
            return None
        return self.value >= self.goal if self.unit == "share" else self.value <= self.goal


@dataclass(frozen=True)
class Report:
    """All results for a checkpoint."""

    relations: list[Relation]
    measures: list[Measure]


@torch.inference_mode()
def evaluate(folder: Path, step: int | None = None) -> Report:
    """Evaluate a native checkpoint, or what it was after a step that its film has.

    Raises:
        InputError: its film has no such step.
    """
    source = NativeSource(folder.name, folder, step)
    grammar = grammar_of(source.checkpoint.language)
    probed = probe(source)
    drawn = _of_positions(probed)
    shares: dict[Share, list[Bool[Tensor, " example"]]] = {}
    for row in grammar.tested(SEED):
        looked = look(source.model, source.tokenizer, row.write, N_UNSEEN if row.is_unknown else N)
        if row.along is not None:
            drawn.append(_relation(row.along, looked))
        if row.share is not None:
            shares.setdefault(row.share, []).append(looked.right)
    texts = tuple(grammar.texts(SEED, N_TEXTS))
    over = f"{N_TEXTS} sentences"
    drawn.append(_of_metric("sink", "sink on [BOS]", _sink(source, texts), 0.80, over))
    measures = [
        *(_share(share, torch.cat(right)) for share, right in shares.items()),
        Measure(
            "copying a random passage",
            _copying(source),
            "share",
            0.95,
            f"{N_COPIES} × {COPIED} random tokens, twice",
        ),
        *(
            Measure(name, figure, "nats", None, over)
            for name, figure, over in masking(source, texts, SEED)
        ),
    ]
    return Report(drawn, measures)


def _of_positions(probed: ProbeScores) -> list[Relation]:
    """The relations between places, whatever the tokens are."""
    found = {name: _best_heads(probed.heads, name) for name in POSITIONS}
    rows = (
        ("previous_token", "previous token", found["previous_token"][0], 0.95),
        ("induction", "induction", found["induction"][0], 0.90),
        ("second_induction", "induction, the second head", found["induction"][1], 0.90),
        ("same_token", "same token earlier", found["same_token"][0], 0.75),
    )
    return [_of_metric(*row, probed.description) for row in rows]


def _relation(along: Along, looked: HeadReadings) -> Relation:
    token, predicting = (_best(scores) for scores in (looked.token, looked.predicting))
    over = f"{looked.n} held-out sentences"
    return Relation(along.id, along.name, token, predicting, along.counts, along.goal, over)


def _of_metric(id: str, name: str, best: Best, goal: float, over: str) -> Relation:
    return Relation(id, name, best, None, "token", goal, over)


def _share(share: Share, right: Bool[Tensor, " example"]) -> Measure:
    over = f"{len(right)} held-out sentences"
    return Measure(share.name, right.float().mean().item(), "share", share.goal, over)


def _best(scores: Float[Tensor, "layer head"]) -> Best:
    layer, head = divmod(int(scores.argmax()), scores.shape[1])
    return Best(scores[layer, head].item(), layer, head)


def _best_heads(heads: Sequence[HeadScores], metric: str) -> list[Best]:
    """All heads with that score, best first."""
    known = [
        Best(score.value, head.layer, head.head)
        for head in heads
        for name, score in head.scores.items()
        if name == metric and score.value is not None
    ]
    return sorted(known, key=lambda best: -best.value)


def _sink(source: NativeSource, texts: Sequence[str]) -> Best:
    """The head that attends most to the first token of plain sentences."""
    scores = []
    for text in texts:
        heads = head_scores(source.trace(Inputs((text,))), 0)
        scores.append(torch.tensor([head.scores["first_token"].value or 0.0 for head in heads]))
    shape = source.info.n_layers, source.info.n_heads
    return _best(torch.stack(scores).mean(0).reshape(shape))


def _copying(source: NativeSource) -> float:
    """The share of a random passage's second copy that is predicted, from its second token on."""
    chance = Random(SEED)
    copies = [chance.sample(source.ordinary_ids, COPIED) for _ in range(N_COPIES)]
    ids = torch.tensor([[source.tokenizer.bos_id, *copy, *copy] for copy in copies])
    predicted = source.model.unembed(source.model(ids).resid).argmax(-1)
    return (predicted[:, COPIED + 1 : -1] == ids[:, COPIED + 2 :]).float().mean().item()


def table(report: Report) -> Table:
    """The results as a table for a terminal: relations with their best heads, then predictions."""
    drawn = Table(
        title="Measured on sentences that training never showed", caption="L1H3: layer 1, head 3"
    )
    for column in ("what", "at the token", "predicting it", "goal", ""):
        drawn.add_column(column)
    for relation in report.relations:
        rows = (_cell(relation.token), _cell(relation.predicting))
        counts = {"token": "token", "predicting": "predicting", "either": ""}[relation.counts]
        goal = f"≥ {relation.goal:.2f} {counts}".rstrip()
        drawn.add_row(relation.name, *rows, goal, _mark(relation.reached))
    drawn.add_section()
    for measure in report.measures:
        value = f"{measure.value:.3f}" + (" nats" if measure.unit == "nats" else "")
        goal = "" if measure.goal is None else f"≥ {measure.goal:.2f}"
        drawn.add_row(measure.name, "", value, goal, _mark(measure.reached))
    return drawn


def _cell(best: Best | None) -> str:
    return "" if best is None else f"{best.value:.3f} L{best.layer}H{best.head}"


def _mark(reached: bool | None) -> str:
    return "" if reached is None else "yes" if reached else "no"


def main(folder: Path, as_json: bool, step: int | None = None) -> None:
    """Print the results for a checkpoint, as a table or as JSON."""
    report = evaluate(folder, step)
    console = Console()
    if as_json:
        console.print_json(json.dumps(asdict(report), ensure_ascii=False))
    else:
        console.print(table(report))
