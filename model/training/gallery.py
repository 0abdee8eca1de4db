"""The gallery of a freshly trained model: for each relation, the head that draws it best.

The sentences are fixed; which head, and at which of the two rows, is read off the model.
"""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from model.gallery import Entry
from model.sources.native import NativeSource
from model.training.evaluate import Relation, Report
from model.training.held_out import Example
from model.training.look import place

# Title, label, relation, the sentence (before, what is looked at, between, the word that looks),
# what comes after it, and what to look at: {query} and {key} become the two tokens.
SENTENCES: tuple[tuple[str, str, str, Example, str, str], ...] = (
    (
        *("Verb and subject", "subject", "verb → its subject, across a distractor"),
        Example("The ", "keys", " near the old cabinet ", "are"),
        " on the table.",
        "At “{query}” the verb must agree: this head skips the nearer noun and looks at “{key}”.",
    ),
    (
        *("Herself", "reflexive", "reflexive → antecedent"),
        Example("", "Mary", " near the boys saw ", "herself"),
        " in the mirror.",
        "Who is meant? At “{query}” this head looks back at “{key}”.",
    ),
    (
        *("Her or his", "possessive", "possessive → antecedent"),
        Example("", "Sarah", " lost ", "her"),
        " key.",
        "Whose key? At “{query}” this head looks at “{key}”: change the name and see what follows.",
    ),
    (
        *("It, because", "pronoun", "he, she, it after “because” → antecedent"),
        Example("The ", "cat", " sat on the mat because ", "it"),
        " was tired.",
        "What is meant? At “{query}” this head looks at “{key}”, not at the mat.",
    ),
    (
        *("Brackets", "bracket", "closing bracket → its opener, nested"),
        Example("The boy ", "(", "the girl [a cat] and the dog", ")"),
        " is late.",
        "What is still open? At “{query}” this head looks at “{key}”, past the closed brackets.",
    ),
    (
        *("Quotes", "quote", "closing quote → its opener, nested"),
        Example("The teacher ", "'", "the old cat near the garden", "'"),
        " is here.",
        "Both ends look the same: in the row of “{query}” this head looks at the one that opened.",
    ),
    (
        *("Determiner and noun", "determiner", "noun → its determiner, across adjectives"),
        Example("Mary saw ", "these", " big old red ", "keys"),
        ".",
        "“{key}” asks for a plural, three adjectives later: at “{query}” this head looks at it.",
    ),
    (
        *("Key and value", "recall", "key–value recall: key → value"),
        Example("Ben chose ", "milk", ", Anna chose tea and Clara chose rice. Ben chose ", "milk"),
        ".",
        "What did Ben choose? At “{query}” this head looks at “{key}”, after the same words.",
    ),
)
# The same for what is not about words: a text, the place of the token that looks, and of the one
# that it looks at.
REPEATED = "red apple window seven quickly under story red apple window seven quickly under story"
PLAIN = "The farmer walked slowly to the market in the morning."
PLACES: tuple[tuple[str, str, str, int, int, str], ...] = (
    (
        *("Previous token", "previous token", PLAIN, 4, 3),
        "A diagonal: “{query}” looks at “{key}”, and so does every token. Other heads build on it.",
    ),
    (
        *("Induction", "induction", REPEATED, 10, 4),
        "The list comes twice: the second “{query}” looks at “{key}”, which followed the first.",
    ),
    (
        *("Same token", "same token earlier", REPEATED, 10, 3),
        "The second “{query}” looks at the first. Where nothing has come twice, it finds nothing.",
    ),
    (
        *("Sink", "sink on [BOS]", PLAIN, 6, 0),
        "A hot first column: at “{query}” this head has nothing to find, and rests on “{key}”.",
    ),
)


LEAST = 0.5  # of the row's attention; a relation that no head draws is nothing to show


def make_gallery(folder: Path, report: Report) -> list[Entry]:
    """One entry for each relation that some head draws, at the head and the row that do it best."""
    source = NativeSource(folder.name, folder)
    known = {relation.name: relation for relation in report.relations}
    drawn = {relation.name for relation in report.relations if relation.best.value >= LEAST}
    return [
        *(
            replace(
                _entry(source, title, example.text + after, known[name], at, look),
                label=label,
                value=round(known[name].best.value, 3),
            )
            for title, label, name, example, after, look in SENTENCES
            if name in drawn
            for at in [_at(source, example, known[name])]
        ),
        *(
            _entry(source, title, text, known[name], at, look)
            for title, name, text, *at, look in PLACES
            if name in drawn
        ),
    ]


def _at(source: NativeSource, example: Example, relation: Relation) -> list[int]:
    """The row at which the relation is drawn, and the place that it looks at."""
    placed = place(source.tokenizer, example)
    return [placed.last if relation.at_token else placed.first - 1, placed.target[0]]


def _entry(
    source: NativeSource, title: str, text: str, relation: Relation, at: Sequence[int], look: str
) -> Entry:
    tokens = source.tokenizer.encode(text)
    query, key = (tokens[place].text.strip() for place in at)
    said = look.format(query=query, key=key)
    return Entry(title, (text,), relation.best.layer, relation.best.head, at[0], said)
