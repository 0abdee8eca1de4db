"""How answers are read off a run: vectors of the stream in, logits of classes out.

- A linear probe reads the stream x after a layer, before any norm: W x + b (Alain & Bengio 2017).
- A similarity reads what enters the head: the cosine of the mean of its real tokens with that of
  other texts (Reimers & Gurevych 2019, section 3), times a scale.
- The entropy H of a prediction is read as e^-H, which is 1 over the number of tokens that would be
  as uncertain if all were equally likely; its logarithm is -H.
- The loss L of a text, the mean of -ln p of its tokens, is read as e^-L, the geometric mean of
  their probabilities; its logarithm is -L.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import replace

import torch
from jaxtyping import Float
from torch import Tensor

from model.core.editing import Place
from model.core.tokenizer import Token
from model.errors import InputError, NumericsError, UnavailableError
from model.finite import all_finite
from model.kinds import SiteKind
from model.lazy import lazy
from model.listing import layers_in_words
from model.sources.answering.answer import Answer, Entropy, Loss, Probe, Similarity
from model.sources.runner import Runner
from model.sources.source import Inputs, Source, SourceInfo
from model.trace.predictions import Quantity
from model.trace.trace import last_real

UNEMBEDDED = 256  # positions whose logits are there at once

Unembed = Callable[[Tensor], Tensor]


class Reading(ABC):
    """How one answer is read off a run of one source."""

    names: tuple[str, ...]  # of the classes
    place: Place | None = None  # where the stream is read; None: where it enters the head
    lens_lacks: str  # why no other layer can be read, as the end of a sentence
    stream_lacks: str = ""  # why the logits are no sum over the stream at one position
    means: bool = False  # whether the mean over all real tokens is read

    def read(
        self, x: Float[Tensor, "row pos d_model"], tokens: Sequence[Token], unembed: Unembed | None
    ) -> Float[Tensor, "row pos d_read"]:
        """What `logits` takes, at every position, of rows that are copies of a text."""
        return x

    @abstractmethod
    def logits(
        self, z: Float[Tensor, "*batch d_read"], unembed: Unembed | None
    ) -> Float[Tensor, "*batch class"]:
        """Those of the classes, of what was read."""

    def raw(
        self, z: Float[Tensor, "*batch d_read"], unembed: Unembed | None
    ) -> Float[Tensor, "*batch class"]:
        """The same, with what is not linear frozen as it is here, where that can be done."""
        return self.logits(z, unembed)

    def position(self, row: Sequence[Token], predicted_at: int | None) -> int:
        """Where in a row the answer is read."""
        return last_real(row) if predicted_at is None else predicted_at

    @abstractmethod
    def quantity(self, logits: Float[Tensor, " class"]) -> tuple[Quantity, list[float]]:
        """What the answer measures of a text, and its value, or one for each class."""


class ProbeReading(Reading):
    lens_lacks = "a probe reads one layer"

    def __init__(self, probe: Probe, info: SourceInfo) -> None:
        layers = {site.layer for site in info.sites}
        if probe.layer not in layers:
            raise InputError(
                f"{info.name} has {layers_in_words(layers)}; got {probe.layer}.",
                field="answer.layer",
            )
        if len(probe.weights[0]) != info.d_model:
            raise InputError(
                f"The stream of {info.name} has {info.d_model} numbers for each token; a row of "
                f"the probe has {len(probe.weights[0])}.",
                field="answer.weights",
            )
        if "resid_post" not in info.edited_at:
            raise UnavailableError(
                f"{info.name} takes no probe: "
                f"{info.edited_at_reason or 'its stream cannot be reached after a layer.'}",
                field="answer",
            )
        kind: SiteKind = "decoder" if info.takes_targets else "self"
        self.names, self.place = probe.names, Place("resid_post", probe.layer, kind)
        self._first = probe.read == "first"
        with torch.inference_mode(False):  # else no gradient could go through them
            self._rows = torch.tensor(probe.weights)
            self._bias = torch.tensor(probe.bias or [0.0] * len(probe.weights))
            if len(probe.weights) == 1:  # the logit of "no" is 0
                self._rows = torch.cat([torch.zeros_like(self._rows), self._rows])
                self._bias = torch.cat([torch.zeros(1), self._bias])

    def logits(self, z: Tensor, unembed: Unembed | None) -> Tensor:
        return z.float() @ self._rows.T.to(z.device) + self._bias.to(z.device)

    def position(self, row: Sequence[Token], predicted_at: int | None) -> int:
        return _first_real(row) if self._first else last_real(row)

    def quantity(self, logits: Tensor) -> tuple[Quantity, list[float]]:
        return "logit", logits.tolist()


class SimilarityReading(Reading):
    lens_lacks = "the vector of a text is that of its last layer"

    def __init__(
        self, answer: Similarity, source: Source, inputs: Inputs, max_tokens: int | None
    ) -> None:
        if source.info.takes_targets:
            raise UnavailableError(
                f"{source.info.name} reads a target beside each text, so the vector of another "
                "text alone cannot be computed. Read a probe, an entropy or a loss.",
                field="answer",
            )
        self.names, self.means = answer.names, answer.read == "mean"
        self._read, self._scale = answer.read, answer.times
        self._source, self._max_tokens = source, max_tokens
        self._others = replace(
            inputs,
            texts=answer.texts,
            ids=None,
            pairs=None,
            masks=inputs.masks.unedited(),
            muted=(),
            interventions=(),
            generate=None,
            special_tokens=None,
            target_special_tokens=None,
            answer=None,
            stream=False,
            names=tuple(f"Text {n + 1} of the answer" for n in range(len(answer.texts))),
        )

    @lazy
    def _vectors(self) -> Float[Tensor, "text d_model"]:
        """The vectors of the other texts, of length 1."""
        with torch.inference_mode(False), torch.no_grad():
            runner = self._runner()
            found = [
                self.read(runner(text=n).float().cpu(), row, None)[0, last_real(row)]
                for n, row in enumerate(runner.tokens)
            ]
            vectors = torch.stack(found)
            lengths = vectors.norm(dim=-1, keepdim=True)
            unit: Tensor = vectors / lengths
        if not (all_finite(vectors) and bool((lengths > 0).all())):
            raise NumericsError("The vector of a text of the answer is not finite, or it is 0.")
        return unit

    def _runner(self) -> Runner:
        """
        Raises:
            InputError: a text of the answer is too long, or has no tokens.
        """
        try:
            return self._source.runner(self._others, max_tokens=self._max_tokens)
        except InputError as error:
            error.field = "answer.texts"
            raise

    def read(self, x: Tensor, tokens: Sequence[Token], unembed: Unembed | None) -> Tensor:
        real = [at for at, token in enumerate(tokens) if not token.padding]
        chosen = {"mean": real, "first": real[:1], "last": real[-1:]}[self._read]
        found: Tensor = x[:, chosen].mean(dim=1, keepdim=True).expand_as(x)
        return found

    def logits(self, z: Tensor, unembed: Unembed | None) -> Tensor:
        return self._of_length(z, z.norm(dim=-1, keepdim=True))

    def raw(self, z: Tensor, unembed: Unembed | None) -> Tensor:
        """With the length of the vector frozen."""
        return self._of_length(z, z.norm(dim=-1, keepdim=True).detach())

    def _of_length(self, z: Tensor, length: Tensor) -> Tensor:
        cosines = z / length.clamp(min=1e-12) @ self._vectors.T.to(z)
        if cosines.shape[-1] == 1:
            cosines = torch.cat([torch.zeros_like(cosines), cosines], dim=-1)
        return self._scale * cosines

    def position(self, row: Sequence[Token], predicted_at: int | None) -> int:
        return _first_real(row) if self._read == "first" else last_real(row)

    def quantity(self, logits: Tensor) -> tuple[Quantity, list[float]]:
        return "cosine", (logits / self._scale).tolist()


class EntropyReading(Reading):
    lens_lacks = "the entropy is that of the last layer"

    def __init__(self, answer: Entropy, info: SourceInfo) -> None:
        if info.predicts is None:
            raise UnavailableError(
                f"{info.name} predicts nothing, so there is no entropy. Compare its text with "
                'others instead: {"kind": "similarity", "texts": […]}.',
                field="answer",
            )
        if info.predicts == "class" and answer.position is not None:
            raise InputError(
                f"{info.name} gives one class for a text, so there is one entropy. Leave the "
                "position out.",
                field="answer.position",
            )
        self.names, self._position = answer.names, answer.position

    def logits(self, z: Tensor, unembed: Unembed | None) -> Tensor:
        assert unembed is not None  # it predicts
        flat = z.reshape(-1, z.shape[-1])
        some = torch.split(flat, UNEMBEDDED)
        each = [_entropy(unembed(rows).float().log_softmax(-1)) for rows in some]
        return _two(-torch.cat(each)).reshape(*z.shape[:-1], 2)

    def position(self, row: Sequence[Token], predicted_at: int | None) -> int:
        if self._position is None:
            return super().position(row, predicted_at)
        if self._position >= len(row):
            raise InputError(
                f"This trace has positions 0 to {len(row) - 1}; got {self._position}.",
                field="answer.position",
            )
        return self._position

    def quantity(self, logits: Tensor) -> tuple[Quantity, list[float]]:
        return "entropy", [-float(logits[1])]


class LossReading(Reading):
    lens_lacks = "the loss is that of the last layer"
    stream_lacks = "a loss is read at every token of the text"

    def __init__(self, answer: Loss, info: SourceInfo) -> None:
        if info.predicts != "next":
            raise UnavailableError(
                f"{info.name} does not predict next tokens, so a text has no loss.", field="answer"
            )
        self.names = answer.names

    def read(self, x: Tensor, tokens: Sequence[Token], unembed: Unembed | None) -> Tensor:
        """The mean of ln p of the tokens after the first, the same at each position."""
        assert unembed is not None  # it predicts next tokens
        real = [at for at, token in enumerate(tokens) if not token.padding]
        if len(real) < 2:
            raise InputError(
                "The loss of a text needs two tokens or more, of which each but the first is "
                f"predicted; got {len(real)}.",
                field="answer",
            )
        ids = torch.tensor([tokens[at].id for at in real[1:]])
        flat = x[:, real[:-1]].reshape(-1, x.shape[-1])
        wanted = ids.repeat(len(x))[:, None]
        some = zip(torch.split(flat, UNEMBEDDED), torch.split(wanted, UNEMBEDDED), strict=True)
        each = [unembed(rows).float().log_softmax(-1).cpu().gather(-1, of) for rows, of in some]
        mean = torch.cat(each).reshape(len(x), -1).mean(dim=1)
        return mean[:, None, None].expand(-1, x.shape[1], 1)

    def logits(self, z: Tensor, unembed: Unembed | None) -> Tensor:
        return _two(z[..., 0])

    def quantity(self, logits: Tensor) -> tuple[Quantity, list[float]]:
        return "loss", [-float(logits[1])]


def reading_of(source: Source, answer: Answer, inputs: Inputs, max_tokens: int | None) -> Reading:
    """
    Raises:
        InputError: the answer does not fit the source.
        UnavailableError: the source cannot give it.
    """
    match answer:
        case Probe():
            return ProbeReading(answer, source.info)
        case Similarity():
            return SimilarityReading(answer, source, inputs, max_tokens)
        case Entropy():
            return EntropyReading(answer, source.info)
        case Loss():
            return LossReading(answer, source.info)


def _entropy(log_p: Float[Tensor, "pos vocab_size"]) -> Float[Tensor, " pos"]:
    """-Σ p ln p, in nats; what has no probability at all adds nothing."""
    return -(log_p.exp() * log_p.clamp(min=-1e4)).sum(-1)


def _two(log_p: Float[Tensor, "*batch"]) -> Float[Tensor, "*batch 2"]:
    """Logits whose softmax is 1 - p and p. What is all but certain stays a number."""
    log_p = log_p.clamp(max=-1e-6)
    return torch.stack([(-torch.expm1(log_p)).log(), log_p], dim=-1)


def _first_real(row: Sequence[Token]) -> int:
    return next(at for at, token in enumerate(row) if not token.padding)
