"""The kinds of activity: one row each."""

from server.classes.activities.bets import BETS
from server.classes.activities.board import BOARD
from server.classes.activities.detective import DETECTIVE
from server.classes.activities.drawing import DRAWING
from server.classes.activities.hunt import HUNT
from server.classes.activities.kind import Kind, Said
from server.classes.activities.questions import QUESTIONS
from server.classes.activities.vote import VOTE
from server.classes.activities.wall import WALL
from server.classes.activities.work import WORK

KINDS: dict[str, Kind] = {
    kind.name: kind for kind in (VOTE, DRAWING, HUNT, DETECTIVE, BETS, WALL, BOARD, QUESTIONS, WORK)
}

__all__ = ["KINDS", "Kind", "Said"]
