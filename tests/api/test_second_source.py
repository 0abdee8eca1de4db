"""A second source with settings, added as CONTRIBUTING.md says: one row, and a folder of its own.

The toy is put into a copy of the project, because the tables are read when the server starts.
"""

import json
import re
import shutil
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.error import HTTPError

import pytest

from scripts import live
from tests.browser.toys import Toy

ROOT = Path(__file__).parents[2]
SOURCE = Toy(
    rows={
        "server/schemas/settings.py": (
            ("from server.schemas.source import", "from server.schemas import twin\n"),
            ("scratch.ROW,)", "twin.ROW, "),
        ),
    },
    files={
        "model/sources/twin.py": '''"""Attention from scratch, with some pairs of heads."""

from dataclasses import dataclass, replace
from typing import ClassVar

from model.errors import InputError
from model.mechanisms import ScratchConfig, configure
from model.sources.inputs import check_unmixed
from model.sources.scratch import ScratchSource
from model.sources.settings import Size, SourceSettings
from model.sources.source import Inputs
from model.trace import Trace


@dataclass(frozen=True, slots=True)
class TwinSettings(SourceSettings):
    name: ClassVar[str] = "twin"
    pairs: int = 1

    def __post_init__(self) -> None:
        if self.pairs == 3:
            raise InputError("Expected 1, 2 or 4 pairs; got 3.", field="twin.pairs")

    @property
    def inner(self) -> ScratchConfig:
        return configure(changes={"n_heads": 2 * self.pairs})

    @property
    def size(self) -> Size:
        return self.inner.size

    @property
    def nbytes(self) -> int:
        return 0


class TwinSource(ScratchSource):
    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.info = replace(self.info, settings=TwinSettings.name)

    def trace(self, inputs: Inputs, *, max_tokens: int | None = None) -> Trace:
        check_unmixed(inputs, self.info)
        own = inputs.settings or TwinSettings()
        assert isinstance(own, TwinSettings)
        inner = replace(inputs, settings=own.inner)
        return replace(super().trace(inner, max_tokens=max_tokens), settings=own)
''',
        "server/schemas/twin.py": '''"""A number of pairs of heads, as it is asked and answered."""

from typing import Any

from pydantic import BaseModel, ConfigDict, Field

from model.sources.twin import TwinSettings, TwinSource
from server.schemas.source import SourceRow


class Twin(BaseModel):
    """How many pairs of heads there are."""

    model_config = ConfigDict(extra="forbid", strict=True)
    pairs: int = Field(default=1, ge=1, le=4)

    def to_config(self) -> TwinSettings:
        return TwinSettings(self.pairs)


class AppliedTwin(BaseModel):
    heads: int


ROW = SourceRow(
    name="twin",
    open=TwinSource,
    schema=Twin,
    about="Of the model `twin`.",
    answer=(AppliedTwin | None, Field(description="The pairs, counted.")),
    applied=lambda settings: {"heads": 2 * settings.pairs},
    described={"most_pairs": (int | None, Field(default=None, description="Of `twin`."))},
    describe=lambda: {"most_pairs": 4},
    others={},
)
''',
    },
)


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Path:
    copied = tmp_path_factory.mktemp("copy")
    for folder in ("model", "server", "static", "templates"):
        shutil.copytree(ROOT / folder, copied / folder)
    SOURCE.add(copied)
    return copied


@pytest.fixture(scope="module")
def address(tree: Path) -> Iterator[str]:
    with live.running(root=tree) as running:
        yield running.address


def asked(url: str, body: dict[str, Any] | None = None) -> Any:
    """The answer, or the error, as JSON."""
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(url, data, {"content-type": "application/json"})
    try:
        with urllib.request.urlopen(request) as answer:
            return json.load(answer)
    except HTTPError as error:
        return json.load(error)


def traced(address: str, **body: Any) -> Any:
    return asked(f"{address}/api/trace", {"texts": ["the cat sat"], **body})


def test_it_costs_one_row_and_the_recipe_names_it() -> None:
    text = (ROOT / "CONTRIBUTING.md").read_text()
    [recipe] = re.findall(r"^\| \*\*source with settings\*\* \|(.+)$", text, re.MULTILINE)
    named = {path.replace("<name>", "twin") for path in re.findall(r"`([\w/.<>]+)`", recipe)}
    assert SOURCE.touched <= named
    assert set(SOURCE.rows) == {"server/schemas/settings.py"}


def test_its_schema_is_in_the_request(address: str) -> None:
    schemas = asked(f"{address}/openapi.json")["components"]["schemas"]
    field = schemas["TraceRequest"]["properties"]["twin"]
    assert field["allOf"] == [{"$ref": "#/components/schemas/Twin"}]
    assert field["description"] == "Of the model `twin`."
    assert schemas["Twin"]["properties"]["pairs"]["maximum"] == 4
    assert {"twin", "scratch"} <= schemas["TraceResponse"]["properties"].keys()


def test_a_request_reaches_it_and_its_answer_comes_back(address: str) -> None:
    answer = traced(address, model="twin", twin={"pairs": 2})
    assert answer["twin"] == {"heads": 4}
    assert answer["scratch"] is None
    assert len(answer["sites"][0]["tensors"]["pattern"][0]) == 4
    assert traced(address, model="scratch")["twin"] is None


def test_an_error_names_its_field(address: str) -> None:
    for pairs in (5, 3):  # past its limit, and refused by its settings themselves
        error = traced(address, model="twin", twin={"pairs": pairs})["error"]
        assert error["field"] == "twin.pairs"
    assert traced(address, model="scratch", twin={"pairs": 2})["error"]["field"] == "twin"
    both = traced(address, model="twin", twin={"pairs": 2}, scratch={})["error"]
    assert "twin and scratch" in both["message"]


def test_the_list_of_models_describes_it(address: str) -> None:
    models = {each["name"]: each for each in asked(f"{address}/api/models")["models"]}
    assert models["twin"]["most_pairs"] == 4
    assert models["twin"]["takes_scratch"] is False
    assert models["shipped"]["most_pairs"] is None


def test_lessons_may_link_to_it(tree: Path) -> None:
    program = """
from server.learning.links import pairs
from server.learning.states import problem_of
for query in ("twin.pairs=2", "twin.pairs=5", "twin.pairs=3"):
    print(problem_of(pairs("model=twin&text=a&" + query), ["twin", "scratch"]))
print(problem_of(pairs("model=scratch&text=a&twin.pairs=2"), ["twin", "scratch"]))
"""
    command = [sys.executable, "-c", program]
    said = subprocess.run(command, cwd=tree, check=True, capture_output=True, text=True).stdout
    assert said.splitlines() == [
        "None",
        "twin.pairs: input should be less than or equal to 4; got 5",
        "Expected 1, 2 or 4 pairs; got 3.",
        "twin.pairs needs model=twin; got model=scratch",
    ]
