"""Shortens what a library says about a checkpoint."""


def summary(error: Exception) -> str:
    """The first line of a library's message, truncated."""
    text = str(error).strip().split("\n")[0] or type(error).__name__
    return text if len(text) <= 300 else text[:299] + "…"
