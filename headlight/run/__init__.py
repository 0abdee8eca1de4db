"""What a model did with texts: tokens, tensors, predictions, analyses, fetched when read."""

from headlight.run.run import AsyncRun, Run

__all__ = ["AsyncRun", "Run"]
