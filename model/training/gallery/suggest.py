"""What an example suggests to try next, if it is true of the model."""

from collections.abc import Callable
from typing import NamedTuple

from model.gallery import Entry
from model.sources.native import NativeSource
from model.training.gallery.reading import Reading, change, percent, read

EXPECTED = 0.05  # a word that is less likely is not what the model expects
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
        if before.probability(word) < EXPECTED:
            return Suggestion(
                ""
            )  # the row is that of the word itself, which is no longer predicted
        words = change(word, before, after)
        if "stays" in words:
            sentence = f"Mute it: {words}, so it is not the only head that knows."
        else:
            sentence = f"Mute it and watch the next token: {words}."
        return Suggestion(sentence, "mute")

    return suggest


def either(*suggests: Suggest) -> Suggest:
    """The first of some suggestions that is true of the model."""

    def suggest(source: NativeSource, entry: Entry) -> Suggestion:
        found = (each(source, entry) for each in suggests)
        return next((each for each in found if each.sentence), Suggestion(""))

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
