"""The recipes of CONTRIBUTING.md, followed in a copy of the project with a toy of each kind.

What a row adds appears everywhere: in the API, the address, the page, and the saved files.
"""

import csv
import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from playwright.sync_api import expect

from scripts import live
from tests.browser.inspector import Inspector, pick
from tests.browser.test_inspector import trace
from tests.browser.toy_source import SOURCE
from tests.browser.toys import TOYS

pytestmark = pytest.mark.browser
ROOT = Path(__file__).parents[2]
TEXT = "Maria saw herself in the old mirror."
HEAD = f"/?text={TEXT}&layer=1&head=2"


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Path:
    tree = tmp_path_factory.mktemp("copy")
    for folder in ("headlight", "model", "server", "static", "templates"):
        shutil.copytree(ROOT / folder, tree / folder)
    for toy, _ in TOYS.values():
        toy.add(tree)
    SOURCE.add(tree)
    return tree


@pytest.fixture(scope="module")
def server(tree: Path) -> Iterator[str]:
    with live.running(root=tree) as running:
        yield running.address


@pytest.mark.parametrize("kind", TOYS)
def test_a_new_thing_costs_few_files_and_the_recipe_names_them(kind: str) -> None:
    toy, most = TOYS[kind]
    assert len(toy.touched) <= most
    text = (ROOT / "CONTRIBUTING.md").read_text()
    [recipe] = re.findall(rf"^\| \*\*{kind}\*\* \|(.+)$", text, re.MULTILINE)
    named = {
        path.replace("<name>", own)
        for path in re.findall(r"`([\w/.<>-]+)`", recipe)
        for own in ("evenly", "largest", "stages")
    }
    assert toy.touched <= named
    for path in toy.files:
        assert path in named or str(Path(path).parent) + "/" in named


def drawn(inspector: Inspector) -> Any:
    return np.array(inspector.figure()["z"], dtype=float)


def saved(inspector: Inspector) -> list[list[str]]:
    with inspector.page.expect_download() as download:
        inspector.save("CSV")
    with Path(download.value.path()).open(newline="", encoding="utf-8-sig") as file:
        return list(csv.reader(file))


def cells(rows: list[list[str]]) -> Any:
    """The numbers of a saved matrix; a blocked cell is 0."""
    return np.array([[float(cell or 0) for cell in row[4:]] for row in rows[1:]])


def test_a_mask(inspector: Inspector, tree: Path, tmp_path: Path) -> None:
    select = {"tensors": ["pattern", "blocked_by"], "layers": [1], "heads": [2]}
    [site] = trace(inspector, texts=[TEXT], masks={"parity": True}, select=select)["sites"]
    pattern = np.array(site["tensors"]["pattern"][0][0])
    reasons = np.array(site["tensors"]["blocked_by"][0][0])
    odd = np.add.outer(np.arange(len(pattern)), np.arange(len(pattern))) % 2 == 1
    assert ((reasons & 32 > 0) == odd).all()
    assert (pattern[odd] == 0).all()

    inspector.open(HEAD)
    pick(inspector.page.get_by_label("even", exact=True))
    inspector.ready()
    assert "parity=true" in inspector.page.url
    inspector.page.reload()
    inspector.ready()
    assert inspector.page.locator("[name=parity][value=even]").is_checked()
    np.testing.assert_allclose(drawn(inspector), pattern, atol=1e-6)
    expect(inspector.page.locator("#legend")).to_contain_text("an odd way off")
    np.testing.assert_allclose(cells(saved(inspector)), pattern, atol=1e-4)

    inspector.open(f"{HEAD}&parity=true&engine=page")
    np.testing.assert_allclose(drawn(inspector), pattern, atol=1e-6)

    file = tmp_path / "head.svg"
    figure = ["figure", TEXT, "--layer=1", "--head=2", "--mask=parity=true", "--caption"]
    run = "import sys; from headlight.command import main; sys.exit(main())"
    command = [sys.executable, "-c", run, *figure, f"--output={file}"]
    subprocess.run(command, cwd=tree, check=True, env={**os.environ, "PYTHONPATH": str(tree)})
    assert all(words in file.read_text() for words in ("even distances", "an odd way off"))


def test_a_tensor(inspector: Inspector) -> None:
    select = {"tensors": ["squares", "pattern"], "layers": [1], "heads": [2]}
    [site] = trace(inspector, texts=[TEXT], select=select)["sites"]
    squares = np.array(site["tensors"]["squares"][0][0])
    np.testing.assert_allclose(squares, np.array(site["tensors"]["pattern"][0][0]) ** 2, atol=1e-6)

    inspector.open(HEAD)
    pick(inspector.page.get_by_label("Squares", exact=True))
    inspector.ready()
    assert "matrix=squares" in inspector.page.url
    np.testing.assert_allclose(drawn(inspector), squares, atol=1e-6)
    expect(inspector.page.locator("#row-unit")).to_have_text("square")
    np.testing.assert_allclose(cells(saved(inspector)), squares, atol=1e-4)

    inspector.open(f"{HEAD}&matrix=squares&engine=page")
    np.testing.assert_allclose(drawn(inspector), squares, atol=1e-6)


def test_an_analysis(inspector: Inspector) -> None:
    asked: dict[str, Any] = {"texts": [TEXT], "select": {"layers": []}}
    [evenly] = trace(inspector, **asked, analyse={"evenly": True})["evenly"]
    assert evenly[0][0] == pytest.approx(1 / len(evenly))

    inspector.open(HEAD)
    pick(inspector.page.get_by_label("Evenly", exact=True))
    inspector.ready()
    assert "matrix=evenly" in inspector.page.url
    np.testing.assert_allclose(drawn(inspector), np.array(evenly), atol=1e-6)
    expect(inspector.page.locator("#head-title")).to_have_text("Attention evenly · all layers")
    assert "shares" in inspector.page.locator("#row-title").inner_text()


