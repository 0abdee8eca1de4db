"""Checkpoints with selective scans (Mamba-2), alone or beside attention: their hidden weights."""

import sys
from pathlib import Path
from typing import Any

import pytest
import torch
from torch import Tensor

from model.analysis.explanations import Asked, compare
from model.masks.rules import Cell, MaskSettings
from model.sources.pretrained.scanning import NAME
from model.sources.pretrained.source import PretrainedSource
from model.sources.source import Inputs, MutedHead
from model.trace.site import Site
from tests.unit.sources.pretrained.checkpoints import END, PAD, N
from tests.unit.sources.pretrained.test_families import loaded as opened

IDS = {"vocab_size": N, "pad_token_id": PAD, "bos_token_id": 2, "eos_token_id": END}
SIZES = IDS | {"hidden_size": 24, "num_attention_heads": 6, "num_key_value_heads": 2}
SIZES |= {"intermediate_size": 20, "max_position_embeddings": 64, "chunk_size": 4}
OLD = {"mamba_d_state": 5, "mamba_n_heads": 6, "mamba_d_head": 8, "mamba_n_groups": 2}
OLD |= {"mamba_chunk_size": 4}
# with the layers that have a softmax
FAMILIES: dict[str, tuple[dict[str, Any], set[int], int]] = {
    "Mamba2": (
        {"num_hidden_layers": 3, "state_size": 5, "num_heads": 6, "head_dim": 8, "n_groups": 2},
        set(),
        3,
    ),
    "Bamba": (OLD | {"num_hidden_layers": 4, "attn_layer_indices": [1, 3]}, {1, 3}, 4),
    "NemotronH": (
        {"mamba_num_heads": 6, "mamba_head_dim": 8, "ssm_state_size": 5, "n_groups": 2}
        | {"layers_block_type": ["mamba", "attention", "mamba", "mlp"]},
        {1},
        4,
    ),
    "GraniteMoeHybrid": (
        OLD
        | {"num_hidden_layers": 3, "layer_types": ["mamba", "attention", "mamba"]}
        | {"num_local_experts": 2, "num_experts_per_tok": 1, "shared_intermediate_size": 20},
        {1},
        3,
    ),
}
# a scan beside attention in one layer: attention alone is shown
PARALLEL: dict[str, dict[str, Any]] = {
    "FalconH1": OLD | {"num_hidden_layers": 2, "mamba_d_ssm": 48},
    "Zamba2": {"num_hidden_layers": 2, "mamba_d_state": 5, "n_mamba_heads": 6, "mamba_ngroups": 2}
    | {"hybrid_layer_ids": [1], "layers_block_type": ["mamba", "hybrid"]},
}
TEXT = "the cat sat on the mat"


def loaded(folder: Path, family: str, more: dict[str, Any]) -> PretrainedSource:
    return opened(folder, family, "ForCausalLM", SIZES | more)


def scans_of(sites: tuple[Site, ...]) -> list[Site]:
    return [site for site in sites if site.kernel == "product"]


@pytest.mark.parametrize("family", FAMILIES)
def test_every_layer_is_shown_and_every_number_is_the_models_own(
    tmp_path: Path, family: str
) -> None:
    """Loading compares the hidden states of a padded batch with those of the family's own code."""
    more, attention, n_layers = FAMILIES[family]
    source = loaded(tmp_path, family, more)
    assert (source.info.lacks, source.info.n_layers) == ("", n_layers)
    assert bool(source.info.stream_lacks) == (not attention)
    trace = source.trace(Inputs((TEXT, "a dog")))
    by_layer = {site.layer: site for site in trace.sites}
    assert len(by_layer) == len(trace.sites) and attention < set(by_layer)
    assert {n for n, site in by_layer.items() if site.kernel == "exp"} == attention
    for site in trace.sites:
        got = site.derive(["pattern", "hidden", "z", "v"])
        torch.testing.assert_close(got["hidden"] @ got["v"], got["z"])
        assert got["hidden"][1, :, :, len("CLS a dog".split()) :].eq(0).all(), "padding"
        if site.layer in attention:
            assert torch.equal(got["hidden"], got["pattern"])
        else:
            assert not torch.equal(got["hidden"], got["pattern"])
    assert sum(told.probability for told in trace.predict(top_k=N)[0]) == pytest.approx(1)


