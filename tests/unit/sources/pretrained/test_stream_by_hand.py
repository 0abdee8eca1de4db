"""What one head of a family adds to a logit, by plain loops over the weights in double precision.

Only the norms' inputs and the patterns come from Transformers; all else is written out here.
"""

import math
from collections.abc import Sequence
from typing import Any, NamedTuple

import pytest
import torch
from torch import Tensor

from model.analysis.attribution import attribution
from model.sources.source import Inputs
from model.trace.stream import Part, summands
from tests.unit.sources.pretrained.conftest import Load

pytestmark = pytest.mark.long

TEXT, TARGET = "the cat sat on the mat", "her old dog is"

Vector = list[float]


def dot(one: Sequence[float], other: Sequence[float]) -> float:
    total = 0.0
    for a, b in zip(one, other, strict=True):
        total += a * b
    return total


class Seen(NamedTuple):
    """A run by Transformers: its patterns, and the input of each norm, at all positions."""

    output: Any
    inputs: dict[str, list[Vector]]
    weights: dict[str, Any]

    def norm(self, name: str, x: Vector, at: int, *, eps: float, plus: float = 0.0) -> Vector:
        """The linear part of an RMSNorm, or of a LayerNorm if it has a bias, with its own scale."""
        of = self.inputs[name][at]
        is_centred = f"{name}.bias" in self.weights
        mean = sum(of) / len(of) if is_centred else 0.0
        scale = math.sqrt(sum((each - mean) ** 2 for each in of) / len(of) + eps)
        middle = sum(x) / len(x) if is_centred else 0.0
        gains = self.weights[f"{name}.weight"]
        return [
            (gain + plus) * (each - middle) / scale for gain, each in zip(gains, x, strict=True)
        ]

    def normed(self, name: str, at: int, *, eps: float, plus: float = 0.0) -> Vector:
        """The output of a norm."""
        found = self.norm(name, self.inputs[name][at], at, eps=eps, plus=plus)
        bias = self.weights.get(f"{name}.bias", [0.0] * len(found))
        return [a + b for a, b in zip(found, bias, strict=True)]

    def linear(self, name: str, rows: range, x: Vector) -> Vector:
        """Some outputs of a linear layer."""
        weight, bias = self.weights[f"{name}.weight"], self.weights.get(f"{name}.bias")
        return [dot(weight[row], x) + (0.0 if bias is None else bias[row]) for row in rows]

    def write(self, name: str, columns: range, z: Vector) -> Vector:
        """What some inputs of W_O give, without its bias."""
        weight = self.weights[f"{name}.weight"]
        return [dot([row[n] for n in columns], z) for row in weight]


def run(model: Any, trace: Any) -> Seen:
    """Run Transformers on the tokens of a trace, with the input of every norm noted."""
    inputs: dict[str, list[Vector]] = {}
    handles = [
        part.register_forward_pre_hook(
            lambda part, given, name=name: inputs.update({name: given[0][0].double().tolist()})
        )
        for name, part in model.named_modules()
        if "norm" in type(part).__name__.lower()
    ]
    ids = {"input_ids": trace.tokens, "decoder_input_ids": trace.target_tokens}
    given = {
        name: torch.tensor([[token.id for token in row] for row in rows])
        for name, rows in ids.items()
        if rows is not None
    }
    with torch.inference_mode():
        output = model(**given, output_attentions=True, use_cache=False)
    for handle in handles:
        handle.remove()
    state = {name: each.double().tolist() for name, each in model.state_dict().items()}
    return Seen(output, inputs, state)


def mixed(pattern: Tensor, values: Sequence[Vector]) -> Vector:
    """z: the values weighted by one row of a pattern."""
    weights = pattern.double().tolist()
    return [dot(weights, [value[n] for value in values]) for n in range(len(values[0]))]


def gpt2(seen: Seen, at: int) -> tuple[Part, Vector]:
    """Layer 1, head 1 of 2: queries, keys and values are columns of one matrix."""
    block, d, d_head, head = "transformer.h.1", 24, 12, 1
    weight = seen.weights[f"{block}.attn.c_attn.weight"]  # inputs by outputs
    bias = seen.weights[f"{block}.attn.c_attn.bias"]
    columns = range(2 * d + head * d_head, 2 * d + (head + 1) * d_head)
    values = []
    for key in range(at + 1):
        x = seen.normed(f"{block}.ln_1", key, eps=1e-5)
        values.append([dot([row[n] for row in weight], x) + bias[n] for n in columns])
    z = mixed(seen.output.attentions[1][0, head, at, : at + 1], values)
    rows = seen.weights[f"{block}.attn.c_proj.weight"][head * d_head : (head + 1) * d_head]
    write = [dot(z, [row[n] for row in rows]) for n in range(d)]
    return Part("head", 1, "layers.1", head), seen.norm("transformer.ln_f", write, at, eps=1e-5)


