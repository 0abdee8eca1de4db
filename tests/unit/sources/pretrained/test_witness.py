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
from model.analysis.gradients import AskedGradients, GradientName, gradients
from model.analysis.patching import patching
from model.analysis.weights.composition import weight_composition
from model.analysis.weights.neurons import neurons
from model.interventions import At, Donor, Intervention
from model.sources.intervening import donor_inputs
from model.sources.source import Inputs
from model.trace.stream import Part
from model.trace.stream_tensors import stream_tensors
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


STREAM = {"resid_pre": "hook_resid_pre", "resid_post": "hook_resid_post", "mlp_out": "hook_mlp_out"}
OF_SITE = {name: f"attn.hook_{name}" for name in ("q", "k", "v", "z")}


def test_activations_and_their_gradients(load: Load, bridge: Any) -> None:
    source = load("gpt2")
    inputs = Inputs(texts=(TEXT,), stream=True)
    trace = source.trace(inputs)
    own = stream_tensors(trace, list(STREAM))
    seen: dict[str, torch.Tensor] = {}

    def keeping(name: str) -> Any:
        def keep(value: torch.Tensor, hook: Any) -> torch.Tensor:
            value.retain_grad()
            seen[name] = value
            return value  # else the run goes on with what this is a view of

        return name, keep

    points = (*STREAM.values(), *OF_SITE.values())
    hooks = [keeping(f"blocks.{n}.{name}") for n in range(source.info.n_layers) for name in points]
    with torch.enable_grad():
        bridge.requires_grad_(True)
        logits = bridge.run_with_hooks(ids(source, TEXT), fwd_hooks=hooks)[0, POSITION]
        (logits[TOKEN] - logits[AGAINST]).backward()
    bridge.zero_grad()
    differentiated: tuple[GradientName, ...] = (
        "resid_pre",
        "resid_post",
        "mlp_out",
        "q",
        "k",
        "v",
        "z",
    )
    asked = AskedGradients(differentiated, position=POSITION, token=TOKEN, against=AGAINST)
    found = gradients(trace, source.runner(inputs), asked)
    for layer in range(source.info.n_layers):
        for name, theirs in STREAM.items():
            expected = seen[f"blocks.{layer}.{theirs}"]
            close(own[f"layers.{layer}.{name}"], expected.detach())
            assert expected.grad is not None
            close(found[f"layers.{layer}.{name}"], expected.grad)
        derived = trace.sites[layer].derive(["q", "k", "v", "z"])
        for name in OF_SITE:
            expected = seen[f"blocks.{layer}.{OF_SITE[name]}"]
            heads = expected.reshape(*expected.shape[:2], source.info.n_heads, -1).transpose(1, 2)
            close(derived[name], heads.detach())
            assert expected.grad is not None
            slope = expected.grad.reshape(*expected.shape[:2], source.info.n_heads, -1)
            close(found[f"layers.{layer}.{name}"], slope.transpose(1, 2))


def close(one: torch.Tensor, other: torch.Tensor) -> None:
    torch.testing.assert_close(one, other, atol=1e-4, rtol=1e-4)


def test_neurons(load: Load, bridge: Any) -> None:
    source = load("gpt2")
    trace = source.trace(Inputs(texts=(TEXT,), stream=True))
    with torch.no_grad():
        _, cache = bridge.run_with_cache(ids(source, TEXT))
    for layer in range(source.info.n_layers):
        nothing = {"at": None, "token": TOKEN, "against": AGAINST, "top_k": 10_000}
        [found] = neurons(trace, layer=layer, position=POSITION, **nothing)  # type: ignore[arg-type]
        theirs = cache[f"blocks.{layer}.mlp.hook_post"][0, POSITION]
        assert found.n_neurons == len(theirs)
        for one in found.neurons:
            assert one.activation == pytest.approx(float(theirs[one.neuron]), abs=1e-4)


@pytest.mark.parametrize("at", ["resid_pre", "resid_post", "mlp", "head"])
def test_steering(load: Load, bridge: Any, at: At) -> None:
    source = load("gpt2")
    n = source.info.d_head if at == "head" else source.info.d_model
    vector = torch.randn(n, generator=torch.Generator().manual_seed(0))
    head = 1 if at == "head" else None
    one = Intervention(
        kind="add",
        at=at,
        layer=1,
        head=head,
        vector=tuple(vector.tolist()),
        factor=2.0,
        positions=(2,),
    )
    trace = source.trace(Inputs(texts=(TEXT,), interventions=(one,)))
    assert trace.stages is not None and trace.unembed is not None
    logits = trace.unembed(trace.stages[-1, 0, POSITION])

    def add(value: torch.Tensor, hook: Any) -> torch.Tensor:
        value = value.clone()
        if head is None:
            value[:, 2] += 2 * vector
        else:
            by_head = value.reshape(*value.shape[:2], source.info.n_heads, -1)
            by_head[:, 2, head] += 2 * vector
            value = by_head.reshape(value.shape)
        return value

    point = {**POINT, "resid_post": "hook_resid_post"}[at]
    with torch.no_grad():
        theirs = bridge.run_with_hooks(ids(source, TEXT), fwd_hooks=[(f"blocks.1.{point}", add)])
    close(logits - logits.mean(), theirs[0, POSITION] - theirs[0, POSITION].mean())
