"""Every character of a figure is drawn with a font that has it, or as its code."""

import warnings
from dataclasses import replace
from io import BytesIO

import pytest
from matplotlib import font_manager
from matplotlib.text import Text

from headlight.errors import RequestError
from headlight.figures import fonts, heatmap
from headlight.figures.cells import FigureWarning
from headlight.figures.paper import Paper
from headlight.figures.style import Style
from headlight.languages import language
from tests.unit.figures.reopened import pdf_texts, svg_texts
from tests.unit.figures.test_heatmap import PANEL

pytestmark = pytest.mark.long

TITLE = Style(title="我 in STIX: Ⓐ")
TOKENS = replace(PANEL, queries=("我", "Ⓐ"))


@pytest.fixture
def installed(monkeypatch: pytest.MonkeyPatch) -> None:
    """A machine with one font besides matplotlib's usual one."""
    monkeypatch.setattr(fonts, "_installed", lambda: ["STIXGeneral"])


def file_of(ending: str, *, by_viewer: bool = False) -> bytes:
    figure, file = Paper(), BytesIO()
    with fonts.readable([[TOKENS]], TITLE, by_viewer=by_viewer) as ([[panel]], style):
        heatmap.figure_of(panel, style, figure)
    figure.savefig(file, format=ending)
    return file.getvalue()


@pytest.mark.usefixtures("installed")
def test_a_character_is_drawn_with_a_font_that_has_it_or_as_its_code() -> None:
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        texts = pdf_texts(file_of("pdf"))
    assert "Ⓐ" in texts and "U+6211" in texts
    assert "U+6211 in STIX: Ⓐ" in texts
    [warning] = said  # none of matplotlib's, which draws a box
    assert issubclass(warning.category, FigureWarning)
    assert str(warning.message) == (
        "No installed font has 我, so the figure shows their codes, such as U+6211. Install Noto "
        "Sans CJK (Debian: fonts-noto-cjk), and draw it again."
    )


@pytest.mark.usefixtures("installed")
def test_an_svg_leaves_the_font_to_the_viewer() -> None:
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", fonts.LACKING)
        assert {"我", "Ⓐ"} <= set(svg_texts(file_of("svg", by_viewer=True)))


@pytest.mark.usefixtures("installed")
def test_a_language_without_a_font_is_refused_and_an_svg_is_not() -> None:
    chinese = replace(PANEL, language=language("zh-Hans"))
    with (
        pytest.raises(RequestError, match=r"No installed font has .*Noto Sans CJK.*as \.svg"),
        fonts.readable(chinese, Style()),
    ):
        pass
    figure = Paper()
    with fonts.readable(chinese, Style(), by_viewer=True) as (panel, style):
        heatmap.figure_of(panel, style, figure)
    assert "第 2 层 · 头 3" in {text.get_text() for text in figure.findobj(Text)}


def test_an_old_matplotlib_draws_no_arabic_and_no_marks_of_direction(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(fonts, "JOINS", False)
    with (
        pytest.raises(RequestError, match=r"cannot join the letters.*3\.11.*\.svg"),
        fonts.readable(replace(PANEL, language=language("ar")), Style()),
    ):
        pass
    english = language("en")
    hebrew = english.gettext("“{text}”", text="שלום")
    assert hebrew == "“\u2068שלום\u2069”"
    with fonts.readable(replace(PANEL, caption=(hebrew,)), Style()) as (panel, _):
        assert panel.caption == ("“שלום”",)
        assert panel.language.gettext("“{text}”", text="שלום") == "“שלום”"
    with fonts.readable(replace(PANEL, caption=(hebrew,)), Style(), by_viewer=True) as (panel, _):
        assert panel.caption == (hebrew,)


def test_a_font_whose_bold_lacks_it_is_none_for_a_title() -> None:
    assert "⌖" in fonts._outlines(str(font_manager.findfont("STIXGeneral")))
    assert "⌖" not in fonts._characters("STIXGeneral")


def test_no_font_for_tex_or_boxes_is_offered() -> None:
    names = fonts._installed()
    assert "DejaVu Sans" in names and "STIXGeneral" in names
    assert not [name for name in names if name.startswith(("cm", "Last", "STIXSize"))]