def llama(seen: Seen, at: int) -> tuple[Part, Vector]:
    """Layer 1, head 4 of 6, which shares the values of group 1 of 2."""
    block, d_head, head, group = "model.layers.1", 4, 4, 1
    rows = range(group * d_head, (group + 1) * d_head)
    values = [
        seen.linear(
            f"{block}.self_attn.v_proj",
            rows,
            seen.normed(f"{block}.input_layernorm", key, eps=1e-6),
        )
        for key in range(at + 1)
    ]
    z = mixed(seen.output.attentions[1][0, head, at, : at + 1], values)
    columns = range(head * d_head, (head + 1) * d_head)
    write = seen.write(f"{block}.self_attn.o_proj", columns, z)
    return Part("head", 1, "layers.1", head), seen.norm("model.norm", write, at, eps=1e-6)


def gemma2(seen: Seen, at: int) -> tuple[Part, Vector]:
    """Layer 1, head 5 of 6, group 1 of 2: what heads give is normed, by a gain stored less 1."""
    block, d_head, head, group = "model.layers.1", 10, 5, 1
    rows = range(group * d_head, (group + 1) * d_head)
    values = [
        seen.linear(
            f"{block}.self_attn.v_proj",
            rows,
            seen.normed(f"{block}.input_layernorm", key, eps=1e-6, plus=1.0),
        )
        for key in range(at + 1)
    ]
    z = mixed(seen.output.attentions[1][0, head, at, : at + 1], values)
    columns = range(head * d_head, (head + 1) * d_head)
    write = seen.write(f"{block}.self_attn.o_proj", columns, z)
    write = seen.norm(f"{block}.post_attention_layernorm", write, at, eps=1e-6, plus=1.0)
    return Part("head", 1, "layers.1", head), seen.norm("model.norm", write, at, eps=1e-6, plus=1.0)


def bert(seen: Seen, at: int) -> tuple[Part, Vector]:
    """Layer 1, head 0 of 2: the whole stream goes through the four norms that follow."""
    block, d_head, head = "bert.encoder.layer.1", 12, 0
    rows = range(head * d_head, (head + 1) * d_head)
    eps = 1e-12
    n = len(seen.inputs["bert.embeddings.LayerNorm"])
    values = [
        seen.linear(
            f"{block}.attention.self.value",
            rows,
            seen.normed("bert.encoder.layer.0.output.LayerNorm", key, eps=eps),
        )
        for key in range(n)
    ]
    z = mixed(seen.output.attentions[1][0, head, at], values)
    write = seen.write(f"{block}.attention.output.dense", rows, z)
    for layer in (1, 2):
        for place in ("attention.output", "output"):
            name = f"bert.encoder.layer.{layer}.{place}.LayerNorm"
            write = seen.norm(name, write, at, eps=eps)
    return Part("head", 1, "layers.1", head), write


def t5(seen: Seen, at: int) -> tuple[Part, Vector]:
    """The cross-attention of the decoder's layer 1, head 3 of 4: values are of the encoder."""
    block, d_head, head = "decoder.block.1.layer.1.EncDecAttention", 5, 3
    rows = range(head * d_head, (head + 1) * d_head)
    n = len(seen.inputs["encoder.final_layer_norm"])
    values = [
        seen.linear(f"{block}.v", rows, seen.normed("encoder.final_layer_norm", key, eps=1e-6))
        for key in range(n)
    ]
    z = mixed(seen.output.cross_attentions[1][0, head, at], values)
    write = seen.write(f"{block}.o", rows, z)
    name = "decoder.final_layer_norm"
    return Part("head", 1, "decoder.layers.1.cross", head), seen.norm(name, write, at, eps=1e-6)


@pytest.mark.parametrize("by_hand", [gpt2, llama, gemma2, bert, t5], ids=lambda each: each.__name__)
def test_what_a_head_adds_is_that_of_plain_loops(load: Load, eager: Any, by_hand: Any) -> None:
    family = by_hand.__name__
    source = load(family)
    targets = (TARGET,) if source.info.takes_targets else None
    trace = source.trace(Inputs((TEXT,), targets=targets, stream=True))
    seen, at = run(eager(family), trace), 3
    part, expected = by_hand(seen, at)
    stream = trace.streams["tokens" if targets is None else "target_tokens"]
    parts, vectors = summands(stream, trace.sites, text=0, positions=[at])
    if stream.final is not None:
        vectors = stream.final.push(vectors, 0, torch.tensor([at]))
    assert vectors[parts.index(part), 0].tolist() == pytest.approx(expected, abs=1e-5)
    if family == "bert":  # its head transforms the stream first
        return
    unembed = seen.weights.get("lm_head.weight") or seen.weights["shared.weight"]
    factor = 24**-0.5 if family == "t5" else 1.0
    (found,) = attribution(trace, position=at, token=8, against=11)
    wanted = [a - b for a, b in zip(unembed[8], unembed[11], strict=True)]
    [value] = [each.value for each in found.contributions if each.part == part]
    assert value == pytest.approx(factor * dot(expected, wanted), abs=1e-5)
    (one,) = [each for each in found.sources if (each.site, each.head) == (part.site, part.head)]
    assert sum(one.values) == pytest.approx(value, abs=1e-5)
