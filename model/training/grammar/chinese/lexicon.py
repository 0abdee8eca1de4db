"""The words of the Chinese corpus, read from lexicon.toml."""

import tomllib
from pathlib import Path
from typing import Any, NamedTuple


class Noun(NamedTuple):
    """A noun, its classifier, and the pronoun that takes its place: 他, 她, 它, or "" (either)."""

    word: str
    classifier: str
    pronoun: str


class Pair(NamedTuple):
    """Correlatives: 虽然 … 但是. `is_inside`: the second stands after the subject."""

    first: str
    second: str
    is_inside: bool


_LISTS: dict[str, Any] = tomllib.loads(Path(__file__).with_name("lexicon.toml").read_text("utf-8"))


def _words(table: str, name: str) -> tuple[str, ...]:
    return tuple(_LISTS[table][name].split())


def _nouns(kind: str, pronoun: str) -> tuple[Noun, ...]:
    table: dict[str, str] = _LISTS["nouns"][kind]
    return tuple(
        Noun(word, classifier, pronoun)
        for classifier, entries in table.items()
        for word in entries.split()
    )


HE_NAMES, SHE_NAMES = _words("names", "he"), _words("names", "she")
NAMES = HE_NAMES + SHE_NAMES
PLACE_NAMES = _words("names", "places")
MEN, WOMEN = _nouns("men", "他"), _nouns("women", "她")
KINDS = {
    "person": _nouns("person", "") + MEN + WOMEN,
    "animal": _nouns("animal", "它"),
    "thing": _nouns("thing", "它") + _nouns("clothes", "它"),
    "place": _nouns("place", "它"),
    "food": _nouns("food", "它"),
    "topic": _nouns("topic", "它"),
}
KIND_OF = {noun.word: kind for kind, nouns in KINDS.items() for noun in nouns}
DRINKS, EATEN = _words("nouns", "mass_drink"), _words("nouns", "mass_eat")
VERBS: dict[str, tuple[str, ...]] = {
    name: tuple(entries.split()) for name, entries in _LISTS["verbs"].items()
}
ADJECTIVES: dict[str, tuple[str, ...]] = {
    kind: tuple(entries.split())
    for kind, entries in _LISTS["adjectives"].items()
    if kind != "colours"
}
COLOURS = _words("adjectives", "colours")
ALWAYS, MANNER = _words("adverbs", "always"), _words("adverbs", "manner")
WHEN, DEGREE = _words("adverbs", "when"), _words("adverbs", "degree")
NOT_PAST = frozenset("明天 后天 明年 今晚 现在".split())
ONLY_PAST = frozenset("昨天 前天 昨晚 刚才 去年 以前 后来".split())
BARE = frozenset("屋子 院子 街道 街".split())  # nobody goes there without 里 or 上
NUMBERS, LOCATIONS = _words("function", "numbers"), _words("function", "locations")
PAIRS = tuple(
    Pair(first, second.rstrip("*"), second.endswith("*"))
    for entry in _words("pairs", "pairs")
    for first, _, second in [entry.partition("/")]
)
_UNSEEN: dict[str, str] = {
    name: entries for name, entries in _LISTS["unseen"].items() if not name.startswith("names")
}
UNSEEN = tuple(
    Noun(word, classifier, "它")
    for classifier, entries in _UNSEEN.items()
    for word in entries.split()
)  # training never shows them
