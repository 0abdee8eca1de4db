"""One prediction, and the runs that explanations of it need."""

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

import torch
from jaxtyping import Bool, Float
from torch import Tensor

from model.core.attention import added, attend, fading
from model.core.editing import Editor, Place
from model.core.tokenizer import Token
from model.errors import InputError, NumericsError, UnavailableError
from model.finite import all_finite
from model.lazy import lazy
from model.slices import end_slice
from model.sources.muting import PASS_TOKENS
from model.sources.runner import Runner
from model.trace.predictions import Prediction
from model.trace.recorded import TokenAxis
from model.trace.site import Site
from model.trace.trace import Trace

Baseline = Literal["mean", "zero"]
# Gives what was computed before from the same inputs, by its name and settings, or computes it.
Memory = Callable[[str, Hashable, Callable[[], Any]], Any]


@dataclass(frozen=True, kw_only=True)
class Asked:
    """What a reader asks of a prediction."""

    position: int | None = None  # in the padded text; None: where the model predicts
    token: int | None = None  # None: the likeliest token there
    against: int | None = None  # if given, everything is of the difference token − against
    layer: int | None = None  # whose raw weights are read; None: the last
    head: int | None = None  # a head of that layer, to read alone too
    baseline: Baseline = "mean"  # of integrated gradients
    steps: int = 32  # of integrated gradients
    # the methods in whose orders tokens are deleted and inserted, which takes longest; None: all
    curves: tuple[str, ...] | None = None


@dataclass
class Progress:
    """Counts rows of runs, and ends a slice of work after each batch of them."""

    total: int
    done: int = 0

    def step(self, rows: int) -> None:
        self.to(self.done + rows)

    def to(self, done: int) -> None:
        """So much is done, some of it perhaps by an earlier request."""
        self.done = min(done, self.total)
        end_slice(self.done, self.total)


class Answer(NamedTuple):
    """What one run says of the token."""

    logit: float  # or the difference token − against
    probability: float  # of the token


