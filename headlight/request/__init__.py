"""What is asked: texts, masks, mutes and settings, as a value."""

from headlight.request.interventions import Intervention
from headlight.request.masks import Cell, Masks
from headlight.request.request import Request

__all__ = ["Cell", "Intervention", "Masks", "Request"]
