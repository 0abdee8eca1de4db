"""Pooling: compared with plain loops over the cells of each block, however the rows are cut."""

from math import ceil, floor, fsum

import pytest
import torch

from model.trace.pooling import BITS, POOLINGS, PoolingName, bins_of, pooled

TEXTS, HEADS, QUERIES, KEYS = 2, 3, 23, 17


def blocks(n: int, maximum: int) -> list[range]:
    size = min(n, maximum)
    return [range(floor(i * n / size), ceil((i + 1) * n / size)) for i in range(size)]


def matrices() -> torch.Tensor:
    generator = torch.Generator().manual_seed(0)
    return torch.rand(TEXTS, HEADS, QUERIES, KEYS, generator=generator)


@pytest.mark.parametrize("name", ["max", "mean"])
@pytest.mark.parametrize("resolution", [1, 2, 5, 16, 17, 20, 23, 99])
@pytest.mark.parametrize("n_rows", [1, 3, 6, 23])
def test_a_block_is_what_a_loop_over_its_cells_gives(
    name: PoolingName, resolution: int, n_rows: int
) -> None:
    cells, most_read = matrices(), 0

    def read(rows: slice) -> torch.Tensor:
        nonlocal most_read
        most_read = max(most_read, rows.stop - rows.start)
        return cells[:, :, rows]

    got = pooled(
        read,
        rows=bins_of(QUERIES, resolution),
        columns=bins_of(KEYS, resolution),
        n_rows=n_rows,
        pooling=POOLINGS[name],
    )
    rows, columns = blocks(QUERIES, resolution), blocks(KEYS, resolution)
    assert got.shape == (TEXTS, HEADS, len(rows), len(columns))
    assert most_read <= n_rows + 1  # where neighbouring blocks share a row
    for text in range(TEXTS):
        for head in range(HEADS):
            matrix = cells[text, head].tolist()
            for row, queries in enumerate(rows):
                for col, keys in enumerate(columns):
                    block = [matrix[query][key] for query in queries for key in keys]
                    expected = max(block) if name == "max" else fsum(block) / len(block)
                    found = got[text, head, row, col].item()
                    assert found == pytest.approx(expected, abs=1e-6)


def test_the_mean_of_a_block_that_lies_in_many_stripes() -> None:
    cells = torch.arange(12.0).reshape(1, 1, 6, 2)
    got = pooled(
        lambda rows: cells[:, :, rows],
        rows=bins_of(6, 1),
        columns=bins_of(2, 1),
        n_rows=4,  # the second stripe has two rows, not four
        pooling=POOLINGS["mean"],
    )
    assert got.tolist() == [[[[5.5]]]]


def test_bits_are_pooled_alike_whichever_pooling_there_is() -> None:
    bits = torch.tensor([[[[1, 2, 0], [4, 1, 1]]]], dtype=torch.uint8)
    for n_rows in (1, 2):
        got = pooled(
            lambda rows: bits[:, :, rows],
            rows=bins_of(2, 1),
            columns=bins_of(3, 1),
            n_rows=n_rows,
            pooling=BITS,
        )
        assert got.tolist() == [[[[0]]]]
    left = pooled(
        lambda rows: bits[:, :, rows, :2],
        rows=bins_of(2, 1),
        columns=bins_of(2, 1),
        n_rows=1,
        pooling=BITS,
    )
    assert left.tolist() == [[[[7]]]]
