"""The examples as the page gets them: the server adds the keyboard shortcuts."""

import re
from dataclasses import replace
from pathlib import Path

import pytest

from model.core.checkpoint import SHIPPED
from model.gallery import Entry, load_gallery
from model.sources.known import KNOWN
from server.pages.assets.folders import STATIC
from server.pages.examples import NAMES, SHORTCUTS, example, galleries
from server.settings import Settings

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


def test_a_known_model_brings_its_examples_under_whatever_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert {one.get("model") for one in galleries(Settings())} == {None}
    monkeypatch.setenv("HEADLIGHT_CACHE", str(tmp_path))
    (tmp_path / "models" / "smollm2").mkdir(parents=True)
    plain, named = galleries(Settings()), galleries(Settings(models=("mine=smollm2",)))
    own = load_gallery(KNOWN["smollm2"].measured, NAMES)
    assert len(own) >= 8
    for found, names in ((plain, ["smollm2"]), (named, ["mine", "smollm2"])):
        others = [one for one in found if "model" in one]
        assert [one["model"] for one in others] == [name for name in names for _ in own]
        assert [one["title"] for one in others] == [one.title for one in own] * len(names)


@pytest.mark.parametrize("entry", load_gallery(SHIPPED), ids=lambda entry: entry.title)
def test_the_model_names_no_keys(entry: Entry) -> None:
    assert not re.search(r"\([mpc\]]\)", entry.look + entry.next)
