"""Pairs of sentences for a study: from templates, from a file, or as they are."""

import json
import random
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from string import Formatter
from typing import Any, NamedTuple

from headlight.errors import RequestError

_TRIES = 1_000  # draws for each new sentence, before the templates are called too narrow


class Span(NamedTuple):
    """Characters [start, stop) of a sentence, and the role that they play in it."""

    start: int
    stop: int
    role: str


@dataclass(frozen=True)
class Pair:
    """A sentence, and one that is the same but for what its answer depends on."""

    clean: str
    corrupted: str
    answer: str | None = None  # a token; None: the likeliest after the clean sentence
    wrong: str | None = None  # the token that it competes with; None: the likeliest of the other
    spans: tuple[tuple[Span, ...], tuple[Span, ...]] = ((), ())  # of both, by role


def pairs_of(
    clean: str,
    corrupted: str,
    fill: Mapping[str, Sequence[str]],
    *,
    answer: str | None = None,
    wrong: str | None = None,
    n: int = 20,
    seed: int = 0,
) -> list[Pair]:
    """Pairs that two templates make, each different: words are drawn for the slots of both.

    >>> pairs = pairs_of(
    ...     "When {A} and {B} went home, {B} gave a drink to",
    ...     "When {A} and {B} went home, {A} gave a drink to",
    ...     {"A": ["Mary", "Lucy"], "B": ["John", "Tom"]},
    ...     answer=" {A}", wrong=" {B}", n=3,
    ... )
    >>> len(pairs), pairs[0].corrupted.startswith("When")
    (3, True)

    Slots of one pair get different words. Roles are the slots of the clean template, a second one
    as `B (2)`, and each word between them. Where the other template has as many slots, they play
    the same roles in turn.

    Args:
        fill: the words of each slot.
        answer, wrong: the right token after the clean sentence, and its rival, which may have
            slots, too.

    Raises:
        RequestError: a template has a brace that is no slot, a slot has no words, or the templates
            make fewer than `n` different pairs.
    """
    templates = [text for text in (clean, corrupted, answer, wrong) if text is not None]
    slots = sorted({name for text in templates for name in _slots(text)})
    for name in slots:
        if not fill.get(name):
            raise RequestError(
                f"Expected words for the slot {{{name}}}; got none. Give them in fill, as "
                f'{{"{name}": ["…"]}}.',
                code="missing_field",
                field=f"fill.{name}",
            )
    draw = random.Random(seed)
    found: dict[tuple[str, str], Pair] = {}
    for _ in range(n * _TRIES):
        if len(found) == n:
            break
        words = {name: draw.choice(fill[name]) for name in slots}
        if len(set(words.values())) < len(words):
            continue
        one, other = (_filled(text, words) for text in (clean, corrupted))
        right, rival = (
            None if text is None else _filled(text, words)[0] for text in (answer, wrong)
        )
        spans = one[1], _matched(one[1], other[1])
        found[one[0], other[0]] = Pair(one[0], other[0], right, rival, spans)
    if len(found) < n:
        raise RequestError(
            f"These templates make {len(found)} different pairs; expected {n}. Give more words, or "
            "ask for fewer pairs.",
            code="too_few_pairs",
            field="n",
        )
    return list(found.values())


def read_pairs(path: str | Path) -> list[Pair]:
    """Pairs of a file of JSON lines, each with `clean` and `corrupted`, perhaps `answer`, `wrong`.

    Raises:
        RequestError: a line is not such an object.
    """
    found = []
    for n, line in enumerate(Path(path).read_text(encoding="utf-8").splitlines()):
        if line.strip():
            try:
                found.append(as_pair(json.loads(line)))
            except (ValueError, TypeError, RequestError) as error:
                raise RequestError(
                    f"Line {n + 1} of {Path(path).name} is no pair: expected an object with clean "
                    f"and corrupted; {error}",
                    code="invalid_value",
                    field="pairs",
                ) from None
    return found


def as_pair(given: Any) -> Pair:
    """A pair, from a `Pair`, two sentences, or a mapping of a pair's fields.

    Raises:
        RequestError: it is nothing of these.
    """
    if isinstance(given, Pair):
        return given
    if isinstance(given, Mapping) and {"clean", "corrupted"} <= given.keys() <= {
        *("clean", "corrupted", "answer", "wrong")
    }:
        return Pair(**given)
    if isinstance(given, Sequence) and not isinstance(given, str) and len(given) == 2:
        return Pair(str(given[0]), str(given[1]))
    raise RequestError(
        "Expected a pair as (clean, corrupted), or with clean, corrupted, answer and wrong; got "
        f"{given!r:.80}.",
        code="invalid_value",
        field="pairs",
    )


def _slots(template: str) -> Iterable[str]:
    """The names of its slots.

    Raises:
        RequestError: a brace is left open, or a slot has no name.
    """
    try:
        found = list(Formatter().parse(template))
    except ValueError:
        found = [("", "", None, None)]
    for _, name, more, how in found:
        if name is not None and not (name.isidentifier() and not more and not how):
            raise RequestError(
                "Expected slots with names, such as {A}, and each other brace twice, as {{ or }}; "
                "a template has another brace.",
                code="invalid_value",
                field="clean",
            )
    return [name for _, name, _, _ in found if name]


def _matched(clean: tuple[Span, ...], corrupted: tuple[Span, ...]) -> tuple[Span, ...]:
    if len(clean) != len(corrupted):
        return corrupted
    return tuple(Span(b.start, b.stop, a.role) for a, b in zip(clean, corrupted, strict=True))


def _filled(template: str, words: Mapping[str, str]) -> tuple[str, tuple[Span, ...]]:
    """The sentence, and where its slots are."""
    text, spans, times = "", list[Span](), dict[str, int]()
    for literal, name, _, _ in Formatter().parse(template):
        text += literal
        if name:
            times[name] = times.get(name, 0) + 1
            role = name if times[name] == 1 else f"{name} ({times[name]})"
            spans.append(Span(len(text), len(text) + len(words[name]), role))
            text += words[name]
    return text, tuple(spans)
