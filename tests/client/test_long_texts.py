"""Top keys and far links as tables, and maps, of several texts without padding."""

import numpy as np

from headlight import Client

TEXTS = ["Maria saw herself in the mirror", "The cat", "A dog ran."]  # two batches
N = [7, 3, 5]  # tokens of each, [BOS] included


def test_top_keys_are_cells_of_the_rows(hl: Client) -> None:
    run = hl.trace(TEXTS)
    rows = list(run.top_keys(2, layers=[1], heads=[3]))
    patterns = [pattern[1, 3] for pattern in run.pattern]
    places = [(row["text"], row["query"], row["rank"]) for row in rows]
    assert places == [
        (text, query, rank)
        for text, n in enumerate(N)
        for query in range(n)
        for rank in range(min(2, query + 1))  # the first token sees one key
    ]
    for row in rows:
        weights = patterns[row["text"]][row["query"]].tolist()
        assert abs(row["weight"] - sorted(weights)[-1 - row["rank"]]) < 1e-6
        assert abs(row["weight"] - weights[row["key"]]) < 1e-6
        assert (row["site"], row["layer"], row["head"]) == ("layers.1", 1, 3)
    few = run.top_keys(1, rows=(1, 3), min_distance=2)
    assert {(row["query"], row["key"]) for row in few} == {(2, 0)}


def test_far_links_are_the_largest_cells(hl: Client) -> None:
    run = hl.trace(TEXTS[0])
    rows, pattern = run.far_links(5, min_distance=3), run.pattern
    cells = sorted(
        (-float(pattern[layer, head, query, key]), layer, head, query, key)
        for layer, head, query, key in (
            (layer, head, query, key)
            for layer in range(3)
            for head in range(8)
            for query in range(N[0])
            for key in range(1, query - 2)
        )
    )
    names = ("layer", "head", "query", "key")
    assert [tuple(row[name] for name in names) for row in rows] == [cell[1:] for cell in cells[:5]]
    assert all(row["distance"] == row["query"] - row["key"] for row in rows)
    assert len(run.far_links(min_distance=99)) == 0


def test_the_overview_is_the_largest_weight_of_any_head(hl: Client) -> None:
    run = hl.trace(TEXTS)
    for pattern, maps in zip(run.pattern, run.overview(), strict=True):
        assert list(maps) == ["layers.0", "layers.1", "layers.2"]
        for layer, name in enumerate(maps):
            np.testing.assert_allclose(maps[name], pattern[layer].max(0), atol=1e-6)
    [maps] = [hl.trace(TEXTS[1]).overview(1, over="layers", pooling="mean")]
    whole = hl.trace(TEXTS[1]).pattern.max((0, 1))
    np.testing.assert_allclose(maps["self"], [[whole.mean()]], atol=1e-6)


def test_a_pattern_may_be_pooled_by_its_mean(hl: Client) -> None:
    run = hl.trace(TEXTS[0])
    whole = run.pattern[1].mean((1, 2))
    pooled = run.site("layers.1").tensor("pattern", resolution=1, pooling="mean")
    np.testing.assert_allclose(pooled[:, 0, 0], whole, atol=1e-6)
    np.testing.assert_allclose(
        run.tensor("pattern", resolution=1, pooling="mean")[1, :, 0, 0], whole, atol=1e-6
    )
