"""A trial run when a checkpoint is loaded: a model that is called ready can be visited."""

from contextlib import suppress

from model.errors import HeadlightError
from model.sources.source import Inputs, Source


def try_out(source: Source, words: list[str], *, stream: bool) -> None:
    """Ask for what a first visit asks for, of two texts of several lengths.

    Refusals are no trouble: they are said to whoever asks, in the words of what they ask.
    """
    texts = " ".join(words), words[0]
    targets = texts[::-1] if source.info.takes_targets else None
    with suppress(HeadlightError):
        trace = source.trace(Inputs(texts, targets=targets, stream=stream))
        for site in trace.sites:
            site.derive(["pattern"])
        if source.info.predicts is not None:
            trace.predict(top_k=1)
            trace.lens(top_k=1)
