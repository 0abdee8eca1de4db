"""Gradients of a prediction with respect to the embeddings of the source tokens."""

import math
from typing import NamedTuple

import torch
from jaxtyping import Float
from torch import Tensor

from model.analysis.explanations.case import Case, unavailable
from model.core.editing import Editor, Place
from model.sources.muting import PASS_TOKENS
from model.trace.recorded import SiteKind

GRADIENT_ROWS = 3  # what a row with its gradient costs, in rows


class Gradients(NamedTuple):
    """Rows of embeddings, what the model answers to each, and its gradient."""

    values: Float[Tensor, " row"]
    gradients: Float[Tensor, "row pos d_embedding"]


def embeddings(case: Case) -> Float[Tensor, "pos d_embedding"]:
    """What the source tokens start with: their token embeddings, before positions are added.

    Raises:
        UnavailableError: the model does not look its embeddings up where they can be seen.
    """
    found: list[Tensor] = []

    def edit(place: Place, x: Tensor) -> Tensor:
        if _is_of_sources(case, place):
            found.append(x.detach().float().cpu()[0])
        return x

    case.runner(edit, text=case.text)
    if len(found) != 1:
        raise unavailable(
            f"{case.trace.model} does not look up the embeddings of its tokens once at the start, "
            "so they cannot be changed"
        )
    return found[0].clone()


def at_embeddings(
    case: Case, rows: Float[Tensor, "row pos d_embedding"], *, gradients: bool = True
) -> Gradients:
    """Run the text with other embeddings in each row; without `gradients` they are 0.

    Raises:
        UnavailableError: no gradient can be taken through this model.
    """
    values, found = [], []
    each = GRADIENT_ROWS if gradients else 1
    for chunk in torch.split(rows, max(1, PASS_TOKENS // each // rows.shape[1])):
        with torch.inference_mode(not gradients), torch.set_grad_enabled(gradients):
            given = chunk.clone().requires_grad_(gradients)
            resid = case.runner(_replacing(case, given), text=case.text, rows=len(chunk))
            value = case.values(resid)
            values.append(value.detach())
            found.append(_gradient(case, value, given) if gradients else torch.zeros_like(chunk))
        case.progress.step(each * len(chunk))
    return Gradients(torch.cat(values), torch.cat(found))


def _gradient(case: Case, value: Tensor, given: Tensor) -> Tensor:
    try:
        (gradient,) = torch.autograd.grad(value.sum(), given)
    except RuntimeError as error:  # a part of the model was made where no gradient can go
        if "nference tensors" not in str(error) and "does not require grad" not in str(error):
            raise
        raise unavailable(f"no gradient can be taken through {case.trace.model}") from error
    return gradient.float().cpu()


def _replacing(case: Case, given: Tensor) -> Editor:
    def edit(place: Place, x: Tensor) -> Tensor:
        return given.to(x) if _is_of_sources(case, place) else x

    return edit


def _is_of_sources(case: Case, place: Place) -> bool:
    kind: SiteKind = "encoder" if case.crosses else "self"
    return place.point == "embedding" and place.kind == kind


def gauss_legendre(n: int) -> list[tuple[float, float]]:
    """The n points on [0, 1] and their weights, which integrate polynomials up to 2n − 1 exactly.

    The points are the roots of the Legendre polynomial, found by Newton's method.
    """
    found = []
    for index in range(n):
        x = math.cos(math.pi * (index + 0.75) / (n + 0.5))
        slope = 1.0
        for _ in range(100):
            before, here = 1.0, x
            for degree in range(2, n + 1):
                before, here = here, ((2 * degree - 1) * x * here - (degree - 1) * before) / degree
            slope = n * (x * here - before) / (x * x - 1)
            step = here / slope
            x -= step
            if abs(step) < 1e-15:
                break
        found.append(((1 - x) / 2, 1 / ((1 - x * x) * slope * slope)))
    return found
