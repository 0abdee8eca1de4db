"""Numbers in byte planes."""

import json

import pytest
import torch
from safetensors.torch import load, save

from server.pages.export.packing import in_byte_planes
from tests.exported import out_of_planes


@pytest.mark.parametrize(("dtype", "n_planes"), [(torch.float32, 4), (torch.float16, 2)])
def test_byte_planes_can_be_undone(dtype: torch.dtype, n_planes: int) -> None:
    tensors = {
        "a.bits": torch.arange(5, dtype=torch.uint8),
        "b": torch.arange(6, dtype=dtype).reshape(2, 3) / 7,
        "c.weight": torch.tensor([-1.5, 3e-5], dtype=dtype),
    }
    planes = in_byte_planes(save(tensors, {"mine": "kept"}))
    header = json.loads(planes[8 : 8 + int.from_bytes(planes[:8], "little")])
    assert header["__metadata__"] == {"mine": "kept", "byte_planes": str(n_planes)}
    start, end = header["b"]["data_offsets"]
    together = tensors["b"].flatten().tolist() + tensors["c.weight"].tolist()
    body = planes[-(8 * n_planes + 5) :]
    numbers = torch.tensor(together, dtype=dtype).numpy().tobytes()
    assert (start, end) == (0, 6 * n_planes)
    assert body == b"".join(numbers[plane::n_planes] for plane in range(n_planes)) + bytes(range(5))
    loaded = load(out_of_planes(planes))
    assert loaded.keys() == tensors.keys()
    assert all(torch.equal(loaded[name], tensor) for name, tensor in tensors.items())
