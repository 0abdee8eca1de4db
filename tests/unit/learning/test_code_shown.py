"""The code that a lesson shows is the code that runs."""

import html
import inspect
import re
import textwrap

import pytest
from jinja2 import Environment, nodes

import model.core.attention
from model.masks import rules
from server.pages.assets.folders import ROOT, TEMPLATES
from server.pages.learning.code_shown import Code, code_of
from server.pages.learning.problems import LessonError


def lines_of(code: Code) -> list[str]:
    """The lines of the file that the caption names."""
    return (ROOT / code.file).read_text().split("\n")[code.first - 1 : code.last]


def asked_by_pages() -> list[nodes.Call]:
    """Each `code(…)` of our templates. A template that holds only an example has it as text."""
    pages = Environment()
    return [
        call
        for file in sorted(TEMPLATES.rglob("*.html"))
        for call in pages.parse(file.read_text()).find_all(nodes.Call)
        if isinstance(call.node, nodes.Name) and call.node.name == "code"
    ]


def test_all_code_that_our_pages_show_is_there() -> None:
    asked = asked_by_pages()
    assert len(asked) > 20
    for call in asked:
        [path] = [argument.as_const() for argument in call.args]
        assert code_of(path, **dict(argument.as_const() for argument in call.kwargs)).text


@pytest.mark.parametrize(
    ("path", "runs"),
    [
        ("model.core.attention._softmax", model.core.attention._softmax),
        ("model.core.attention.attend", model.core.attention.attend),
        (
            "model.core.attention.MultiHeadAttention.project",
            model.core.attention.MultiHeadAttention.project,
        ),
        ("model.core.attention.AttentionConfig", model.core.attention.AttentionConfig),
        ("model.masks.rules.MaskSettings", rules.MaskSettings),
    ],
)
def test_whole_source_is_what_python_has_of_it(path: str, runs: object) -> None:
    code = code_of(path, docstring=True)
    source = inspect.getsource(inspect.unwrap(runs)).rstrip("\n")  # type: ignore[arg-type]
    assert code.text == textwrap.dedent(source)
    assert textwrap.dedent("\n".join(lines_of(code))) == code.text
    assert not code.without_docstring


def test_docstring_is_left_out_and_nothing_else() -> None:
    whole, code = (
        code_of("model.core.attention.attend", docstring=True),
        code_of("model.core.attention.attend"),
    )
    assert '"""' in whole.text and '"""' not in code.text
    assert code.without_docstring
    kept = code.text.split("\n")
    docstring = whole.text[whole.text.index('    """') :].split('"""', 2)[1].count("\n") + 1
    assert len(kept) == len(whole.text.split("\n")) - docstring
    assert [line for line in lines_of(code) if line in kept] == [line for line in kept if line]
    assert code.where.endswith(", without the docstring")


def test_last_definition_is_shown_where_others_are_overloads() -> None:
    text = code_of("model.core.attention.attend").text
    assert "@overload" not in text
    assert "scaled_dot_product_attention" in text


def test_start_and_stop_cut_a_piece() -> None:
    code = code_of("model.core.attention._softmax", start="pattern =", stop="return")
    assert code.text.split("\n")[0].startswith("pattern = logits.softmax")
    assert code.text.split("\n")[-1].startswith("return pattern")
    assert textwrap.dedent("\n".join(lines_of(code))) == code.text
    assert not code.without_docstring
    one = code_of("model.core.attention._softmax", start="pattern =", stop=".softmax(")
    assert one.first == one.last == code.first
    assert one.where == f"model/core/attention.py, line {code.first}"
    assert code.where == f"model/core/attention.py, lines {code.first}–{code.last}"


def test_start_is_not_looked_for_in_a_docstring_that_is_not_shown() -> None:
    with pytest.raises(LessonError, match="contains 'Vaswani'"):
        code_of("model.core.attention.attend", start="Vaswani")
    assert code_of("model.core.attention.attend", start="Vaswani", docstring=True).text


def test_decorators_constants_and_comments_are_part_of_it() -> None:
    assert code_of("model.core.attention.AttentionConfig").text.startswith("@dataclass")
    assert code_of("model.core.attention.Packing").text.startswith("Packing = Literal[")
    assert "# pattern · v" in code_of("model.core.attention.Attention").text


@pytest.mark.parametrize(
    "path", ["model.core.attention.attend", "model.core.attention.AttentionConfig"]
)
def test_highlighting_changes_no_letter(path: str) -> None:
    code = code_of(path)
    assert html.unescape(re.sub("<[^>]+>", "", code.html)) == code.text
    assert '<span class="k">' in code.html
    assert "style=" not in code.html


@pytest.mark.parametrize(
    ("path", "message"),
    [
        ("server.settings.Settings", "shows code from `model`"),
        ("os.path.join", "shows code from `model`"),
        ("model", "shows code from `model`"),
        ("", "shows code from `model`"),
        ("model..attention", "shows code from `model`"),
        ("model.attention/../masks.causal", "shows code from `model`"),
        ("model.core.attention", "model.core.attention is a whole module"),
        ("model.atention.attend", "no 'atention'"),
        ("model.core.attention.MultiHeadAttention.forwards", "Names there: __init__, forward"),
        ("model.core.attention.attend.mask", "Names there: none"),
    ],
)
def test_wrong_name_says_what_there_is(path: str, message: str) -> None:
    with pytest.raises(LessonError) as raised:
        code_of(path)
    assert message in str(raised.value)
