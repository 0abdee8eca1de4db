"""Where a checkpoint runs, and in which numbers. Traces hold float32 on the CPU, whatever it is."""

from dataclasses import dataclass

import torch
from torch import Tensor

from model.errors import CheckpointError

DTYPES = {"float32": torch.float32, "bfloat16": torch.bfloat16, "float16": torch.float16}


@dataclass(frozen=True)
class Machine:
    """A device that is there, and the numbers that a model runs in."""

    device: torch.device
    dtype: torch.dtype


CPU = Machine(torch.device("cpu"), torch.float32)


def choose(device: str = "cpu", dtype: str = "float32") -> Machine:
    """The device of this name: cpu, cuda, cuda:1, mps, or auto for the first that is there.

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
    return Machine(torch.device(wanted), DTYPES[dtype])


def kept(tensor: Tensor) -> Tensor:
    """A tensor as traces keep it: float32, on the CPU, contiguous."""
    return tensor.to("cpu", torch.float32).contiguous()
