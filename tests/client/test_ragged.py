"""A model whose sites differ, an encoder–decoder: lists by site, targets, and kinds of cells."""

from collections.abc import Iterator

import numpy as np
import pytest
import torch

import headlight
from headlight import Client, Run
from headlight.interventions import patch
from headlight.request.masks import Kind
from tests.unit.sources.pretrained.checkpoints import FAMILIES


@pytest.fixture(scope="module")
def hl(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Client]:
    folder = tmp_path_factory.mktemp("checkpoints") / "my-t5"
    torch.manual_seed(0)
    FAMILIES["t5"](folder)
    with headlight.start(models=[folder], max_texts=2) as client:
        yield client


@pytest.fixture(scope="module")
def run(hl: Client) -> Run:
    """Traced by the model that the server was started with, which no request names."""
    return hl.trace("the cat sat on the mat", targets="a dog")


def test_patterns_are_a_list_by_site(run: Run) -> None:
    assert run.model == "my-t5"
    n_source, n_target = len(run.tokens), len(run.target_tokens)
    sizes = {
        "encoder": (n_source, n_source),
        "decoder": (n_target, n_target),
        "cross": (n_target, n_source),
    }
    assert n_source != n_target
    for name, pattern in zip(run.sites, run.pattern, strict=True):
        site = run.site(name)
        assert pattern.shape == (site.n_heads, *sizes[site.kind]) == site.pattern.shape


def test_sites_of_one_kind_are_an_array(run: Run) -> None:
    cross = run.tensor("pattern", kinds=["cross"])
    assert np.array_equal(cross[0], run.site("decoder.layers.0.cross").pattern)


def test_a_cell_is_named_in_the_texts_of_its_kind_of_site(run: Run) -> None:
    query, key = run.target_tokens[1], run.tokens[1]
    edited = run.block(query=query, key=key, kind="cross").trace()
    index = run.target_tokens.index(query)
    assert np.all(edited.site("decoder.layers.0.cross").pattern[:, index, 1] == 0)
    assert np.all(run.site("decoder.layers.0.cross").pattern[:, index, 1] > 0)
    with pytest.raises(headlight.RequestError, match="kind="):
        run.block(query=query)


def test_targets_are_sent_with_their_texts(hl: Client, run: Run) -> None:
    texts = ["the cat", "a", "the cat sat on the mat"]
    several = hl.trace(texts, targets=["x", "a dog ran", "a dog"], muted=[(0, 1, "cross")])
    assert several[2].target_tokens == run.target_tokens
    z = several[2].site("decoder.layers.0.cross").z
    assert np.all(z[1] == 0) and np.any(z[0] != 0)


def test_patches_count_in_the_text_and_in_the_target(hl: Client) -> None:
    """Both of two texts, with targets of two lengths."""
    run = hl.trace(["the cat sat", "a dog ran"], targets=["a dog", "her old cat is"])
    rows = run.patching("the mat sat", at="resid_post")
    lengths = [(len(run[n].tokens), len(run[n].target_tokens)) for n in range(2)]
    assert [tuple(row[name] for name in ("text", "kind", "layer", "position")) for row in rows] == [
        (text, kind, layer, position)
        for text, (n, n_target) in enumerate(lengths)
        for kind, n_layers, n_positions in (("encoder", 2, n), ("decoder", 3, n_target))
        for layer in range(n_layers)
        for position in range(n_positions)
    ]
    by_logit = run.patching("the mat sat", at="head", metric="logit", token=5)
    places: list[tuple[Kind, int]] = [("encoder", 1), ("cross", 2)]
    for kind, position in places:
        at = {"text": 1, "kind": kind, "layer": 1, "position": position}
        (row,) = (row for row in by_logit if at.items() <= row.items())
        edit = patch("the mat sat", at="head", layer=1, site=kind, positions=[position])
        edited = run[1].intervene(edit).trace()
        assert edited.logits[-1][5] == pytest.approx(row["metric"], abs=1e-4)
