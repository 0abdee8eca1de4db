"""The rows that a gallery is made from, and those of each language."""

from importlib import import_module
from typing import NamedTuple

from model.training.gallery.suggest import Suggest, muting, walking
from model.training.grammar.grammar import LANGUAGES, Example

BESIDE = "By words and by characters"


class Sentence(NamedTuple):
    """A relation between words. {query} and {key} in `look` become the two tokens."""

    title: str
    label: str
    relation: str  # its id
    does: str  # completes "this head …"
    example: Example
    after: str  # the text after the example
    look: str
    suggest: Suggest


class Place(NamedTuple):
    """A relation between positions."""

    title: str
    relation: str
    text: str
    query: int
    key: int
    look: str
    suggest: Suggest


class Rows(NamedTuple):
    """What a gallery is made from.

    `first` are the titles that come first. The first one opens the page, so muting its head must
    clearly change the prediction. `against` is the language of a model that reads the same
    sentences by words; that entry is shown beside what it makes of it.
    """

    sentences: tuple[Sentence, ...]
    places: tuple[Place, ...]
    first: tuple[str, ...]
    against: str | None = None


def places(repeated: str, plain: str, word: str, at: int) -> tuple[Place, ...]:
    """The relations between positions, in a list that comes twice and in a plain sentence.

    `word` is the third of the list, and `at` the token of the sentence that attends to [BOS].
    """
    return (
        Place(
            *("Copying", "induction", repeated, 9, 3),
            "The list comes twice. The second “{query}” looks at “{key}”, which followed the "
            "first.",
            muting(word),
        ),
        Place(
            *("Previous token", "previous_token", plain, 4, 3),
            "A diagonal: “{query}” looks one token back, at “{key}”. Most tokens do the same.",
            walking(1, "Walk down the rows: on average, {mean} of the weight goes one token back."),
        ),
        Place(
            *("Same token", "same_token", repeated, 10, 3),
            "The second “{query}” looks at the first. Where no word comes twice, it finds nothing.",
            walking(7, ""),
        ),
        Place(
            *("Sink", "sink", plain, at, 0),
            "A hot first column: at “{query}” this head finds nothing, and rests on “{key}”.",
            walking(None, "Walk down the rows: on average, {mean} of the weight rests there."),
        ),
    )


def rows_of(language: str) -> Rows:
    """Those of a language that has a grammar."""
    module = import_module(f"model.training.gallery.{LANGUAGES[language]}")
    found: Rows = module.ROWS
    return found
