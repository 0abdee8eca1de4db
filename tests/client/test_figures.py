"""Figures of a run."""

import builtins
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from matplotlib import pyplot as plt
from matplotlib.axes import Axes
from numpy.typing import NDArray
from PIL import Image

from headlight import Client, RequestError, Run
from headlight.figures import WIDTHS, journal
from headlight.figures.colours import palette
from server.commands.charts import CHARTS, Asked
from tests.unit.figures.reopened import pdf_texts, svg_texts

TEXT = "Maria saw herself in the mirror."


@pytest.fixture(scope="module")
def run(hl: Client) -> Run:
    return hl.trace(TEXT)


@pytest.fixture(autouse=True)
def closed() -> Iterator[None]:
    yield
    plt.close("all")


def cells(axes: Axes) -> NDArray[Any]:
    [mesh] = axes.collections
    found = mesh.get_array()
    assert found is not None
    return found


def legend(axes: Axes) -> list[str]:
    found = axes.get_legend()
    return [] if found is None else [text.get_text() for text in found.get_texts()]


def test_a_run_draws_a_head_with_its_tokens_and_masks(run: Run) -> None:
    axes = run.plot(2, 3)
    np.testing.assert_allclose(cells(axes), run.pattern[2, 3], atol=1e-6)
    keys = [tick.get_text() for tick in axes.get_xticklabels()]
    assert keys == [token.strip() for token in run.tokens]
    assert legend(axes) == ["blocked by the causal mask"]


def test_a_part_of_a_text_among_several(hl: Client, run: Run) -> None:
    several = hl.trace(["Hi", TEXT])
    axes = several.plot(2, 3, text=1, rows=(2, 5), tensor="scores")
    np.testing.assert_allclose(cells(axes), run.site("layers.2").scores[3, 2:5], atol=1e-4)
    assert [tick.get_text() for tick in axes.get_yticklabels()] == ["saw", "herself", "in"]


def test_a_difference_of_runs_hatches_what_is_blocked_in_both(run: Run) -> None:
    edited = run.block(query="saw", key="Maria").mute((2, 3)).trace()
    axes = edited.compare(run).plot(2, 3, caption=True)
    np.testing.assert_allclose(cells(axes), (edited.pattern - run.pattern)[2, 3], atol=1e-6)
    assert legend(axes) == ["blocked by the causal mask"]  # the painted cell was open before
    caption = axes.texts[-1].get_text().replace("\n", " ")
    assert "painted: 1 place blocked · muted: L2·H3, minus model shipped" in caption
    assert edited.plot(2, 3).get_title("left") == "Layer 2 · head 3 (muted)"


def test_all_heads_are_small_multiples_with_one_scale(run: Run) -> None:
    every = run.mute((1, 2)).trace().plot()
    assert every.shape == (3, 8)
    np.testing.assert_allclose(cells(every[1, 2]), run.pattern[1, 2], atol=1e-6)
    assert [text.get_text() for text in every[1, 2].texts] == ["muted"]
    assert not every[1, 3].texts
    layer = run.plot(2, tensor="scores", legend=False)
    assert layer.shape == (8,)
    assert [axes.texts[0].get_text() for axes in layer] == [f"head {n}" for n in range(8)]
    most = np.abs(run.site("layers.2").scores).max()
    for axes in layer:
        assert axes.collections[0].get_clim() == pytest.approx((-most, most))


def test_a_figure_is_saved_by_its_ending(run: Run, tmp_path: Path) -> None:
    svg = run.save(tmp_path / "a.svg", layer=2, head=3, title="My head").read_bytes()
    assert {"My head", "herself", "keys →"} <= {*svg_texts(svg)}
    pdf = run.save(tmp_path / "a.pdf", layer=2).read_bytes()
    assert {"Layer 2", "head 7", "herself"} <= {*pdf_texts(pdf)}
    png = run.save(tmp_path / "a.png", width=4, height=3, dpi=150, dark=True)
    with Image.open(png) as image:
        assert image.size == (600, 450)
        assert image.info["dpi"] == pytest.approx((150, 150), abs=0.1)
        assert image.convert("RGB").getpixel((0, 0)) == (0x13, 0x19, 0x24)
    assert not plt.get_fignums()  # no window opens


