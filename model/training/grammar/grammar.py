"""What the recipe, the evaluation and the gallery need of the grammar of a language."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from importlib import import_module
from random import Random
from typing import Literal, NamedTuple, Protocol, runtime_checkable

from model.core.checkpoint import OTHERS
from model.core.tokenizer import Tokenizer
from model.errors import InputError

Row = Literal["token", "predicting", "either"]
LANGUAGES = {"en": "english", **OTHERS}  # the package of each


class Example(NamedTuple):
    """A text in four parts: `looker` should attend to `target` and be likelier than `others`.

    If `others` is None, the looker should be the most likely token of all; if it is empty, the
    prediction is not tested.
    """

    before: str
    target: str
    between: str
    looker: str
    others: tuple[str, ...] | None = ()

    @property
    def text(self) -> str:
        return self.before + self.target + self.between + self.looker


@runtime_checkable
class Writes(Protocol):
    """Writes sentences and stories; the same state of the generator gives the same ones."""

    def sentence(self) -> str: ...

    def story(self) -> str: ...

    def chance(self, share: float) -> bool: ...


class Along(NamedTuple):
    """A relation that a head may attend along; its goal is for the row that `counts`."""

    id: str
    name: str  # for people
    counts: Row
    goal: float


class Share(NamedTuple):
    """A share of right predictions. Those of one name are counted together."""

    name: str
    goal: float


class Tested(NamedTuple):
    """What is measured on held-out sentences: a relation, the predictions, or both."""

    write: Callable[[], Example]
    along: Along | None = None
    share: Share | None = None
    is_unknown: bool = False  # of words that training never shows


@runtime_checkable
class Remembers(Protocol):
    """Writes held-out examples of what every language has: marks that close, names that recur."""

    def opener_of_bracket(self) -> Example: ...

    def opener_of_quote(self) -> Example: ...

    def value_of_key(self) -> Example: ...

    def receiver_of_gift(self) -> Example: ...


def in_any_language(held_out: Remembers) -> list[Tested]:
    """What is measured of brackets and quotes, of key–value recall, and of who is given something.

    English has goals of its own.
    """
    closing = Share("closing brackets and quotes", 0.95)
    return [
        Tested(
            held_out.opener_of_bracket,
            Along("opener_of_bracket", "closing bracket → its opener, nested", "token", 0.8),
            closing,
        ),
        Tested(
            held_out.opener_of_quote,
            Along("opener_of_quote", "closing quote → its opener, nested", "token", 0.8),
            closing,
        ),
        Tested(
            held_out.value_of_key,
            Along("value_of_key", "key–value recall: key → value", "predicting", 0.8),
            Share("key–value recall", 0.9),
        ),
        Tested(held_out.receiver_of_gift, None, Share("indirect object", 0.9)),
    ]


@dataclass(frozen=True)
class Grammar:
    """A language to learn. `writer` takes a generator and the two shares of invented words."""

    language: str  # its code
    adjective: str  # of its sentences: English-like
    writer: Callable[[Random, float, float], Writes]
    tokenizer: Callable[[], Tokenizer]
    tested: Callable[[int], Sequence[Tested]]  # of a seed
    steps: int | None = None  # of its training; None: the recipe's own

    def texts(self, seed: int, n: int) -> Iterator[str]:
        """Plain sentences, from a seed that differs from training's."""
        writer = self.writer(Random(seed), 0.0, 0.0)
        for _ in range(n):
            yield writer.sentence()


def grammar_of(language: str) -> Grammar:
    """The grammar of a language.

    Raises:
        InputError: there is none.
    """
    if language not in LANGUAGES:
        raise InputError(
            f"Expected one of the languages {', '.join(LANGUAGES)}; got {language}.",
            field="language",
        )
    package = import_module(f"model.training.grammar.{LANGUAGES[language]}.grammar")
    found: Grammar = package.GRAMMAR
    return found
