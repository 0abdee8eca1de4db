"""The slides in their order, so that what speaks of a slide need not know its number."""

from collections.abc import Mapping, Sequence

from model.message import Message

# Their ids in templates/learn/workshop/slides.html, and their titles.
SLIDES: Mapping[str, str] = {
    "welcome": Message("What does a language model look at?"),
    "predicting": Message("A language model predicts the next word"),
    "averaging": Message("Attention is an average"),
    "qkv": Message("Query, key, value"),
    "dot": Message("A score is a dot product"),
    "softmax": Message("Softmax turns scores into weights"),
    "human": Message("Human attention"),
    "human-mask": Message("Human attention, with a mask"),
    "mask": Message("A causal mask hides the future"),
    "padding": Message("A padding mask hides [PAD]"),
    "before": Message("First the mask, then the softmax"),
    "over": Message("The softmax runs over the keys"),
    "detective": Message("Mask detective"),
    "heads": Message("Many heads, many habits"),
    "hunt": Message("Head hunt"),
    "found": Message("A head that knows whose it is"),
    "bets": Message("Muting bets"),
    "cause": Message("Looking is not causing"),
    "end": Message("What does a pattern not show?"),
}
_NAMES = tuple(SLIDES)


def slides(first: str, last: str | None = None) -> tuple[str, ...]:
    """The ids of the slides from one to another."""
    start = _NAMES.index(first)
    return _NAMES[start : _NAMES.index(last or first) + 1]


def number(name: str) -> int:
    """The number of a slide, from 1."""
    return _NAMES.index(name) + 1


def numbers(names: Sequence[str]) -> str:
    """The numbers of slides as people write them: 3–5 for a run of them."""
    found = [number(name) for name in names]
    if len(found) > 1 and found == list(range(found[0], found[-1] + 1)):
        return f"{found[0]}–{found[-1]}"
    return ", ".join(map(str, found))