@pytest.mark.parametrize("family", FAMILIES)
def test_the_hidden_weights_are_the_jacobian_of_the_familys_own_scan(
    tmp_path: Path, family: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = loaded(tmp_path, family, FAMILIES[family][0])
    trace = source.trace(Inputs((TEXT,)))
    module = sys.modules[type(source._body.model).__module__]
    own = getattr(module, NAME).__wrapped__
    found: list[Tensor] = []

    def scan(x: Tensor, *args: Tensor, D: Tensor, **given: Any) -> Tensor:
        def output(of: Tensor) -> Tensor:
            y: Tensor = own(of, *args, D=torch.zeros_like(D), **given)
            return y

        found.append(torch.autograd.functional.jacobian(output, x))
        return own(x, *args, D=D, **given)  # type: ignore[no-any-return]

    monkeypatch.setattr(module, NAME, scan)
    source._body.use("own")
    with torch.no_grad():
        source._body.model(torch.tensor([[token.id for token in trace.tokens[0]]]), use_cache=False)
    for jacobian, site in zip(found, scans_of(trace.sites), strict=True):
        hidden = site.derive(["hidden"])["hidden"][0]
        for head in range(site.n_heads):
            for channel in (0, 7):
                got = jacobian[0, :, head, channel, 0, :, head, channel]
                torch.testing.assert_close(got, hidden[head], atol=1e-5, rtol=1e-4)


def test_masks_and_mutes_reach_a_scan(tmp_path: Path) -> None:
    source = loaded(tmp_path, "Mamba2", FAMILIES["Mamba2"][0])
    cell = Cell(text=0, layer=1, head=2, query=4, key=1)
    plain, painted = (
        source.trace(Inputs((TEXT,), masks=MaskSettings(blocked=blocked))).sites[1]
        for blocked in ((), (cell,))
    )
    before, after = (site.derive(["hidden"])["hidden"][0] for site in (plain, painted))
    assert before[2, 4, 1] != 0 and after[2, 4, 1] == 0
    after[2, 4, 1] = before[2, 4, 1]
    assert torch.equal(before, after)
    muted = source.trace(Inputs((TEXT,), muted=(MutedHead(0, 3),)))
    assert muted.sites[0].derive(["z"])["z"][0, 3].eq(0).all()
    assert not torch.equal(muted.sites[1].derive(["hidden"])["hidden"][0], before)
    effects = source.mute_effects(Inputs((TEXT,)))[0].effects
    assert {(effect.layer, effect.head) for effect in effects} == {
        (layer, head) for layer in range(3) for head in range(6)
    }
    assert all(effect.change for effect in effects)


@pytest.mark.parametrize("family", PARALLEL)
def test_a_scan_beside_attention_leaves_the_layer_to_attention(tmp_path: Path, family: str) -> None:
    source = loaded(tmp_path, family, PARALLEL[family])
    assert not source.info.lacks and not scans_of(source.trace(Inputs((TEXT,))).sites)
    assert "hidden" not in source.info.tensors


@pytest.mark.parametrize("family", ["Mamba2", "Bamba"])
def test_hiding_a_token_is_a_run_in_which_nobody_sees_it(tmp_path: Path, family: str) -> None:
    """What a scan forgets depends on the run, too, so the reference of explanations follows it."""
    source = loaded(tmp_path, family, FAMILIES[family][0])
    inputs = Inputs((TEXT,))
    trace = source.trace(inputs)
    [found] = compare(trace, source.runner(inputs), Asked())
    assert trace.stages is not None and trace.unembed is not None
    plain = trace.unembed(trace.stages[-1, 0, -1])[found.token.id].item()
    [ablation] = [one for one in found.methods if one.name == "ablation"]
    assert ablation.values is not None
    for key in (1, 3):
        masks = MaskSettings(blocked=(Cell(key=key),))
        hidden = source.trace(Inputs((TEXT,), masks=masks))
        assert hidden.stages is not None
        logit = trace.unembed(hidden.stages[-1, 0, -1])[found.token.id].item()
        assert ablation.values[key] == pytest.approx(plain - logit, abs=1e-5)
