"""The examples as the page gets them: the server adds the keyboard shortcuts."""

import re
from dataclasses import replace

import pytest

from model.core.checkpoint import SHIPPED
from model.gallery import Entry, load_gallery
from server.pages.assets.folders import STATIC
from server.pages.examples import NAMES, SHORTCUTS, example

PLAIN = Entry("Title", ("a b",), 0, 0, 1, "Look.", next="Mute it.")


def test_every_action_has_a_shortcut_that_the_page_handles() -> None:
    assert {"mute", "unmute", "causal", "padding", "rows"} <= SHORTCUTS.keys()
    sources = ("js/page/keyboard.js", "js/facts/masks.json")
    handlers = "\n".join((STATIC / source).read_text("utf-8") for source in sources)
    for key in SHORTCUTS.values():
        assert f"    {key}: " in handlers or f'"{key}"' in handlers


def test_the_examples_use_the_names_of_the_page() -> None:
    assert load_gallery(SHIPPED, NAMES) == load_gallery(SHIPPED)
    assert {"heatmap", "compare"} < set(NAMES["view"])
    assert {"pattern", "rollout"} < set(NAMES["matrix"])
    assert {"next", "lens", "effects"} < set(NAMES["right"])


def test_a_suggested_action_has_its_shortcut() -> None:
    suggested = example(replace(PLAIN, tries="mute"))
    assert suggested == example(PLAIN) | {"tries": "mute", "shortcut": "m"}
    assert "shortcut" not in example(PLAIN)


@pytest.mark.parametrize("entry", load_gallery(SHIPPED), ids=lambda entry: entry.title)
def test_the_model_names_no_keys(entry: Entry) -> None:
    assert not re.search(r"\([mpc\]]\)", entry.look + entry.next)
