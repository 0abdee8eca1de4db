"""Makes a dossier: runs each text, adds up what each head did, and saves now and then.

A text runs by itself, so its numbers do not depend on its neighbours, nor on where a run was
interrupted: one that goes on gives the same file as one that was never stopped.
"""

import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from model.analysis.weights.unembedding import Unembedding
from model.dossier.accumulated import Accumulated
from model.dossier.copying import copied
from model.dossier.document import document, save_dossier
from model.dossier.heads import heads_of
from model.dossier.likeness import between, same_tokens, within
from model.dossier.measures import TextRun
from model.dossier.muting import mute
from model.dossier.patterns import read_patterns
from model.dossier.state import Fingerprint, resume, save_state, state_of
from model.dossier.texts import Corpus
from model.errors import InputError, UnavailableError
from model.masks.mask import STRIPE
from model.sources.source import Inputs, Source, SourceInfo
from model.trace.trace import Trace

SAVE_EVERY_S = 5.0


@dataclass(frozen=True)
class Settings:
    """What a dossier's numbers depend on besides the model and the texts."""

    seed: int = 0
    replicates: int = 200  # resamplings of the texts for the intervals
    mute_positions: int = 1  # of each text; 0: no head is muted

    def __post_init__(self) -> None:
        for name, least in (("replicates", 40), ("mute_positions", 0), ("seed", 0)):
            if getattr(self, name) < least:
                raise InputError(
                    f"Expected {name} to be at least {least}; got {getattr(self, name)}.",
                    field=name,
                )


def make_dossier(
    source: Source,
    corpus: Corpus,
    out: Path,
    settings: Settings | None = None,
    *,
    other: Source | None = None,
    progress: Callable[[int, int], None] = lambda done, total: None,
    stop: Callable[[], bool] = lambda: False,
    save_every_s: float = SAVE_EVERY_S,
) -> dict[str, Any] | None:
    """Make the dossier of a model over some texts, or go on with it, and write it to `out`.

    `progress(done, total)` is called before the first text and after each. Once `stop()` is true,
    what is done is saved, and None is returned: the same call goes on from there.

    Raises:
        InputError: a text does not suit the model; the message names its line.
        CheckpointError: `out` cannot be written to, or what is unfinished there is something else.
        UnavailableError: the model has no weights of its own that a dossier could be of.
    """
    settings = settings or Settings()
    fingerprint = _fingerprint(source, corpus, settings, other)
    n_other = 0 if other is None else len(heads_of(other.info.sites))
    heads = heads_of(source.info.sites)
    so_far = resume(out, fingerprint)
    if so_far is None:
        so_far = Accumulated.nothing(len(heads), n_other, settings.replicates)
        save_state(out, so_far, fingerprint)  # before the work: the folder may be read-only
    progress(so_far.done, len(corpus.texts))
    known: dict[int, Unembedding] = {}
    saved = time.monotonic()
    while so_far.done < len(corpus.texts):
        if stop():
            save_state(out, so_far, fingerprint)
            return None
        _add(so_far, source, corpus, settings, other, known)
        progress(so_far.done, len(corpus.texts))
        if time.monotonic() - saved >= save_every_s:
            save_state(out, so_far, fingerprint)
            saved = time.monotonic()
    content = document(
        so_far,
        heads,
        corpus.texts,
        {
            **_about(source.info),
            "corpus": {
                "description": corpus.description,
                "n_texts": len(corpus.texts),
                "sha256": corpus.sha256,
            },
            "settings": asdict(settings),
        },
        None if other is None else (_about(other.info), heads_of(other.info.sites)),
    )
    save_dossier(out, content)
    state_of(out).unlink(missing_ok=True)
    return content


def _add(
    so_far: Accumulated,
    source: Source,
    corpus: Corpus,
    settings: Settings,
    other: Source | None,
    known: dict[int, Unembedding],
) -> None:
    """Run the next text, and count it."""
    number = so_far.done
    text = corpus.texts[number]
    trace, inputs = _trace(source, corpus, number)
    if max(site.mask.n_query for site in trace.sites) <= STRIPE:
        trace = trace.with_patterns()  # they are read several times
    against, by_words = None, False
    if other is not None:
        beside, _ = _trace(other, corpus, number)
        against = between(trace, beside, text)
        by_words = not same_tokens(trace.tokens[0], beside.tokens[0])
    run = TextRun(
        patterns=read_patterns(trace, number),
        copied=copied(trace, known),
        muted=mute(
            source,
            inputs,
            trace,
            number=number,
            seed=settings.seed,
            positions=settings.mute_positions,
        ),
    )
    so_far.add(run, within(trace), against, seed=settings.seed, by_words=by_words)


def _trace(source: Source, corpus: Corpus, number: int) -> tuple[Trace, Inputs]:
    """Run one text; an encoder–decoder reads it and writes it again."""
    text = corpus.texts[number]
    inputs = Inputs(
        texts=(text,), targets=(text,) if source.info.takes_targets else None, stream=True
    )
    try:
        return source.trace(inputs), inputs
    except InputError as error:
        raise InputError(
            f"{corpus.place(number)} does not suit {source.info.name}: {error.message}",
            code=error.code,
            field="texts",
            limit=error.limit,
        ) from error


def _fingerprint(
    source: Source, corpus: Corpus, settings: Settings, other: Source | None
) -> Fingerprint:
    for each in (source, other):
        if each is not None and each.info.weights is None:
            raise UnavailableError(
                f"{each.info.name} has no weights of its own, so there can be no dossier of it. "
                "Name a checkpoint.",
                field="model",
            )
    return {
        "weights": source.info.weights,
        "texts": corpus.sha256,
        "other weights": None if other is None else other.info.weights,
        **asdict(settings),
    }


def _about(info: SourceInfo) -> dict[str, Any]:
    return {"model": info.name, "weights": info.weights}
