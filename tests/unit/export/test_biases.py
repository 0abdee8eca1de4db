"""How a recorded run keeps a bias."""

import torch

from model.scratch.mechanisms import configure
from model.sources.scratch import ScratchSource
from model.sources.source import Inputs
from server.pages.export.recorded import _bias, _tensors


def test_a_bias_of_distances_is_kept_as_its_diagonals() -> None:
    diagonals = torch.randn(1, 2, 6)
    rows = [diagonals[..., 2 - query : 6 - query] for query in range(3)]
    bias = torch.stack(rows, dim=-2)  # 3 queries, 4 keys
    assert bias.shape == (1, 2, 3, 4)
    [(name, kept)] = _bias(bias).items()
    assert name == "bias_diagonals"
    assert torch.equal(kept, diagonals)


def test_any_other_bias_is_kept_whole() -> None:
    bias = torch.zeros(1, 2, 3, 4)
    bias[0, 1, 2, 3] = 1e-7
    assert _bias(bias)["bias"] is bias
    assert _bias(None) == {}


def test_what_a_state_space_forgets_is_kept_as_a_bias() -> None:
    given = Inputs(("the cat sat on the mat",), settings=configure("state-space"))
    trace = ScratchSource("scratch").trace(given)
    kept = torch.tensor(dict(_tensors(trace, "float16"))["layers.0.bias"])
    expected = trace.sites[0].derive(["bias"])["bias"]
    torch.testing.assert_close(kept.float(), expected, atol=2e-3, rtol=2e-3)
