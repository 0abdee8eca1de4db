"""Rows that differ from a layer on run as one up to there, and give what they would give alone."""

import torch
from torch import Tensor

from model.core.checkpoint import SHIPPED
from model.core.editing import Editor, Place
from model.sources.intervening import muting
from model.sources.muting import in_passes
from model.sources.native import NativeSource
from model.sources.source import Inputs, Source


def apart(source: Source, inputs: Inputs) -> float:
    """The largest difference of a head's mute from that in whole runs, relative to the values."""
    sites, runner = source.info.sites, source.runner(inputs)
    assert runner.grows
    furthest = 0.0
    for site, one in enumerate(sites):
        rows = torch.zeros(one.n_heads, len(sites), source.info.n_heads, dtype=torch.bool)
        rows[range(one.n_heads), site, range(one.n_heads)] = True
        edit = muting(sites, rows)
        seen: dict[int, int] = {}  # how many rows each layer is given

        def count(
            place: Place, x: Tensor, edit: Editor = edit, seen: dict[int, int] = seen
        ) -> Tensor:
            if place.point == "resid_pre":
                seen[place.layer] = len(x)
            return edit(place, x)

        with torch.no_grad():
            whole = runner(edit, rows=len(rows))
            grown = runner.from_layer(one.layer, count, text=0, rows=len(rows))
        assert seen == {layer: len(rows) if layer >= one.layer else 1 for layer in seen}
        assert one.layer in seen
        assert whole.shape == grown.shape
        furthest = max(furthest, float((whole - grown).abs().max() / whole.abs().max()))
    return furthest


def test_mutes_of_the_shipped_model_are_those_of_whole_runs() -> None:
    source = NativeSource("shipped", SHIPPED)
    assert apart(source, Inputs(("Mary near the boys saw",))) <= 1e-5


def test_rows_of_later_layers_have_passes_of_their_own() -> None:
    layers = [layer for layer in range(6) for _ in range(9)]
    whole = in_passes(layers, 14, grows=False)
    assert [len(one) for one in whole] == [54]
    grown = in_passes(layers, 14, grows=True)
    assert [len(one) for one in grown] == [36, 18]
    assert [layers[one[0]] for one in grown] == [0, 4]
    # in any order, each row once, and no pass of more tokens than one may have
    mixed = in_passes([3, 0, 2, 0], 1_000, grows=True)
    assert mixed == [[1, 3], [2, 0]]
    assert in_passes([], 14, grows=True) == []
