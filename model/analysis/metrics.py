"""What a head can be scored by: one table, with the formula and the paper of each metric."""

from dataclasses import dataclass
from typing import Literal

Unit = Literal["share of attention", "nats", "tokens", "0 to 1"]
MetricName = Literal[
    "previous_token",
    "same_token",
    "induction",
    "first_token",
    "entropy",
    "normalised_entropy",
    "mean_distance",
    "special_mass",
    "punctuation_mass",
]
SINK = 0.3  # a head with a larger first-token score is a sink


@dataclass(frozen=True, slots=True)
class Metric:
    """One way to score a head. A[i,j] is its pattern: i the query, j the key; t[i] are tokens."""

    name: MetricName
    label: str
    definition: str
    source: str
    unit: Unit


METRICS = (
    Metric(
        "previous_token",
        "previous token",
        "How much a token looks at the one before it: the mean over i of A[i,i−1].",
        "Clark et al. 2019, What Does BERT Look At?",
        "share of attention",
    ),
    Metric(
        "same_token",
        "same token",
        "How much a token looks at earlier copies of itself: "
        "the mean, over the i that have one, of Σ_j A[i,j] where t[j] = t[i] and j < i.",
        "Wang et al. 2022, Interpretability in the Wild (duplicate-token heads)",
        "share of attention",
    ),
    Metric(
        "induction",
        "induction",
        "How much a token looks at what followed earlier copies of itself: "
        "the mean, over the i that have one, of Σ_j A[i,j] where t[j−1] = t[i] and 0 < j < i.",
        "Olsson et al. 2022, In-context Learning and Induction Heads",
        "share of attention",
    ),
    Metric(
        "first_token",
        "first token",
        "How much later tokens look at the first one: the mean over i ≥ 1 of A[i,0]. "
        f"A head above {SINK} is called a sink.",
        "Xiao et al. 2024, Efficient Streaming Language Models with Attention Sinks",
        "share of attention",
    ),
    Metric(
        "entropy",
        "entropy",
        "How widely a head looks: the mean over i of −Σ_j A[i,j] ln A[i,j]; 0 is one key.",
        "Clark et al. 2019, What Does BERT Look At?",
        "nats",
    ),
    Metric(
        "normalised_entropy",
        "normalised entropy",
        "Entropy as a share of what it can be: the mean over i of "
        "−Σ_j A[i,j] ln A[i,j] / ln n[i], where i may look at n[i] ≥ 2 keys.",
        "Entropy, divided by that of a uniform pattern",
        "0 to 1",
    ),
    Metric(
        "mean_distance",
        "mean distance",
        "How far back a head looks on average: the mean over i of Σ_j A[i,j] (i − j).",
        "Vig & Belinkov 2019, Analyzing the Structure of Attention",
        "tokens",
    ),
    Metric(
        "special_mass",
        "special tokens",
        "How much goes to special tokens: the mean, over the i that may look at one, of Σ_j A[i,j] "
        "where t[j] is special.",
        "Clark et al. 2019, What Does BERT Look At?",
        "share of attention",
    ),
    Metric(
        "punctuation_mass",
        "punctuation",
        "How much goes to punctuation: the mean, over the i that may look at some, of Σ_j A[i,j] "
        "where t[j] has a mark or symbol, and neither a letter nor a digit.",
        "Clark et al. 2019, What Does BERT Look At?",
        "share of attention",
    ),
)
