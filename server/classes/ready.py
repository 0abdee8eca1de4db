"""Questions that need no writing: those of the lessons, and the games of the workshop."""

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

from model.errors import HeadlightError
from model.message import Message
from server.classes.activities.kind import MAX_CHOICE, percent
from server.pages.learning.content import Figure
from server.pages.learning.lessons import Lesson
from server.pages.learning.links import pairs
from server.pages.learning.states import changed
from server.pages.learning.workshop.games import quiz
from server.pages.learning.workshop.measured import Place, Round, Workshop, workshop

Ready = dict[str, Any]  # {kind, title, question}


def ready_questions(lessons: Sequence[Lesson], shipped: Path | None) -> list[Ready]:
    """All ready questions, as the schemas of their kinds have them."""
    return [*_votes(lessons), *games(shipped)]


@cache
def games(shipped: Path | None) -> tuple[Ready, ...]:
    """The workshop's games. Their truths are computed from the models, once."""
    try:
        shop = workshop(shipped)
    except HeadlightError:
        return ()  # the model that they need cannot be used; the page for teachers says why
    return (*_detective(shop), *_hunts(shop), *_bets(shop))


def _votes(lessons: Sequence[Lesson]) -> Iterator[Ready]:
    for lesson in lessons:
        for asked in lesson.content.questions:
            if not asked.options:
                continue  # a class votes on choices
            figure = lesson.content.figures.get(asked.figure or "")
            choice = f"{figure.link.removeprefix('?')}&depth=start" if figure else None
            yield {
                "kind": "vote",
                "title": f"{lesson.content.title}: {asked.ask}",
                "question": {
                    "text": asked.ask[:500],
                    "choices": [option[:200] for option in asked.options],
                    "correct": asked.answer,
                    "choice": choice if choice and len(choice) <= MAX_CHOICE else None,
                    "why": asked.because[:500],
                    "reveals": _answered(figure, asked.set, choice) if choice else None,
                },
            }


def _detective(shop: Workshop) -> Iterator[Ready]:
    done = [exhibit.suspect.done for exhibit in shop.detective]
    for index, exhibit in enumerate(shop.detective):
        yield {
            "kind": "detective",
            "title": Message(
                "Picture {letter}: {done}",
                letter=exhibit.suspect.letter,
                done=exhibit.suspect.done,
            ),
            "question": {
                "text": Message("What was done to the mask in this picture?"),
                "options": done,
                "correct": index,
                "choice": sealed(f"{exhibit.query}&depth=start&closed=1"),
                "why": exhibit.suspect.evidence,
                "reveals": f"{exhibit.query}&depth=start",
            },
        }


def _hunts(shop: Workshop) -> Iterator[Ready]:
    for found in shop.hunt:
        does, best = found.habit.does, found.heads[0]
        yield {
            "kind": "hunt",
            "title": Message("A head that {does}", does=does),
            "question": {
                "text": Message("Find a head that {does}.", does=does),
                "truth": [[place.layer, place.head] for place in found.heads],
                "cells": [list(cell) for cell in found.cells],
                "choice": sealed(found.game),
                "why": Message(
                    "Layer {layer}, head {head} does it most clearly, with {share} of its weight.",
                    layer=best.layer,
                    head=best.head,
                    share=percent(best.share),
                ),
                "reveals": f"{found.answer}&depth=start",
            },
        }


def _bets(shop: Workshop) -> Iterator[Ready]:
    for one in shop.rounds:
        place = one.spared[0]  # a head that looks where people look
        head, token, after = _head(place), one.token, one.after
        opened = f"layer={place.layer}&head={place.head}"
        muted = f"{opened}&muted={place.layer}.{place.head}"
        yield {
            "kind": "bets",
            "title": Message(
                "“{token}” after “{after}”, without {head}", token=token, after=after, head=head
            ),
            "question": {
                "text": Message(
                    "We mute {head}. How likely is “{token}” after “{after}” then?",
                    head=head,
                    token=token,
                    after=after,
                ),
                "layer": place.layer,
                "head": place.head,
                "token": one.token,
                "before": one.share,
                "truth": place.share,
                "choice": sealed(_with(one.game, opened)),
                "why": _outcome(one),
                "reveals": _with(one.answer, f"{muted}&right=next&depth=start"),
            },
        }


def _outcome(one: Round) -> str:
    """What the head that matters most would have done; what this one did, the results say."""
    spared, lowest = one.spared[0], one.lowest[0]
    if (spared.layer, spared.head) == (lowest.layer, lowest.head):
        return Message("No other head matters more to “{token}” here.", token=one.token)
    return Message(
        "“{token}” depends more on {head}: without that one it falls to {share}.",
        token=one.token,
        head=_head(lowest),
        share=percent(lowest.share),
    )


def _head(place: Place) -> Message:
    return Message("layer {layer}, head {head}", layer=place.layer, head=place.head)


def _answered(figure: Figure | None, switches: Mapping[str, str], choice: str) -> str | None:
    """What a question's figure shows once its switches are set to the answer."""
    for switch in figure.switches if figure else ():
        for option in switch.options:
            if switches.get(switch.name) == option.label:
                choice = _with(choice, option.set)
    return choice if len(choice) <= MAX_CHOICE else None


def _with(query: str, changes: str) -> str:
    """A state with some parts of its link replaced or taken out, as a switch does it."""
    return urlencode(changed(pairs(query), changes))


def sealed(query: str) -> str:
    """A state that gives nothing away, as a link holds it without its "?"."""
    return quiz(query).removeprefix("/?")
