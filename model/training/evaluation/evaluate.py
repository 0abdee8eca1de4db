"""Evaluates a native checkpoint on sentences that training never showed.

There are two kinds of results: relations between tokens that a head attends along, and measures of
the model's predictions. A relation is measured at two rows, the token itself and the row before,
which predicts it, because a causal head often resolves a relation one token early.
"""

import json
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from random import Random
from typing import Literal

import torch
from jaxtyping import Float
from rich.console import Console
from rich.table import Table
from torch import Tensor

from model.analysis import HeadScores, head_scores, probe
from model.sources.native import NativeSource
from model.sources.source import Inputs
from model.training.evaluation.look import HeadReadings, look
from model.training.evaluation.masking import masking
from model.training.grammar.held_out import Example, HeldOut, Unseen, plain_texts

SEED = 1_000_003  # not a training seed
N, N_UNSEEN, N_TEXTS, N_COPIES, COPIED = 300, 200, 200, 32, 20

Row = Literal["token", "predicting", "either"]


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
    held_out, unseen = HeldOut(Random(SEED)), Unseen(Random(SEED + 1))

    def seen(write: Callable[[], Example], n: int = N) -> HeadReadings:
        return look(source.model, source.tokenizer, write, n)

    verb, reflexive = seen(held_out.subject_of_verb), seen(held_out.antecedent_of_reflexive)
    possessive = seen(held_out.antecedent_of_possessive)
    because = seen(held_out.antecedent_after_because)
    bracket, quote = seen(held_out.opener_of_bracket), seen(held_out.opener_of_quote)
    determiner, value = seen(held_out.determiner_of_noun), seen(held_out.value_of_key)
    receiver = seen(held_out.receiver)
    unknown_verb = seen(unseen.subject_of_verb, N_UNSEEN)
    unknown_closing = seen(unseen.any_closing, N_UNSEEN)

    probed = probe(source)
    random_tokens = probed.description
    induction = _best_heads(probed.heads, "induction")
    relations = [
        _of_metric(
            "previous_token",
            "previous token",
            _best_heads(probed.heads, "previous_token")[0],
            0.95,
            random_tokens,
        ),
        _of_metric("induction", "induction", induction[0], 0.90, random_tokens),
        _of_metric(
            "second_induction", "induction, the second head", induction[1], 0.90, random_tokens
        ),
        _of_metric(
            "same_token",
            "same token earlier",
            _best_heads(probed.heads, "same_token")[0],
            0.75,
            random_tokens,
        ),
        _relation(
            "subject_of_verb", "verb → its subject, across a distractor", verb, "predicting", 0.95
        ),
        _relation("antecedent_of_reflexive", "reflexive → antecedent", reflexive, "either", 0.95),
        _relation(
            "antecedent_of_possessive", "possessive → antecedent", possessive, "either", 0.90
        ),
        _relation(
            "antecedent_after_because",
            "he, she, it after “because” → antecedent",
            because,
            "either",
            0.80,
        ),
        _relation(
            "opener_of_bracket", "closing bracket → its opener, nested", bracket, "either", 0.90
        ),
        _relation("opener_of_quote", "closing quote → its opener, nested", quote, "either", 0.90),
        _relation(
            "determiner_of_noun",
            "noun → its determiner, across adjectives",
            determiner,
            "either",
            0.90,
        ),
        _relation("value_of_key", "key–value recall: key → value", value, "predicting", 0.90),
        _of_metric("sink", "sink on [BOS]", _sink(source), 0.80, f"{N_TEXTS} sentences"),
    ]
    closing = torch.cat([bracket.right, quote.right])
    measures = [
        _share("agreement across a distractor", verb.right, 0.98),
        _share("gender of a possessive", possessive.right, 0.97),
        _share("he or she after “because”", because.right, 0.95),
        Measure(
            "copying a random passage",
            _copying(source),
            "share",
            0.95,
            f"{N_COPIES} × {COPIED} random tokens, twice",
        ),
        _share("closing brackets and quotes", closing, 0.98),
        _share("key–value recall", value.right, 0.95),
        _share("indirect object", receiver.right, 0.90),
        _share("agreement of unknown words", unknown_verb.right, 0.85),
        _share("closing around unknown words", unknown_closing.right, 0.85),
        *(
            Measure(name, figure, "nats", None, over)
            for name, figure, over in masking(source, N_TEXTS, SEED)
        ),
    ]
    return Report(relations, measures)


def _relation(id: str, name: str, looked: HeadReadings, counts: Row, goal: float) -> Relation:
    token, predicting = (_best(scores) for scores in (looked.token, looked.predicting))
    return Relation(id, name, token, predicting, counts, goal, f"{looked.n} held-out sentences")


def _of_metric(id: str, name: str, best: Best, goal: float, over: str) -> Relation:
    return Relation(id, name, best, None, "token", goal, over)


def _share(name: str, right: Tensor, goal: float) -> Measure:
    over = f"{len(right)} held-out sentences"
    return Measure(name, right.float().mean().item(), "share", goal, over)


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


def _sink(source: NativeSource) -> Best:
    """The head that attends most to the first token of plain sentences."""
    scores = []
    for text in plain_texts(SEED, N_TEXTS):
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
