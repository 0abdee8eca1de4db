"""One question, asked of many pairs of sentences: what holds of all, and of which it does not."""

from headlight.study.pairs import Pair, pairs_of, read_pairs
from headlight.study.study import Study, study

__all__ = ["Pair", "Study", "pairs_of", "read_pairs", "study"]
