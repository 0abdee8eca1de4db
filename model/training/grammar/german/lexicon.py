"""The words of the German corpus, read from lexicon.toml, and the rules that inflect them.

That file explains the notation of its entries.
"""

import tomllib
from pathlib import Path
from typing import Any, Literal, NamedTuple

Case = Literal["nom", "acc", "dat"]
Gender = Literal["m", "f", "n"]
GENDERS: tuple[Gender, ...] = ("m", "f", "n")


class Noun(NamedTuple):
    """A noun in both numbers. A weak one has an ending in the singular, too: den Jungen."""

    one: str
    many: str
    gender: Gender
    is_weak: bool = False

    def form(self, case: Case, plural: bool) -> str:
        if plural:
            ends = case == "dat" and not self.many.endswith(("n", "s"))
            return f"{self.many}n" if ends else self.many
        return self.many if self.is_weak and case != "nom" else self.one


class Verb(NamedTuple):
    """A verb: sehen, sieht, sah, gesehen. `prefix` parts from it: auf|machen, macht … auf."""

    base: str
    third: str
    past: str
    participle: str
    prefix: str = ""

    @property
    def name(self) -> str:
        return self.prefix + self.base

    def finite(self, plural: bool, past: bool = False) -> str:
        """The third person, without the prefix."""
        if not past:
            return self.base if plural else self.third
        if not plural:
            return self.past
        return self.past + ("n" if self.past.endswith("e") else "en")


class Adjective(NamedTuple):
    """An adjective after "ist", and its stem before an ending: dunkel, dunkle."""

    alone: str
    stem: str


def noun(entry: str, gender: Gender) -> Noun:
    """Read one entry of a list of nouns."""
    one, _, many = entry.partition("/")
    return Noun(one, many.rstrip("~"), gender, entry.endswith("~"))


def verb(entry: str) -> Verb:
    """Read one entry of a list of verbs."""
    prefix, _, spelled = entry.rpartition("|")
    base, *irregular = spelled.split("/")
    if irregular:
        third, past, participle = irregular
        return Verb(base, third, past, participle, prefix)
    stem = base.removesuffix("n").removesuffix("e")
    return Verb(base, f"{stem}t", f"{stem}te", f"ge{stem}t", prefix)


_LISTS: dict[str, Any] = tomllib.loads(Path(__file__).with_name("lexicon.toml").read_text("utf-8"))


def _words(table: str, name: str) -> tuple[str, ...]:
    return tuple(_LISTS[table][name].split())


def _nouns(table: dict[str, str]) -> tuple[Noun, ...]:
    return tuple(noun(entry, gender) for gender in GENDERS for entry in table[gender].split())


def _adjective(entry: str) -> Adjective:
    alone, _, stem = entry.partition("/")
    return Adjective(alone, stem or alone)


HE_NAMES, SHE_NAMES = _words("names", "he"), _words("names", "she")
NAMES = HE_NAMES + SHE_NAMES
PLACE_NAMES = _words("names", "places")
KINDS = {kind: _nouns(table) for kind, table in _LISTS["nouns"].items() if kind != "mass"}
KINDS["thing"] += KINDS.pop("clothes")
KIND_OF = {noun: kind for kind, nouns in KINDS.items() for noun in nouns}
_MASS: dict[Gender, str] = _LISTS["nouns"]["mass"]
MASS = {gender: tuple(_MASS[gender].split()) for gender in GENDERS}
VERBS = {
    name: tuple(verb(entry) for entry in entries.split())
    for name, entries in _LISTS["verbs"].items()
}
MOVES = frozenset(each.name for name in ("motion", "happen_sein") for each in VERBS[name])  # ist …
ADJECTIVES = {
    kind: tuple(_adjective(entry) for entry in entries.split())
    for kind, entries in _LISTS["adjectives"].items()
    if kind != "comparatives"
}
COMPARATIVES = _words("adjectives", "comparatives")
MANNER, ALWAYS, WHEN = (_words("adverbs", name) for name in ("manner", "always", "when"))
ONLY_PAST = set("gestern vorgestern vorhin neulich kürzlich damals vorher".split())
NOT_PAST = set("morgen übermorgen nachher bald jetzt gleich gerade sofort".split())
WHEN_PAST = tuple(word for word in WHEN if word not in NOT_PAST)
WHEN_NOW = tuple(word for word in WHEN if word not in ONLY_PAST)
OPENERS, DEGREE = _words("adverbs", "openers"), _words("adverbs", "degree")
NUMBERS = _words("function", "numbers")
UNSEEN = tuple(
    noun(entry, gender) for gender in GENDERS for entry in _words("unseen", gender)
)  # training never shows them
