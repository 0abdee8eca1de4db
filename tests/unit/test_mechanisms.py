"""Every mechanism, compared with a reference of plain loops; all sizes differ."""

import cmath
import math
from collections.abc import Callable
from dataclasses import replace
from typing import Any, cast, get_args

import pytest
import torch
from torch import Tensor

from model.core.attention import attend
from model.core.embedding import slopes
from model.errors import InputError, LimitError
from model.interventions import Intervention
from model.masks.rules import MaskSettings
from model.scratch.mechanisms import LIMITS, MECHANISMS, MechanismId, ScratchConfig, configure
from model.scratch.mechanisms import ROWS as ROWS_OF_SETTINGS
from model.scratch.network import ScratchNetwork, word_vector
from model.sources.scratch import ScratchSource
from model.sources.source import Inputs
from model.trace.site import derived_together
from model.trace.trace import Trace
from model.training.tasks.learner import TRAINABLE

IDS = get_args(MechanismId)
TEXT, TARGET = "the cat sat on the mat", "a dog ran away"
D, HEADS, D_HEAD = 15, 3, 4  # n_heads · d_head is not d_model where that may be
N, N_TARGET = 6, 4

# what each row says, written again: projections, heads, own causal mask, W_O, its bias
ROWS: dict[str, tuple[str, int, bool, bool, bool]] = {
    "average": ("none", 1, True, False, False),
    "dot-product": ("none", 1, False, False, False),
    "single-head": ("separate", 1, True, False, False),
    "fused-single": ("fused", 1, False, False, False),
    "multi-head": ("separate", 4, False, True, False),
    "grouped-query": ("separate", 4, True, True, False),
    "latent": ("separate", 4, True, True, False),
    "sliding-window": ("separate", 4, True, True, False),
    "linear": ("separate", 4, True, True, False),
    "retention": ("separate", 4, True, True, False),
    "state-space": ("separate", 4, True, True, False),
    "gated": ("separate", 4, True, True, False),
    "differential": ("separate", 8, True, True, False),
    "fused-multi-head": ("fused", 4, False, True, False),
    "heads-in-a-list": ("separate", 4, True, True, True),
    "padded-batch": ("fused", 2, False, False, False),
    "cross-attention": ("separate", 4, False, True, False),
    "block": ("separate", 4, True, True, False),
}


def sizes(id: str) -> dict[str, Any]:
    """The sizes for a mechanism: a single head stays single; without projections, heads slice x."""
    if id in ("average", "dot-product"):
        return {"d_model": D}
    if id in ("single-head", "fused-single"):
        return {"d_model": D, "d_head": 7}
    if id == "sliding-window":
        own = {"window": 3, "sink": 0.7, "residual": False, "n_layers": 1}
        return own | {"d_model": D, "n_heads": HEADS, "d_head": D_HEAD}
    if id == "latent":
        return {"d_model": D, "n_heads": HEADS, "d_head": D_HEAD, "d_latent": 7}
    if id in ("differential", "retention"):
        return {"d_model": D, "n_heads": 4, "d_head": D_HEAD}
    if id == "grouped-query":
        return {"d_model": D, "n_heads": 6, "d_head": D_HEAD, "n_kv_heads": 2}
    return {"d_model": D, "n_heads": HEADS, "d_head": D_HEAD}


def traced(id: str, **changes: Any) -> tuple[Trace, ScratchConfig]:
    config = configure(cast(MechanismId, id), sizes(id) | changes)
    targets = (TARGET,) if config.mechanism.cross else None
    return ScratchSource("scratch").trace(Inputs((TEXT,), targets, settings=config)), config


def vectors(text: str, d: int) -> list[list[float]]:
    return [word_vector(word, 0, d).tolist() for word in text.split()]


def times(matrix: Tensor, vector: list[float]) -> list[float]:
    """A matrix times a vector, number by number."""
    return [
        sum(float(matrix[i, j]) * vector[j] for j in range(matrix.shape[1]))
        for i in range(matrix.shape[0])
    ]


def dot(a: list[float], b: list[float]) -> float:
    return sum(x * y for x, y in zip(a, b, strict=True))


