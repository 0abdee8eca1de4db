"""Directions that belong to tokens, against the model's own modules and runs."""

from pathlib import Path
from typing import Any

import pytest
import torch

from model.analysis.weights.directions import AskedDirection, directions
from model.core.checkpoint import SHIPPED
from model.errors import InputError, UnavailableError
from model.lens.tuned import HeldOut, TunedLens
from model.sources.native import NativeSource
from model.sources.pretrained.source import PretrainedSource
from model.sources.source import Inputs
from model.trace.trace import Trace
from tests.unit.sources.pretrained.checkpoints import FAMILIES

TOKEN = 9


def no_lens() -> TunedLens:
    raise AssertionError


@pytest.fixture(scope="module")
def shipped() -> NativeSource:
    return NativeSource("shipped", SHIPPED)


@pytest.fixture(scope="module")
def llama(tmp_path_factory: pytest.TempPathFactory) -> PretrainedSource:
    folder: Path = tmp_path_factory.mktemp("llama")
    torch.manual_seed(0)
    FAMILIES["llama"](folder)
    return PretrainedSource.load("llama", str(folder))


def traced(source: Any, **inputs: Any) -> Trace:
    found: Trace = source.trace(Inputs(stream=True, **inputs))
    return found


def test_rows_of_both_matrices(shipped: NativeSource, llama: PretrainedSource) -> None:
    trace = traced(shipped, texts=("The cat",))
    row = shipped.model.embedding.token.weight[TOKEN]
    asked = [AskedDirection("embedding", TOKEN), AskedDirection("unembedding", TOKEN)]
    for found in directions(trace, asked, no_lens):
        torch.testing.assert_close(found, row)  # the shipped model has one matrix for both
    trace = traced(llama, texts=("the cat",))
    model: Any = llama._body.model
    head: Any = llama._unembed
    embedding, unembedding = directions(trace, asked, no_lens)
    torch.testing.assert_close(embedding, model.get_input_embeddings().weight[TOKEN])
    unit = torch.eye(len(unembedding))
    torch.testing.assert_close(unembedding, head(unit)[:, TOKEN] - head(0 * unit)[:, TOKEN])


def test_what_a_head_writes_of_a_token_alone(llama: PretrainedSource) -> None:
    """A text of that token alone: the head can look at nothing else."""
    alone = traced(llama, texts=(), ids=((TOKEN,),), special_tokens=False)
    asked = [AskedDirection("ov", TOKEN, layer=0, head=head) for head in (0, 1)]
    for head, found in enumerate(directions(traced(llama, texts=("the cat",)), asked, no_lens)):
        written = alone.sites[0].derive(["result"], heads=[head])["result"][0, 0, 0]
        torch.testing.assert_close(found, written, atol=1e-4, rtol=1e-3)


def test_a_lens_is_pulled_back(shipped: NativeSource) -> None:
    """The dot product with it moves as the logit of the lens does, but for the scale of a norm."""
    trace = traced(shipped, texts=("The cat sat",))
    generator = torch.Generator().manual_seed(0)
    maps = 0.1 * torch.randn(3, 128, 128, generator=generator)
    offsets = torch.randn(3, 128, generator=generator)
    lens = TunedLens(
        maps=maps, offsets=offsets, fitted_on="", tokens=0, held_out=HeldOut((0.0,), (0.0,), 0)
    )
    stream = trace.stream_to_read("", field="")
    final = stream.final
    assert final is not None and trace.unembed is not None
    for layer in (0, 1, 2):
        asked = AskedDirection("lens", TOKEN, layer=layer)
        [found] = directions(trace, [asked], lambda: lens)
        x, step = torch.randn(2, 1, 1, 128, generator=generator)
        scaled = [final.normed(x.expand(1, 4, -1) + more)[0, 1] for more in (0 * step, step)]
        logits = [trace.unembed(lens.at(layer + 1, each))[TOKEN] for each in scaled]
        moved = (step[0, 0] @ found) / final.scale[0, 1]
        assert float(logits[1] - logits[0]) == pytest.approx(float(moved), abs=1e-3)


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        (AskedDirection("embedding", 10**6), "no token"),
        (AskedDirection("unembedding", 10**6), "token ids 0 to"),
        (AskedDirection("ov", 1), "needs a `layer`"),
        (AskedDirection("ov", 1, layer=9, head=0), "layers 0 to 2"),
        (AskedDirection("ov", 1, layer=0, head=9), "heads 0 to 7"),
        (AskedDirection("lens", 1), "needs a `layer`"),
        (AskedDirection("lens", 1, layer=9), "layers 0 to 2"),
    ],
)
def test_what_is_not_there_is_refused(
    shipped: NativeSource, asked: AskedDirection, said: str
) -> None:
    with pytest.raises(InputError, match=said):
        directions(traced(shipped, texts=("a",)), [asked], no_lens)


def test_a_model_whose_stream_is_unknown_says_so(tmp_path: Path) -> None:
    FAMILIES["bloom"](tmp_path)
    source = PretrainedSource.load("bloom", str(tmp_path))
    with pytest.raises(UnavailableError, match="directions are not known"):
        directions(traced(source, texts=("the cat",)), [AskedDirection("embedding", 1)], no_lens)
