"""A second source with settings, added as CONTRIBUTING.md says: one row here, two on the page.

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
from tests.browser.toy_source import SOURCE

pytestmark = pytest.mark.long

ROOT = Path(__file__).parents[2]


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


def test_it_costs_three_rows_and_the_recipe_names_it() -> None:
    text = (ROOT / "CONTRIBUTING.md").read_text()
    [recipe] = re.findall(r"^\| \*\*source with settings\*\* \|(.+)$", text, re.MULTILINE)
    named = {path.replace("<name>", "twin") for path in re.findall(r"`([\w/.<>]+)`", recipe)}
    own = {path for path in SOURCE.files if str(Path(path).parent) + "/" in named}
    assert SOURCE.touched - own <= named
    assert len(SOURCE.rows) == 3  # all else is its own


def test_its_schema_is_in_the_request(address: str) -> None:
    schemas = asked(f"{address}/openapi.json")["components"]["schemas"]
    field = schemas["TraceRequest"]["properties"]["twin"]
    assert {"$ref": "#/components/schemas/Twin"} in field["anyOf"]
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
from server.pages.learning.links import pairs
from server.pages.learning.states import problem_of
for query in ("twin.pairs=2", "twin.pairs=5", "twin.pairs=3"):
    print(problem_of(pairs("model=twin&text=a&" + query), ["twin", "scratch"]))
print(problem_of(pairs("model=scratch&text=a&twin.pairs=2"), ["twin", "scratch"]))
"""
    command = [sys.executable, "-c", program]
    output = subprocess.run(command, cwd=tree, check=True, capture_output=True, text=True).stdout
    assert output.splitlines() == [
        "None",
        "twin.pairs: input should be less than or equal to 4; got 5",
        "Expected 1, 2 or 4 pairs; got 3.",
        "twin.pairs needs model=twin; got model=scratch",
    ]
