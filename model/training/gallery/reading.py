"""What a model does with a state of the page: weights and probabilities, and words for them."""

from collections.abc import Sequence

from model.gallery import Entry
from model.lazy import lazy
from model.masks.rules import MaskSettings
from model.sources.native import NativeSource
from model.sources.source import Inputs, MutedHead
from model.trace.predictions import Prediction
from model.trace.trace import Trace

SAME = 0.03  # a probability that moves by less hardly moves
GAINS = 0.1  # one that moves by more is worth a mention


class Reading:
    """One run: the texts, masks and mutes of an entry, read at one of its rows."""

    def __init__(
        self,
        source: NativeSource,
        texts: Sequence[str],
        query: int,
        *,
        masks: MaskSettings | None = None,
        muted: Sequence[tuple[int, int]] = (),
        shown: int = 0,
    ) -> None:
        self.source, self.query, self.shown = source, query, shown
        heads = tuple(MutedHead(*head) for head in muted)
        inputs = Inputs(tuple(texts), masks=masks or MaskSettings(), muted=heads)
        self.trace: Trace = source.trace(inputs)

    @lazy
    def predictions(self) -> Sequence[Prediction]:
        """All tokens, the likeliest first."""
        size = self.source.info.vocab_size
        return self.trace.predict(top_k=size, position=self.query)[self.shown]

    @property
    def likeliest(self) -> str:
        return self.predictions[0].text.strip()

    def probability(self, word: str) -> float:
        """Of the likelier spelling, with the space before it or without."""
        return next(one.probability for one in self.predictions if one.text.strip() == word)

    def token(self, place: int) -> str:
        return self.trace.tokens[self.shown][place].text.strip()

    def weights(self, layer: int, head: int, query: int | None = None) -> list[float]:
        """The row of a head."""
        at = self.query if query is None else query
        rows = slice(at, at + 1)
        found = self.trace.sites[layer].derive(["pattern"], heads=[head], rows=rows)["pattern"]
        row: list[float] = found[self.shown, 0, 0].tolist()
        return row

    def on_padding(self, layer: int, head: int) -> float:
        """How much of the row goes to padding."""
        tokens = self.trace.tokens[self.shown]
        row = self.weights(layer, head)
        return sum(weight for weight, token in zip(row, tokens, strict=True) if token.padding)


def read(source: NativeSource, entry: Entry) -> Reading:
    """The run that an entry shows."""
    return Reading(
        source,
        entry.texts,
        entry.query,
        masks=entry.masks,
        muted=entry.muted,
        shown=entry.shown,
    )


def percent(share: float) -> str:
    """As a sentence says it."""
    return f"{100 * share:.0f}%" if share >= 0.01 else "under 1%"


def moves(word: str, before: float, after: float) -> str:
    """“herself” falls from 72% to 24%."""
    shares = percent(before), percent(after)
    if shares[0] == shares[1]:
        return f"“{word}” stays at {shares[0]}"
    if abs(after - before) < SAME:
        return f"“{word}” hardly moves ({shares[0]} to {shares[1]})"
    verb = "falls" if after < before else "rises"
    return f"“{word}” {verb} from {shares[0]} to {shares[1]}"


def change(word: str, before: Reading, after: Reading) -> str:
    """How a word moves, and the one that gains most by it."""
    sentence = moves(word, before.probability(word), after.probability(word))
    earlier = {one.id: one.probability for one in before.predictions}
    gain, rival = max(
        ((one.probability - earlier[one.id], one) for one in after.predictions),
        key=lambda pair: pair[0],
    )
    if gain < GAINS or rival.text.strip() == word:
        return sentence
    return f"{sentence}, and {moves(rival.text.strip(), earlier[rival.id], rival.probability)}"