def test_lines_join_each_query_to_what_it_looks_at(run: Run) -> None:
    axes = run.plot(2, 3, view="lines", rows=(2, 5), values=True)
    [drawn] = [one for one in axes.patches if one.get_alpha() == 1]  # the darkest
    pattern = run.pattern[2, 3, 2:5]
    strong = np.argwhere(np.floor(16 * pattern / pattern.max() + 0.5) == 16)
    np.testing.assert_array_equal(
        drawn.get_path().vertices, [[x, place] for ends in strong for x, place in enumerate(ends)]
    )
    assert [tick.get_text() for tick in axes.get_yticklabels()] == ["saw", "herself", "in"]
    [keys] = axes.child_axes
    labels = [tick.get_text() for tick in keys.get_yticklabels()]
    assert labels[1] == f"Maria  {pattern[:, 1].sum():.4f}"
    with pytest.raises(RequestError, match="negative"):
        run.plot(2, 3, view="lines", tensor="scores")


def test_plotly_lines_say_where_a_token_looks(run: Run) -> None:
    found = run.figure(2, 3, view="lines", overlay=[(2, 4)], rows=(2, 5)).to_dict()
    *_, queries, keys = found["data"]
    sums = run.pattern[2, 3:5].sum(0)
    most = int(sums[2].argmax())
    said = (
        f"query <b>2 saw</b> looks at<br>{most} {run.tokens[most].strip()} <b>{sums[2, most]:.4f}"
    )
    assert queries["customdata"][0].startswith(said)
    assert keys["customdata"][1].startswith("key <b>1 Maria</b> gets from<br>2 saw <b>")
    assert [one["name"] for one in found["data"] if "name" in one] == ["L2 · H3", "L2 · H4"]
    lines = [one for one in found["data"] if "opacity" in one]
    assert max(one["opacity"] for one in lines) == 1


def test_a_figure_speaks_another_language_and_writes_its_numbers(run: Run, tmp_path: Path) -> None:
    muted = run.mute((2, 3)).trace()
    options: Any = {"language": "de", "caption": True, "values": True}
    svg = muted.save(tmp_path / "a.svg", layer=2, head=3, **options).read_bytes()
    texts = svg_texts(svg)
    assert {"Schicht 2 · Kopf 3 (stumm)", "Keys →", "Gewicht", "herself", "0,25", "1,00"} <= {
        *texts
    }
    assert "Modell shipped · stumm: L2·H3" in " ".join(texts)
    figure = run.figure(2, 3, language="de").to_dict()
    weight = f"{run.pattern[2, 3, 2, 1]:.4f}".replace(".", ",")
    said = f"Query <b>2 saw</b> → Key <b>1 Maria</b>: Gewicht <b>{weight}</b>"
    assert figure["data"][0]["customdata"][2][1] == said
    assert figure["layout"]["separators"] == ",."
    lines = run.figure(2, 3, language="es", view="lines").to_dict()
    assert lines["layout"]["title"]["text"] == "Capa 2 · cabeza 3: pesos de atención"
    unknown: list[Any] = ["fr", None, ["de"]]
    for wrong in unknown:
        expected = re.escape(f"Expected one of en, ar, de, es, zh-Hans; got {wrong!r}")
        with pytest.raises(RequestError, match=expected):
            run.plot(2, 3, language=wrong)
    steps = run.figure(2, 3, language="de", steps="log")  # has its own scale
    assert steps.layout.title.text == "Schicht 2 · Kopf 3"
    assert run.plot(language="de")[0, 0].get_title("left") == "Alle Köpfe · Muster"
    bar = run.plot(2, 3, language="de", steps="log").child_axes[0]
    assert bar.get_xlabel() == "Gewicht, log"


def test_a_difference_is_saved_with_a_colour_for_each_sign(run: Run, tmp_path: Path) -> None:
    changed = run.mask(causal=False).trace().compare(run)
    svg = changed.save(tmp_path / "a.svg", layer=2, head=3, caption=True).read_bytes()
    assert {"Layer 2 · head 3 (difference)", "herself", "−0.5", "0.5"} <= {*svg_texts(svg)}
    signs = palette().diverging[[40, 215]]
    with Image.open(changed.save(tmp_path / "b.png", layer=2, head=3)) as image:
        colours = np.asarray(image.convert("RGB")).reshape(-1, 3).astype(int)
    for sign in signs:
        assert np.abs(colours - sign).sum(1).min() < 30
    with pytest.raises(RequestError, match=r"ends with \.svg, \.pdf, \.png, \.pgf; got 'a.html'"):
        changed.save(tmp_path / "a.html")


