"""One question, asked of many pairs of sentences: what holds of all, and of which it does not."""

from headlight.study.circuit import Circuit, find_circuit
from headlight.study.edges import EdgeCircuit, find_edges
from headlight.study.hypothesis import Hypothesis, hypothesis
from headlight.study.means import Means
from headlight.study.pairs import Pair, pairs_of, read_pairs
from headlight.study.statements import STATEMENTS, statements
from headlight.study.study import Study, study

__all__ = [
    "STATEMENTS",
    "Circuit",
    "EdgeCircuit",
    "Hypothesis",
    "Means",
    "Pair",
    "Study",
    "find_circuit",
    "find_edges",
    "hypothesis",
    "pairs_of",
    "read_pairs",
    "statements",
    "study",
]
