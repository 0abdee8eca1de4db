"""Estimates what a request will cost before it runs, to schedule it or refuse it.

The estimate is a sum of terms, each a number of operations times the cost of one
(`server/run/prices.py`); an analysis knows its own. The number of tokens is guessed from the
characters, because nothing has been tokenized yet; once it is known, `answers.py` asks again.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from model.errors import LimitError
from model.interventions import KINDS
from model.message import Message
from model.sources.answering.answer import Similarity
from model.sources.source import Inputs, SourceInfo
from model.trace.tensors import TENSORS
from server.api.analyses import ANALYSES, ANSWERS
from server.api.analyses.analysis import Work
from server.api.schemas import Select, TraceRequest
from server.api.wire import MAX_PATTERN_NUMBERS
from server.run.prices import (
    LAYER_MS,
    MULTIPLY_ADD_MS,
    NUMBER_MS,
    PAINTED_MS,
    REQUEST_MS,
    SOFTMAX_MS,
)
from server.settings import Settings

CHARACTERS_PER_TOKEN = 3.5  # in English; text made of rare letters has one character per token

BYTES_PER_NUMBER = 12  # float32, its copy as an array, and its share of the response


@dataclass(frozen=True)
class Cost:
    """Estimated milliseconds of processor time by purpose, and peak memory."""

    terms: Mapping[str, float]
    nbytes: int

    @property
    def ms(self) -> float:
        return sum(self.terms.values())

    @property
    def largest(self) -> str:
        return max(self.terms, key=lambda term: self.terms[term])


# For the error message: what each term is called, and how to reduce it.
ADVICE: dict[str, tuple[str, str]] = {
    "request": (Message("the request itself"), Message("Ask for less at once.")),
    "run": (Message("running the model"), Message("Send fewer or shorter texts.")),
    "generate": (
        Message("generating tokens"),
        Message("Ask for fewer tokens, or send fewer or shorter texts."),
    ),
    "interventions": (
        Message("the sentences of interventions"),
        Message("Give fewer or shorter sentences, or fewer interventions that need one."),
    ),
    "painted": (
        Message("the painted cells"),
        Message("Paint fewer cells; null paints a whole row or column."),
    ),
    "tensors": (
        Message("deriving tensors"),
        Message("Ask for fewer heads, rows, layers or tensors."),
    ),
    **{one.name: one.too_slow for one in ANALYSES if one.too_slow is not None},
}


def estimate(
    request: TraceRequest, inputs: Inputs, info: SourceInfo, tokens: int | None = None
) -> Cost:
    """The cost of a request to a model, with the terms of `ADVICE`.

    `tokens` is the length of the longest text, guessed before it is known.
    """
    texts, tokens = inputs.n_texts, _tokens(inputs, info) if tokens is None else tokens
    heads = sum(site.n_heads for site in info.sites)
    run = _run_ms(inputs, info, texts, tokens)
    terms = dict.fromkeys(ADVICE, 0.0) | {"request": REQUEST_MS, "run": run}
    beside = len(inputs.beside or ("",))  # a donor's text runs with each of them
    donors = sum(
        _run_ms(inputs, info, len(each) * beside or texts, tokens) for each in donors_of(inputs)
    )
    terms["interventions"] = donors
    if request.predict is not None and request.predict.unedited:
        terms["run"] += run
    if inputs.answer is not None:  # each text runs once more, to be read, as do other texts
        others = len(inputs.answer.texts) if isinstance(inputs.answer, Similarity) else 0
        terms["run"] += (texts + others) * _run_ms(inputs, info, 1, tokens)
    if inputs.generate is not None:  # donors run again for each token
        terms["generate"] = inputs.generate.n_tokens * (run + donors)
    painted = sum(map(len, inputs.masks.painted.values()))
    terms["painted"] = PAINTED_MS * painted * len(info.sites)
    alone = _run_ms(inputs, info, 1, tokens)
    work = Work(
        texts=texts,
        tokens=tokens,
        sites=len(info.sites),
        heads=heads,
        run_ms=alone,
        inputs=inputs,
        info=info,
    )
    analyses = [one for one in ANALYSES if one.is_asked(request.analyse)]
    terms |= {one.name: one.ms(request.analyse, work) for one in analyses}
    looks = list(request.parts.values()) if request.parts is not None else [request.select]
    read = [_numbers(look, info, texts, tokens) for look in looks]
    terms["tensors"] = sum(SOFTMAX_MS * made + NUMBER_MS * sent for made, sent in read)
    kept = texts * tokens * len(info.sites) * (3 * info.n_heads * info.d_head + info.d_model)
    numbers = sum(sent for _, sent in read) + kept
    at_once = (
        _derived_at_once(looks, work),
        *(one.held(request.analyse, work) for one in analyses),
    )
    numbers += max(at_once)
    numbers += sum(one.kept(work) for one in analyses) + _edited(inputs, info, texts, tokens)
    # what the model keeps whole is there twice while it is made
    whole = 2 * info.cell_bytes * work.cells
    return Cost(terms, nbytes=int(BYTES_PER_NUMBER * numbers) + whole)


def _edited(inputs: Inputs, info: SourceInfo, texts: int, tokens: int) -> int:
    """The numbers that interventions hold: what donors compute where they act, and the edits."""
    beside = len(inputs.beside or ("",))
    found = 0
    for one in inputs.interventions:
        width = info.n_heads * info.d_head if one.at == "head" else info.d_model
        points = max(1, len(KINDS[one.kind].points))
        captured = 0 if one.donors is None else len(one.donors) * beside or texts
        found += points * tokens * width * (captured + 2 * texts)
    return found


def _derived_at_once(looks: Sequence[Select], work: Work) -> int:
    """The numbers that attention holds at once, first of the model, then for the looks.

    Each derives the patterns of one site at a time, and drops them before the next.
    """
    # the patterns of all heads are kept during a response if they are few
    together = work.heads * work.cells
    most = max(2 * work.site_stripe, 2 * together if together <= MAX_PATTERN_NUMBERS else 0)
    for look in looks:
        heads = work.texts * (work.site_heads if look.heads is None else len(look.heads))
        if look.layers == []:
            continue
        if look.resolution is not None:
            most = max(most, 2 * work.stripe(heads))
            continue
        rows = work.tokens if look.rows is None else min(work.tokens, look.rows[1] - look.rows[0])
        most = max(most, 2 * heads * rows * work.tokens)
    return most


def check_budget(cost: Cost, settings: Settings) -> None:
    """Refuse a request that would take longer than this server spends on one.

    Raises:
        LimitError: code "too_expensive".
    """
    seconds, limit = cost.ms / 1000, settings.max_work_s
    if seconds > limit:
        (what, advice), most = ADVICE[cost.largest], f"{limit:g}"
        raise LimitError(
            Message(
                "This would take about {seconds} s of processor time, mostly for {what}; this "
                "server spends at most {limit} s on one request. {advice}",
                seconds=round(seconds),
                what=what,
                limit=most,
                advice=advice,
            ),
            code="too_expensive",
            field=f"analyse.{cost.largest}" if cost.largest in ANSWERS else None,
            limit=int(limit),
        )


def donors_of(inputs: Inputs) -> set[tuple[str, ...]]:
    """The texts of each run that the interventions need besides the run itself."""
    return {one.donors for one in inputs.interventions if one.donors is not None}


def _tokens(inputs: Inputs, info: SourceInfo) -> int:
    """Estimated tokens of the longest row; all others are padded to it."""
    more = inputs.generate.n_tokens if inputs.generate is not None else 0
    if inputs.ids is not None:
        return min(max(map(len, inputs.ids)) + 2 + more, info.max_tokens)
    pairs = inputs.pairs or [""] * len(inputs.texts)
    rows = [text + pair for text, pair in zip(inputs.texts, pairs, strict=True)]
    others = max((len(text) for each in donors_of(inputs) for text in each), default=0)
    others += max(map(len, pairs), default=0) if others else 0  # they have the same segments
    answer = inputs.answer.texts if isinstance(inputs.answer, Similarity) else ()
    characters = max(others, *map(len, (*rows, *(inputs.targets or ()), *answer)))
    by_character = inputs.settings is not None and inputs.settings.size.one_character
    tokens = characters / (1 if by_character else CHARACTERS_PER_TOKEN)
    return min(int(tokens) + 2 + more, info.max_tokens)


def _run_ms(inputs: Inputs, info: SourceInfo, texts: int, tokens: int) -> float:
    """The cost of one run of the model over `texts` rows of `tokens` each."""
    layers, products = len(info.sites), info.n_parameters - info.vocab_size * info.d_model
    channels = info.n_heads * info.d_head
    if inputs.settings is not None:
        layers, channels, products, _ = inputs.settings.size
    within = 2 * layers * tokens * tokens * channels
    return LAYER_MS * layers + MULTIPLY_ADD_MS * texts * (tokens * products + within)


def _numbers(look: Select, info: SourceInfo, texts: int, tokens: int) -> tuple[float, float]:
    """For one selection: pattern cells derived, and numbers sent."""
    layers = {site.layer for site in info.sites} if look.layers is None else set(look.layers)
    sites = [site for site in info.sites if site.layer in layers]
    heads = sum(site.n_heads if look.heads is None else len(look.heads) for site in sites)
    rows = tokens if look.rows is None else min(tokens, look.rows[1] - look.rows[0])
    cells = heads * texts * rows * tokens
    sent = cells * len(look.tensors)
    if look.resolution is not None:
        sent = min(sent, heads * texts * look.resolution**2 * len(look.tensors))
    wide = sum("d_model" in TENSORS[name].axes for name in look.tensors)
    sent += wide * heads * texts * rows * info.d_model
    return cells, sent
