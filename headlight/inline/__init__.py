"""Pictures in notebooks: a page of the inspector in a frame of the cell's output."""

from headlight.inline.picture import Picture

__all__ = ["Picture"]
