"""Shortens what a library says about a checkpoint."""


def summary(error: Exception) -> str:
    """The first line of a library's message: its whole sentences, truncated."""
    text, _, more = str(error).strip().partition("\n")
    if more and ". " in text and text[-1] not in ".:!?":  # a sentence goes on in the next line
        text = text[: text.rindex(". ") + 1]
    text = text or type(error).__name__
    return text if len(text) <= 300 else text[:299] + "…"