def weight_of(kernel: str, q: list[float], k: list[float], scale: float) -> float:
    """What a weight is in proportion to: exp of the scaled q·k, φ(q)·φ(k) of elu(x) + 1, or q·k."""
    if kernel == "exp":
        return math.exp(scale * dot(q, k))
    if kernel == "product":
        return scale * dot(q, k)
    return dot(*([x + 1 if x > 0 else math.exp(x) for x in each] for each in (q, k)))


def drawn(config: ScratchConfig) -> Callable[[int, int], Tensor]:
    """Draw matrices after torch.manual_seed, as documented."""
    torch.manual_seed(config.parameters.seed)
    return lambda d_out, d_in: torch.randn(d_out, d_in) / d_in**0.5


def heads_by_loops(
    config: ScratchConfig, x: list[list[float]], context: list[list[float]]
) -> tuple[list[list[list[float]]], list[list[float]]]:
    """The pattern of each head and the output of each query, by loops over numbers alone."""
    p, row = config.parameters, config.mechanism
    h, d = p.n_heads, cast(int, p.d_head)
    if row.projections == "none":
        q, k, v = x, context, context
    else:
        matrix = drawn(config)
        shared = p.n_kv_heads or h
        w_q, read = matrix(h * d, p.d_model), context
        if p.d_latent is not None:
            w_latent = matrix(p.d_latent, p.d_model)
            read = [times(w_latent, one) for one in context]
        values = shared if p.minus is None else h // 2
        w_k, w_v = (matrix(n * d, p.d_latent or p.d_model) for n in (shared, values))
        q = [times(w_q, one) for one in x]
        k, v = ([times(w, one) for one in read] for w in (w_k, w_v))
    scale = {"1/sqrt(d_head)": 1 / math.sqrt(d), "1/sqrt(d_model)": 1 / math.sqrt(p.d_model)}.get(
        str(p.scale), p.scale
    )
    written = h if p.minus is None else h // 2  # heads, or pairs of heads
    if row.output != "none":
        w_o = matrix(p.d_model, written * d)
        bias = [0.0] * p.d_model
        if row.output == "linear with bias":
            bias = (torch.randn(p.d_model) / (h * d) ** 0.5).tolist()
    w_gate = matrix(h, p.d_model) if p.gate else None
    gates = [] if w_gate is None else [times(w_gate, one) for one in x]
    steps = [[1.0] * h for _ in context]  # how strongly each token is written down
    if p.selective:
        w_step, b_step = matrix(h, p.d_model), (torch.randn(h) / p.d_model**0.5).tolist()
        steps = [
            [math.log(1 + math.exp(a + b)) for a, b in zip(times(w_step, one), b_step, strict=True)]
            for one in context
        ]
    patterns, outputs = [], [[0.0] * (written * d) for _ in q]
    for head in range(h):
        part = slice(head * d, (head + 1) * d)
        group = head // (h // (p.n_kv_heads or h))  # whose keys and values it reads
        own = slice(group * d, (group + 1) * d)
        slope = 2 ** (-8 * (head + 1) / h) if p.positions == "alibi" else 0.0
        pattern = []
        for i, query in enumerate(q):
            near = len(k) if p.window is None else p.window
            allowed = [j for j in range(len(k)) if (not row.causal or j <= i) and i - j < near]
            powers = {}
            for j in allowed:
                key = [steps[j][head] * number for number in k[j][own]]
                powers[j] = weight_of(p.kernel, query[part], key, float(scale))
                powers[j] *= math.exp(-slope * abs(i - j))
                for between in range(j + 1, i + 1) if p.selective else ():
                    powers[j] *= math.exp(-(0.5**head) * steps[between][head])
            total = sum(map(abs, powers.values())) + (0.0 if p.sink is None else math.exp(p.sink))
            pattern.append([abs(powers.get(j, 0.0)) / total for j in range(len(k))])
            total = 1.0 if p.kernel == "product" else total
            weights = [powers.get(j, 0.0) / total for j in range(len(k))]
            of, to, factor = group, head, 1.0
            if p.minus is not None:  # both heads of a pair look at the same values
                of = to = head // 2
                factor = -p.minus if head % 2 else 1.0
            for channel in range(d):
                outputs[i][to * d + channel] += factor * sum(
                    weights[j] * v[j][of * d + channel] for j in range(len(k))
                )
        patterns.append(pattern)
    if row.output == "none":
        return patterns, outputs
    for i, logits in enumerate(gates):
        for at in range(h * d):
            outputs[i][at] /= 1 + math.exp(-logits[at // d])
    mixed = [times(w_o, one) for one in outputs]
    return patterns, [[a + b for a, b in zip(one, bias, strict=True)] for one in mixed]


def output_of(trace: Trace, config: ScratchConfig) -> Tensor:
    """The output of the first layer's attention, from the trace's z and the network's W_O."""
    z = trace.sites[0].derive(["z"])["z"][0]
    if config.parameters.minus is not None:
        z = z[0::2] + z[1::2]
    joined = z.permute(1, 0, 2).flatten(1)
    w_o = ScratchNetwork(config).blocks[0].attention.w_o
    return joined if w_o is None else w_o(joined)


@pytest.mark.parametrize("id", IDS)
def test_the_table_says_what_the_notebooks_do(id: MechanismId) -> None:
    row = MECHANISMS[id]
    config = configure(id)
    attention = config.block.attention
    assert (
        attention.projections,
        attention.n_heads,
        row.causal,
        attention.output,
        attention.output_bias,
    ) == ROWS[id]
    assert (attention.softmax_over, attention.mask_applied) == ("key", "before")
    assert attention.read_as is None and config.parameters.causal_diagonal == 0
    own = {"average": 0.0, "dot-product": 1.0}.get(id, attention.d_head**-0.5)
    assert attention.scale_factor == own
    assert config.modified == ()
    assert row.cross == (id == "cross-attention")


def test_a_block_is_multi_head_with_pre_norm_residual_and_feed_forward() -> None:
    block, multi = configure("block"), configure("multi-head")
    assert block.block.attention == multi.block.attention
    assert (block.block.norm, block.block.residual) == ("pre", True)
    assert block.block.d_ff == 4 * block.parameters.d_model
    assert block.block.activation == "relu"


@pytest.mark.parametrize("id", [id for id in IDS if id != "block"])
def test_a_mechanism_equals_its_reference_by_loops(id: str) -> None:
    trace, config = traced(id)
    x = context = vectors(TEXT, D)
    if config.mechanism.cross:
        x = vectors(TARGET, D)
    patterns, outputs = heads_by_loops(config, x, context)
    got = trace.sites[0].derive(["pattern"])["pattern"][0]
    assert got.shape == (config.parameters.n_heads, len(x), N)
    torch.testing.assert_close(got, torch.tensor(patterns), atol=2e-6, rtol=1e-5)
    out = output_of(trace, config)
    torch.testing.assert_close(out, torch.tensor(outputs), atol=1e-5, rtol=1e-4)


@pytest.mark.parametrize("id", ["multi-head", "grouped-query", "linear"])
def test_alibi_lowers_scores_by_distance_as_loops_do(id: str) -> None:
    trace, config = traced(id, positions="alibi", n_heads=4)
    x = vectors(TEXT, D)
    patterns, outputs = heads_by_loops(config, x, x)
    got = trace.sites[0].derive(["pattern"])["pattern"][0]
    torch.testing.assert_close(got, torch.tensor(patterns), atol=2e-6, rtol=1e-5)
    torch.testing.assert_close(
        output_of(trace, config), torch.tensor(outputs), atol=1e-5, rtol=1e-4
    )
    scores = trace.sites[0].derive(["scores"])["scores"]
    plain, _ = traced(id, n_heads=4)
    change = scores - plain.sites[0].derive(["scores"])["scores"]
    assert change[0, 0, 5, 1].item() == pytest.approx(-4 * 2**-2, abs=1e-5)


@pytest.mark.parametrize("scaling", ["none", "linear", "ntk"])
def test_rotary_positions_are_stretched_as_by_hand(scaling: str) -> None:
    """Each pair of channels is a complex number, which is turned by its angle."""
    settings = {"positions": "rotary", "d_head": 6, "rope_scaling": scaling, "rope_factor": 3.0}
    site, plain = (traced("multi-head", **more)[0].sites[0] for more in (settings, {"d_head": 6}))
    assert site.q is not None and plain.q is not None
    for pair in range(3):
        angle = 10_000 ** (-2 * pair / 6)
        if scaling == "linear":
            angle /= 3
        if scaling == "ntk":  # the first pair turns as before, the last one a third as fast
            angle *= 3 ** (-pair / 2)
        for at in range(N):
            turned = complex(*plain.q[0, 1, at, [pair, pair + 3]].tolist()) * cmath.exp(
                1j * angle * at
            )
            got = site.q[0, 1, at, [pair, pair + 3]].tolist()
            assert got == pytest.approx([turned.real, turned.imag], abs=1e-5)


def test_the_next_layer_reads_what_alibi_gave() -> None:
    trace, config = traced("multi-head", positions="alibi", n_layers=2)
    w_q = ScratchNetwork(config).blocks[1].attention.w_q
    q = w_q(output_of(trace, config)).unflatten(-1, (HEADS, D_HEAD)).transpose(0, 1)
    torch.testing.assert_close(trace.sites[1].q, q[None], atol=1e-5, rtol=1e-4)


@pytest.mark.parametrize("id", TRAINABLE)
def test_the_next_layer_reads_what_is_derived_of_the_first(id: str) -> None:
    trace, config = traced(id, n_layers=2)
    heads = config.parameters.n_heads
    w_q = ScratchNetwork(config).blocks[1].attention.w_q
    q = w_q(output_of(trace, config)).unflatten(-1, (heads, D_HEAD)).transpose(0, 1)
    if config.parameters.kernel == "linear":
        q = torch.nn.functional.elu(q) + 1
    torch.testing.assert_close(trace.sites[1].q, q[None], atol=1e-5, rtol=1e-4)


def test_alibi_has_the_slopes_of_its_authors() -> None:
    assert slopes(8).tolist() == [2.0**-n for n in range(1, 9)]
    # for 6 heads: the four of a power of two, then every second one of eight
    expected = [2**-2, 2**-4, 2**-6, 2**-8, 2**-1, 2**-3]
    assert slopes(6).tolist() == pytest.approx(expected)
    assert slopes(1).tolist() == [2**-8]
    with pytest.raises(InputError, match="within one text"):
        configure("cross-attention", {"positions": "alibi"})


def test_heads_that_share_keys_and_values() -> None:
    multi_query, _ = traced("grouped-query", n_kv_heads=1)
    site = multi_query.sites[0]
    assert site.n_kv_heads == 1 and site.k is not None and site.v is not None
    assert all(torch.equal(site.k[:, 0], site.k[:, head]) for head in range(6))
    all_own, _ = traced("grouped-query", n_kv_heads=6)
    alone, _ = traced("multi-head", n_heads=6)
    for mine, theirs in zip(all_own.sites, alone.sites, strict=True):
        for name in ("q", "k", "v"):
            assert torch.equal(getattr(mine, name), getattr(theirs, name))
    with pytest.raises(InputError, match="does not divide 6") as caught:
        traced("grouped-query", n_kv_heads=4)
    assert caught.value.field == "scratch.n_kv_heads"
    with pytest.raises(InputError, match="matrices of their own"):
        configure("fused-multi-head", {"n_kv_heads": 2})


def test_keys_and_values_are_read_off_a_latent() -> None:
    narrow, _ = traced("latent", d_latent=2, d_head=8)
    for part in (narrow.sites[0].k, narrow.sites[0].v):
        assert part is not None and part.shape[-1] == 8
        assert all(torch.linalg.matrix_rank(part[0, head], atol=1e-4) == 2 for head in range(HEADS))
    q = narrow.sites[0].q
    assert q is not None and torch.linalg.matrix_rank(q[0, 0]) > 2, "queries are read off x"
    with pytest.raises(InputError, match="matrices of their own") as caught:
        configure("fused-multi-head", {"d_latent": 4})
    assert caught.value.field == "scratch.d_latent"


def test_the_window_among_the_masks_takes_the_place_of_the_mechanisms_own() -> None:
    config = configure("sliding-window", sizes("sliding-window"))
    source = ScratchSource("scratch")
    own = source.trace(Inputs((TEXT,), settings=config)).sites[0].derive(["blocked_by"])
    masks = MaskSettings(window=N)
    wide = source.trace(Inputs((TEXT,), masks=masks, settings=config)).sites[0]
    assert own["blocked_by"][0, 0, 5].tolist() == [4, 4, 4, 0, 0, 0]
    assert wide.derive(["blocked_by"])["blocked_by"][0, 0, 5].tolist() == [0] * 6


def test_one_matrix_stands_in_for_all_earlier_keys_and_values() -> None:
    """The recurrent form of linear attention (Katharopoulos et al. 2020, equations 10 and 11)."""
    site = traced("linear")[0].sites[0]
    assert site.q is not None and site.k is not None and site.v is not None
    got = site.derive(["z"])["z"][0]
    for head in range(HEADS):
        state, sums = torch.zeros(D_HEAD, D_HEAD), torch.zeros(D_HEAD)
        for at in range(N):
            q, k, v = (part[0, head, at] for part in (site.q, site.k, site.v))
            state, sums = state + torch.outer(k, v), sums + k
            torch.testing.assert_close(got[head, at], q @ state / (q @ sums))


def test_layers_of_linear_attention_are_derived_together_as_alone() -> None:
    trace, _ = traced("linear", n_layers=2, residual=True)
    sites = [replace(site, mask=trace.sites[0].mask) for site in trace.sites]  # as of one model
    for alone, together in zip(sites, derived_together(sites), strict=True):
        assert together.stored_pattern is not None
        torch.testing.assert_close(alone.derive(["pattern"])["pattern"], together.stored_pattern)


def test_a_product_of_zero_has_a_finite_logarithm() -> None:
    zero, v = torch.zeros(1, 1, 3, 2), torch.randn(1, 1, 3, 2)
    found = attend(zero, zero, v, kernel="linear", need="all")
    assert found.scores.isfinite().all()
    torch.testing.assert_close(found.pattern, torch.full((1, 1, 3, 3), 1 / 3))


@pytest.mark.parametrize("id", ["retention", "state-space"])
def test_without_a_softmax_one_matrix_stands_in_for_the_past(id: str) -> None:
    """Retention and state spaces as their recurrence computes them, token by token."""
    trace, config = traced(id)
    site = trace.sites[0]
    assert site.q is not None and site.k is not None and site.v is not None
    n_heads = site.n_heads
    left = (-slopes(n_heads)).exp().expand(N, n_heads)  # of the past, at each token
    if id == "state-space":
        attention = ScratchNetwork(config).blocks[0].attention
        steps = torch.nn.functional.softplus(attention.w_step(torch.tensor(vectors(TEXT, D))))
        left = (-steps * 0.5 ** torch.arange(n_heads)).exp()
    got = site.derive(["z", "hidden", "pattern", "bias", "norms", "value_weighted"])
    for head in range(n_heads):
        state = torch.zeros(D_HEAD, D_HEAD)
        for at in range(N):
            q, k, v = (part[0, head, at] for part in (site.q, site.k, site.v))
            state = left[at, head] * state + torch.outer(k, v)
            torch.testing.assert_close(got["z"][0, head, at], q @ state * D_HEAD**-0.5)
    hidden = got["hidden"]
    assert hidden.min() < 0 and hidden.triu(1).eq(0).all()
    torch.testing.assert_close(hidden @ site.v, got["z"])
    shares = hidden.abs() / hidden.abs().sum(-1, keepdim=True)
    torch.testing.assert_close(got["pattern"], shares)
    assert site.w_o is not None
    moved = hidden.abs() * (site.v @ site.w_o).norm(dim=-1)[:, :, None]
    torch.testing.assert_close(got["norms"], moved)  # the share alone would not say how much
    lengths = hidden.abs() * site.v.norm(dim=-1)[:, :, None]
    torch.testing.assert_close(got["value_weighted"], lengths / lengths.sum(-1, keepdim=True))
    part = site.derive(["hidden", "bias"], heads=[2, 0], rows=slice(2, 5), text=0)
    for name, tensor in part.items():
        torch.testing.assert_close(tensor, got[name][:, [2, 0], 2:5])
    assert "hidden" not in traced("linear")[0].sites[0].tensors


@pytest.mark.parametrize("id", ["retention", "state-space"])
def test_the_hidden_weights_are_what_outputs_depend_on(id: str) -> None:
    """The Jacobian of z with respect to the values, by autograd."""
    site = traced(id)[0].sites[0]
    q, k, v, bias = (site.derive([name])[name].clone() for name in ("q", "k", "v", "bias"))
    mask = site.mask.allows().clone()

    def z(v: Tensor) -> Tensor:
        found: Tensor = attend(q, k, v, mask=mask, bias=bias, **site.rule)
        return found

    jacobian: Tensor = torch.func.jacrev(z)(v)
    hidden = site.derive(["hidden"])["hidden"]
    for channel in range(D_HEAD):
        for head in range(site.n_heads):
            found = jacobian[0, head, :, channel, 0, head, :, channel]
            torch.testing.assert_close(found, hidden[0, head])


@pytest.mark.parametrize(
    "changes", [{"softmax_over": "query"}, {"mask_applied": "after"}, {"sink": 0.0}]
)
def test_what_a_softmax_needs_is_refused_without_one(changes: dict[str, Any]) -> None:
    with pytest.raises(InputError, match="there is no softmax") as caught:
        configure("retention", changes)
    assert caught.value.field == f"scratch.{next(iter(changes))}"
    with pytest.raises(InputError, match="two places of one text"):
        configure("cross-attention", {"selective": True})


def test_a_gate_scales_what_a_head_gives_and_no_weight() -> None:
    (site,), (plain,) = (traced(id)[0].sites for id in ("gated", "heads-in-a-list"))
    names = ["pattern", "z", "gate", "norms", "result"]
    got, without = site.derive(names), plain.derive(["pattern", "z", "norms"])
    assert "gate" not in plain.tensors
    gate = got["gate"][..., None]
    assert gate.shape == (1, HEADS, N, 1) and 0 < gate.min() < gate.max() < 1
    for head in range(HEADS):  # of the same x, in one row of the query
        logits = ScratchNetwork(traced("gated")[1]).blocks[0].attention.w_gate.weight[head]
        x = torch.tensor(vectors(TEXT, D))
        torch.testing.assert_close(gate[0, head, :, 0], (x @ logits).sigmoid())
    torch.testing.assert_close(got["pattern"], without["pattern"])
    torch.testing.assert_close(got["z"], without["z"] * gate)
    assert site.w_o is not None
    torch.testing.assert_close(got["result"], got["z"] @ site.w_o)
    part = site.derive(names, heads=[2], rows=slice(1, 3))
    for name in names:
        torch.testing.assert_close(part[name], got[name][:, 2:, 1:3])


def test_an_intervention_comes_after_the_gate() -> None:
    config = configure("gated", sizes("gated"))
    given = (
        Intervention(kind="scale", at="head", layer=0, head=1, positions=(3,), factor=2.0),
        Intervention(kind="zero", at="head", layer=0, head=2),
    )
    source = ScratchSource("scratch")
    plain = source.trace(Inputs((TEXT,), settings=config)).sites[0].derive(["z"])["z"][0]
    inputs = Inputs((TEXT,), interventions=given, settings=config)
    edited = source.trace(inputs).sites[0].derive(["z"])["z"][0]
    torch.testing.assert_close(edited[1, 3], 2 * plain[1, 3])
    torch.testing.assert_close(edited[1, :3], plain[1, :3])
    assert plain[2].abs().min() > 0 and edited[2].eq(0).all()


def test_the_second_head_of_a_pair_is_subtracted() -> None:
    site = traced("differential", minus=0.25)[0].sites[0]
    got = site.derive(["pattern", "net", "z", "result"])
    first, second = got["pattern"][:, 0::2], got["pattern"][:, 1::2]
    for net in (got["net"][:, 0::2], got["net"][:, 1::2]):
        torch.testing.assert_close(net, first - 0.25 * second)
    assert got["net"].min() < 0
    torch.testing.assert_close(got["net"].sum(-1), torch.full((1, 4, N), 0.75))
    assert site.v is not None and site.w_o is not None
    torch.testing.assert_close(site.v[:, 1::2], -0.25 * site.v[:, 0::2])
    assert torch.equal(site.w_o[0::2], site.w_o[1::2])
    pair = got["z"][:, 0::2] + got["z"][:, 1::2]
    torch.testing.assert_close(pair, got["net"][:, 0::2] @ site.v[:, 0::2])
    part = site.derive(["net"], heads=[3, 0], rows=slice(2, 5), text=0)["net"]
    torch.testing.assert_close(part, got["net"][:, [3, 0], 2:5])
    assert "net" not in traced("multi-head")[0].sites[0].tensors


@pytest.mark.parametrize(
    ("changes", "field", "words"),
    [
        ({"n_heads": 3, "d_head": 4}, "n_heads", "their number is even; n_heads is 3"),
        ({"n_kv_heads": 4}, "minus", "every head has a key of its own"),
        ({"minus": 2.5}, "minus", "from 0 to 2"),
    ],
)
def test_heads_that_cannot_be_paired(changes: dict[str, Any], field: str, words: str) -> None:
    with pytest.raises(InputError, match=words) as caught:
        configure("differential", changes)
    assert caught.value.field == f"scratch.{field}"


def test_averaging_in_three_forms_gives_the_same_numbers() -> None:
    trace, _ = traced("average")
    softmax_of_zeros = trace.sites[0].derive(["z"])["z"][0, 0]
    x = torch.tensor(vectors(TEXT, D))
    loop = torch.stack([x[: t + 1].mean(0) for t in range(N)])
    triangle = torch.ones(N, N).tril()
    triangle = triangle / triangle.sum(1, keepdim=True)
    torch.testing.assert_close(softmax_of_zeros, loop)
    torch.testing.assert_close(triangle @ x, loop)


def test_heads_in_a_list_are_single_heads_side_by_side() -> None:
    trace, config = traced("heads-in-a-list")
    network = ScratchNetwork(config)
    attention = network.blocks[0].attention
    x = torch.tensor(vectors(TEXT, D))
    alone = []
    for head in range(HEADS):
        part = slice(head * D_HEAD, (head + 1) * D_HEAD)
        q, k, v = (x @ w.weight[part].T for w in (attention.w_q, attention.w_k, attention.w_v))
        scores = (q @ k.T / D_HEAD**0.5).masked_fill(~torch.ones(N, N).tril().bool(), -math.inf)
        alone.append(scores.softmax(-1) @ v)
    z = trace.sites[0].derive(["z"])["z"][0]
    torch.testing.assert_close(z, torch.stack(alone))


def test_padding_is_blocked_as_a_key() -> None:
    config = configure("padded-batch", sizes("padded-batch"))
    trace = ScratchSource("scratch").trace(Inputs((TEXT, "a b"), settings=config))
    pattern = trace.sites[0].derive(["pattern"])["pattern"][1]
    assert pattern[:, :, 2:].eq(0).all()
    alone = ScratchSource("scratch").trace(Inputs(("a b",), settings=config))
    torch.testing.assert_close(pattern[:, :2, :2], alone.sites[0].derive(["pattern"])["pattern"][0])


def layer_norm(x: Tensor) -> Tensor:
    mean, variance = x.mean(-1, keepdim=True), x.var(-1, unbiased=False, keepdim=True)
    return (x - mean) / (variance + 1e-5).sqrt()


@pytest.mark.parametrize("norm", ["none", "pre", "post"])
@pytest.mark.parametrize("residual", [False, True])
@pytest.mark.parametrize("d_ff", [0, 11])
def test_a_block_equals_its_formula(norm: str, residual: bool, d_ff: int) -> None:
    """Two layers: the scores of the second depend on everything in the first."""
    changes = {"norm": norm, "residual": residual, "d_ff": d_ff, "n_layers": 2}
    trace, config = traced("block", **changes)
    matrix = drawn(config)
    x = torch.tensor(vectors(TEXT, D))

    def before(x: Tensor) -> Tensor:
        return layer_norm(x) if norm == "pre" else x

    def after(x: Tensor, made: Tensor) -> Tensor:
        made = x + made if residual else made
        return layer_norm(made) if norm == "post" else made

    for site in trace.sites:
        weights = [matrix(HEADS * D_HEAD, D) for _ in range(3)]
        pattern, z = causal_heads(before(x), weights)
        x = after(x, z @ matrix(D, HEADS * D_HEAD).T)
        got = site.derive(["pattern"])["pattern"][0]
        torch.testing.assert_close(got, pattern, atol=1e-5, rtol=1e-4)
        if d_ff:
            w_in, b_in = matrix(d_ff, D), torch.randn(d_ff) / D**0.5
            w_out, b_out = matrix(D, d_ff), torch.randn(D) / d_ff**0.5
            x = after(x, (before(x) @ w_in.T + b_in).relu() @ w_out.T + b_out)


def causal_heads(x: Tensor, weights: list[Tensor]) -> tuple[Tensor, Tensor]:
    """The patterns and the concatenated z of the heads, computed with torch."""
    q, k, v = ((x @ w.T).reshape(N, HEADS, D_HEAD).transpose(0, 1) for w in weights)
    future = ~torch.ones(N, N).tril().bool()
    scores = (q @ k.transpose(1, 2) / D_HEAD**0.5).masked_fill(future, -math.inf)
    pattern = scores.softmax(-1)
    return pattern, (pattern @ v).transpose(0, 1).flatten(1)


@pytest.mark.parametrize("name", LIMITS)
def test_a_number_out_of_its_bounds_says_which(name: str) -> None:
    least, most = LIMITS[name]
    for number in (least - 1, most + 1):
        value = float(number) if ROWS_OF_SETTINGS[name].type == "number" else number
        with pytest.raises(
            LimitError, match=f"Expected {name} to be from {least:,} to {most:,}"
        ) as raised:
            configure("fused-multi-head", {name: value})
        assert raised.value.field == f"scratch.{name}"


@pytest.mark.parametrize(
    ("id", "changes", "field", "message"),
    [
        ("multi-head", {"n_heads": 5}, "d_head", "d_model = 32 .* evenly among 5 heads"),
        ("multi-head", {"d_model": 2}, "d_head", "d_model = 2 .* evenly among 4 heads"),
        ("multi-head", {"n_heads": 16, "d_head": 65}, "d_head", "at most 1,024 channels"),
        ("average", {"d_head": 3}, "d_head", r"n_heads · d_head must be d_model"),
        ("multi-head", {"packing": "head qkv d_head"}, "packing", "multi-head has no such matrix"),
        (
            "single-head",
            {"read_as": "head qkv d_head"},
            "read_as",
            "single-head has no such matrix",
        ),
        ("cross-attention", {"positions": "rotary"}, "positions", "within one text"),
        ("multi-head", {"positions": "rotary", "d_head": 7}, "d_head", "must be even; got 7"),
        ("single-head", {"positions": "sinusoidal", "d_model": 7}, "d_model", "even; got 7"),
        ("single-head", {"residual": True}, "residual", "16 channels, but x has d_model = 32"),
        ("single-head", {"n_layers": 2}, "n_layers", "must be d_model = 32 wide"),
    ],
)
def test_what_cannot_be_says_why(
    id: MechanismId, changes: dict[str, Any], field: str, message: str
) -> None:
    with pytest.raises(InputError, match=message) as raised:
        configure(id, changes)
    assert raised.value.field == f"scratch.{field}"


def test_what_was_changed_is_named() -> None:
    assert configure("multi-head", {"scale": 1.0, "seed": 3}).modified == ("seed", "scale")
    assert configure("multi-head", {"d_head": 8, "n_heads": 4}).modified == ()
    same = configure("padded-batch", {"read_as": "head qkv d_head"})
    assert same.modified == () and same.parameters.read_as is None
