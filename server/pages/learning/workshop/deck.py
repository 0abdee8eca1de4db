"""The order of the slides, so that what speaks of a slide need not know its number."""

# Their ids in templates/learn/workshop/slides.html.
SLIDES = (
    "welcome",
    "predicting",
    "averaging",
    "qkv",
    "dot",
    "softmax",
    "human",
    "human-mask",
    "mask",
    "padding",
    "before",
    "over",
    "detective",
    "heads",
    "hunt",
    "found",
    "bets",
    "cause",
    "end",
)


def number(name: str) -> int:
    """The number of a slide, from 1."""
    return SLIDES.index(name) + 1


def numbers(first: str, last: str | None = None) -> str:
    """The number of a slide, or those of the slides from one to another."""
    return f"{number(first)}–{number(last)}" if last else str(number(first))
