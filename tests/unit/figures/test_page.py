"""Figures have the colours and, in every language, the words of the page."""

import json
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any, get_args

import numpy as np
import pytest

from headlight.figures import Panel, words
from headlight.figures.colours import Steps, palette, table
from headlight.figures.interactive import share_at
from headlight.figures.lines.series import colours_of
from headlight.figures.lines.strengths import lines_of
from headlight.figures.panel import measures
from headlight.figures.reasons import REASONS, blocked_by, explain
from headlight.languages import Language, language
from headlight.request import Request
from server.languages.catalogue import catalogue
from server.languages.table import BY_CODE, LANGUAGES
from server.pages.assets.translated import key_of

STOPS = [["#ffffff", "#c4d8f0", "#0b1424"], ["#7a3a06", "#131924", "#a5d2f2", "#143a73"]]
LABELS = [" saw", "", " ", "  ", " " * 9, "a\u200bb", "\n", "\t\t", "\n    ", "\r\n", "}\n", "déjà"]
LABELS += ["\u00a0", "$x$"]
# joiners within visible characters are a part of them: a family, a flame, Persian and Hindi words
LABELS += [
    "👨\u200d👩\u200d👧",
    "❤\ufe0f\u200d🔥!",
    "می\u200cخواهم",
    "क्\u200dष",
    "a\u200d",
    "\u200cb",
]
LONG = [
    *LABELS,
    "🇩🇪🇫🇷🇬🇧🇪🇸",
    "e\u0301" * 5,
    "👍🏽" * 5,
    "שלום עולם",
    "ทำไมทำไม",
    "नमस्ते दुनिया",
    "한국어를",
]
PLACES = [0, 0.25, 0.5, 1]
BITS = [0, 1, 9, 31, 6]
KINDS: list[Any] = ["self", "encoder", "decoder", "cross"]
EDITED = [
    Request.of("a"),
    Request.of("a", masks={"causal": False, "window": 3, "prefix": 2, "sinks": 1}),
    Request.of("a", masks={"padding": False, "padding_side": "left", "causal": True}),
    Request.of("a", masks={"blocked": [{"query": 1}, {"key": 2}], "allowed": [{"key": 0}]}),
    Request.of("a", muted=[(2, 3), (0, 1, "encoder")], masks={"sinks": 4}),
    Request.of("a", muted=[(0, head) for head in range(9)]),
]
NUMBERS = [0.9965, 0.0, 3.3e-5, -2.1e-5, 1234.5, -0.25]
SUMS = [
    {"softmax_over": axis, "mask_applied": when, "kernel": kernel}
    for axis in ("key", "query")
    for when in ("before", "after")
    for kernel in ("softmax", "product")
]
TEXTS = [
    Request.of(["One.", "Two\n" + "x" * 500]),
    Request.of(["a", "b"], pairs=["c", "d"]),
    Request.of(["a", ""], targets=["c", "d"]),
]
# Lines: the selected head and others; how many queries and keys; the most lines.
LINES: list[tuple[list[tuple[int, int]], tuple[int, int], int]] = [
    ([(2, 3)], (5, 7), 4000),
    ([(2, 3), (2, 4), (0, 1)], (3, 5), 20),
    ([(0, 0), *((layer, head) for layer in range(3) for head in range(4))], (4, 3), 4000),
    ([(0, 0), *((layer, 0) for layer in range(11))], (1, 4), 4000),
]


def weights(n: int, rows: int, cols: int) -> Any:
    """Patterns [head, query, key] with many equal weights, so that some lines are left out."""
    found = np.random.default_rng(n).integers(0, 12, (n, rows, cols)) / 11
    return found.astype(np.float32)


def lines(said: Language, heads: list[tuple[int, int]], size: tuple[int, int]) -> list[Panel]:
    rows, cols = size
    return [
        Panel(
            values=values,
            blocked=np.zeros(size, np.uint8),
            queries=("q",) * rows,
            keys=("k",) * cols,
            layer=layer,
            head=head,
            measure=measures(said)["pattern"],
            language=said,
        )
        for (layer, head), values in zip(heads, weights(len(heads), *size), strict=True)
    ]


# The page in a language: its root says which, and a script has put its words there before.
SPOKEN = """
globalThis.document = {{ documentElement: {{ lang: {code}, dir: {direction} }} }};
globalThis.headlightTranslations = {words};
"""


@pytest.fixture(scope="module", params=[each.code for each in LANGUAGES])
def said(request: pytest.FixtureRequest) -> Language:
    return language(request.param)


@pytest.fixture(scope="module")
def page(said: Language, tmp_path_factory: pytest.TempPathFactory) -> Any:
    """What the page's own code gives for the same things, in the same language."""
    asked = {
        "scales": STOPS,
        "steps": get_args(Steps),
        "places": PLACES,
        "labels": LABELS,
        "long": LONG,
        "bits": BITS,
        "kinds": KINDS,
        "lines": [
            {
                "heads": heads,
                "rows": rows,
                "cols": cols,
                "most": most,
                "matrices": weights(len(heads), rows, cols).reshape(len(heads), -1).tolist(),
            }
            for heads, (rows, cols), most in LINES
        ],
        "edits": [{"masks": one.masks.document(), "muted": one.muted} for one in EDITED],
        "texts": [
            {"texts": one.texts, "pairs": one.pairs, "targets": one.targets} for one in TEXTS
        ],
        "numbers": NUMBERS,
        "sums": SUMS,
    }
    node = shutil.which("node")
    if node is None:
        pytest.skip("node is not installed")
    root = Path(__file__).parents[3]
    row = BY_CODE[said.code]
    files = [str(each.relative_to(root)) for each in root.glob("static/js/**/*.js*")]
    words = {key_of(english): each for english, each in catalogue(row).scripts(files).items()}
    before = tmp_path_factory.mktemp("page") / "spoken.mjs"
    spoken = {"code": row.code, "direction": row.direction, "words": words}
    before.write_text(
        SPOKEN.format(**{name: json.dumps(each) for name, each in spoken.items()}), "utf-8"
    )
    script = root / "tests/js/figured.mjs"
    command = [node, "--import", before.as_uri(), str(script), json.dumps(asked)]
    done = subprocess.run(command, check=True, capture_output=True)
    return json.loads(done.stdout)


