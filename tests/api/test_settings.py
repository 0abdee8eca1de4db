"""The settings, and that README says what they are."""

import re
from pathlib import Path

from server.settings import Settings

README = Path(__file__).parents[2] / "README.md"


def test_readme_lists_every_setting_with_its_default() -> None:
    rows = re.findall(r"^\| `HEADLIGHT_(\w+)` \| (.+?) \|", README.read_text(), re.MULTILINE)
    told = {name.lower(): default.strip("`") for name, default in rows}
    fields = Settings.model_fields
    assert set(told) == set(fields)
    for name, field in fields.items():
        in_words = {"shipped": "the package's own", "models": "none", "lessons": "none"}
        assert told[name] == in_words.get(name, f"{field.default}"), name
        assert field.description
