"""TransformerLens, another implementation, finds the same numbers on the same random GPT-2.

It brings its own versions of much, so it goes into an environment of its own:
`pip install 'transformer-lens>=4.3,<5' hypothesis peft pytest`, then this file with
`-o filterwarnings=default`. Where it is not installed, these tests are skipped.
"""

from pathlib import Path
from typing import Any

import pytest
import torch

from model.analysis.attribution import attribution
from model.analysis.patching import patching
from model.analysis.weights.composition import weight_composition
from model.interventions import At, Donor
from model.sources.intervening import donor_inputs
from model.sources.source import Inputs
from model.trace.stream import Part
from tests.unit.sources.pretrained.conftest import Folder, Load

lens = pytest.importorskip(
    "transformer_lens",
    reason="TransformerLens is not installed: it goes into an environment of its own (see above)",
)

TEXT, CLEAN = "the cat sat on the old mat", "a dog sat near the old cabinet"
TOKEN, AGAINST = 11, 9
POSITION = 5
POINT = {"head": "attn.hook_z", "resid_pre": "hook_resid_pre", "mlp": "hook_mlp_out"}


@pytest.fixture(scope="module")
def bridge(folder: Folder) -> Any:
    return _bridge(folder("gpt2"))


def _bridge(folder: Path) -> Any:
    made: Any = lens.TransformerBridge
    return made.boot_transformers(str(folder), device="cpu", dtype=torch.float32)


def ids(source: Any, text: str) -> torch.Tensor:
    [row] = source.trace(Inputs(texts=(text,))).tokens
    return torch.tensor([[token.id for token in row]])


def test_direct_logit_attribution(load: Load, bridge: Any) -> None:
    source = load("gpt2")
    trace = source.trace(Inputs(texts=(TEXT,), stream=True))
    [found] = attribution(trace, position=POSITION, token=TOKEN, against=AGAINST)
    values = {each.part: each.value for each in found.contributions}
    with torch.no_grad():
        _, cache = bridge.run_with_cache(ids(source, TEXT))
    bridge.requires_grad_(False)
    direction = (bridge.W_U[:, TOKEN] - bridge.W_U[:, AGAINST]) * bridge.ln_final.weight
    scale = cache["ln_final.hook_scale"][0, POSITION]

    def along(vector: torch.Tensor) -> float:
        return float((vector - vector.mean()) @ direction / scale)

    for layer in range(source.info.n_layers):
        z = cache[f"blocks.{layer}.attn.hook_z"][0, POSITION]  # head d_head
        z = z.reshape(source.info.n_heads, -1)
        w_o = bridge.W_O[layer]  # head d_head d_model
        for head in range(source.info.n_heads):
            part = Part("head", layer, f"layers.{layer}", head)
            assert values[part] == pytest.approx(along(z[head] @ w_o[head]), abs=1e-4)
        mlp = cache[f"blocks.{layer}.hook_mlp_out"][0, POSITION]
        assert values[Part("mlp", layer)] == pytest.approx(along(mlp), abs=1e-4)
    embedded = cache["hook_embed"][0, POSITION]
    assert values[Part("embedding")] == pytest.approx(along(embedded), abs=1e-4)


@pytest.mark.parametrize("through", ["q", "k", "v"])
def test_composition_by_weights(load: Load, folder: Folder, through: str) -> None:
    """It folds the norms into the weights as we do, and centres what reads."""
    source = load("gpt2")
    found = weight_composition(source.trace(Inputs(texts=(TEXT,), stream=True)))
    bridge = _bridge(folder("gpt2"))
    bridge.enable_compatibility_mode(disable_warnings=True)
    scores = bridge.all_composition_scores(through.upper()).scores  # layer head layer head
    for pair in found.pairs:
        earlier, later = (int(name.rpartition(".")[2]) for name in (pair.earlier, pair.later))
        torch.testing.assert_close(
            getattr(pair, through), scores[earlier, :, later].detach(), atol=1e-4, rtol=0
        )


@pytest.mark.parametrize("at", ["head", "resid_pre", "mlp"])
def test_patching(load: Load, bridge: Any, at: At) -> None:
    source = load("gpt2")
    inputs = Inputs(texts=(TEXT,))
    runner, clean = (
        source.runner(inputs),
        source.runner(donor_inputs(inputs, Donor((CLEAN,), ("It",)))),
    )
    asked: dict[str, Any] = {"at": at, "token": TOKEN, "against": AGAINST, "position": POSITION}
    [found] = patching(source.trace(inputs), runner, clean, source.info, **asked)
    with torch.no_grad():
        _, cache = bridge.run_with_cache(ids(source, CLEAN))
        for layer, row in enumerate(found.layers):
            for place, cell in enumerate(row.cells):

                def patch(value: torch.Tensor, hook: Any, place: int = place) -> torch.Tensor:
                    value = value.clone()
                    value[:, place] = cache[hook.name][:, place]
                    return value

                hooks = [(f"blocks.{layer}.{POINT[at]}", patch)]
                logits = bridge.run_with_hooks(ids(source, TEXT), fwd_hooks=hooks)[0, POSITION]
                expected = float(logits[TOKEN] - logits[AGAINST])
                assert cell.metric == pytest.approx(expected, abs=1e-4)
