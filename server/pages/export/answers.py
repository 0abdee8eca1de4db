"""What the model said of a recorded run: answers that only a model can give, kept beside the run.

They are at the position that the page opens with; the layers are read at every one.
static/js/engine/sources/answers.js gives them to who asks the same.
"""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import orjson

from model.errors import InputError, UnavailableError
from model.lens import TunedLens, find_lens
from model.sources.source import Inputs, Source
from model.trace.trace import Trace
from server.api.analyses import Analyse, read
from server.http.metrics import Metrics
from server.run.tracing import Tracer
from server.settings import Settings

# as static/js/numbers/mutes.js: of more heads those that may matter most are muted, of short texts
FEW_HEADS, EXACT, SHORT = 64, 20, 128
MOST_LAYERS_READ = 64  # positions at which the layers are read
MAX_BYTES = 256 * 1024  # of one answer, in JSON
TOP_K = 3  # candidates at each layer, as the page asks for


@dataclass(frozen=True)
class Answer:
    """What one analysis found, and the settings that it was asked with."""

    name: str
    settings: dict[str, Any]
    found: Any


def answers(source: Source, inputs: Inputs, trace: Trace, settings: Settings) -> list[Answer]:
    """The answers for a run; what this model cannot answer, or what is too much, is left out."""
    if source.info.predicts is None:
        return []

    lens = find_lens(source, settings.dtype)

    def kept() -> TunedLens:
        if lens is None:
            raise UnavailableError("There is no tuned lens yet, and fitting one takes too long.")
        return lens

    runs = Tracer(settings, Metrics()).runs(source, inputs, trace, kept)
    found = []
    for name, asked in _asked(source, trace):
        analyse = Analyse.model_validate({name: asked})
        try:
            answer = read(trace, analyse, runs)[name]
        except InputError:
            continue
        given = getattr(analyse, name).model_dump()
        short = rounded(answer)
        if len(orjson.dumps(short)) <= MAX_BYTES:
            found.append(Answer(name, given, short))
    return found


def rounded(found: Any) -> Any:
    """As JSON has it, with numbers of four digits: more than a run in float16 has."""
    plain = json.loads(orjson.dumps(found, option=orjson.OPT_SERIALIZE_NUMPY))

    def shorter(value: Any) -> Any:
        if isinstance(value, dict):
            return {key: shorter(each) for key, each in value.items()}
        if isinstance(value, list):
            return [shorter(each) for each in value]
        return float(f"{value:.4g}") if isinstance(value, float) else value

    return shorter(plain)


def _asked(source: Source, trace: Trace) -> Iterator[tuple[str, dict[str, Any]]]:
    heads = sum(site.n_heads for site in source.info.sites)
    if heads <= FEW_HEADS:
        yield "mute_effects", {}
    else:
        yield "mute_estimates", {"exact": EXACT if len(trace.read_tokens[0]) <= SHORT else 0}
    yield "attribution", {}
    positions = range(min(len(trace.read_tokens[0]), MOST_LAYERS_READ))
    for tuned in (False, True):
        yield "decided", {"tuned": tuned}
        for position in (None, *positions):
            yield "lens", {"top_k": TOP_K, "position": position, "tuned": tuned}
