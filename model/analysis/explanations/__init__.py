"""Explanations of one prediction: what attention and other methods say, with ablation beside them.

"Attention is not Explanation" (Jain & Wallace 2019) compared attention with gradients and with the
effect of leaving a token out, and searched other attention that gives the same answer. "Attention
is not not Explanation" (Wiegreffe & Pinter 2019) answered that both depend on the case. So both are
done here for one prediction at a time.
"""

from model.analysis.explanations.case import Asked
from model.analysis.explanations.comparison import Comparison, MethodResult, compare
from model.analysis.explanations.methods import METHODS, Method

__all__ = ["METHODS", "Asked", "Comparison", "Method", "MethodResult", "compare"]
