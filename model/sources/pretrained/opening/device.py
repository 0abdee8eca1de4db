"""Where a checkpoint runs, and in which numbers. Traces hold float32 on the CPU, whatever it is."""

import time
from dataclasses import dataclass
from functools import lru_cache

import torch
from torch import Tensor

from model.errors import CheckpointError

DTYPES = {"float32": torch.float32, "bfloat16": torch.bfloat16, "float16": torch.float16}


@dataclass(frozen=True)
class Machine:
    """A device that is there, and the numbers that a model runs in."""

    device: torch.device
    dtype: torch.dtype

    @property
    def numbers(self) -> str:
        """The name of its dtype."""
        return str(self.dtype).removeprefix("torch.")


CPU = Machine(torch.device("cpu"), torch.float32)


def choose(device: str = "cpu", dtype: str = "float32") -> Machine:
    """The device of this name: cpu, cuda, cuda:1, mps, or auto for the first that is there.

    A `dtype` of auto is the quickest of float32 and bfloat16.

    Raises:
        CheckpointError: it is not there. The message says what is.
    """
    there = [f"cuda:{n}" for n in range(torch.cuda.device_count())]
    there += ["mps"] if torch.backends.mps.is_available() else []
    there.append("cpu")
    wanted = {"auto": there[0], "cuda": "cuda:0"}.get(device, device)
    if wanted not in there:
        raise CheckpointError(
            f"Expected a device of this machine; HEADLIGHT_DEVICE is {device}, and PyTorch "
            f"{torch.__version__} finds only {', '.join(there)} here. Choose one of these, or auto."
        )
    chosen = torch.device(wanted)
    return Machine(chosen, _quickest(chosen) if dtype == "auto" else DTYPES[dtype])


FASTER = 1.3  # times as fast is worth numbers with three digits
_SIZE, _TRIES = 384, 3


@lru_cache
def _quickest(device: torch.device) -> torch.dtype:
    """bfloat16 where products of matrices are faster in it, else float32.

    On the CPU that is measured, since it depends on its instructions and on how PyTorch was built;
    on a GPU it is looked up, which is untried.
    """
    if device.type == "cuda":
        return torch.bfloat16 if torch.cuda.is_bf16_supported() else torch.float32
    if device.type != "cpu":
        return torch.float32
    full, half = _product_s(torch.float32), _product_s(torch.bfloat16)
    return torch.bfloat16 if full > FASTER * half else torch.float32


def _product_s(dtype: torch.dtype) -> float:
    """The shortest time of a product of matrices, in seconds."""
    a = torch.ones(_SIZE, _SIZE, dtype=dtype)
    times = []
    for _ in range(_TRIES):
        began = time.perf_counter()
        a @ a
        times.append(time.perf_counter() - began)
    return min(times)


def kept(tensor: Tensor) -> Tensor:
    """A tensor as traces keep it: float32, on the CPU, contiguous."""
    return tensor.to("cpu", torch.float32).contiguous()
