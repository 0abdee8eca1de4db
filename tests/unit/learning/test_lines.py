"""JSON with the line of each part."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from server.pages.learning.lines import Repeated, read

pytestmark = pytest.mark.long

TEXT = """
{
\t"a": [1,
    {"b\\u00e9": "x\\n}", "c": []}],
  "d":
    {}, "e": -1.5e3
}
"""

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=4), inner, max_size=4)
    ),
    max_leaves=12,
)


def test_each_member_and_element_has_its_line() -> None:
    value, lines = read(TEXT)
    assert value == {"a": [1, {"bé": "x\n}", "c": []}], "d": {}, "e": -1500}
    assert lines == {
        (): 2,
        ("a",): 3,
        ("a", 0): 3,
        ("a", 1): 4,
        ("a", 1, "bé"): 4,
        ("a", 1, "c"): 4,
        ("d",): 5,
        ("e",): 6,
    }


@given(JSON, st.sampled_from([None, 1, "\t"]))
def test_any_json_is_read_as_python_reads_it(value: Any, indent: Any) -> None:
    text = json.dumps(value, indent=indent)
    found, lines = read(text)
    assert found == value

    def check(part: Any, path: tuple[str | int, ...]) -> int:
        """Every part has a line, in order; returns how many parts there are."""
        assert 1 <= lines[path] <= text.count("\n") + 1
        if not isinstance(part, dict | list):
            return 1
        pairs = part.items() if isinstance(part, dict) else enumerate(part)
        return 1 + sum(check(inner, (*path, key)) for key, inner in pairs)

    assert check(value, ()) == len(lines)


@pytest.mark.parametrize(
    ("text", "key", "line"),
    [('{"a": 1,\n"a": 2}', "a", 2), ('{"x": [{}, {"b": 1, "b": 1}]}', "b", 1)],
)
def test_key_that_stands_there_twice_is_no_json(text: str, key: str, line: int) -> None:
    with pytest.raises(Repeated) as raised:
        read(text)
    assert (raised.value.key, raised.value.line) == (key, line)


@pytest.mark.parametrize("text", ["", "{", '{"a" 1}', "[1,]", "nul", '{"a": 1} 2'])
def test_what_is_no_json_says_where(text: str) -> None:
    with pytest.raises(json.JSONDecodeError):
        read(text)
