"""Top keys and far links: compared with plain loops that sort, and the memory that they take."""

from collections.abc import Callable, Sequence
from itertools import product
from typing import Any

import pytest
import torch
from torch import Tensor
from torch.utils._python_dispatch import TorchDispatchMode

from model.analysis.largest import largest
from model.analysis.long_texts.far_links import far_links
from model.analysis.long_texts.overview import overview
from model.analysis.long_texts.top_keys import top_keys
from model.errors import InputError, UnavailableError
from model.masks import mask as masks
from model.masks.mask import Mask
from model.masks.rules import Cell, MaskSettings
from model.sources.pretrained.source import PretrainedSource
from model.sources.source import Inputs
from model.trace.site import Site
from model.trace.trace import Trace
from tests.unit.analysis.building import BOS, PAD, stored, trace_of
from tests.unit.sources.pretrained.checkpoints import llama

pytestmark = pytest.mark.long

HEADS, TOKENS = 3, 11
ROWS = [[BOS, *range(10, 20)], [BOS, 11, 12, 13, 14, 15, 16, PAD, PAD, PAD, PAD]]


def patterns(seed: int, n_heads: int = HEADS) -> Tensor:
    """Few different weights, so that there are many ties; rows need not sum to 1."""
    generator = torch.Generator().manual_seed(seed)
    shape = (len(ROWS), n_heads, TOKENS, TOKENS)
    return torch.randint(0, 6, shape, generator=generator) / 8


def masked(**settings: Any) -> Mask:
    real = torch.tensor([[id != PAD for id in row] for row in ROWS])
    return Mask(
        TOKENS, TOKENS, MaskSettings(**settings), real_keys=real, batch=len(ROWS), n_heads=HEADS
    )


def traced(**settings: Any) -> Trace:
    """Two layers of known patterns."""
    mask = masked(**settings)
    sites = [stored(patterns(seed), mask, name=f"layers.{seed}", layer=seed) for seed in range(2)]
    return trace_of(*ROWS, sites=tuple(sites))


MASKS: list[dict[str, Any]] = [
    {"causal": True},
    {"causal": False, "padding": False},
    {"causal": True, "blocked": (Cell(head=1, key=3), Cell(text=0, query=9))},
]


def is_allowed(site: Site, text: int, head: int, query: int, key: int) -> bool:
    allowed = site.mask.allows()
    return bool(allowed[text, head if allowed.shape[1] > 1 else 0, query, key])


@pytest.mark.parametrize("settings", MASKS)
@pytest.mark.parametrize("k", [1, 4, 40])
@pytest.mark.parametrize("min_distance", [0, 3])
def test_top_keys_are_those_of_sorted_rows(
    settings: dict[str, Any], k: int, min_distance: int
) -> None:
    site, heads, rows = traced(**settings).sites[1], [2, 0, 1], slice(2, 9)
    for text in range(len(ROWS)):
        found = top_keys(
            site, text=text, top_k=k, heads=heads, rows=rows, min_distance=min_distance
        )
        assert found.places.shape == (3, 7, min(k, TOKENS))
        for index, query in product(range(3), range(2, 9)):
            head = heads[index]
            listed = [
                (-patterns(1)[text, head, query, key].item(), key)
                for key in range(TOKENS)
                if is_allowed(site, text, head, query, key) and abs(query - key) >= min_distance
            ]
            expected = sorted(listed)[:k]
            n = int(found.n[index, query - 2])
            weights = (-found.weights[index, query - 2]).tolist()
            got = list(zip(weights, found.places[index, query - 2].tolist(), strict=True))
            assert got[:n] == expected
            assert set(got[n:]) <= {(0.0, 0)}


