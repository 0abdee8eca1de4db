"""The training corpus: sentences of a probabilistic grammar, and repeated random sequences.

The grammar exists for its relations, each of which some head can learn to draw: a verb agrees with
its subject across a distractor, a reflexive or possessive with the person that it means, a closing
quote or bracket with its opener. The repeated sequences can be predicted only by looking back,
which is what forms induction heads.

Everything is a pure function of a seed.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from random import Random
from typing import NamedTuple

import torch
from jaxtyping import Bool, Int
from torch import Tensor

from model.errors import InputError
from model.tokenizer import Tokenizer, build_tokenizer
from model.training.grammar import Agreement, Writer, lexicon_words

VOCABULARY_SENTENCES = (
    60_000  # enough for the words that the grammar itself brings, beside the lexicon's
)
ROWS_AT_ONCE = 256  # rows tokenized together: fewer, larger calls are quicker


@dataclass(frozen=True)
class CorpusConfig:
    """What a batch is made of. Shares are of rows; what they leave is plain text."""

    context: int = 64  # tokens a row, [BOS] included
    random_repeats: float = 0.25  # a random sequence, again and again: forms the induction heads
    shortest_repeat: int = 5  # tokens of the repeated sequence
    longest_repeat: int = 31  # two copies and [BOS] fit the context
    text_repeats: float = 0.05  # a passage of plain text, again and again
    stories: float = 0.35  # of the plain text: sentences about the same people, not unrelated ones
    invented: float = (
        0.03  # of the nouns: words that do not exist, so that unknown words are no surprise
    )

    def __post_init__(self) -> None:
        if not 2 <= self.shortest_repeat <= self.longest_repeat <= (self.context - 1) // 2:
            raise InputError(
                f"Two copies of {self.shortest_repeat} to {self.longest_repeat} tokens and [BOS]"
                f" must fit a context of {self.context} tokens.",
                field="longest_repeat",
                limit=(self.context - 1) // 2,
            )
        for name in ("random_repeats", "text_repeats", "stories", "invented"):
            if not 0 <= getattr(self, name) <= 1:
                raise InputError(
                    f"{name} is a share from 0 to 1; got {getattr(self, name)}.", field=name
                )


class Batch(NamedTuple):
    """Token ids, and whether the prediction *of* each of them counts. There is no padding."""

    ids: Int[Tensor, "batch seq"]
    loss: Bool[Tensor, "batch seq"]


def sentence(rng: Random) -> str:
    """One sentence of the grammar."""
    return Writer(rng).sentence()


def sentences(rng: Random, invented: float = CorpusConfig.invented) -> Iterator[str]:
    """Unrelated sentences of the grammar, without end."""
    writer = Writer(rng, invented)
    while True:
        yield writer.sentence()


def batches(
    tokenizer: Tokenizer, config: CorpusConfig, batch_size: int, seed: int
) -> Iterator[Batch]:
    """Training batches without end. The same seed gives the same batches."""
    rng = Random(seed)
    rows: list[tuple[list[int], int]] = []
    while True:
        while len(rows) < batch_size:
            rows += _rows(tokenizer, config, rng)
        chosen, rows = rows[:batch_size], rows[batch_size:]
        ids = torch.tensor([row for row, _ in chosen])
        first = torch.tensor([first for _, first in chosen])
        yield Batch(ids, torch.arange(config.context) >= first[:, None])


def random_repeats(tokenizer: Tokenizer, seed: int, n: int, length: int) -> Int[Tensor, "n seq"]:
    """n rows of [BOS] and a random sequence of `length` tokens twice: the probe for induction."""
    rng = Random(seed)
    copies = [_random_ids(tokenizer, rng, length) for _ in range(n)]
    return torch.tensor([[tokenizer.bos_id, *copy, *copy] for copy in copies])


def agreement_pairs(seed: int, n: int) -> list[Agreement]:
    """n beginnings of sentences with a distractor of the other number, held out of training."""
    writer = Writer(Random(seed), invented=0.0)
    return [writer.held_out_agreement() for _ in range(n)]


def build_shipped_tokenizer() -> Tokenizer:
    """The tokenizer of the shipped model: the lexicon's words and those that the grammar adds."""
    grammar = sentences(Random(0), invented=0.0)
    seen = Counter(
        word
        for text in islice(grammar, VOCABULARY_SENTENCES)
        for word in "".join(c if c.isalpha() else " " for c in text.lower()).split()
    )
    return build_tokenizer(lexicon_words() | {word for word in seen if len(word) > 1})


def _rows(tokenizer: Tokenizer, config: CorpusConfig, rng: Random) -> list[tuple[list[int], int]]:
    """Some rows of ids, each with the first position whose prediction counts."""
    writer = Writer(rng, config.invented)
    texts = tokenizer.encode_ids([_text(writer, config) for _ in range(ROWS_AT_ONCE)])
    return [_row(tokenizer, config, rng, text[: config.context]) for text in texts]


def _row(
    tokenizer: Tokenizer, config: CorpusConfig, rng: Random, text: list[int]
) -> tuple[list[int], int]:
    kind = rng.random()
    length = rng.randint(config.shortest_repeat, config.longest_repeat)
    if kind < config.random_repeats:
        # Some plain text before it: without that, no head looks back one token late in a row.
        lead = text[1 : 1 + rng.randint(0, config.context - 1 - 2 * length)]
        # The first copy is noise, and so is the token after it: nothing says yet that it repeats.
        noise = len(lead) + length + 2
        return _repeat(tokenizer, config, _random_ids(tokenizer, rng, length), lead), noise
    if kind < config.random_repeats + config.text_repeats:
        return _repeat(tokenizer, config, text[1 : length + 1]), 1
    return text, 1


def _repeat(
    tokenizer: Tokenizer, config: CorpusConfig, ids: list[int], lead: Sequence[int] = ()
) -> list[int]:
    """[BOS], the lead, and copies of the ids for as long as there is room."""
    copies = ids * -(-config.context // len(ids))
    return [tokenizer.bos_id, *lead, *copies][: config.context]


def _random_ids(tokenizer: Tokenizer, rng: Random, n: int) -> list[int]:
    special = {tokenizer.pad_id, tokenizer.bos_id}
    return rng.sample([id for id in range(tokenizer.vocab_size) if id not in special], n)


def _text(writer: Writer, config: CorpusConfig) -> str:
    """Plain text of at least one row: no word is less than one token."""
    write: Callable[[], str] = writer.story if writer.chance(config.stories) else writer.sentence
    text = write()
    while text.count(" ") + 1 < config.context:
        text += " " + write()
    return text
