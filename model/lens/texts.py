"""The texts that a lens is fitted on, and others that tell how well it does."""

import re
from dataclasses import dataclass
from importlib import import_module
from importlib.util import find_spec
from random import Random

from model.dossier.texts import everyday_corpus, own_corpus
from model.sources.native import NativeSource
from model.sources.source import Source

N_SENTENCES, N_HELD = 400, 80  # of the shipped model's grammar
N_PATTERNS, N_PASSAGES, N_PASSAGES_HELD = 100, 150, 40
SHORTEST, LONGEST = 60, 400  # characters of a passage
EVERY = 5  # of the topics, one is held out


@dataclass(frozen=True)
class Texts:
    """Texts to fit on, and texts to measure on."""

    description: str
    fit: tuple[str, ...]
    held_out: tuple[str, ...]


def texts_for(source: Source) -> Texts:
    """For a model of ours, its own grammar; for others, everyday English and prose about Python.

    The prose is what `help()` shows, which every Python carries. Sentences of the same patterns are
    so alike that a lens does far better on them than on other text (SmolLM2, layer 6: a divergence
    of 0.7 nats there, and of 4 on sentences that people wrote), so it is measured on prose whose
    topics it was not fitted on.
    """
    if isinstance(source, NativeSource):
        return Texts(
            "sentences and stories of the shipped model's grammar",
            own_corpus(N_SENTENCES).texts,
            own_corpus(N_HELD, seed=1).texts,
        )
    patterns = everyday_corpus(N_PATTERNS + N_HELD).texts
    fit, held_out = _passages()
    if not held_out:  # a Python without its help
        return Texts("everyday English that patterns make", patterns[:-N_HELD], patterns[-N_HELD:])
    return Texts(
        "everyday English that patterns make, and the help texts of Python",
        patterns[:N_PATTERNS] + fit,
        held_out,
    )


def _passages() -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Paragraphs of Python's help: of most topics, and of the others."""
    if find_spec("pydoc_data") is None:
        return (), ()
    topics: dict[str, str] = import_module("pydoc_data.topics").topics
    fit, held_out = list[str](), list[str]()
    for number, (_, text) in enumerate(sorted(topics.items())):
        into = held_out if number % EVERY == EVERY - 1 else fit
        paragraphs = (" ".join(each.split()) for each in re.split(r"\n\s*\n", text))
        into += [each for each in paragraphs if SHORTEST <= len(each) <= LONGEST]
    draw = Random(0)
    draw.shuffle(fit)
    draw.shuffle(held_out)
    return tuple(fit[:N_PASSAGES]), tuple(held_out[:N_PASSAGES_HELD])
