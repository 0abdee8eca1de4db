"""When the model decided: the stage from which on a lens says what the model says in the end."""

from collections.abc import Callable
from dataclasses import dataclass

import torch
from jaxtyping import Float, Int
from torch import Tensor

from model.errors import NumericsError, UnavailableError
from model.finite import all_finite
from model.lens.tuned import TunedLens
from model.slices import end_slice
from model.trace.predictions import Prediction
from model.trace.trace import Trace

FIELD = "analyse.decided"
ROWS = 256  # unembedded at once, since each has as many logits as there are tokens

Through = Callable[[int, Tensor], Tensor]  # what a lens makes of a stage
Logits = Callable[[Tensor], Tensor]


@dataclass(frozen=True)
class Settled:
    """For each token, the first stage from which on a lens always says the model's prediction.

    Stage 0 is the embedding, stage n what the first n layers have written.
    """

    stages: tuple[int, ...]
    held_out: tuple[float, ...] | None = None  # KL(model ‖ stage) in nats; None: not measured


@dataclass(frozen=True)
class Decided:
    """When the prediction at each token of one text was decided; padding is left out."""

    last_stage: int  # the number of layers
    positions: tuple[int, ...]
    predictions: tuple[Prediction, ...]  # the likeliest token at each position
    logit: Settled
    tuned: Settled | None
    fitted_on: str | None  # the texts of the tuned lens, in words


def decided(trace: Trace, lens: TunedLens | None = None) -> list[Decided]:
    """When each prediction of each text was decided, by the logit lens and, if given, a tuned one.

    A stage is only unembedded for the tokens that have said the same in all later ones, so the cost
    is about one unembedding for each stage at which a token was already settled.

    Raises:
        UnavailableError: the model has no language-model head, or only the last stage is there.
        NumericsError: a logit is not finite.
    """
    stages, unembed, token_text = trace.read_stages(FIELD)
    if trace.predicts == "class":
        raise UnavailableError(
            f"{trace.model} is a classifier: it predicts one class for a text, and nothing at its "
            "other tokens.",
            field=FIELD,
        )

    def logits(x: Tensor) -> Tensor:
        found = unembed(x)
        if not all_finite(found):
            raise NumericsError(f"{trace.model}'s logits are not finite; expected all finite.")
        return found

    each = []
    for text, row in enumerate(trace.read_tokens):
        positions = [position for position, token in enumerate(row) if not token.padding]
        here = stages[:, text, positions]
        ids, p = _likeliest(here[-1], logits)
        predictions = zip(ids.tolist(), p.tolist(), strict=True)
        logit = _settled(here, ids, _as_it_is, logits)
        each.append(
            Decided(
                len(stages) - 1,
                tuple(positions),
                tuple(Prediction(id, token_text(id), share) for id, share in predictions),
                Settled(logit, None if lens is None else lens.held_out.logit),
                None
                if lens is None
                else Settled(_settled(here, ids, lens.at, logits), lens.held_out.tuned),
                None if lens is None else lens.fitted_on,
            )
        )
    return each


def _as_it_is(stage: int, x: Tensor) -> Tensor:
    return x


def _likeliest(
    x: Float[Tensor, "pos d_model"], logits: Logits
) -> tuple[Int[Tensor, " pos"], Float[Tensor, " pos"]]:
    """The likeliest token at each position, and its probability."""
    found = [logits(rows).double().softmax(-1).max(-1) for rows in _in_parts(x)]
    return torch.cat([one.indices for one in found]), torch.cat([one.values for one in found])


def _settled(
    stages: Float[Tensor, "stage pos d_model"],
    ids: Int[Tensor, " pos"],
    through: Through,
    logits: Logits,
) -> tuple[int, ...]:
    """For each position, the first stage from which on the likeliest token is always this one."""
    found = torch.full_like(ids, len(stages) - 1)
    same = torch.arange(len(ids), device=ids.device)  # that have said it in all later stages
    for stage in reversed(range(len(stages) - 1)):
        read = through(stage, stages[stage, same]).to(stages)
        said = torch.cat([logits(rows).argmax(-1) for rows in _in_parts(read)])
        end_slice()
        same = same[said == ids[same]]
        if not len(same):
            break
        found[same] = stage
    return tuple(found.tolist())


def _in_parts(x: Float[Tensor, "pos d_model"]) -> list[Float[Tensor, "part d_model"]]:
    return [x[start : start + ROWS] for start in range(0, len(x), ROWS)]
