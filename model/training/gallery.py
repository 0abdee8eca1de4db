"""The gallery of a freshly trained model: for each relation, the head that draws it best.

The sentences are fixed; which head, at which of the two rows, and every number that is said of it
are read off the model.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

from model.gallery import Entry
from model.sources.native import NativeSource
from model.training.edited import edited
from model.training.evaluate import Relation, Report
from model.training.held_out import Example
from model.training.look import place
from model.training.reading import Reading, change, percent, read

MIN_SHARE = 0.5  # of the row's attention; a relation that no head draws is nothing to show

# What to do then: the sentence, or "" where it is not true of this model.
Then = Callable[[NativeSource, Entry], str]


def muting(word: str) -> Then:
    """Mute the head and see what becomes of the word."""

    def said(source: NativeSource, entry: Entry) -> str:
        muted = [(entry.layer, entry.head)]
        before, after = read(source, entry), Reading(source, entry.texts, entry.query, muted=muted)
        words = change(word, before, after)
        if "stays" in words:
            return f"Mute it (m): {words}, so it is not the only head that knows."
        return f"Mute it (m) and watch the next token: {words}."

    return said


def choosing(*pairs: tuple[str, str], say: str) -> Then:
    """Other rows of the same head: from a word to a word, each once in the text."""

    def said(source: NativeSource, entry: Entry) -> str:
        reading = read(source, entry)
        words = [token.text.strip() for token in reading.trace.tokens[0]]
        drawn = [
            reading.weights(entry.layer, entry.head, words.index(query))[words.index(key)]
            for query, key in pairs
        ]
        return say if min(drawn) >= MIN_SHARE else ""

    return said


def typing(old: str, new: str, key: int, word: str, say: str) -> Then:
    """Another word in the text: the head still looks at `key`, and `word` is likeliest, if any."""

    def said(source: NativeSource, entry: Entry) -> str:
        text = entry.texts[0].replace(old, new, 1)
        reading = Reading(source, [text], entry.query)
        drawn = reading.weights(entry.layer, entry.head)[key] >= MIN_SHARE
        if not drawn or (word and reading.likeliest != word):
            return ""
        return say.format(share=percent(reading.probability(word)) if word else "")

    return said


def walking(back: int | None, say: str) -> Then:
    """Down the rows: the mean weight so many places back, or, for None, on the first token."""

    def said(source: NativeSource, entry: Entry) -> str:
        reading = read(source, entry)
        rows = range(1, len(reading.trace.tokens[0]))
        drawn = [
            reading.weights(entry.layer, entry.head, row)[0 if back is None else row - back]
            for row in rows
        ]
        mean = sum(drawn) / len(drawn)
        return say.format(mean=percent(mean)) if mean >= MIN_SHARE else ""

    return said


SOUP = "Type soup for the first milk and choose the second “chose” of Ben: “soup” is next, {share}."
JOHN = "Type John for Sarah and choose “lost”: “his” is next, {share}."
# Title, label, relation, the sentence (before, what is looked at, between, the word that looks),
# what comes after it, what to look at ({query} and {key} become the two tokens), and what to do.
SENTENCES: tuple[tuple[str, str, str, Example, str, str, Then], ...] = (
    (
        *("Agreement", "subject", "verb → its subject, across a distractor"),
        Example("The ", "keys", " near the old cabinet ", "are"),
        " on the table.",
        "At “{query}” the verb must agree: this head skips the nearer noun and looks at “{key}”.",
        muting("are"),
    ),
    (
        *("Herself", "reflexive", "reflexive → antecedent"),
        Example("", "Mary", " near the boys saw ", "herself"),
        " in the mirror.",
        "Who is meant? At “{query}”, which predicts “herself”, this head looks back at “{key}”.",
        muting("herself"),
    ),
    (
        *("Brackets", "bracket", "closing bracket → its opener, nested"),
        Example("The boy ", "(", "the girl [a cat] and the dog", ")"),
        " is late.",
        "What is still open? At “{query}” this head looks at “{key}”, past the closed brackets.",
        choosing(("]", "["), say="Choose the token “]”: it finds the “[”."),
    ),
    (
        *("Key and value", "recall", "key–value recall: key → value"),
        Example("Ben chose ", "milk", ", Anna chose tea and Clara chose rice. Ben chose ", "milk"),
        ".",
        "What did Ben choose? At “{query}” this head looks at “{key}”, after the same words.",
        typing("milk", "soup", 3, "soup", SOUP),
    ),
    (
        *("Her or his", "possessive", "possessive → antecedent"),
        Example("", "Sarah", " lost ", "her"),
        " key.",
        "Whose key? At “{query}” this head looks at “{key}”.",
        typing("Sarah", "John", 1, "his", JOHN),
    ),
    (
        *("It, because", "pronoun", "he, she, it after “because” → antecedent"),
        Example("The ", "cat", " sat on the mat because ", "it"),
        " was tired.",
        "What is meant? At “{query}” this head looks at “{key}”, not at the mat.",
        muting("it"),
    ),
    (
        *("Quotes", "quote", "closing quote → its opener, nested"),
        Example("The teacher ", "'", "the old cat near the garden", "'"),
        " is here.",
        "Both ends look the same: in the row of “{query}” this head looks at the one that opened.",
        typing(
            "'the old cat near the garden'",
            "(the old cat near the garden)",
            *(3, ""),
            "Type brackets for the quotes: the same head finds them.",
        ),
    ),
    (
        *("Determiner and noun", "determiner", "noun → its determiner, across adjectives"),
        Example("Mary saw ", "these", " big old red ", "keys"),
        ".",
        "“{key}” asks for a plural, three adjectives later: at “{query}” this head looks at it.",
        choosing(("big", "these"), ("old", "these"), say="Choose “big” or “old”: so do they."),
    ),
)
# The same for what is not about words: a text, the place of the token that looks, and of the one
# that it looks at.
REPEATED = "red apple window seven quickly under story red apple window seven quickly under story"
PLAIN = "The farmer walked slowly to the market in the morning."
PLACES: tuple[tuple[str, str, str, int, int, str, Then], ...] = (
    (
        *("Copying", "induction", REPEATED, 9, 3),
        "The list comes twice: the second “{query}” looks at “{key}”, which followed the first.",
        muting("window"),
    ),
    (
        *("Previous token", "previous token", PLAIN, 4, 3),
        "A diagonal: “{query}” looks at “{key}”, and so does every token. Other heads build on it.",
        walking(1, "Walk down the rows (]): {mean} goes one back, on average."),
    ),
    (
        *("Same token", "same token earlier", REPEATED, 10, 3),
        "The second “{query}” looks at the first. Where nothing has come twice, it finds nothing.",
        walking(7, ""),
    ),
    (
        *("Sink", "sink on [BOS]", PLAIN, 6, 0),
        "A hot first column: at “{query}” this head has nothing to find, and rests on “{key}”.",
        walking(None, "Walk down the rows (]): {mean} rests there, on average."),
    ),
)
# In this order, the first of them beside the sentence; what is not named here comes last.
FIRST = (
    *("Agreement", "Herself", "Copying", "Brackets", "Key and value"),
    *("A padded pair", "A wrong mask", "A muted head", "Lines", "Inside", "Before and after"),
    *("A narrow window", "Padding in view"),
)


def make_gallery(folder: Path, report: Report) -> list[Entry]:
    """One entry for each relation that some head draws, at the head and the row that do it best.

    Then those that show masks, mutes and the other views, with the heads of the first.
    """
    source = NativeSource(folder.name, folder)
    known = {relation.name: relation for relation in report.relations}
    drawn = {relation.name for relation in report.relations if relation.best.value >= MIN_SHARE}
    entries = [
        *(
            replace(
                _entry(source, title, example.text + after, known[name], at, look, then),
                label=label,
                value=round(known[name].best.value, 3),
            )
            for title, label, name, example, after, look, then in SENTENCES
            if name in drawn
            for at in [_at(source, example, known[name])]
        ),
        *(
            _entry(source, title, text, known[name], at, look, then)
            for title, name, text, *at, look, then in PLACES
            if name in drawn
        ),
    ]
    entries += edited(source, {entry.title: entry for entry in entries})
    order = {title: number for number, title in enumerate(FIRST)}
    return sorted(entries, key=lambda entry: order.get(entry.title, len(order)))


def _at(source: NativeSource, example: Example, relation: Relation) -> list[int]:
    """The row at which the relation is drawn, and the place that it looks at."""
    placed = place(source.tokenizer, example)
    return [placed.last if relation.at_token else placed.first - 1, placed.target[0]]


def _entry(
    source: NativeSource,
    title: str,
    text: str,
    relation: Relation,
    at: Sequence[int],
    look: str,
    then: Then,
) -> Entry:
    tokens = source.tokenizer.encode(text)
    query, key = (tokens[place].text.strip() for place in at)
    said = look.format(query=query, key=key)
    entry = Entry(title, (text,), relation.best.layer, relation.best.head, at[0], said)
    return replace(entry, next=then(source, entry))
