"""The words of the training corpus, read from lexicon.toml, and the rules that inflect them.

That file explains the notation of its entries and the use of each list.
"""

import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple


class Noun(NamedTuple):
    """A noun in both numbers, and what takes its place: he, she, it, or "any" (he or she)."""

    one: str
    many: str
    pronoun: str


class Verb(NamedTuple):
    """A verb in the five forms that English has: eat, eats, ate, eaten, eating."""

    base: str
    third: str
    past: str
    participle: str
    ing: str


@dataclass(frozen=True)
class Unseen:
    """Words that training never shows. Not a tuple, so that they are not counted in the lexicon."""

    nouns: tuple[Noun, ...]
    verbs: tuple[Verb, ...]


def _with_s(word: str) -> str:
    if word.endswith(("s", "x", "z", "ch", "sh")):
        return word + "es"
    if word.endswith("y") and word[-2] not in "aeiou":
        return word[:-1] + "ies"
    return word + "s"


def noun(entry: str, pronoun: str = "it") -> Noun:
    """Read one entry of a list of nouns."""
    one, _, many = entry.partition("/")
    return Noun(one, many or _with_s(one), pronoun)


def verb(entry: str) -> Verb:
    """Read one entry of a list of verbs."""
    spelled, *irregular = entry.split("/")
    base = spelled.rstrip("+")
    stem = base + base[-1] if spelled.endswith("+") else base
    ing = stem
    if base.endswith("ie"):
        ing = base[:-2] + "y"
    elif base.endswith("e") and not base.endswith(("ee", "oe", "ye")) and base != "be":
        ing = base[:-1]
    past = stem + "ed"
    if base.endswith("e"):
        past = base + "d"
    elif base.endswith("y") and base[-2] not in "aeiou":
        past = base[:-1] + "ied"
    if irregular:
        past = irregular[0]
    third = base + "es" if base.endswith("o") else _with_s(base)
    return Verb(base, third, past, irregular[-1] if irregular else past, ing + "ing")


_LISTS: dict[str, dict[str, str]] = tomllib.loads(
    Path(__file__).with_name("lexicon.toml").read_text("utf-8")
)


def _words(table: str, name: str) -> tuple[str, ...]:
    return tuple(_LISTS[table][name].split())


def _phrases(name: str) -> tuple[str, ...]:
    """Function words, which may consist of several words; separated by commas."""
    return tuple(" ".join(entry.split()) for entry in _LISTS["function"][name].split(","))


def _nouns(name: str, pronoun: str = "it", table: str = "nouns") -> tuple[Noun, ...]:
    return tuple(noun(entry, pronoun) for entry in _words(table, name))


def _verbs(name: str, table: str = "verbs") -> tuple[Verb, ...]:
    return tuple(verb(entry) for entry in _words(table, name))


HE_NAMES = _words("names", "he")
SHE_NAMES = _words("names", "she")
PLACE_NAMES = _words("names", "places")
DAYS = _words("names", "days")
MONTHS = _words("names", "months")

MEN = _nouns("men", "he")
WOMEN = _nouns("women", "she")
JOBS = _nouns("jobs", "any")
ANIMALS = _nouns("animals")
THINGS = _nouns("things")
CLOTHES = _nouns("clothes")
PLACES = _nouns("places")
FOODS = _nouns("foods")
ABSTRACT = _nouns("abstract")
MASS = _words("nouns", "mass")
SINGLE_TOPICS = _words("nouns", "single_topics")
BODY = _nouns("body")
UNITS = _nouns("units")

ACT = _verbs("act")
MOTION = _verbs("motion")
STAND = _verbs("stand")
HAPPEN = _verbs("happen")
MEET = _verbs("meet")
HANDLE = _verbs("handle")
WEAR = _verbs("wear")
EAT = _verbs("eat")
CONSUME = _verbs("consume")
GIVE = _verbs("give")
SAY = _verbs("say")
KNOW = _verbs("know")
TELL = _verbs("tell")
MIND = _verbs("mind")
REFLECT = _verbs("reflect")
WISH = _verbs("wish")
LINK = _verbs("link")
TASTE = _verbs("taste")
MODALS = _words("verbs", "modals")

MOODS = _words("adjectives", "moods")
TRAITS = _words("adjectives", "traits")
SIZES = _words("adjectives", "sizes")
QUALITIES = _words("adjectives", "qualities")
COLORS = _words("adjectives", "colors")
TASTES = _words("adjectives", "tastes")
TOPIC_TRAITS = _words("adjectives", "topic_traits")
COMPARATIVES = _words("adjectives", "comparatives")
SUPERLATIVES = _words("adjectives", "superlatives")

MANNER = _words("adverbs", "manner")
ALWAYS = _words("adverbs", "always")
WHEN = _words("adverbs", "when")
OPENERS = _words("adverbs", "openers")
DEGREE = _words("adverbs", "degree")

PREPOSITIONS = _phrases("prepositions")
WITHIN = _phrases("within")
TOWARDS = _phrases("towards")
NUMBERS = _words("function", "numbers")
SOME_MANY = _phrases("some_many")
ONE = _phrases("one")

UNSEEN = Unseen(_nouns("nouns", table="unseen"), _verbs("verbs", table="unseen"))
