"""The dossier as a JSON document, and its file."""

import json
import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import torch
from torch import Tensor

from model.analysis.metrics import LABELLED
from model.dossier.accumulated import Accumulated
from model.dossier.distances import BUCKETS
from model.dossier.examples import STRONGEST, Example, texts_of
from model.dossier.heads import Head
from model.dossier.measures import MEASURES
from model.dossier.resampling import LEVEL, interval
from model.errors import CheckpointError
from model.files import read_json

DOSSIER = "dossier.json"
FORMAT = 1
N_LIKE = 4  # heads that are most like a head
DIGITS = 4  # of a number, after the first that is not 0


def document(
    so_far: Accumulated,
    heads: Sequence[Head],
    texts: Sequence[str],
    about: Mapping[str, Any],
    other: tuple[Mapping[str, Any], Sequence[Head]] | None,
) -> dict[str, Any]:
    """Everything about every head, ready for JSON; all numbers are finite.

    `about` describes the model, the texts and the settings, `other` the other checkpoint.
    """
    low, high = interval(so_far.drawn_sums, so_far.drawn)
    mean = so_far.sums / so_far.over.clamp(min=1)
    profile = so_far.profile / so_far.profile_over.clamp(min=1)[:, None]
    reached = _reached(profile)
    like = so_far.like / so_far.like_over.clamp(min=1)
    against = so_far.against / so_far.against_over.clamp(min=1)
    found, shown = [], list[Example]()
    for index, head in enumerate(heads):
        values = {
            measure.name: _number(
                mean[row, index].item(),
                (low[row, index].item(), high[row, index].item()),
                int(so_far.over[row, index]),
                so_far.reasons[row][index],
            )
            for row, measure in enumerate(MEASURES)
        }
        examples = _examples(so_far, index, values)
        shown += [one for _, one in examples]
        distances = None
        if so_far.profile_over[index]:
            distances = [_rounded(profile[index, bucket].item()) for bucket in reached]
        found.append(
            {
                **_named(head),
                "values": values,
                "distances": distances,
                "top_examples": [{"of": kind, **_example(one)} for kind, one in examples],
                "like": _most_like(like[index], so_far.like_over[index], heads, but=index),
                "like_elsewhere": None
                if other is None
                else _most_like(against[index], so_far.against_over[index], other[1]),
            }
        )
    return {
        "format": FORMAT,
        **about,
        "level": LEVEL,
        "against": None
        if other is None
        else {**other[0], "texts_aligned_by_words": so_far.aligned_by_words},
        "measures": [measure.described() for measure in MEASURES],
        "buckets": [{"first": BUCKETS[at].first, "last": BUCKETS[at].last} for at in reached],
        "texts": [{"number": number, "text": texts[number]} for number in texts_of(shown)],
        "heads": found,
    }


def _named(head: Head) -> dict[str, Any]:
    return {"site": head.site, "kind": head.kind, "layer": head.layer, "head": head.head}


def _number(mean: float, ends: tuple[float, float], over: int, reason: str) -> dict[str, Any]:
    if not over:
        return {"value": None, "low": None, "high": None, "over": 0, "reason": reason}
    low, high = (_rounded(end) for end in ends) if over > 1 else (None, None)
    return {
        "value": _rounded(mean),
        "low": low,
        "high": high,
        "over": over,
        "reason": None,
    }


def _rounded(value: float) -> float:
    """A number with a few significant digits."""
    if value == 0:
        return 0.0
    return round(value, min(6, DIGITS - math.floor(math.log10(abs(value))))) + 0.0  # no −0.0


def _reached(profile: Tensor) -> list[int]:
    """The buckets from the first to the last that any head looks at."""
    any_mass = (profile > 0).any(0).nonzero()[:, 0].tolist()
    return list(range(any_mass[0], any_mass[-1] + 1)) if any_mass else []


def _examples(
    so_far: Accumulated, head: int, values: Mapping[str, Mapping[str, Any]]
) -> list[tuple[str, Example]]:
    """The strongest cells, and those of each metric that may name the head."""
    known = {name: number["value"] for name, number in values.items()}
    kinds = [STRONGEST]
    kinds += [
        measure.name
        for measure in MEASURES
        if measure.is_label
        and (known[measure.name] or 0) >= LABELLED
        and (measure.also is None or measure.also.is_met(known))
    ]
    return [(kind, one) for kind in kinds for one in so_far.examples.get(kind, {}).get(head, ())]


def _example(one: Example) -> dict[str, Any]:
    names = ("text", "query", "key", "query_token", "key_token")
    rounded = {name: _rounded(getattr(one, name)) for name in ("value", "weight")}
    return {**{name: getattr(one, name) for name in names}, **rounded}


def _most_like(
    values: Tensor, over: Tensor, heads: Sequence[Head], but: int | None = None
) -> list[dict[str, Any]]:
    """The heads that are most like this one, the most first."""
    known = (over > 0).clone()
    if but is not None:
        known[but] = False
    order = torch.where(known, values, -2.0).argsort(descending=True, stable=True)[:N_LIKE]
    return [
        {**_named(heads[at]), "value": _rounded(values[at].item()), "over": int(over[at])}
        for at in order.tolist()
        if known[at]
    ]


def save_dossier(path: Path, content: Mapping[str, Any]) -> None:
    """Write the file; a half-written one never has its name.

    Raises:
        CheckpointError: the folder cannot be written to.
    """
    written = path.with_name(f"{path.name}.part")
    lines = json.dumps(content, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    try:
        written.write_text(lines + "\n", encoding="utf-8")
        written.replace(path)
    except OSError as error:
        raise CheckpointError(f"Cannot write {path}: {error}.") from error


def load_dossier(path: Path) -> dict[str, Any]:
    """Read a dossier.

    Raises:
        CheckpointError: it is missing, or not a dossier of this format.
    """
    content = read_json(path)
    if content.get("format") != FORMAT or not isinstance(content.get("heads"), list):
        raise CheckpointError(
            f"{path}: expected a dossier of format {FORMAT}, with its `heads`; got something else. "
            "Make it again with `headlight dossier`."
        )
    return content