def expected_links(
    trace: Trace,
    *,
    min_distance: int,
    text: int,
    layers: Sequence[int] = (0, 1),
    heads: Sequence[int] = range(HEADS),
    specials: bool = False,
    first_token: bool = False,
) -> list[tuple[float, int, int, int, int]]:
    """All links, by brute force: (−weight, layer, head, query, key)."""
    tokens = trace.tokens[text]
    links = []
    for layer, head, query, key in product(layers, heads, range(TOKENS), range(TOKENS)):
        ends = (tokens[query], tokens[key])
        if any(token.padding or (token.special and not specials) for token in ends):
            continue
        if abs(query - key) < min_distance or (key == 0 and not first_token):
            continue
        if is_allowed(trace.sites[layer], text, head, query, key):
            weight = patterns(layer)[text, head, query, key].item()
            links.append((-weight, layer, head, query, key))
    return sorted(links)


CHOICES: list[dict[str, Any]] = [
    {},
    {"layers": [1], "heads": [2, 0]},
    {"specials": True},
    {"specials": True, "first_token": True},
]


@pytest.mark.parametrize("settings", MASKS)
@pytest.mark.parametrize("choice", CHOICES)
@pytest.mark.parametrize(("k", "min_distance"), [(7, 1), (1000, 5), (3, 10)])
@pytest.mark.parametrize("max_cells", [70, 1_000_000])
def test_far_links_are_those_of_a_brute_force_search(
    settings: dict[str, Any],
    choice: dict[str, Any],
    k: int,
    min_distance: int,
    max_cells: int,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """However small the stripes are."""
    monkeypatch.setattr(masks, "STRIPE_CELLS", max_cells)
    trace = traced(**settings)
    for text, found in enumerate(far_links(trace, top_k=k, min_distance=min_distance, **choice)):
        every = expected_links(trace, min_distance=min_distance, text=text, **choice)
        got = [(-one.weight, one.layer, one.head, one.query, one.key) for one in found.links]
        assert got == every[:k]
        assert found.searched == len(every)
        for one in found.links:
            assert one.site == f"layers.{one.layer}" and one.distance == abs(one.query - one.key)


def test_the_largest_of_equal_weights_is_the_first() -> None:
    weights = torch.tensor([[0.25, 0.5, 0.5, 0.0, 0.5], [0.0, 0.0, 0.0, 0.0, -0.0]])
    allowed = torch.tensor([[True, False, True, True, True], [False, False, True, False, True]])
    found = largest(weights, allowed, 3)
    assert found.places.tolist() == [[2, 4, 0], [2, 4, 0]]
    assert found.weights.tolist() == [[0.5, 0.5, 0.25], [0.0, 0.0, 0.0]]
    assert found.n.tolist() == [3, 2]


def test_what_has_no_far_links() -> None:
    pattern = torch.full((1, 2, 5, 3), 1 / 3)
    cross = stored(
        pattern, kind="cross", name="decoder.layers.0.cross", query_tokens="target_tokens"
    )
    trace = trace_of([BOS, 10, 11], sites=(cross,), targets=[[BOS, 10, 11, 12, 13]])
    with pytest.raises(UnavailableError, match="come from two texts"):
        far_links(trace, top_k=5, min_distance=1)
    with pytest.raises(UnavailableError, match="come from two texts"):
        top_keys(cross, text=0, top_k=2, min_distance=1)
    assert top_keys(cross, text=0, top_k=2).places.shape == (2, 5, 2)
    assert far_links(traced(causal=True), top_k=5, min_distance=1, layers=[])[0].links == ()
    far = far_links(traced(causal=True), top_k=5, min_distance=TOKENS)[0]
    assert (far.links, far.searched) == ((), 0)


@pytest.mark.parametrize(
    ("bad", "field"),
    [
        ({"top_k": 0}, "top_k"),
        ({"min_distance": 0}, "min_distance"),
        ({"layers": [2]}, "layers"),
        ({"heads": [HEADS]}, "heads"),
    ],
)
def test_bad_settings_are_refused(bad: dict[str, Any], field: str) -> None:
    with pytest.raises(InputError) as refused:
        far_links(traced(causal=True), **({"top_k": 5, "min_distance": 1} | bad))
    assert refused.value.field == f"analyse.far_links.{field}"


@pytest.mark.parametrize(
    "bad", [{"top_k": 0}, {"heads": [3]}, {"heads": []}, {"rows": slice(4, 4)}]
)
def test_bad_top_keys_are_refused(bad: dict[str, Any]) -> None:
    with pytest.raises(InputError):
        top_keys(traced(causal=True).sites[0], **({"text": 0, "top_k": 5} | bad))


def test_a_softmax_over_queries_is_read_by_columns() -> None:
    torch.manual_seed(0)
    q, k, v = torch.randn(3, 1, 2, 7, 4).unbind()
    site = Site(
        name="layers.0", kind="self", layer=0, mask=Mask(7, 7, MaskSettings(causal=True)),
        n_heads=2, n_kv_heads=2, scale=0.5, q=q, k=k, v=v, softmax_over="query",
    )  # fmt: skip
    pattern = site.derive(["pattern"])["pattern"][0]
    found = top_keys(site, text=0, top_k=1, rows=slice(3, 7))
    assert torch.equal(found.weights[..., 0], pattern[:, 3:].amax(-1))


class Allocations(TorchDispatchMode):  # type: ignore[no-untyped-call]
    """Notes the largest tensor that any operation makes."""

    def __init__(self) -> None:
        super().__init__()  # type: ignore[no-untyped-call]
        self.largest = 0

    def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        result = func(*args, **(kwargs or {}))
        for one in result if isinstance(result, tuple | list) else (result,):
            if isinstance(one, Tensor):  # a view, such as an expanded mask, takes no memory
                self.largest = max(self.largest, one.untyped_storage().nbytes())
        return result


@pytest.fixture(scope="module")
def source(tmp_path_factory: pytest.TempPathFactory) -> PretrainedSource:
    torch.manual_seed(0)
    return PretrainedSource.load("llama", str(llama(tmp_path_factory.mktemp("llama"))))


def looked_at(source: PretrainedSource, n: int) -> dict[str, int]:
    """The bytes of the largest tensor made by each step."""
    steps = {}
    with torch.inference_mode():
        with Allocations() as made:
            trace = source.trace(Inputs(("cat " * (n - 1),)))
        assert len(trace.tokens[0]) == n
        steps["trace"] = made.largest
        middle = slice(n // 2, n // 2 + 1)
        looks: dict[str, Callable[[], object]] = {
            "row": lambda: trace.sites[1].derive(["pattern", "scores"], rows=middle),
            "pooled": lambda: trace.sites[1].thumbnail(64),
            "pooled to one cell": lambda: trace.sites[1].thumbnail(1),
            "pooled by mean": lambda: trace.sites[1].thumbnail(7, pooling="mean"),
            "overview": lambda: overview(trace, resolution=64, over="layers"),
            "overview by mean": lambda: overview(trace, resolution=7, pooling="mean", layers=[1]),
            "pooled reasons": lambda: trace.sites[1].thumbnail(3, name="blocked_by"),
            "top_keys": lambda: top_keys(trace.sites[1], text=0, top_k=4),
            "far_links": lambda: far_links(trace, top_k=20, min_distance=64, layers=[1]),
        }
        for name, look in looks.items():
            with Allocations() as made:
                look()
            steps[name] = made.largest
    return steps


def test_memory_grows_with_the_tokens_not_with_their_square(source: PretrainedSource) -> None:
    """Twice the tokens make no tensor more than twice as large."""
    short, long = (looked_at(source, n) for n in (1_024, 2_048))
    for step, nbytes in long.items():
        assert nbytes <= 2.1 * short[step], step
        assert nbytes < 6 * 2_048 * 2_048 * 4 / 4, step  # a quarter of one layer's patterns


def test_the_count_of_memory_sees_a_whole_pattern(source: PretrainedSource) -> None:
    with torch.inference_mode():
        trace = source.trace(Inputs(("cat " * 511,)))
        with Allocations() as made:
            trace.sites[0].derive(["pattern"])
    assert made.largest >= 6 * 512 * 512 * 4
