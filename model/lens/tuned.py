"""A tuned lens: an affine map from what each stage holds to what the last one will hold.

The logit lens reads a middle layer as if it were the last. Where layers write in other directions
than the last one reads, it finds less than the model knows. A tuned lens translates first (Belrose
et al. 2023, "Eliciting Latent Predictions from Transformers with the Tuned Lens"). Theirs is
trained on the predictions; this one is fitted in closed form, by least squares on the stream
(`model/lens/fitting.py`), so that it can be had at home.
"""

import json
from dataclasses import asdict, dataclass
from pathlib import Path

from jaxtyping import Float
from safetensors import SafetensorError, safe_open
from safetensors.torch import save
from torch import Tensor


@dataclass(frozen=True)
class HeldOut:
    """How far each stage is from the model's own prediction, on texts that were not fitted on.

    KL(model ‖ stage) in nats, averaged over tokens; that of the last stage is 0.
    """

    logit: tuple[float, ...]
    tuned: tuple[float, ...]
    tokens: int


@dataclass(frozen=True, eq=False)
class TunedLens:
    """x + x · B + b for each stage but the last, which is read as it is."""

    maps: Float[Tensor, "earlier d_model d_model"]
    offsets: Float[Tensor, "earlier d_model"]
    fitted_on: str  # the texts, in words
    tokens: int  # of these texts
    held_out: HeldOut

    def at(self, stage: int, x: Float[Tensor, "*row d_model"]) -> Float[Tensor, "*row d_model"]:
        """What a stage holds, in the terms of the last one."""
        if stage == len(self.maps):
            return x
        x = x.float()
        return x + x @ self.maps[stage].to(x.device) + self.offsets[stage].to(x.device)

    def packed(self) -> bytes:
        """As a safetensors file."""
        said = {
            "fitted_on": self.fitted_on,
            "tokens": self.tokens,
            "held_out": asdict(self.held_out),
        }
        tensors = {"maps": self.maps.contiguous(), "offsets": self.offsets.contiguous()}
        return save(tensors, metadata={"lens": json.dumps(said, allow_nan=False)})

    @classmethod
    def read(cls, path: Path) -> "TunedLens | None":
        """What was kept there; None if it is not there, or not what this version keeps."""
        try:
            with safe_open(path, framework="pt") as file:
                said = json.loads(file.metadata()["lens"])
                maps, offsets = file.get_tensor("maps"), file.get_tensor("offsets")
            held = said.pop("held_out")
            held_out = HeldOut(tuple(held["logit"]), tuple(held["tuned"]), held["tokens"])
            return cls(maps=maps, offsets=offsets, held_out=held_out, **said)
        except (OSError, SafetensorError, ValueError, KeyError, TypeError, AttributeError):
            return None
