"""The explanation court: what attention and its rivals say of one prediction, judged by ablation.

"Attention is not Explanation" (Jain & Wallace 2019) compared attention with gradients and with the
effect of leaving a token out, and searched other attention that gives the same answer. "Attention
is not not Explanation" (Wiegreffe & Pinter 2019) answered that both depend on the case. So both are
done here for one prediction at a time.
"""

from model.analysis.court.case import Asked
from model.analysis.court.hearing import Court, Testimony, hear
from model.analysis.court.witnesses import WITNESSES, Witness

__all__ = ["WITNESSES", "Asked", "Court", "Testimony", "Witness", "hear"]
