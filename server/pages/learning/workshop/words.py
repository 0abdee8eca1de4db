"""Words that the shipped model knows, for people who write sentences of their own.

They come from the lexicon that it was trained with. A word is listed only if the model's tokenizer
reads it as one token, so that each word of a sentence is one row of a picture.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import islice

from model.core.tokenizer import Tokenizer
from model.message import Message
from model.training.grammar.english import lexicon as lex
from model.training.grammar.english.lexicon import Noun, Verb

# Of kinds that the model was trained on, and without the habits of the hunt.
SENTENCES = (
    "The doctor walked to the station.",
    "Emma gave the book to Paul.",
    "The old farmer sang loudly.",
    "My sister has a small red boat.",
    "Peter found his key under the table.",
)


@dataclass(frozen=True)
class Group:
    """Words that can stand in the same place of a sentence."""

    name: str
    words: tuple[str, ...]


@dataclass(frozen=True)
class Vocabulary:
    """Some of the words that a model knows, and some sentences made of such words."""

    groups: tuple[Group, ...]
    sentences: tuple[str, ...]


def _ones(*lists: Iterable[Noun]) -> list[str]:
    return [each.one for nouns in lists for each in nouns]


def _pasts(*lists: Iterable[Verb]) -> list[str]:
    return [each.past for verbs in lists for each in verbs]


# What the list shows of the lexicon: a name, the words, and how many of them. The first words of a
# list of names are those that training shows most often.
GROUPS: tuple[tuple[str, Iterable[str], int], ...] = (
    (Message("Men’s names"), lex.HE_NAMES, 12),
    (Message("Women’s names"), lex.SHE_NAMES, 12),
    (
        Message("Words for people"),
        [*_ones(lex.MEN)[:6], *_ones(lex.WOMEN)[:6], *_ones(lex.JOBS)],
        18,
    ),
    (Message("Animals"), _ones(lex.ANIMALS), 12),
    (Message("Things"), _ones(lex.THINGS, lex.CLOTHES), 18),
    (Message("Food"), [*_ones(lex.FOODS)[:8], *lex.MASS], 14),
    (Message("Places"), _ones(lex.PLACES), 14),
    (Message("Verbs that need nothing more"), _pasts(lex.ACT), 12),
    (Message("Verbs for people"), _pasts(lex.MEET, lex.REFLECT), 12),
    (Message("Verbs for things"), _pasts(lex.HANDLE, lex.WEAR), 12),
    (Message("Adjectives for people"), [*lex.MOODS[:7], *lex.TRAITS], 14),
    (Message("Adjectives for things"), [*lex.SIZES[:5], *lex.COLORS[:5], *lex.QUALITIES], 16),
    (Message("Prepositions"), lex.PREPOSITIONS, 12),
    (Message("Adverbs"), lex.MANNER, 10),
)


def vocabulary(tokenizer: Tokenizer) -> Vocabulary:
    """What people need to write sentences that this tokenizer does not split into pieces."""
    groups = [
        Group(name, tuple(islice((word for word in words if is_whole(tokenizer, word)), most)))
        for name, words, most in GROUPS
    ]
    return Vocabulary(
        groups=tuple(group for group in groups if group.words),
        sentences=tuple(text for text in SENTENCES if is_whole(tokenizer, text)),
    )


def is_whole(tokenizer: Tokenizer, text: str) -> bool:
    """Whether every word of a text is one token."""
    words = [token for token in tokenizer.encode(text) if any(map(str.isalpha, token.text))]
    return [token.text.strip() for token in words if not token.special] == text.rstrip(".").split()
