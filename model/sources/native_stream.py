"""What a run of our own transformer wrote to its residual stream."""

from collections.abc import Collection, Sequence

from jaxtyping import Float, Int
from torch import Tensor

from model.core.editing import Place, Point
from model.core.embedding import Rotary, rotary, rotate
from model.core.transformer import Transformer, TransformerConfig, TransformerPass
from model.trace.stream import FrozenNorm, HeadsWrite, Part, Project, Read, Step, Stream, Write


def stream_of(
    model: Transformer,
    result: TransformerPass,
    ids: Int[Tensor, "batch pos"],
    positions: Int[Tensor, "batch pos"],
    edited: Collection[Place] = (),
) -> Stream:
    """The steps of a recorded run: the embedding, then each layer's attention and feed-forward.

    At places of the stream where the run was `edited`, what the edit added is a step of its own.
    """
    x, tokens = result.embedding, model.embedding.token(ids)
    steps: list[Step] = [Write(part=Part("embedding"), out=tokens)]
    if model.config.positions in ("learned", "sinusoidal"):
        steps.append(Write(part=Part("position"), out=x - tokens))
    turn = rotary(positions, model.config.d_head) if model.config.positions == "rotary" else None
    for layer, (block, passed) in enumerate(zip(model.layers, result.layers, strict=True)):
        pre = block.norm_attention

        def changed(point: Point, before: Tensor, after: Tensor, layer: int = layer) -> None:
            if Place(point, layer) in edited:
                steps.append(Write(part=Part("intervention", layer), out=after - before))

        changed("resid_pre", x, passed.resid_pre)
        x = passed.resid_pre
        norm = None if pre is None else FrozenNorm.of_layer_norm(pre, x)
        steps.append(Read(site=layer, norm=norm, project=_project(model, layer, turn)))
        bias = None if block.attention.w_o is None else block.attention.w_o.bias
        steps.append(HeadsWrite(site=layer, layer=layer, bias=bias))
        changed("resid_mid", x + passed.attention.output, passed.resid_mid)
        x = passed.resid_mid
        if passed.mlp_out is not None:
            before = block.norm_mlp
            reads = None if before is None else FrozenNorm.of_layer_norm(before, x)
            part, function = Part("mlp", layer), block.mlp
            steps.append(Write(part=part, out=passed.mlp_out, reads=reads, function=function))
            x = x + passed.mlp_out
        changed("resid_post", x, passed.resid_post)
        x = passed.resid_post
    return Stream(
        steps=tuple(steps),
        final=FrozenNorm.of_layer_norm(model.norm, x),
        raw_unembed=model.unembed,
        unembedding_rows=lambda ids: model.embedding.token.weight.detach()[ids],
        embed=model.embedding.token,
    )


def stream_lacks(config: TransformerConfig) -> str:
    """Why a run of a model gives no stream that is a sum of what its parts wrote; "" if it does."""
    if not config.residual:
        return "without a residual, its layers replace the stream instead of adding to it"
    if config.kernel != "exp":
        return "its attention has no exp, and what Headlight follows is softmax attention"
    if config.selective:
        return "what it forgets depends on the stream, too, which is not followed"
    if config.gate:
        return "its gates read the stream, too, which is not followed"
    return "a norm follows each of its additions" if config.norm == "post" else ""


def _project(model: Transformer, layer: int, turn: Rotary | None) -> Project:
    """q, k and v of a layer from its normed stream."""
    attention = model.layers[layer].attention

    def project(
        x: Float[Tensor, "part pos d_model"], text: int, positions: Sequence[int] | None = None
    ) -> tuple[Tensor, ...]:
        q, k, v = attention.project(x, x)
        if turn is None:
            return q, k, v
        at = list(range(x.shape[1]) if positions is None else positions)
        # indexing with a list copies: no gradient can go through tensors of inference mode
        here = Rotary(*(angles[text : text + 1, :, at] for angles in turn))
        return rotate(q, here), rotate(k, here), v

    return project
