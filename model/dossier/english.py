"""Everyday English for a dossier of a model that read the web: names, facts, lists, code, quotes.

The sentences come from patterns with changing words, so that each asks the heads for something: who
is meant, what comes next, what is still open, what was said before.
"""

from collections.abc import Callable
from random import Random

WOMEN = ("Mary", "Anna", "Sarah", "Emma", "Laura", "Alice", "Julia", "Rachel")
MEN = ("John", "Peter", "Thomas", "David", "Michael", "Robert", "Daniel", "Mark")
SURNAMES = ("Miller", "Baker", "Taylor", "Wilson", "Clark", "Lewis", "Walker", "Turner")
PLACES = ("store", "park", "library", "station", "garden", "museum", "school", "harbor")
THINGS = ("book", "drink", "letter", "key", "ticket", "ring", "basket", "map")
ANIMALS = ("dog", "cat", "horse", "bird", "rabbit", "fox")
PLURALS = ("keys", "letters", "books", "boxes", "lamps", "coats", "maps", "stones")
QUALITIES = ("tall", "old", "quiet", "heavy", "bright", "narrow", "clean", "warm")
CAPITALS = (
    ("France", "Paris"),
    ("Italy", "Rome"),
    ("Japan", "Tokyo"),
    ("Spain", "Madrid"),
    ("Egypt", "Cairo"),
    ("Norway", "Oslo"),
    ("Austria", "Vienna"),
    ("Greece", "Athens"),
)
FRENCH = (
    ("the house", "la maison"),
    ("the book", "le livre"),
    ("the water", "l'eau"),
    ("the bread", "le pain"),
    ("the garden", "le jardin"),
    ("the night", "la nuit"),
)
DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
NUMBERS = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
OPPOSITES = (("hot", "cold"), ("big", "small"), ("wet", "dry"), ("fast", "slow"), ("full", "empty"))


def english_texts(n: int, seed: int = 0) -> tuple[str, ...]:
    """Texts of one or two sentences; the same seed gives the same ones."""
    draw = Random(f"english {seed}")

    def text() -> str:
        kinds = draw.sample(PATTERNS, draw.choice((1, 1, 2)))
        return " ".join(kind(draw) for kind in kinds)

    return tuple(text() for _ in range(n))


def _giving(draw: Random) -> str:
    first, second = draw.sample(WOMEN + MEN, 2)
    place, thing = draw.choice(PLACES), draw.choice(THINGS)
    return f"When {first} and {second} went to the {place}, {second} gave a {thing} to {first}."


def _pronoun(draw: Random) -> str:
    woman, man = draw.choice(WOMEN), draw.choice(MEN)
    place, thing = draw.choice(PLACES), draw.choice(THINGS)
    return (
        f"{woman} told {man} that she had found his {thing} at the {place}, and he thanked her "
        "for it."
    )


def _capitals(draw: Random) -> str:
    (one, its), (other, theirs) = draw.sample(CAPITALS, 2)
    return f"The capital of {one} is {its}, and the capital of {other} is {theirs}."


def _repeated(draw: Random) -> str:
    words = " ".join(draw.sample(PLURALS + THINGS, 6))
    return f"{words}, {words}."


def _translation(draw: Random) -> str:
    (one, its), (other, theirs) = draw.sample(FRENCH, 2)
    return f"English: {one}. French: {its}. English: {other}. French: {theirs}."


def _negation(draw: Random) -> str:
    one, other = draw.choice(OPPOSITES)
    return f"The {draw.choice(PLACES)} was not {one}, it was {other}, and nobody liked it."


def _quotation(draw: Random) -> str:
    name, day = draw.choice(WOMEN + MEN), draw.choice(DAYS)
    return (
        f'"I will bring the {draw.choice(THINGS)} on {day}," {name} said, "if it is not too late."'
    )


def _counting(draw: Random) -> str:
    row = draw.choice((DAYS, NUMBERS))
    start = draw.randrange(len(row) - 4)
    return ", ".join(row[start : start + 5]) + "."


def _agreement(draw: Random) -> str:
    many, one = draw.choice(PLURALS), draw.choice(PLACES)
    return f"The {many} that were lying near the {draw.choice(QUALITIES)} {one} are gone."


def _code(draw: Random) -> str:
    name, first, second = draw.choice(("total", "area", "scale")), *draw.sample("abcxy", 2)
    return (
        f"def {name}({first}, {second}): return ({first} + {second}[0]) * ({second}[1] - {first})"
    )


def _life(draw: Random) -> str:
    (_, born), (_, moved) = draw.sample(CAPITALS, 2)
    name, surname = draw.choice(WOMEN + MEN), draw.choice(SURNAMES)
    year = draw.randint(1850, 1950)
    born_in = f"{name} {surname} was born in {born} in {year}."
    return f"{born_in} In {year + 21}, {surname} moved to {moved}."


def _question(draw: Random) -> str:
    one, its = draw.choice(CAPITALS)
    animal, quality = draw.choice(ANIMALS), draw.choice(QUALITIES)
    return draw.choice(
        (
            f"Question: What is the capital of {one}? Answer: {its}.",
            f"Question: Who saw the {quality} {animal}? Answer: {draw.choice(WOMEN + MEN)} saw it.",
        )
    )


def _clause(draw: Random) -> str:
    one, other = draw.sample(ANIMALS, 2)
    quality, place = draw.choice(QUALITIES), draw.choice(PLACES)
    return (
        f"The {one} that chased the {other} ran past the {quality} {place} (it was late) and slept."
    )


PATTERNS: tuple[Callable[[Random], str], ...] = (
    _giving,
    _pronoun,
    _capitals,
    _repeated,
    _translation,
    _negation,
    _quotation,
    _counting,
    _agreement,
    _code,
    _life,
    _question,
    _clause,
)
