"""A naive server, for comparison with Headlight (benchmarks/load.py).

This is the obvious server for the same picture from the same weights: eager attention that keeps
every head's pattern, and one JSON response with all patterns, q, k and v. It has no masks, cache,
queue or limits. It uses one thread per pass, which helps it: by default torch would use one per
core, and they would slow each other down. `/trace` declares its return type, so FastAPI encodes the
JSON in Rust; `/trace-unannotated` does not, as in many tutorials, so it is encoded in Python.
"""

import torch
import torch.nn.functional as F
from einops import rearrange
from fastapi import FastAPI
from pydantic import BaseModel

from model.core.checkpoint import SHIPPED, load_checkpoint
from model.core.embedding import rotary, rotate

torch.set_num_threads(1)
checkpoint = load_checkpoint(SHIPPED)
model, tokenizer = checkpoint.model, checkpoint.tokenizer
app = FastAPI()


class Question(BaseModel):
    """What is asked."""

    text: str


@app.get("/healthz")
def healthz() -> dict[str, str]:
    return {"status": "ok"}


@app.post("/trace")
@app.post("/trace-unannotated", response_model=None)
def trace(question: Question) -> dict[str, object]:
    """Every head's pattern, q, k and v, and the ten likeliest next tokens."""
    tokens = tokenizer.encode(question.text)
    ids = torch.tensor([[token.id for token in tokens]])
    config = model.config
    n = ids.shape[1]
    positions = torch.arange(n)[None]
    turn = rotary(positions, config.d_head)
    blocked = torch.ones(n, n, dtype=torch.bool).triu(1)
    layers = []
    with torch.no_grad():
        x = model.embedding(ids, positions)
        for block in model.layers:
            assert block.norm_attention and block.norm_mlp and block.mlp and block.attention.w_o
            inside = block.norm_attention(x)
            q, k, v = block.attention.project(inside, inside)
            q, k = rotate(q, turn), rotate(k, turn)
            scores = q @ k.transpose(-1, -2) / config.d_head**0.5
            pattern = scores.masked_fill(blocked, float("-inf")).softmax(-1)
            z = rearrange(pattern @ v, "batch head pos d_head -> batch pos (head d_head)")
            x = x + block.attention.w_o(z)
            x = x + block.mlp(block.norm_mlp(x))
            layers.append({"pattern": pattern, "q": q, "k": k, "v": v})
        probabilities = F.softmax(model.unembed(model.norm(x[0, -1])), dim=-1)
    likeliest = probabilities.topk(10)
    return {
        "tokens": [token.text for token in tokens],
        "layers": [{name: kept.tolist() for name, kept in layer.items()} for layer in layers],
        "predictions": [
            {"text": tokenizer.token_text(id), "probability": probability}
            for id, probability in zip(
                likeliest.indices.tolist(), likeliest.values.tolist(), strict=True
            )
        ],
    }
