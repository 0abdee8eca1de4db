"""A small network that learns a task: one step at a time, and what it can do so far."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from random import Random
from typing import Any, NamedTuple, cast, get_args, get_type_hints

import torch
import torch.nn.functional as F
from jaxtyping import Bool, Float, Int
from torch import Tensor, nn

from model.core.attention import Scale
from model.core.block import Norm
from model.core.embedding import Positions
from model.core.tokenizer import character_tokenizer
from model.core.transformer import Transformer, TransformerConfig
from model.errors import InputError, LimitError
from model.facts import facts
from model.scratch.mechanisms import DEFAULT, MECHANISMS, MechanismId
from model.training.tasks.tasks import Example, Task

BATCH, N_HELD_OUT = 64, 256
WARM_UP = 20  # steps
CLIP = 1.0  # of the gradient's norm
MAX_TOKENS = 128  # of a trained network; lines in training have up to 65
LIMITS = {  # the smallest and the largest of each number
    "n_layers": (1, 4),
    "n_heads": (1, 8),
    "d_model": (4, 128),
    "d_head": (2, 64),
    "d_mlp": (0, 512),
    "seed": (0, 1_000_000),
    "steps": (10, 5_000),
    "scale": tuple(facts("mechanisms")["settings"]["scale"]["limits"]),
}


# mechanisms that a transformer can be made of
TRAINABLE: tuple[MechanismId, ...] = tuple(
    id
    for id, row in MECHANISMS.items()
    if row.projections == "separate" and row.output == "linear"
    if not (row.cross or row.own.d_ff or row.own.positions == "alibi")
)


@dataclass(frozen=True)
class Network:
    """What one may choose of a network that is trained by hand."""

    mechanism: str = DEFAULT  # one of TRAINABLE
    n_layers: int = 2
    n_heads: int = 2
    d_model: int = 32
    d_head: int = 16
    d_mlp: int = 64  # 0: no feed-forward part
    positions: Positions = "learned"
    causal: bool = True
    norm: Norm = "pre"
    residual: bool = True
    scale: Scale = "1/sqrt(d_head)"
    seed: int = 1
    steps: int = 2_500  # at most; it ends earlier at the task's goal
    learning_rate: float = 3e-3

    def __post_init__(self) -> None:
        if not 0 < self.learning_rate <= 0.1:
            raise InputError(
                f"Expected a learning_rate from 0 to 0.1; got {self.learning_rate}.",
                field="learning_rate",
            )
        row = MECHANISMS[cast(MechanismId, self.mechanism)]
        if self.n_heads % 2 and (row.own.n_kv_heads, row.own.minus) != (None, None):
            raise InputError(
                f"{row.name} takes heads two by two: expected an even number of heads; got "
                f"{self.n_heads}.",
                field="n_heads",
            )
        for name, (least, most) in LIMITS.items():
            value = getattr(self, name)
            if not isinstance(value, str) and not least <= value <= most:
                raise LimitError(
                    f"Expected {name} to be from {least:,} to {most:,}; got {value:,}.",
                    field=name,
                    limit=least if value < least else most,
                )

    def transformer(self, vocab_size: int) -> TransformerConfig:
        """The configuration of the network itself."""
        chosen = asdict(self)
        for name in ("mechanism", "seed", "steps", "learning_rate"):
            del chosen[name]
        own = MECHANISMS[cast(MechanismId, self.mechanism)].own
        return TransformerConfig(
            vocab_size,
            **chosen,
            trained_tokens=MAX_TOKENS,
            max_tokens=MAX_TOKENS,
            n_kv_heads=None if own.n_kv_heads is None else self.n_heads // 2,
            d_latent=own.d_latent,
            window=own.window,
            sink=own.sink is not None,
            kernel=own.kernel,
            gate=own.gate,
            selective=own.selective,
            minus=own.minus,
        )


def network_of(task: Task, chosen: Mapping[str, Any]) -> Network:
    """The network that a task usually has, with what was chosen.

    Raises:
        InputError: there is no such setting, or its value is of another kind or does not fit.
        LimitError: a number is out of its range.
    """
    for name, value in chosen.items():
        if name not in KINDS:
            raise InputError(
                f"There is no setting {name!r:.40}. Expected one of {', '.join(KINDS)}.", field=name
            )
        if not any(_fits(value, option) for option in KINDS[name]):
            expected = " or ".join(map(_named, KINDS[name]))
            raise InputError(f"{name}: expected {expected}; got {value!r:.40}.", field=name)
    floats = {
        name: float(value)
        for name, value in chosen.items()
        if float in KINDS[name] and type(value) is int
    }
    network = Network(**{**task.settings, **chosen, **floats})
    network.transformer(vocab_size=1)  # checks what does not fit together
    return network


def _fits(value: object, option: object) -> bool:
    if not isinstance(option, type):
        return value == option
    return type(value) is option or (option is float and type(value) is int)


def _named(option: object) -> str:
    return NAMES[option] if isinstance(option, type) else repr(option)


def _options(kind: Any) -> tuple[object, ...]:
    """The names and types that a setting takes."""
    if isinstance(kind, type):
        return (kind,)
    parts = get_args(kind)
    return tuple(each for part in parts for each in _options(part)) if parts else (kind,)


NAMES: Mapping[type, str] = {int: "a whole number", float: "a number", bool: "true or false"}
KINDS: Mapping[str, tuple[object, ...]] = {
    name: TRAINABLE if name == "mechanism" else _options(kind)
    for name, kind in get_type_hints(Network).items()
}


class Read(NamedTuple):
    """Some examples as the network reads them: [BOS], then the line, then padding."""

    ids: Int[Tensor, "batch pos"]
    asked: Bool[Tensor, "batch pos"]  # True where the next token is asked for
    real: Bool[Tensor, "batch pos"] | None  # None: there is no padding


class Score(NamedTuple):
    """How well a network does on lines that it has never been shown."""

    loss: float  # in nats per answer
    accuracy: float  # share of the answers whose likeliest character is right


class Learner:
    """A network, its task and its optimizer. The same seed gives the same weights."""

    def __init__(self, task: Task, network: Network) -> None:
        self.task, self.network = task, network
        self.tokenizer = character_tokenizer(task.characters)
        torch.manual_seed(network.seed)
        self.model = Transformer(network.transformer(self.tokenizer.vocab_size))
        for block in self.model.layers:
            for matrix in (each for each in block.parameters() if each.dim() == 2):
                nn.init.normal_(matrix, std=matrix.shape[1] ** -0.5)
        self.optimizer = torch.optim.AdamW(
            self.model.parameters(), lr=network.learning_rate, betas=(0.9, 0.98), weight_decay=0.01
        )
        random = Random(0)  # the same held-out lines for every network
        sizes = [task.sizes[at % len(task.sizes)] for at in range(N_HELD_OUT)]
        self.held_out = [next(task.examples(random, size, held_out=True)) for size in sizes]

    def step(self, number: int) -> float:
        """Take one step; returns the loss before it, in nats. The same number, the same lines."""
        random = Random(self.network.seed * 1_000_003 + number)
        drawn = self.task.examples(random, random.choice(self.task.sizes), held_out=False)
        loss = self._loss(self.read([next(drawn) for _ in range(BATCH)]))
        self.optimizer.zero_grad()
        torch.autograd.backward(loss)
        nn.utils.clip_grad_norm_(self.model.parameters(), CLIP)
        for group in self.optimizer.param_groups:
            group["lr"] = self.network.learning_rate * self._rate(number)
        self.optimizer.step()
        return loss.item()

    def _rate(self, step: int) -> float:
        """The learning rate as a share: it warms up, then falls in a line to a tenth."""
        return min((step + 1) / WARM_UP, 1.0) * (1 - 0.9 * step / self.network.steps)

    def read(self, examples: Sequence[Example]) -> Read:
        """The examples as a batch, padded on the right to the longest."""
        rows = self.tokenizer.encode_ids([example.line for example in examples])
        longest = max(map(len, rows))
        ids = torch.full((len(rows), longest), self.tokenizer.pad_id)
        asked = torch.zeros(len(rows), longest, dtype=torch.bool)
        for row, (line, example) in enumerate(zip(rows, examples, strict=True)):
            ids[row, : len(line)] = torch.tensor(line)
            asked[row, list(example.asked)] = True  # the place before the asked character
        real = None if all(len(row) == longest for row in rows) else ids != self.tokenizer.pad_id
        return Read(ids, asked, real)

    def logits(self, read: Read) -> Float[Tensor, "answer vocab_size"]:
        """What the network says at each place that is asked, of all rows after one another."""
        masks = None
        if read.real is not None:
            n = read.ids.shape[1]
            own, keys = self.model.own_mask(n), read.real[:, None, None].expand(-1, 1, n, n)
            masks = [keys if own is None else keys & own] * self.network.n_layers
        resid = self.model(read.ids, masks=masks).resid
        return self.model.unembed(resid[read.asked])

    def _loss(self, read: Read) -> Float[Tensor, ""]:
        return F.cross_entropy(self.logits(read), answers(read))

    @torch.inference_mode()
    def score(self) -> Score:
        """Its loss and accuracy on the held-out lines."""
        loss, right, n = 0.0, 0, 0
        for read in self._held_out_batches():
            logits, expected = self.logits(read), answers(read)
            loss += F.cross_entropy(logits, expected, reduction="sum").item()
            right += int((logits.argmax(-1) == expected).sum())
            n += len(expected)
        return Score(loss / n, right / n)

    def _held_out_batches(self) -> list[Read]:
        by_length: dict[int, list[Example]] = {}
        for example in self.held_out:
            by_length.setdefault(len(example.line), []).append(example)
        return [self.read(examples) for examples in by_length.values()]


def answers(read: Read) -> Int[Tensor, " answer"]:
    """The tokens that are asked for, of all rows after one another."""
    return read.ids[:, 1:][read.asked[:, :-1]]