def test_a_plotly_figure_says_what_the_page_says(run: Run) -> None:
    edited = run.block(query="saw", key="Maria").trace()
    figure = edited.figure(2, 3, rows=(2, 5), dark=True)
    found = figure.to_dict()
    heatmap, painted, causal = found["data"]
    np.testing.assert_allclose(figure.data[0].z, edited.pattern[2, 3, 2:5], atol=1e-6)
    said = figure.data[0].customdata
    weight = edited.pattern[2, 3, 2, 0]
    assert said[0][0] == f"query <b>2 saw</b> → key <b>0 [BOS]</b>: weight <b>{weight:.4f}</b>"
    assert said[0][1].endswith("weight <b>0.0000</b>, <b>blocked by your painted mask</b>")
    assert (painted["name"], len(painted["x"])) == ("blocked by your painted mask", 6)
    assert (painted["x"][0], painted["y"][0]) == (0.75, -0.25)
    assert causal["name"] == "blocked by the causal mask"
    assert found["layout"]["yaxis"]["ticktext"] == ["saw", "herself", "in"]
    assert found["layout"]["paper_bgcolor"] == "#131924"
    assert heatmap["colorscale"][0] == [0, "rgb(19, 25, 36)"]


def test_without_matplotlib_it_says_what_to_install(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    missing = ModuleNotFoundError("No module named 'matplotlib'", name="matplotlib")
    monkeypatch.setattr(builtins, "__import__", _raising(missing, builtins.__import__))
    for draw in (lambda: run.plot(2, 3), lambda: run.save(tmp_path / "a.svg")):
        with pytest.raises(ImportError, match=r'pip install "matplotlib'):
            draw()


def _raising(error: ModuleNotFoundError, before: Any) -> Any:
    def imported(name: str, *args: Any, **named: Any) -> Any:
        if name.partition(".")[0] == "matplotlib" or name == "headlight.figures.paper":
            raise error
        return before(name, *args, **named)

    return imported


@pytest.mark.parametrize(
    ("place", "options", "field", "words"),
    [
        ((2, 8), {}, "head", "heads 0 to 7; got 8"),
        ((7, 0), {}, "layer", "layers 0, 1, 2; got 7"),
        ((2, 3), {"kind": "cross"}, "kind", "\"self\"; got 'cross'"),
        ((2, 3), {"tensor": "q"}, "tensor", "pattern, scores"),
        ((2, 3), {"rows": (3, 9)}, "rows", "from 0 to 8"),
        ((2, 3), {"text": 1}, "text", "has 1 texts; got 1"),
        ((2, 3), {"fontsise": 9}, "fontsise", "Did you mean fontsize"),
    ],
)
def test_a_mistake_is_explained(
    run: Run, place: tuple[int, int], options: dict[str, object], field: str, words: str
) -> None:
    with pytest.raises(RequestError, match=words) as caught:
        run.plot(*place, **options)  # type: ignore[arg-type]
    assert caught.value.field == field


def width_of(run: Run) -> float:
    figure = run.mute_effects().plot().get_figure(root=True)
    assert figure is not None
    return figure.get_figwidth()


def test_a_journal_sets_the_width_the_text_and_nothing_after_it(run: Run) -> None:
    before = dict(plt.rcParams)
    with journal("acl") as width:
        assert width_of(run) == pytest.approx(width) == WIDTHS["acl"].column
        assert plt.rcParams["font.size"] == 8 and plt.rcParams["pdf.fonttype"] == 42
        with journal("nature", wide=True) as wider:
            assert width_of(run) == pytest.approx(wider) == 7.2
        assert width_of(run) == pytest.approx(width)
    assert dict(plt.rcParams) == before
    assert width_of(run) != pytest.approx(width)
    with pytest.raises(RequestError, match="Expected one of acl, icml"), journal("vogue"):
        pass


@pytest.mark.parametrize("view", [view for view in CHARTS if view not in ("curves", "film")])
def test_each_chart_of_the_shell_is_one_of_a_run(run: Run, view: str) -> None:
    clean = TEXT.replace("Maria", "John").replace("herself", "himself")
    axes = CHARTS[view](run, Asked(token=" mirror", clean=clean, layer=1, head=2))
    assert axes.has_data()
