"""What a dossier has counted so far: a fixed number of sums, however many texts there are."""

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields
from typing import Any

import torch
from jaxtyping import Float, Int
from torch import Tensor

from model.dossier.distances import BUCKETS
from model.dossier.examples import Example, better
from model.dossier.likeness import Likeness
from model.dossier.measures import MEASURES, TextRun
from model.dossier.resampling import times_drawn

Kept = dict[str, dict[int, list[Example]]]  # by kind and head, the best first


@dataclass(kw_only=True, eq=False)
class Accumulated:
    """The sums over the texts that are done."""

    sums: Float[Tensor, "measure head"]
    over: Int[Tensor, "measure head"]  # texts
    drawn_sums: Float[Tensor, "measure head replicate"]
    drawn: Float[Tensor, "measure head replicate"]
    profile: Float[Tensor, "head bucket"]
    profile_over: Int[Tensor, " head"]
    like: Float[Tensor, "head head"]
    like_over: Int[Tensor, "head head"]
    against: Float[Tensor, "head other"]
    against_over: Int[Tensor, "head other"]
    done: int = 0
    aligned_by_words: int = 0  # texts that the two models cut apart differently
    examples: Kept = field(default_factory=dict)
    reasons: list[list[str]] = field(default_factory=list)  # by measure and head: the first one

    @classmethod
    def nothing(cls, n_heads: int, n_other: int, replicates: int) -> "Accumulated":
        """Before the first text."""
        measures = len(MEASURES)

        def zeros(*shape: int) -> Tensor:
            return torch.zeros(shape, dtype=torch.float64)

        def counts(*shape: int) -> Tensor:
            return torch.zeros(shape, dtype=torch.int64)

        return cls(
            sums=zeros(measures, n_heads),
            over=counts(measures, n_heads),
            drawn_sums=zeros(measures, n_heads, replicates),
            drawn=zeros(measures, n_heads, replicates),
            profile=zeros(n_heads, len(BUCKETS)),
            profile_over=counts(n_heads),
            like=zeros(n_heads, n_heads),
            like_over=counts(n_heads, n_heads),
            against=zeros(n_heads, n_other),
            against_over=counts(n_heads, n_other),
            reasons=[[""] * n_heads for _ in MEASURES],
        )

    def add(
        self, run: TextRun, like: Likeness, against: Likeness | None, *, seed: int, by_words: bool
    ) -> None:
        """Count one more text."""
        times = times_drawn(seed, self.done, self.drawn.shape[-1])
        for index, measure in enumerate(MEASURES):
            value, known, reasons = measure.read(run)
            inside = value * known
            self.sums[index] += inside
            self.over[index] += known
            self.drawn_sums[index] += inside[:, None] * times
            self.drawn[index] += known[:, None] * times
            for head, reason in enumerate(reasons):
                self.reasons[index][head] = self.reasons[index][head] or reason
        has_profile = run.patterns.profile_over > 0
        self.profile += run.patterns.profile / run.patterns.profile_over.clamp(min=1)[:, None]
        self.profile_over += has_profile
        self.like += like.value
        self.like_over += like.known
        if against is not None:
            self.against += against.value
            self.against_over += against.known
            self.aligned_by_words += by_words
        for kind, of_heads in run.patterns.examples.items():
            kept = self.examples.setdefault(kind, {})
            for head, example in of_heads.items():
                kept[head] = better(kept.get(head, []), example)
        self.done += 1

    @property
    def tensors(self) -> dict[str, Tensor]:
        """What goes into a file as tensors."""
        found = {each.name: getattr(self, each.name) for each in fields(self)}
        return {name: value for name, value in found.items() if isinstance(value, Tensor)}

    @property
    def words(self) -> str:
        """The rest, as JSON."""
        examples = {
            kind: {str(head): [asdict(one) for one in kept] for head, kept in of_heads.items()}
            for kind, of_heads in self.examples.items()
        }
        return json.dumps(
            {
                "done": self.done,
                "aligned_by_words": self.aligned_by_words,
                "reasons": self.reasons,
                "examples": examples,
            }
        )

    @classmethod
    def restored(cls, tensors: Mapping[str, Tensor], words: str) -> "Accumulated":
        """What `tensors` and `words` gave."""
        rest: dict[str, Any] = json.loads(words)
        rest["examples"] = {
            kind: {int(head): [Example(**one) for one in kept] for head, kept in of_heads.items()}
            for kind, of_heads in rest["examples"].items()
        }
        return cls(**{**tensors, **rest})
