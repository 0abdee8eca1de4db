"""Checks that a model can show a figure in every combination of its switches.

A class must not run into an error while it uses a figure.
"""

import json
import re
from collections.abc import Iterator, Sequence
from itertools import combinations, islice, product
from typing import Any

from pydantic import ValidationError

from model.errors import InputError
from model.facts import limit
from model.trace.settings import SourceSettings
from server.api.schemas.settings import SETTINGS
from server.pages.learning import links
from server.pages.learning.lines import Path
from server.pages.learning.links import Pairs

MAX_COMBINATIONS = 1_000  # of options that are checked
MAX_TEXTS = limit("texts")  # the server's default limit

Options = Sequence[Sequence[tuple[str, str]]]  # for each switch: (label, changes) of its options


def link_problems(link: str, options: Options, models: Sequence[str]) -> Iterator[tuple[Path, str]]:
    """The first combination of options that cannot be shown, with the path in the figure to fix."""
    start = links.pairs(link.removeprefix("?"))
    for turned in islice(_ways([len(labels) for labels in options]), MAX_COMBINATIONS):
        state = start
        for n, option in turned:
            state = changed(state, options[n][option][1])
        problem = problem_of(state, models) or _problem_of_a(state, models)
        if problem is None:
            continue
        if not turned:
            yield ("link",), problem
        elif len(turned) == 1:
            yield ("switches", turned[0][0], "options", turned[0][1], "set"), problem
        else:
            labels = " and ".join(repr(options[n][option][0]) for n, option in turned)
            yield ("switches",), f"{labels} together cannot be shown: {problem}"
        return


def _ways(sizes: Sequence[int]) -> Iterator[tuple[tuple[int, int], ...]]:
    """The combinations as (switch, option) pairs: no switch set, each one alone, pairs, and so on.

    The simplest come first because not all may be checked. An option's first value is never listed.
    """
    for how_many in range(len(sizes) + 1):
        for switches in combinations(range(len(sizes)), how_many):
            for chosen in product(*(range(1, sizes[n]) for n in switches)):
                yield tuple(zip(switches, chosen, strict=True))


def changed(state: Pairs, changes: str) -> Pairs:
    """Replace and remove keys, as `patched` in static/js/state/against.js does."""
    new = links.pairs(changes, "without", "transposed")
    removed = {key for key, _ in new}
    removed |= {name for key, value in new if key == "without" for name in value.split(",")}
    return [pair for pair in state if pair[0] not in removed] + [
        pair for pair in new if pair[0] != "without"
    ]


def problem_of(state: Pairs, models: Sequence[str]) -> str | None:
    """Why this state cannot be shown; None if it can."""
    texts = [value for key, value in state if key == "text"]
    if not texts or not all(text.strip() for text in texts):
        return "expected text=… with at least one text, none of them blank"
    if len(texts) > MAX_TEXTS:
        return f"expected at most {MAX_TEXTS} texts; got {len(texts)}"
    model = next((value for key, value in state if key == "model"), models[0])
    if model not in models:
        return f"there is no model {model!r}; expected one of {', '.join(map(repr, models))}"
    dotted = [(*key.partition("."), value) for key, value in state if "." in key]
    for source, _, key, _ in dotted:
        if source != model:
            return f"{source}.{key} needs model={source}; got model={model}"
    if model not in SETTINGS:
        return None
    try:
        schema: Any = SETTINGS[model].schema
        config: SourceSettings = schema.model_validate(
            {key: value_of(value) for _, _, key, value in dotted}
        ).to_config()
    except ValidationError as error:
        first = error.errors()[0]
        where = f"{model}.{first['loc'][0]}"
        return f"{where}: {first['msg'][:1].lower()}{first['msg'][1:]}; got {first['input']!r}"
    except InputError as error:
        return error.message
    if config.needs_targets and not any(key == "target" and value.strip() for key, value in state):
        return "this model needs target=…, the text of the queries; `text` gives the keys"
    return None


def _problem_of_a(state: Pairs, models: Sequence[str]) -> str | None:
    """Why side A of a comparison cannot be shown, given that side B can."""
    against = next((value for key, value in state if key == "against"), None)
    if against is None:
        return None
    problem = problem_of([pair for pair in changed(state, against) if pair[0] != "against"], models)
    return problem and f"side A (against=…): {problem}"


def value_of(text: str) -> object:
    """Parse a number or a boolean; anything else stays text."""
    if re.fullmatch(r"-?[0-9]{1,10}(\.[0-9]{1,12})?|true|false", text):
        return json.loads(text)
    return text