def test_a_scale_is_that_of_the_page(page: Any) -> None:
    for stops, *expected in zip(STOPS, page["scales"], page["diverging"], strict=True):
        for halves, drawn in enumerate(expected, 1):
            if (len(stops) - 1) % halves:
                continue  # it has no middle
            rgba = np.reshape(drawn, (256, 4))
            assert np.abs(table(stops, halves).astype(int) - rgba[:, :3]).max() <= 1


def test_the_steps_of_a_scale_are_those_of_the_page(page: Any) -> None:
    for steps, drawn in zip(get_args(Steps), page["steps"], strict=True):
        assert [share_at(place, steps) for place in PLACES] == pytest.approx(drawn), steps


def test_colours_are_those_of_the_style_sheet() -> None:
    light, dark = palette(), palette(dark=True)
    assert (light.panel, dark.panel) == ("#ffffff", "#131924")
    assert (light.text, dark.text) == ("#14203a", "#e6eaf2")
    assert (light.hatch, dark.hatch) == ("#8a94a6", "#69758b")
    assert len(light.categories) == 8 and light.categories[0] == "#2c95d0"
    assert light.sequential[0].tolist() == [255, 255, 255]
    for scale, stop in (("blue", [0xC4, 0xD8, 0xF0]), ("sea", [0xB9, 0xE0, 0x92])):
        away = np.abs(palette(scale=scale).sequential.astype(int) - stop).sum(axis=1)
        assert away.min() <= 4  # between two of 256
    assert dark.diverging[0].tolist() == [0xFF, 0xC0, 0x78]


def test_a_blocked_cell_is_hatched_and_explained_as_on_the_page(said: Language, page: Any) -> None:
    own = [
        {"bit": one.bit, "words": said.gettext(one.words), "angle": one.angle} for one in REASONS
    ]
    assert own == page["reasons"]
    assert [blocked_by(one, said) for one in REASONS] == page["legend"]
    assert [explain(bits, said) for bits in BITS] == page["explained"]


def test_tensors_have_the_units_and_scales_of_the_page(said: Language, page: Any) -> None:
    known = measures(said)
    assert list(known) == [row["name"] for row in page["matrices"]]
    for row in page["matrices"]:
        own = known[row["name"]]
        named = (own.scale, own.label, own.unit, own.row)
        assert named == (row["scale"], row["label"], row["unit"], row["row"])
        assert (own.lines or None) == row["lines"]
        assert not row["about"] or own.about == re.sub("[.。]$", "", row["about"])


def test_tokens_and_heads_have_the_names_of_the_page(said: Language, page: Any) -> None:
    assert [words.label(text) for text in LABELS] == page["labels"]
    short = [[words.shorten(text, most) for most in (2, 3, 4)] for text in LONG]
    assert short == page["shortened"]
    assert [words.head_name(said, kind, 2, 3) for kind in KINDS] == page["heads"]
    titles = [list(words.axis_titles(said, kind)) for kind in KINDS]
    assert titles == [[one["query"], one["key"]] for one in page["axes"]]


def test_numbers_are_written_as_on_the_page(said: Language, page: Any) -> None:
    assert [words.exact(said, each) for each in NUMBERS] == page["numbers"]


def test_lines_have_the_strengths_colours_and_words_of_the_page(said: Language, page: Any) -> None:
    categories = palette().categories
    for (heads, size, most), expected in zip(LINES, page["lines"], strict=True):
        panels = lines(said, heads, size)
        drawn, theirs = lines_of(panels, most), expected["drawn"]
        names = ("full", "least", "total", "count", "cut")
        assert [getattr(drawn, name) for name in names] == [theirs[name] for name in names]
        assert [
            {"series": one.series, "level": one.level, "ends": one.ends.ravel().tolist()}
            for one in drawn.groups
        ] == theirs["groups"]
        colours = colours_of(panels, palette(), ink_first=True)
        assert colours.each == (palette().text, *(categories[one] for one in expected["colours"]))
        assert [name for _, name in colours.legend][1:] == expected["legend"]
        assert words.lines_title(panels) == expected["title"]
        assert words.lines_notes(panels, drawn, colours.by) == expected["notes"]
        assert words.sum_caption(size[0], panels) == expected["caption"]
    sides = [words.side_names(said, kind) for kind in KINDS]
    assert sides == [(one["queries"], one["keys"]) for one in page["sides"]]


def test_a_caption_says_the_text_and_the_edits_as_the_page_does(said: Language, page: Any) -> None:
    assert [words.edits(one, said) for one in EDITED] == page["edits"]
    assert [words.text_shown(one, 1, said) for one in TEXTS] == page["texts"]
    assert [words.sums(one, said) for one in SUMS] == page["sums"]