@dataclass(frozen=True, kw_only=True, eq=False)
class Case:
    """The prediction at one position of one text, and how to run the text again with edits."""

    field: str  # of the request, for errors
    trace: Trace
    runner: Runner
    asked: Asked
    text: int
    position: int
    token: Prediction
    against: Prediction | None
    progress: Progress  # of all texts

    @property
    def key(self) -> tuple[int | None, ...]:
        """What tells the prediction from others of the same inputs."""
        against = None if self.against is None else self.against.id
        return self.text, self.position, self.token.id, against

    @property
    def crosses(self) -> bool:
        """Whether the prediction is that of a decoder, and the source tokens are another text."""
        return self.trace.target_tokens is not None

    @property
    def axis(self) -> TokenAxis:
        """The tokens that predict."""
        return "target_tokens" if self.crosses else "tokens"

    @property
    def tokens(self) -> Sequence[Token]:
        """The row that the source tokens are in, with its padding."""
        return self.trace.tokens[self.text]

    @lazy
    def reading(self) -> tuple[Site, ...]:
        """The sites in which the predicting tokens look at the source tokens, in their order."""
        kinds = ("cross",) if self.crosses else ("self",)
        return tuple(site for site in self.trace.sites if site.kind in kinds)

    @lazy
    def site(self) -> Site:
        """The site whose weights are read: that of the chosen layer, or the last."""
        layer = self.asked.layer
        found = [site for site in self.reading if layer in (None, site.layer)]
        if not found:
            raise InputError(
                f"{self.trace.model} has layers {self.reading[0].layer} to "
                f"{self.reading[-1].layer}; got {layer}.",
                field=f"{self.field}.layer",
            )
        return found[-1]

    @lazy
    def sources(self) -> tuple[int, ...]:
        """The source tokens that can reach the prediction through the masks of all layers.

        A token that cannot reach it has an ablation effect of exactly 0, as the future has under a
        causal mask. Padding is never a source.
        """
        real = [at for at, token in enumerate(self.tokens) if not token.padding]
        if self.crosses:
            return tuple(real)
        reached = torch.zeros(len(self.tokens), dtype=torch.bool)
        reached[self.position] = True
        for site in reversed(self.reading):
            sees = site.mask.allows()[self._row_of(site)].any(dim=1)[0]  # query key
            reached = reached | sees[reached].any(dim=0)
        return tuple(at for at in real if reached[at])

    def answers(self, resid: Float[Tensor, "row pos d_model"]) -> list[Answer]:
        """What each of several runs says, from the stream after the final norm."""
        values, probabilities = self.values(resid), self._log_p(resid).exp()[:, self.token.id]
        if not all_finite(values):
            raise NumericsError(
                f"The logit of {self.token.text!r} is not finite in a run with a token left out; "
                "expected all finite."
            )
        return [Answer(*pair) for pair in zip(values.tolist(), probabilities.tolist(), strict=True)]

    def values(self, resid: Float[Tensor, "row pos d_model"]) -> Float[Tensor, " row"]:
        """The logit, or the difference of two, of each row; gradients flow."""
        logits = self.logits(resid)
        found: Tensor = logits[:, self.token.id]
        return found if self.against is None else found - logits[:, self.against.id]

    def logits(self, resid: Float[Tensor, "row pos d_model"]) -> Float[Tensor, "row vocab_size"]:
        _, unembed, _ = self.trace.head(self.field)
        found: Tensor = unembed(resid[:, self.position])
        return found

    def _log_p(self, resid: Tensor) -> Float[Tensor, "row vocab_size"]:
        return self.logits(resid).double().log_softmax(-1)

    @lazy
    def full(self) -> Answer:
        """The answer of an unchanged run."""
        return self.answers(self.runner(text=self.text))[0]

    def without(self, hidden: Bool[Tensor, "row source"]) -> list[Answer]:
        """The answer of a run for each row, in which nobody may look at the hidden tokens.

        Their keys are blocked for every query in every layer and head, as painting whole columns
        does. A blocked token still has its own residual stream: at the position of the prediction
        this passes it by.
        """
        keys = torch.zeros(len(hidden), len(self.tokens), dtype=torch.bool)
        keys[:, list(self.sources)] = hidden
        n = len(self.tokens) + (len(self.trace.read_tokens[self.text]) if self.crosses else 0)
        found: list[Answer] = []
        for rows in torch.split(keys, max(1, PASS_TOKENS // n)):
            edit = self.blocking(rows)
            found += self.answers(self.runner(edit, text=self.text, rows=len(rows)))
            self.progress.step(len(rows))
        return found

    def blocking(self, keys: Bool[Tensor, "row key"]) -> Editor:
        """An editor that also blocks these source tokens as keys, others in each row.

        It derives z anew from the q, k and v of the run, by `attend` with all that the site has.
        """
        sites = {(site.kind, site.layer): site for site in self.trace.sites}
        now: dict[str, Tensor] = {}

        def edit(place: Place, x: Tensor) -> Tensor:
            if place.point == "q":
                now.clear()  # of the site before, which may have a decay
            if place.point in ("q", "k", "v", "decay"):
                now[place.point] = x
            if place.point != "z":
                return x
            site = sites[place.kind, place.layer]
            if site.key_tokens != "tokens":
                return x
            allowed = site.mask.allows()[self._row_of(site)] & ~keys[:, None, None, :]
            return _z(site, now, allowed, self._row_of(site))

        return edit

    def _row_of(self, site: Site) -> slice:
        return slice(self.text, self.text + 1) if site.mask.batch > 1 else slice(None)


def _z(site: Site, now: dict[str, Tensor], allowed: Tensor, text: slice) -> Tensor:
    """z of a site with another mask, and with what interventions make of it."""
    q = now["q"]
    bias, sink = site.bias, site.sink
    bias = None if bias is None else (bias[text] if bias.shape[0] > 1 else bias).to(q)
    z: Tensor = attend(
        q,
        now["k"],
        now["v"],
        mask=allowed.to(q.device),
        bias=added(bias, fading(now["decay"]) if "decay" in now else None),
        sink=None if sink is None else sink.to(q),
        **site.rule,
    )
    if site.z_factor is not None:
        z = z * site.z_factor[text].to(z)
    return z if site.z_shift is None else z + site.z_shift[text].to(z)


def cases(trace: Trace, runner: Runner, asked: Asked, field: str) -> list[Case]:
    """The case of each text.

    Raises:
        UnavailableError: the model predicts nothing.
        InputError: there is no such position, token, layer or head.
    """
    stages, unembed, token_text = trace.head(field)
    progress = Progress(0)
    found = []
    for text, at in enumerate(trace.read_positions(asked.position, field)):
        logits = unembed(stages[-1, text, at])
        if not all_finite(logits):
            raise NumericsError(f"{trace.model}'s logits are not finite; expected all finite.")
        p = logits.double().softmax(-1)
        ids = {name: getattr(asked, name, None) for name in ("token", "against")}
        trace.check_ids(len(p), field, **ids)
        wanted = int(p.argmax()) if asked.token is None else asked.token

        def named(id: int, p: Tensor = p) -> Prediction:
            return Prediction(id, token_text(id), p[id].item())

        found.append(
            Case(
                field=field,
                trace=trace,
                runner=runner,
                asked=asked,
                text=text,
                position=at,
                token=named(wanted),
                against=None if asked.against is None else named(asked.against),
                progress=progress,
            )
        )
    _check_head(found[0], field)
    return found


def _check_head(case: Case, field: str) -> None:
    asked, site = case.asked, case.site
    if asked.head is not None and not 0 <= asked.head < site.n_heads:
        raise InputError(
            f"{site.name} has heads 0 to {site.n_heads - 1}; got {asked.head}.",
            field=f"{field}.head",
        )


def unavailable(why: str) -> UnavailableError:
    """The reason why a method has nothing to say."""
    return UnavailableError(why, field="analyse.explanations")