def test_a_metric(inspector: Inspector) -> None:
    asked: dict[str, Any] = {"texts": [TEXT], "select": {"layers": []}}
    [scored] = trace(inspector, **asked, analyse={"scores": True})["scores"]
    best = max(scored["heads"], key=lambda head: head["scores"]["own_token"]["value"])

    for computed_by in ("page", "server"):
        inspector.open(f"{HEAD}&find=own_token&by=sentence&left=find&engine={computed_by}")
        expect(inspector.page.locator("#find-about")).to_contain_text("looks at itself")
        first = inspector.page.locator("#ranking tbody tr").first
        expect(first).to_contain_text(f"L{best['layer']}·H{best['head']}")
        expect(first).to_contain_text(f"{best['scores']['own_token']['value']:.3f}")
    inspector.page.locator("[data-save=grid]").click()
    with inspector.page.expect_download() as download:
        inspector.page.get_by_role("button", name="CSV", exact=True).click()
    assert '"own_token"' in Path(download.value.path()).read_text().splitlines()[0]


def test_a_setting(inspector: Inspector) -> None:
    asked: dict[str, Any] = {"texts": [TEXT], "model": "scratch", "select": {"tensors": ["scores"]}}
    once = trace(inspector, **asked)
    twice = trace(inspector, **asked, scratch={"doubled": True})
    assert (once["scratch"]["doubled"], twice["scratch"]["doubled"]) == (False, True)
    assert twice["scratch"]["modified"] == ["doubled"]
    scores = np.array(once["sites"][0]["tensors"]["scores"][0][1])
    doubled = np.array(twice["sites"][0]["tensors"]["scores"][0][1])
    np.testing.assert_allclose(doubled, 2 * scores, atol=1e-5)

    inspector.open(f"/?model=scratch&text={TEXT}&head=1&matrix=scores")
    field = inspector.page.get_by_label("scale doubled", exact=True)
    field.check()
    inspector.ready()
    assert "scratch.doubled=true" in inspector.page.url
    expect(inspector.page.locator("#scratch-modified")).to_have_text("modified: 1")
    inspector.page.reload()
    inspector.ready()
    expect(field).to_be_checked()
    np.testing.assert_allclose(drawn(inspector), doubled, atol=1e-4)
    np.testing.assert_allclose(cells(saved(inspector)), doubled, atol=1e-3)

    inspector.open(
        f"/?model=scratch&scratch.doubled=true&text={TEXT}&head=1&matrix=scores&engine=page"
    )
    np.testing.assert_allclose(drawn(inspector), doubled, atol=1e-4)


def test_a_view(inspector: Inspector) -> None:
    inspector.open(HEAD)
    largest = drawn(inspector).max()
    inspector.page.get_by_label("Largest", exact=True).click()
    inspector.ready()
    assert "view=largest" in inspector.page.url
    expect(inspector.page.locator("#largest-view .toy")).to_have_text(f"{largest:.4f}")
    assert saved(inspector)[0] == ["largest"]
    inspector.page.reload()
    inspector.ready()
    expect(inspector.page.locator("#largest-view")).to_be_visible()


def test_a_panel(inspector: Inspector) -> None:
    asked: dict[str, Any] = {"texts": [TEXT], "select": {"layers": []}}
    [lens] = trace(inspector, **asked, analyse={"lens": {"top_k": 1}})["lens"]
    page = inspector.page
    inspector.open(HEAD)
    with page.expect_request(lambda request: "analyse" in (request.post_data or "")) as sent:
        page.get_by_role("tab", name="Stages", exact=True).click()
    assert json.loads(sent.value.post_data or "")["analyse"] == {"lens": {"top_k": 1}}
    inspector.ready()
    assert "right=stages" in page.url
    expect(page.locator("#stages-panel .toy")).to_have_text(str(len(lens["stages"])))
    page.locator("[data-save=right]").click()
    with page.expect_download() as download:
        page.get_by_role("button", name="CSV", exact=True).click()
    assert download.value.suggested_filename == "headlight-shipped-stages.csv"
    with Path(download.value.path()).open(newline="", encoding="utf-8-sig") as file:
        assert list(csv.reader(file)) == [["stages"], [str(len(lens["stages"]))]]
    page.reload()
    inspector.ready()
    expect(page.locator("#stages-panel")).to_be_visible()


def test_a_source_with_settings(inspector: Inspector) -> None:
    page = inspector.page
    pairs = page.get_by_role("spinbutton", name="Pairs")
    inspector.open("/?model=twin&twin.pairs=2&text=the+cat+sat&layer=0&head=3")
    assert page.locator("#model option:checked").inner_text() == "Pairs of heads"
    assert page.locator("#grid canvas").count() == 4
    assert pairs.input_value() == "2"
    assert "twin.pairs=2" in page.url
    with page.expect_request("**/api/trace") as asked:
        pairs.fill("1")
        pairs.blur()
    assert json.loads(asked.value.post_data or "")["twin"] == {"pairs": 1}
    inspector.ready()
    assert page.locator("#grid canvas").count() == 2
    expect(page.locator("#model-size")).to_have_text("2 heads in pairs")
    page.get_by_role("button", name="Undo").click()
    inspector.ready()
    assert pairs.input_value() == "2"
    assert page.locator("#scratch").is_hidden()
    assert cells(saved(inspector)).shape == drawn(inspector).shape
