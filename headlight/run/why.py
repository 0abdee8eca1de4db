"""One cell taken apart: why a head's query gives a key this score."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from headlight.frames import Table
from headlight.tokens import Token

Part = Mapping[str, Any]  # kind, layer, site, head
Off = Part | Mapping[str, Any]  # a part, or {"part": …, "side": "query" | "key" | "both"}
ROWS = ("soft_cap", "bias", "remainder")  # what is not a product of two parts


@dataclass(frozen=True, kw_only=True, eq=False)
class Switched:
    """What the head does without the parts that are switched off.

    Attributes:
        score: the score of the query and the key.
        scores, pattern: the row of the query.
        head_pattern: [query, key]: the whole head's pattern, if it was asked for.
    """

    score: float
    scores: NDArray[np.float32]
    pattern: NDArray[np.float32]
    head_pattern: NDArray[np.float32] | None


@dataclass(frozen=True, kw_only=True, eq=False)
class Why:
    """The score of one query and one key in one head, as a sum.

    Attributes:
        score: the score before the mask, as in the tensor `scores`.
        query_parts, key_parts: what the query and the key are sums of: parts of the residual stream
            and biases.
        values: [query part, key part]: what each pair adds to the score.
        soft_cap, bias, remainder: what else is added; None where the head has no such thing. With
            the values they sum to the score.
        tokens: those of the keys.
        scores, pattern: the row of the query.
        switched: what the head does without the parts that are switched off; None if none are.
    """

    score: float
    query_parts: Sequence[Part]
    key_parts: Sequence[Part]
    values: NDArray[np.float32]
    soft_cap: float | None
    bias: float | None
    remainder: float
    tokens: Sequence[Token]
    scores: NDArray[np.float32]
    pattern: NDArray[np.float32]
    switched: Switched | None

    @property
    def table(self) -> Table:
        """A row for each pair of parts, the largest first, then the rest; they sum to the score."""
        pairs = [
            {"query_part": name(query), "key_part": name(key), "value": value}
            for query, row in zip(self.query_parts, self.values.tolist(), strict=True)
            for key, value in zip(self.key_parts, row, strict=True)
        ]
        rest = [
            {"query_part": each, "key_part": None, "value": getattr(self, each)}
            for each in ROWS
            if getattr(self, each) is not None
        ]
        return Table.of(sorted(pairs, key=lambda row: -abs(row["value"])) + rest)

    @property
    def row(self) -> Table:
        """The row of the query, key by key, as it is and without the parts that are off."""
        columns: dict[str, Any] = {
            "key": list(range(len(self.tokens))),
            "token": list(self.tokens),
            "score": self.scores.tolist(),
            "pattern": self.pattern.tolist(),
        }
        if self.switched is not None:
            columns["switched_score"] = self.switched.scores.tolist()
            columns["switched_pattern"] = self.switched.pattern.tolist()
        return Table(columns)

    @classmethod
    def of(cls, answer: Mapping[str, Any], tokens: Sequence[Token], n: int) -> "Why":
        """One entry of the answer; `n` keys are kept, which leaves padding out."""
        off = answer["switched"]
        return cls(
            **{name: answer[name] for name in ("score", "query_parts", "key_parts", *ROWS)},
            values=_array(answer["values"]),
            tokens=tokens[:n],
            scores=_array(answer["scores"])[:n],
            pattern=_array(answer["pattern"])[:n],
            switched=None if off is None else _switched(off, n),
        )


def name(part: Part) -> str:
    """A part as one word: `embedding`, `mlp.0`, `layers.0.head.2`, `layers.2.norm`."""
    place = part["site"] or ("" if part["layer"] is None else str(part["layer"]))
    if part["site"] is None:
        return ".".join(filter(None, (part["kind"], place)))
    head = "" if part["head"] is None else str(part["head"])
    return ".".join(filter(None, (place, part["kind"], head)))


def switched_off(without: Iterable[Off]) -> list[dict[str, Any]]:
    """The parts as the API takes them; a part alone is switched off on both sides."""
    return [dict(one) if "part" in one else {"part": dict(one), "side": "both"} for one in without]


def _switched(off: Mapping[str, Any], n: int) -> Switched:
    whole = off["head_pattern"]
    return Switched(
        score=off["score"],
        scores=_array(off["scores"])[:n],
        pattern=_array(off["pattern"])[:n],
        head_pattern=None if whole is None else _array(whole)[:, :n],
    )


def _array(numbers: Any) -> NDArray[np.float32]:
    return np.array(numbers, dtype=np.float32)
