"""What Python wrote for the tests of the page's engine is still what it finds."""

import json
import unicodedata
from types import ModuleType
from typing import Any

import pytest

from tests.js.engine.data import (
    make_generation,
    make_inputs,
    make_mechanisms,
    make_random,
    make_tokens,
    make_uploads,
    make_words,
)

pytestmark = pytest.mark.long

# The engine reads words with the tables of Python 3.11 (static/js/engine/subwords/unicode.js).
OF_UNICODE_14 = pytest.mark.skipif(
    unicodedata.unidata_version != "14.0.0",
    reason="this Python has the tables of another Unicode, with more letters",
)


@pytest.mark.parametrize(
    "module",
    [
        make_generation,
        make_inputs,
        make_mechanisms,
        make_random,
        make_tokens,
        make_uploads,
        pytest.param(make_words, marks=OF_UNICODE_14),
    ],
)
def test_a_file_for_the_engine_is_up_to_date(module: ModuleType) -> None:
    found = json.loads(json.dumps(module.document()))
    assert found == near(json.loads(module.FILE.read_text(encoding="utf-8")))


def near(value: Any) -> Any:
    """The same, with numbers that compare within the tolerance of the engine's tests."""
    if isinstance(value, list):
        return [near(each) for each in value]
    if isinstance(value, dict):
        return {name: near(each) for name, each in value.items()}
    return pytest.approx(value, abs=1e-6) if isinstance(value, float) else value
