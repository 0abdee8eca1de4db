"""Makes the gallery of a newly trained model: for each relation, its best head.

The sentences are fixed. The head, the row at which to look, and all numbers in the text come from
the model.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from model.gallery import Entry
from model.sources.native import NativeSource
from model.training.evaluation.evaluate import Relation, Report
from model.training.evaluation.look import place
from model.training.gallery.edited import edited
from model.training.gallery.reading import Reading, change, percent, read
from model.training.grammar.grammar import Example

MIN_SHARE = 0.5  # of the row's attention; a relation below this is not shown


class Suggestion(NamedTuple):
    """What to try next."""

    sentence: str  # "" if it is not true of this model
    action: str | None = None


Suggest = Callable[[NativeSource, Entry], Suggestion]


def muting(word: str) -> Suggest:
    """Suggest muting the head, and say what happens to the word."""

    def suggest(source: NativeSource, entry: Entry) -> Suggestion:
        muted = [(entry.layer, entry.head)]
        before, after = read(source, entry), Reading(source, entry.texts, entry.query, muted=muted)
        words = change(word, before, after)
        if "stays" in words:
            sentence = f"Mute it: {words}, so it is not the only head that knows."
        else:
            sentence = f"Mute it and watch the next token: {words}."
        return Suggestion(sentence, "mute")

    return suggest


def choosing(*pairs: tuple[str, str], say: str) -> Suggest:
    """Suggest other rows of the same head: (query, key) pairs of words that occur once."""

    def suggest(source: NativeSource, entry: Entry) -> Suggestion:
        reading = read(source, entry)
        words = [token.text.strip() for token in reading.trace.tokens[0]]
        drawn = [
            reading.weights(entry.layer, entry.head, words.index(query))[words.index(key)]
            for query, key in pairs
        ]
        return Suggestion(say if min(drawn) >= MIN_SHARE else "")

    return suggest


def typing(old: str, new: str, key: int, word: str, say: str) -> Suggest:
    """Suggest another word in the text, if the head still attends to `key` and predicts `word`.

    An empty `word` may be anything.
    """

    def suggest(source: NativeSource, entry: Entry) -> Suggestion:
        text = entry.texts[0].replace(old, new, 1)
        reading = Reading(source, [text], entry.query)
        drawn = reading.weights(entry.layer, entry.head)[key] >= MIN_SHARE
        if not drawn or (word and reading.likeliest != word):
            return Suggestion("")
        return Suggestion(say.format(share=percent(reading.probability(word)) if word else ""))

    return suggest


def walking(back: int | None, say: str) -> Suggest:
    """Suggest going through the rows; gives the mean weight `back` tokens before (None: first)."""

    def suggest(source: NativeSource, entry: Entry) -> Suggestion:
        reading = read(source, entry)
        rows = range(1, len(reading.trace.tokens[0]))
        drawn = [
            reading.weights(entry.layer, entry.head, row)[0 if back is None else row - back]
            for row in rows
        ]
        mean = sum(drawn) / len(drawn)
        if mean < MIN_SHARE or not say:
            return Suggestion("")
        return Suggestion(say.format(mean=percent(mean)), "rows")

    return suggest


SOUP = (
    "Replace the first “milk” with “soup” and choose Ben’s second “chose”: the model now predicts "
    "“soup”, {share}."
)
JOHN = "Replace “Sarah” with “John” and choose “lost”: the model now predicts “his”, {share}."
# Title, label, relation's id, what the head does, the sentence (before, target, between, looker)
# and the text after it, what to look at ({query} and {key} become the two tokens), and what to try
# next.
SENTENCES: tuple[tuple[str, str, str, str, Example, str, str, Suggest], ...] = (
    (
        *("Agreement", "subject", "subject_of_verb"),
        "finds the subject of a verb",
        Example("The ", "keys", " near the old cabinet ", "are"),
        " on the table.",
        "At “{query}” the verb must agree: this head skips the nearer noun and looks at “{key}”.",
        muting("are"),
    ),
    (
        *("Herself", "reflexive", "antecedent_of_reflexive"),
        "finds who “himself” or “herself” is",
        Example("", "Mary", " near the boys saw ", "herself"),
        " in the mirror.",
        "Who is meant? At “{query}”, which predicts “herself”, this head looks back at “{key}”.",
        muting("herself"),
    ),
    (
        *("Brackets", "bracket", "opener_of_bracket"),
        "finds the bracket that is still open",
        Example("The boy ", "(", "the girl [a cat] and the dog", ")"),
        " is late.",
        "What is still open? At “{query}” this head looks at “{key}”, past the closed brackets.",
        choosing(("]", "["), say="Choose the token “]”: it finds the “[”."),
    ),
    (
        *("Key and value", "recall", "value_of_key"),
        "finds what the same words led to before",
        Example("Ben chose ", "milk", ", Anna chose tea and Clara chose rice. Ben chose ", "milk"),
        ".",
        "What did Ben choose? At “{query}” this head looks at “{key}”, after the same words.",
        typing("milk", "soup", 3, "soup", SOUP),
    ),
    (
        *("Her or his", "possessive", "antecedent_of_possessive"),
        "finds whose “his” or “her” is",
        Example("", "Sarah", " lost ", "her"),
        " key.",
        "Whose key? At “{query}” this head looks at “{key}”.",
        typing("Sarah", "John", 1, "his", JOHN),
    ),
    (
        *("It, because", "pronoun", "antecedent_after_because"),
        "finds who “he”, “she” or “it” is after “because”",
        Example("The ", "cat", " sat on the mat because ", "it"),
        " was tired.",
        "What is meant? At “{query}” this head looks at “{key}”, not at the mat.",
        muting("it"),
    ),
    (
        *("Quotes", "quote", "opener_of_quote"),
        "finds the quotation mark that is still open",
        Example("The teacher ", "'", "the old cat near the garden", "'"),
        " is here.",
        "Both ends look the same: in the row of “{query}” this head looks at the one that opened.",
        typing(
            "'the old cat near the garden'",
            "(the old cat near the garden)",
            *(3, ""),
            "Replace the quotes with brackets: the same head finds them.",
        ),
    ),
    (
        *("Determiner and noun", "determiner", "determiner_of_noun"),
        "finds the “this” or “these” before a noun",
        Example("Mary saw ", "these", " big old red ", "keys"),
        ".",
        "“{key}” asks for a plural. At “{query}”, three adjectives later, this head looks at it.",
        choosing(
            ("big", "these"), ("old", "these"), say="Choose “big” or “old”: they look at it, too."
        ),
    ),
)
# The same for relations between positions: title, relation's id, text, positions of query and key,
# what to look at, and what to try next.
REPEATED = "red apple window seven quickly under story red apple window seven quickly under story"
PLAIN = "The farmer walked slowly to the market in the morning."
PLACES: tuple[tuple[str, str, str, int, int, str, Suggest], ...] = (
    (
        *("Copying", "induction", REPEATED, 9, 3),
        "The list comes twice. The second “{query}” looks at “{key}”, which followed the first.",
        muting("window"),
    ),
    (
        *("Previous token", "previous_token", PLAIN, 4, 3),
        "A diagonal: “{query}” looks one token back, at “{key}”. Most tokens do the same.",
        walking(1, "Walk down the rows: on average, {mean} of the weight goes one token back."),
    ),
    (
        *("Same token", "same_token", REPEATED, 10, 3),
        "The second “{query}” looks at the first. Where no word comes twice, it finds nothing.",
        walking(7, ""),
    ),
    (
        *("Sink", "sink", PLAIN, 6, 0),
        "A hot first column: at “{query}” this head finds nothing, and rests on “{key}”.",
        walking(None, "Walk down the rows: on average, {mean} of the weight rests there."),
    ),
)
# The order of the entries. The first one opens the page, so muting its head must clearly change the
# prediction. Those that are not listed here come last.
FIRST = (
    *("Herself", "Agreement", "Copying", "Brackets", "Key and value"),
    *("A padded pair", "A wrong mask", "A muted head", "Lines", "Inside", "Before and after"),
    *("A narrow window", "Padding in view"),
)


def make_gallery(folder: Path, report: Report) -> list[Entry]:
    """One entry for each relation that a head has learned, at its best head and row.

    Then the entries that show masks, mutes and the other views with the same heads.
    """
    source = NativeSource(folder.name, folder)
    known = {relation.id: relation for relation in report.relations}
    drawn = {relation.id for relation in report.relations if relation.best.value >= MIN_SHARE}
    entries = [
        *(
            replace(
                _entry(source, title, example.text + after, known[id], at, look, suggest),
                label=label,
                does=does,
                value=round(known[id].best.value, 3),
            )
            for title, label, id, does, example, after, look, suggest in SENTENCES
            if id in drawn
            for at in [_at(source, example, known[id])]
        ),
        *(
            _entry(source, title, text, known[id], at, look, suggest)
            for title, id, text, *at, look, suggest in PLACES
            if id in drawn
        ),
    ]
    entries += edited(source, {entry.title: entry for entry in entries})
    order = {title: number for number, title in enumerate(FIRST)}
    return sorted(entries, key=lambda entry: order.get(entry.title, len(order)))


def _at(source: NativeSource, example: Example, relation: Relation) -> list[int]:
    """The positions of the relation's query and key."""
    placed = place(source.tokenizer, example)
    return [placed.last if relation.at_token else placed.first - 1, placed.target[0]]


def _entry(
    source: NativeSource,
    title: str,
    text: str,
    relation: Relation,
    at: Sequence[int],
    look: str,
    suggest: Suggest,
) -> Entry:
    tokens = source.tokenizer.encode(text)
    query, key = (tokens[place].text.strip() for place in at)
    sentence = look.format(query=query, key=key)
    entry = Entry(title, (text,), relation.best.layer, relation.best.head, at[0], sentence)
    suggestion = suggest(source, entry)
    return replace(entry, next=suggestion.sentence, tries=suggestion.action)
