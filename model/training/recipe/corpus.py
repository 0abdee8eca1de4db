"""The training corpus: rows of sentences and of repeated sequences.

The grammar is there for its relations (model/training/grammar). The repeated
sequences can be predicted only by looking back, which forms induction heads; many of them early on
form the heads sooner. Late in training some batches have no causal mask but hidden tokens and
padding, so that the model gives sensible results with every mask.

A batch depends only on the seed and the step, so an interrupted run continues exactly.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Literal, NamedTuple

import torch
from jaxtyping import Bool, Int
from torch import Tensor

from model.core.tokenizer import Tokenizer
from model.errors import InputError
from model.lazy import lazy
from model.training.grammar.grammar import Grammar, Writes

Phase = Literal["early", "middle", "late"]


class Mix(NamedTuple):
    """Shares of the rows in a phase. The rest is plain text."""

    repeated: float  # a repeated random sequence
    repeated_text: float  # a repeated passage of plain text


# Many repetitions form the induction heads; later, fewer are enough to keep them.
MIXES: dict[Phase, Mix] = {
    "early": Mix(0.55, 0.04),
    "middle": Mix(0.16, 0.04),
    "late": Mix(0.24, 0.04),
}


@dataclass(frozen=True)
class CorpusConfig:
    """The composition of a batch."""

    mixes: Mapping[Phase, Mix] = field(default_factory=lambda: MIXES)

    context: int = 64  # tokens a row, [BOS] included
    shortest_repeat: int = 5  # tokens of the repeated sequence
    longest_repeat: int = 31  # two copies and [BOS] fit the context
    stories: float = 0.25  # of the plain text: sentences about the same people, not unrelated ones
    # Share of nouns and verbs that are invented, so that the model can deal with unknown words.
    invented: float = 0.1
    strange: float = 0.1  # of the sentences: all nouns and verbs are invented
    two_way: float = 0.4  # of the batches of the late phase: no causal mask, tokens hidden

    def __post_init__(self) -> None:
        if not 2 <= self.shortest_repeat <= self.longest_repeat <= (self.context - 1) // 2:
            raise InputError(
                f"Two copies of {self.shortest_repeat} to {self.longest_repeat} tokens and [BOS]"
                f" must fit a context of {self.context} tokens.",
                field="longest_repeat",
                limit=(self.context - 1) // 2,
            )
        shares = {
            name: getattr(self, name) for name in ("stories", "invented", "strange", "two_way")
        }
        for phase, mix in self.mixes.items():
            shares |= {f"{phase}.{name}": share for name, share in mix._asdict().items()}
            shares[f"{phase}, all together,"] = sum(mix)
        for name, share in shares.items():
            if not 0 <= share <= 1:
                raise InputError(f"{name} is a share from 0 to 1; got {share}.", field=name)


class Batch(NamedTuple):
    """Token ids, and which of them count as prediction targets (predicted one position earlier).

    `mask` None is the causal mask. Without it, the targets are hidden: no token may attend to them.
    `targets` differs from `ids` where a row was cut and padding begins.
    """

    ids: Int[Tensor, "batch seq"]
    targets: Int[Tensor, "batch seq"]
    loss: Bool[Tensor, "batch seq"]
    mask: Bool[Tensor, "batch 1 seq seq"] | None = None
    positions: Int[Tensor, "batch seq"] | None = None  # None counts from 0


@dataclass(frozen=True)
class Corpus:
    """All batches of a training run."""

    grammar: Grammar
    tokenizer: Tokenizer
    config: CorpusConfig
    batch_size: int
    seed: int

    def batch(self, step: int, phase: Phase = "middle") -> Batch:
        """The batch of a step."""
        rng = Random(f"{self.seed} {step}")
        config = self.config
        writer = self.grammar.writer(rng, config.invented, config.strange)
        texts = self.tokenizer.encode_ids([_text(writer, config) for _ in range(self.batch_size)])
        if phase == "late" and rng.random() < config.two_way:
            ids = torch.tensor([text[: config.context] for text in texts])
            return hide(ids, self.tokenizer.pad_id, rng)
        mix = config.mixes[phase]
        rows = [self._row(rng, text[: config.context], mix) for text in texts]
        ids = torch.tensor([row for row, _ in rows])
        return Batch(ids, ids, torch.tensor([counts for _, counts in rows]))

    def _row(self, rng: Random, text: list[int], mix: Mix) -> tuple[list[int], list[bool]]:
        """The ids of a row, and which of them are to be predicted."""
        config, n = self.config, self.config.context
        kind = rng.random()
        length = rng.randint(config.shortest_repeat, config.longest_repeat)
        if kind < mix.repeated:
            # Some plain text before it: without that, no head looks back one token late in a row.
            lead = text[1 : 1 + rng.randint(0, n - 1 - 2 * length)]
            # The first copy is noise, and so is the token after it: nothing tells that it repeats.
            noise = len(lead) + length + 2
            row = self._repeat(rng.sample(self.ordinary, length), lead)
            return row, [False] * noise + [True] * (n - noise)
        kind -= mix.repeated
        if kind < mix.repeated_text:
            return self._repeat(text[1 : length + 1]), [False] + [True] * (n - 1)
        return text, [False] + [True] * (n - 1)

    def _repeat(self, ids: list[int], lead: Sequence[int] = ()) -> list[int]:
        """[BOS], the lead, and copies of the ids for as long as there is room."""
        copies = ids * -(-self.config.context // len(ids))
        return [self.tokenizer.bos_id, *lead, *copies][: self.config.context]

    @lazy
    def ordinary(self) -> list[int]:
        """Every id but the special ones."""
        special = {self.tokenizer.pad_id, self.tokenizer.bos_id}
        return [id for id in range(self.tokenizer.vocab_size) if id not in special]


def hide(ids: Int[Tensor, "batch seq"], pad_id: int, rng: Random) -> Batch:
    """Rows without the causal mask: 10–30% of the tokens hidden, half the rows cut into padding.

    Padding is on the right or on the left. In every other batch it is not masked, so that the model
    learns to ignore it. With padding on the right, the last real position still has to predict the
    token after the cut.
    """
    n_rows, n = ids.shape
    left, unmasked = rng.random() < 0.3, rng.random() < 0.5
    padded, targets = ids.clone(), ids.clone()
    hidden = torch.zeros(n_rows, n, dtype=torch.bool)
    counts, real = hidden.clone(), ~hidden
    for row in range(n_rows):
        end = rng.randint(n // 8, n - 1) if rng.random() < 0.5 else n
        share = rng.uniform(0.1, 0.3)
        hidden[row, 1:end] = torch.tensor([rng.random() < share for _ in range(end - 1)])
        counts[row] = hidden[row]
        real[row, end:] = False
        padded[row, end:] = pad_id
        if left:
            for tensor in (padded, targets, hidden, counts, real):
                tensor[row] = tensor[row].roll(n - end)
        else:
            counts[row, end : end + 1] = True
    keys = ~hidden & (real | unmasked)
    mask = keys[:, None, None, :].expand(-1, 1, n, -1)
    positions = (torch.arange(n) - real.long().argmax(1, keepdim=True)).clamp(min=0)
    return Batch(padded, targets, counts, mask, positions)


def _text(writer: Writes, config: CorpusConfig) -> str:
    """Plain text for at least one row; every word has at least one token."""
    write: Callable[[], str] = writer.story if writer.chance(config.stories) else writer.sentence
    text = write()
    while text.count(" ") + 1 < config.context:
        text += " " + write()
    return text
