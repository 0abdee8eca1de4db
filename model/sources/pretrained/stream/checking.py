"""Checks a stream by its numbers: its parts sum to it, and attention reads what it is said to."""

from collections.abc import Mapping, Sequence

import torch
from jaxtyping import Bool, Float
from torch import Tensor

from model.sources.pretrained.stream.steps import UnfollowedError
from model.trace.recorded import TokenAxis
from model.trace.site import Site
from model.trace.stream import Project, Read, Stream, summands

# between a sum of parts and what the model made, relative to the largest number
TOLERANCE = {torch.float32: 1e-4, torch.float16: 2e-2, torch.bfloat16: 8e-2}


def check_sums(
    stream: Stream,
    sites: Sequence[Site],
    output: Tensor | None,
    real: Bool[Tensor, "batch pos"],
) -> None:
    """Refuse a stream whose parts do not sum to the last hidden states.

    Raises:
        UnfollowedError: they do not, by how much.
    """
    assert output is not None
    wanted = output.to("cpu", torch.float32)
    for text, here in enumerate(real):
        positions = here.nonzero()[:, 0].tolist()
        made = _normed(stream, sites, text, positions, None)
        off, allowed = _apart(made, wanted[text, positions], TOLERANCE[output.dtype])
        if off > allowed:
            raise UnfollowedError(f"its parts differ from its last hidden states by {off:.1g}")


def check_reads(
    streams: Mapping[TokenAxis, Stream],
    sites: Sequence[Site],
    real: Mapping[TokenAxis, Bool[Tensor, "batch pos"]],
) -> dict[int, str]:
    """Why q, k and v of a site are not linear in the stream, by site; without those that are."""
    found: dict[int, str] = {}
    for stream in streams.values():
        for step in stream.steps:
            if not isinstance(step, Read):
                continue
            site = sites[step.site]
            reason = _lacks(step, step.project, stream, sites, (site.q, site.k, site.v), step)
            if not reason and step.project_other is not None:
                other = streams[site.key_tokens]
                reason = _lacks(step, step.project_other, other, sites, (site.k, site.v), None)
            if reason:
                found[step.site] = reason
    return found


def _lacks(
    read: Read,
    project: Project,
    stream: Stream,
    sites: Sequence[Site],
    recorded: Sequence[Tensor | None],
    until: Read | None,
) -> str:
    """Why a projection of a stream is not what attention got, or not linear; "" if all is well."""
    text = 0
    n = sites[read.site].mask.n_query if until is not None else sites[read.site].mask.n_key
    x = _normed(stream, sites, text, range(n), until)[None]
    share = torch.rand(x.shape, generator=torch.Generator().manual_seed(0))
    try:
        whole, part, rest, nothing = (
            project(each, text) for each in (x, share * x, (1 - share) * x, torch.zeros_like(x))
        )
    except Exception as error:  # a family may raise anything
        return f"its attention does not run alone: {error!r}"
    names = "qkv" if until is not None else "kv"
    for name, made, wanted in zip(names, whole, recorded, strict=False):
        assert wanted is not None
        off, allowed = _apart(made[0], wanted[text], 1e-3)
        if off > allowed:
            return f"its {name} is made of more than the stream"
    for name, *each in zip(names, whole, part, rest, nothing, strict=False):
        off, allowed = _apart(each[1] + each[2] - each[3], each[0], 1e-3)
        if off > allowed:
            return f"its {name} is not linear in the stream, because it is normed or gated"
    return ""


def _normed(
    stream: Stream,
    sites: Sequence[Site],
    text: int,
    positions: Sequence[int],
    until: Read | None,
) -> Float[Tensor, "pos d_model"]:
    """The sum of all parts before a step, through the norm that stands there."""
    x = summands(stream, sites, text=text, positions=positions, until=until).vectors.sum(dim=0)
    norm = stream.final if until is None else until.norm
    if norm is None:
        return x
    x = norm.push(x[None], text, torch.tensor(positions))[0]
    return x if norm.bias is None else x + norm.bias


def _apart(one: Tensor, other: Tensor, tolerance: float) -> tuple[float, float]:
    return float((one - other).abs().max()), tolerance * float(other.abs().max())
