"""What the switches of a figure can be turned to, and whether a model can show it.

A figure must not be able to run into an error: a class would look at that instead.
"""

import json
import re
from collections.abc import Iterator, Sequence
from itertools import combinations, islice, product

from pydantic import ValidationError

from model.errors import InputError
from server.learning import links
from server.learning.lines import Path
from server.learning.links import Pairs
from server.schemas.scratch import Scratch

MAX_COMBINATIONS = 1_000  # combinations of options that are looked at
MAX_TEXTS = 8  # as a server takes them unless it is told otherwise

Options = Sequence[Sequence[tuple[str, str]]]  # of each switch: label and what it sets


def link_problems(link: str, options: Options, models: Sequence[str]) -> Iterator[tuple[Path, str]]:
    """The first combination of options that cannot be shown, by where to mend it in the figure."""
    start = links.pairs(link.removeprefix("?"))
    for turned in islice(_ways([len(labels) for labels in options]), MAX_COMBINATIONS):
        state = start
        for n, option in turned:
            state = changed(state, options[n][option][1])
        trouble = trouble_of(state, models) or _trouble_of_a(state, models)
        if trouble is None:
            continue
        if not turned:
            yield ("link",), trouble
        elif len(turned) == 1:
            yield ("switches", turned[0][0], "options", turned[0][1], "set"), trouble
        else:
            labels = " and ".join(repr(options[n][option][0]) for n, option in turned)
            yield ("switches",), f"{labels} together cannot be shown: {trouble}"
        return


def _ways(sizes: Sequence[int]) -> Iterator[tuple[tuple[int, int], ...]]:
    """Which switches are turned to which option, not the first: none, each alone, pairs, and so on.

    Where there are too many to look at all, those that a reader meets first come first.
    """
    for how_many in range(len(sizes) + 1):
        for switches in combinations(range(len(sizes)), how_many):
            for chosen in product(*(range(1, sizes[n]) for n in switches)):
                yield tuple(zip(switches, chosen, strict=True))


def changed(state: Pairs, changes: str) -> Pairs:
    """Some keys replaced and some taken away, as `patched` in static/js/state/against.js does it."""
    said = links.pairs(changes, "without", "transposed")
    gone = {key for key, _ in said}
    gone |= {name for key, value in said if key == "without" for name in value.split(",")}
    return [pair for pair in state if pair[0] not in gone] + [
        pair for pair in said if pair[0] != "without"
    ]


def trouble_of(state: Pairs, models: Sequence[str]) -> str | None:
    """Why no model can show it; None: one can."""
    texts = [value for key, value in state if key == "text"]
    if not texts or not all(text.strip() for text in texts):
        return "expected text=…, what is looked at, and no blank one"
    if len(texts) > MAX_TEXTS:
        return f"expected at most {MAX_TEXTS} texts; got {len(texts)}"
    model = next((value for key, value in state if key == "model"), models[0])
    if model not in models:
        return f"there is no model {model!r}; there is {', '.join(map(repr, models))}"
    settings = {
        key.removeprefix("scratch."): value_of(value)
        for key, value in state
        if key.startswith("scratch.")
    }
    if model != "scratch":
        return (
            f"scratch.{next(iter(settings))} is of model=scratch, not {model}" if settings else None
        )
    try:
        config = Scratch.model_validate(settings).to_config()
    except ValidationError as error:
        first = error.errors()[0]
        where = f"scratch.{first['loc'][0]}"
        return f"{where}: {first['msg'][:1].lower()}{first['msg'][1:]}; got {first['input']!r}"
    except InputError as error:
        return error.message
    if config.mechanism.cross and not any(
        key == "target" and value.strip() for key, value in state
    ):
        return "cross-attention needs target=…, the text whose words look; `text` is looked at"
    return None


def _trouble_of_a(state: Pairs, models: Sequence[str]) -> str | None:
    """Why the A of a comparison cannot be shown; B, which is what is looked at, can."""
    said = next((value for key, value in state if key == "against"), None)
    if said is None:
        return None
    trouble = trouble_of([pair for pair in changed(state, said) if pair[0] != "against"], models)
    return trouble and f"of A, in against=…: {trouble}"


def value_of(text: str) -> object:
    """A number or a truth value as JSON has it; all else is text."""
    if re.fullmatch(r"-?[0-9]{1,10}(\.[0-9]{1,12})?|true|false", text):
        return json.loads(text)
    return text
