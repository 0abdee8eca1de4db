"""Saved files: pictures with every token, the API's numbers, links and programs."""

import csv
import json
import math
import struct
import subprocess
import sys
import urllib.request
import warnings
from pathlib import Path
from typing import Any
from urllib.parse import quote
from xml.etree import ElementTree

import numpy as np
import pytest
from numpy.typing import NDArray
from playwright.sync_api import Download, Page, expect
from safetensors import safe_open
from safetensors.numpy import load_file

from tests.browser.appearances import accessible, appearances
from tests.browser.inspector import Inspector, unfold

pytestmark = pytest.mark.browser
TEXT = "The dogs near the river are old."
TOKENS = ["[BOS]", "The", "dogs", "near", "the", "river", "are", "old", "."]
LINK = f"/?text={quote(TEXT)}&layer=1&head=2&query=5"
EDITS = "&causal=false&window=4&muted=0.1&block=*.1.2_4.2&free=0.1.2_0.7"
EDITED: dict[str, Any] = {
    "masks": {
        "causal": False,
        "window": 4,
        "blocked": [{"layer": 1, "head": 2, "query": 4, "key": 2}],
        "allowed": [{"text": 0, "layer": 1, "head": 2, "query": 0, "key": 7}],
    },
    "muted": [[0, 1]],
}
SVG = "{http://www.w3.org/2000/svg}"
PROGRAM_S = 120  # seconds that a program may take


@pytest.fixture(scope="module")
def server(families: str) -> str:
    return families


def traced(server: str, **request: Any) -> Any:
    """The API's answer to the same request."""
    call = urllib.request.Request(
        f"{server}/api/trace",
        json.dumps(request).encode(),
        {"Content-Type": "application/json"},
    )
    with urllib.request.urlopen(call) as response:
        return json.load(response)


def matrix(inspector: Inspector, tensor: str = "pattern", **request: Any) -> NDArray[Any]:
    """One matrix of the API: of layer 1, head 2, unless the request says otherwise."""
    select = {"tensors": [tensor], "layers": [1], "heads": [2]} | request.pop("select", {})
    answer = traced(inspector.server, **({"texts": [TEXT], "select": select} | request))
    return np.array(answer["sites"][0]["tensors"][tensor][0][0], dtype=np.float32)


def menu(inspector: Inspector, what: str = "head") -> Page:
    """Open a menu of what can be saved."""
    page = inspector.page
    page.locator(f'[data-save="{what}"]').click()
    page.locator("#save:popover-open").wait_for()
    return page


def saved(inspector: Inspector, format: str, what: str = "head") -> Download:
    """Open the menu, save something, and check that the menu is closed again."""
    page = menu(inspector, what)
    with page.expect_download() as found:
        page.locator(f'[data-export="{format}"]').click()
    name = found.value.suggested_filename
    expect(page.locator("#save-status")).to_have_text(f"Saved {name}.")
    page.keyboard.press("Escape")
    return found.value


def text_of(download: Download) -> str:
    return download.path().read_text(encoding="utf-8")


def svg(inspector: Inspector, what: str = "head") -> tuple[ElementTree.Element, list[str]]:
    """A saved picture and all texts in it."""
    root = ElementTree.fromstring(text_of(saved(inspector, "svg", what)))
    assert root.tag == f"{SVG}svg"
    assert float(root.get("width", "0")) > 100
    return root, [element.text or "" for element in root.iter(f"{SVG}text")]


def table(inspector: Inspector, what: str = "head") -> tuple[list[str], list[list[str]]]:
    """The head and the rows of a saved table."""
    text = text_of(saved(inspector, "csv", what))
    assert text.startswith("\ufeff")  # by which Excel knows UTF-8
    head, *rows = csv.reader(text[1:].splitlines())
    assert all(len(row) == len(head) for row in rows)
    return head, rows


def numbers(cells: list[str]) -> NDArray[Any]:
    """An empty field is not a number."""
    return np.array([float(cell) if cell else np.nan for cell in cells])


# The heatmap.


def test_the_svg_has_title_axes_tokens_legend_and_cells(inspector: Inspector) -> None:
    root, texts = svg(inspector.open(f"{LINK}&muted=0.1"))
    for token in TOKENS:
        assert texts.count(token) == 2  # down the side and along the top
    assert {"Layer 1 · head 2", "keys →", "← queries", "weight"} <= set(texts)
    assert "blocked by the causal mask" in texts
    assert f"Text: “{TEXT}”" in texts
    assert any("model Headlight small" in text and "muted: L0·H1" in text for text in texts)
    assert (root.findtext(f"{SVG}title") or "").startswith("Layer 1 · head 2")
    assert not list(root.iter(f"{SVG}image"))  # cells are shapes
    assert len(list(root.iter(f"{SVG}path"))) > 20


def test_the_picture_of_start_has_its_numbers_and_the_row_that_is_read(
    inspector: Inspector,
) -> None:
    page = inspector.open(f"{LINK}&depth=start&query=2").page
    root, texts = svg(inspector)
    weights = matrix(inspector)[2, :3]
    whole = [f"{100 * weight:.0f}" for weight in weights if weight >= 0.005]
    assert whole and set(whole) <= set(texts)
    plain = sum(1 for rect in root.iter(f"{SVG}rect") if rect.get("stroke-width") == "1.5")
    assert plain == 1, "the frame around the row"
    menu(inspector)
    offered = page.locator("#save [data-export]:visible").all_inner_texts()
    assert offered == ["PNG", "SVG", "CSV", "link", "as a page"]


def test_the_png_is_twice_as_fine_as_the_svg(inspector: Inspector) -> None:
    root, _ = svg(inspector.open(LINK))
    data = saved(inspector, "png").path().read_bytes()
    assert data[:8] == b"\x89PNG\r\n\x1a\n"
    size = struct.unpack(">II", data[16:24])
    assert size == (2 * float(root.get("width", "0")), 2 * float(root.get("height", "0")))


def test_the_csv_has_the_numbers_of_the_api(inspector: Inspector) -> None:
    inspector.open(LINK)
    for shown in ("pattern", "scores", "norms"):
        unfold(inspector.page, "matrix")
        inspector.page.locator(f"#matrix input[value={shown}]").check()
        head, rows = table(inspector.ready())
        ids = [token["id"] for token in traced(inspector.server, texts=[TEXT])["tokens"][0]]
        named = list(zip(range(9), TOKENS, ids, strict=True))
        assert head[:4] == ["query", "query id", "query token", "query piece"]
        assert head[4:] == [f"{place} {token} #{id}" for place, token, id in named]
        assert [row[:3] for row in rows] == [[f"{at}", f"{id}", token] for at, token, id in named]
        found = np.stack([numbers(row[4:]) for row in rows])
        allowed = np.tril(np.ones((9, 9), dtype=bool))
        assert np.array_equal(np.isnan(found), ~allowed)  # a blocked cell is empty, never 0
        expected = matrix(inspector, shown)
        assert np.array_equal(found[allowed].astype(np.float32), expected[allowed])


def test_edits_are_part_of_what_is_saved(inspector: Inspector) -> None:
    _, rows = table(inspector.open(LINK + EDITS))
    found = np.stack([numbers(row[4:]) for row in rows])
    assert np.isnan(found[4, 2])  # painted
    assert not np.isnan(found[0, 7])  # freed, although it is out of the window
    allowed = ~np.isnan(found)
    assert np.array_equal(found[allowed].astype(np.float32), matrix(inspector, **EDITED)[allowed])
    _, texts = svg(inspector)
    text = " ".join(texts)
    assert (
        "causal mask off · window of 4 · painted: 1 place blocked · painted: 1 place freed" in text
    )
    assert "blocked by your painted mask" in texts


@pytest.mark.parametrize("view", ["heatmap", "lines", "inside"])
def test_pictures_are_for_white_paper_whatever_the_page_is(inspector: Inspector, view: str) -> None:
    inspector.open(f"{LINK}&view={view}")
    for _ in appearances(inspector.page):
        root, _ = svg(inspector)
        ground = next(root.iter(f"{SVG}rect"))
        assert ground.get("fill") == "rgb(255, 255, 255)"


def test_the_answer_of_the_api_is_saved_as_it_is(inspector: Inspector) -> None:
    inspector.open(f"{LINK}&muted=0.1")
    expected = matrix(inspector, muted=[[0, 1]])
    download = saved(inspector, "json")
    assert download.suggested_filename == "headlight-shipped-layer-1-head-2-pattern.json"
    answer = json.loads(text_of(download))
    assert answer["model"] == "shipped"
    [site] = answer["sites"]
    assert (site["layer"], site["heads"]) == (1, [2])
    assert np.array_equal(np.float32(site["tensors"]["pattern"][0][0]), expected)

    path = saved(inspector, "safetensors").path()
    tensors = load_file(path)
    assert np.array_equal(tensors["layers.1.pattern"][0, 0], expected)
    assert tensors["layers.1.blocked_by"].shape == (1, 1, 9, 9)
    with safe_open(path, framework="np") as file:
        trace = json.loads(file.metadata()["trace"])
    assert [token["text"].strip() for token in trace["tokens"][0]] == TOKENS


def test_hostile_tokens_stay_text(inspector: Inspector) -> None:
    hostile = '</text><script>"&amp; \u202ea\u0001 😀 =1'
    inspector.open()
    inspector.type(hostile)
    answer = traced(inspector.server, texts=[hostile], select={"layers": []})
    root, texts = svg(inspector)
    assert root.find(f".//{SVG}script") is None
    shown = [token["text"].strip() for token in answer["tokens"][0]]
    for token in shown:
        if token.isascii() and token.isprintable() and 0 < len(token) <= 12:
            assert token in texts
    assert any("</text><script>" in text and "U+202e" in text for text in texts)
    _, rows = table(inspector)
    assert "'=" in [row[2] for row in rows]  # no formula for a spreadsheet


def test_labels_of_a_long_text_thin_out_and_its_numbers_are_whole(inspector: Inspector) -> None:
    text = "the cat sat on the mat and " * 40
    inspector.open("/?layer=1&head=2").type(text.strip())
    root, texts = svg(inspector)
    assert len(texts) < 150
    assert max(float(root.get(side, "0")) for side in ("width", "height")) < 1200
    _, rows = table(inspector)
    found = np.stack([numbers(row[4:]) for row in rows])
    expected = matrix(inspector, texts=[text.strip()])
    assert found.shape == expected.shape and len(found) > 200
    allowed = ~np.isnan(found)
    assert np.array_equal(found[allowed].astype(np.float32), expected[allowed])


# The other views.


def test_lines_are_saved_with_every_head_that_is_drawn(inspector: Inspector) -> None:
    inspector.open(f"{LINK}&view=lines&overlay=0.4&overlay=2.1")
    _, texts = svg(inspector)
    assert set(TOKENS) <= set(texts)
    assert f"Text: “{TEXT}”" in texts
    head, rows = table(inspector)
    tokens = [f"{of}{part}" for of in ("query", "key") for part in ("", " id", " token", " piece")]
    assert head == ["layer", "head", *tokens, "weight"]
    assert len(rows) == 3 * 81
    for layer, one in ((1, 2), (0, 4), (2, 1)):
        expected = matrix(inspector, select={"layers": [layer], "heads": [one]})
        for row in rows:
            if (int(row[0]), int(row[1])) != (layer, one):
                continue
            query, key = int(row[2]), int(row[6])
            if key > query:
                assert row[10] == ""
            else:
                assert np.float32(row[10]) == expected[query, key]
    tensors = load_file(saved(inspector, "safetensors").path())
    assert tensors["layers.0.pattern"].shape == (1, 3, 9, 9)


def test_a_row_is_saved_with_every_step(inspector: Inspector) -> None:
    inspector.open(f"{LINK}&view=inside")
    _, texts = svg(inspector)
    assert any("river" in text for text in texts)
    head, rows = table(inspector)
    assert [row[2] for row in rows] == TOKENS
    columns = {name: index for index, name in enumerate(head)}
    scores, pattern = matrix(inspector, "scores"), matrix(inspector)
    v = matrix(inspector, "v")
    for key, row in enumerate(rows):
        scaled = float(row[columns["q·k"]]) * float(row[columns["scale"]])
        assert scaled == pytest.approx(float(row[columns["q·k × scale"]]))
        assert scaled == pytest.approx(float(scores[5, key]), rel=1e-4, abs=1e-4)
        if key > 5:
            assert row[columns["blocked by"]] == "the causal mask"
            assert row[columns["weight"]] == ""
        else:
            assert float(row[columns["weight"]]) == pytest.approx(float(pattern[5, key]), rel=1e-5)
        start = columns["v[0]"]
        given = numbers(row[start : start + v.shape[1]])
        assert np.array_equal(given.astype(np.float32), v[key])
    tensors = load_file(saved(inspector, "safetensors").path())
    assert tensors["layers.1.scores"].shape == (1, 1, 1, 9)


def test_a_comparison_is_saved_as_a_b_and_difference(inspector: Inspector) -> None:
    inspector.open(f"{LINK}&view=compare&muted=0.1&against=without%3Dmuted")
    expect(inspector.page.locator("#compare-view canvas").first).to_be_visible()
    head, rows = table(inspector)
    assert head[-3:] == ["A", "B", "B − A"]
    plain, muted = matrix(inspector), matrix(inspector, muted=[[0, 1]])
    assert not np.array_equal(plain, muted)
    for row in rows:
        query, key = int(row[0]), int(row[5])
        if key > query:
            assert row[-3:] == ["", "", ""]
            continue
        a, b, difference = (np.float32(cell) for cell in row[-3:])
        assert (a, b) == (plain[query, key], muted[query, key])
        assert difference == b - a
    _, texts = svg(inspector)
    assert texts.count("[BOS]") == 4  # above each of the three, and once beside them
    tensors = load_file(saved(inspector, "safetensors").path())
    assert np.array_equal(tensors["a.layers.1.pattern"][0, 0], plain)
    assert np.array_equal(tensors["b.layers.1.pattern"][0, 0], muted)
    answer = json.loads(text_of(saved(inspector, "json")))
    assert answer["a"]["sites"][0]["muted"] == [] and answer["b"]["model"] == "shipped"


# Beside the head.


def test_all_heads_are_saved(inspector: Inspector) -> None:
    inspector.open(LINK).probed()
    root, texts = svg(inspector, "grid")
    thumbnails = [each for each in root.iter(f"{SVG}g") if each.get("shape-rendering")]
    assert len(thumbnails) == 24
    assert {"L0", "L1", "L2", "7", "heads →", "layers ↓"} <= set(texts)
    _, rows = table(inspector, "grid")
    assert [(row[0], row[1]) for row in rows] == [(str(n // 8), str(n % 8)) for n in range(24)]
    answer = json.loads(text_of(saved(inspector, "json", "grid")))
    assert len(answer["sites"]) == 3
    assert inspector.page.locator('#save [data-export="safetensors"]').is_hidden()


def test_predictions_are_saved(inspector: Inspector) -> None:
    inspector.open(LINK)
    predict = {"position": 5, "top_k": 10}
    expected = traced(inspector.server, texts=[TEXT], select={"layers": []}, predict=predict)
    [likeliest] = expected["predictions"]
    _, rows = table(inspector, "right")
    assert [(int(row[0]), float(row[2])) for row in rows] == [
        (one["id"], one["probability"]) for one in likeliest
    ]
    _, texts = svg(inspector, "right")
    assert {one["text"].strip() for one in likeliest} <= set(texts)
    answer = json.loads(text_of(saved(inspector, "json", "right")))
    assert [one["id"] for one in answer["predictions"][0]] == [one["id"] for one in likeliest]


def test_the_lens_and_the_mute_effects_are_saved(inspector: Inspector) -> None:
    inspector.open(f"{LINK}&right=lens")
    _, texts = svg(inspector, "right")
    assert {"embedding", "layer 0", "layer 2"} <= set(texts)
    asked = {"texts": [TEXT], "select": {"layers": []}}
    lens = traced(inspector.server, **asked, analyse={"lens": {"top_k": 3, "position": 5}})["lens"]
    _, rows = table(inspector, "right")
    assert [float(row[4]) for row in rows] == [
        one["probability"] for stage in lens[0]["stages"] for one in stage["candidates"]
    ]
    inspector.open(f"{LINK}&right=effects")
    inspector.page.locator("#effects-panel[aria-busy=false] .effects li").first.wait_for()
    effects = traced(inspector.server, **asked, analyse={"mute_effects": {"position": 5}})
    _, rows = table(inspector, "right")
    found = effects["mute_effects"][0]
    before = found["token"]["probability"]
    for row, one in zip(rows, found["effects"], strict=True):
        assert (float(row[3]), float(row[4])) == (one["change"], before)
        assert float(row[5]) == pytest.approx(before * math.exp(one["change"]), rel=1e-12)
    _, texts = svg(inspector, "right")
    assert {"L1 · H2", "without it", f"{100 * before:.1f}%"} <= set(texts)


# Links.


def test_a_copied_link_restores_everything(inspector: Inspector) -> None:
    inspector.page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    inspector.open(f"{LINK}{EDITS}&view=lines&overlay=0.4&pinned=2,3&mass=0.8&log=true")
    menu(inspector).locator('[data-export="link"]').click()
    expect(inspector.page.locator("#save-status")).to_have_text("The link is copied.")
    link = inspector.page.evaluate("navigator.clipboard.readText()")
    plain, given, short = link.partition("&weights=")
    assert plain == inspector.page.url and given
    for part in ("overlay=0.4", "pinned=2", "muted=0.1", "block=", "free=", "steps=log"):
        assert part in link
    before = table_now(inspector)
    inspector.page.goto(link)
    inspector.ready()
    assert table_now(inspector) == before
    assert inspector.page.url == plain
    said = inspector.page.locator("#said")
    expect(said).to_be_empty()  # the weights are the same
    inspector.page.goto(f"{plain}{given}1a2b3c4d")
    inspector.ready()
    expect(said).to_have_text(
        f"This link was made with other weights of shipped (1a2b3c4d; here they are {short}), "
        "so numbers may differ."
    )
    assert table_now(inspector) == before


def table_now(inspector: Inspector) -> list[list[str]]:
    inspector.page.keyboard.press("Escape")
    return table(inspector)[1]


@pytest.mark.fresh
def test_without_a_clipboard_the_link_stands_selected_in_a_dialog(inspector: Inspector) -> None:
    inspector.page.add_init_script("delete Navigator.prototype.clipboard")
    inspector.open(LINK)
    inspector.page.locator("#share").click()
    dialog = inspector.page.locator("#copy")
    expect(dialog).to_be_visible()
    box = dialog.locator("textarea")
    expect(box).to_be_focused()
    link = box.input_value()
    assert link.partition("&weights=")[0] == inspector.page.url
    selected = box.evaluate("box => box.value.slice(box.selectionStart, box.selectionEnd)")
    assert selected == link
    assert dialog.locator("#copy-anyway").is_hidden()


def test_a_link_that_is_too_long_says_so_and_goes_into_a_file(inspector: Inspector) -> None:
    inspector.page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    words = " ".join(["the cat"] * 30)
    cells = [f"_{q}.{k}" for q in range(60) for k in range(60) if (q + k) % 2]
    inspector.open(f"/?layer=1&head=2&text={quote(words)}&block=*.1.2{''.join(cells)}")
    inspector.page.locator("#share").click()
    dialog = inspector.page.locator("#copy")
    length = len(inspector.page.url)
    assert length > 8000
    link = length + len("&weights=5e6f7a8b")
    expect(dialog.locator("p")).to_contain_text(f"{link:,} characters")
    expect(dialog.locator("p")).to_contain_text("8,000")
    with inspector.page.expect_download() as found:
        dialog.locator("#copy-file").click()
    view = json.loads(text_of(found.value))
    assert view["kind"] == "headlight view"
    expect(dialog).to_be_hidden()

    inspector.open()
    menu(inspector)
    inspector.page.locator("#view-file").set_input_files(found.value.path())
    inspector.page.keyboard.press("Escape")
    expect(inspector.page.locator("textarea").first).to_have_value(words)
    inspector.ready()
    assert len(inspector.page.url) == length
    assert f"block=*.1.2{cells[0]}{cells[1]}" in inspector.page.url


def test_a_file_that_is_no_view_is_refused_in_words(inspector: Inspector, tmp_path: Path) -> None:
    inspector.open(LINK)
    other = tmp_path / "other.json"
    for content in ('{"kind": "something"}', "no JSON", '{"kind": "headlight view", "query": 3}'):
        other.write_text(content)
        menu(inspector)
        inspector.page.locator("#view-file").set_input_files(other)
        expect(inspector.page.locator("#save-status")).to_contain_text(
            "This file is not a saved view."
        )
        inspector.page.keyboard.press("Escape")
    assert inspector.page.locator("textarea").first.input_value() == TEXT


# Programs.


def program(inspector: Inspector, checkpoints: Path | None = None) -> str:
    """The program that the page copies."""
    inspector.page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    menu(inspector).locator('[data-export="python"]').click()
    expect(inspector.page.locator("#save-status")).to_have_text("The program is copied.")
    inspector.page.keyboard.press("Escape")
    code: str = inspector.page.evaluate("navigator.clipboard.readText()")
    for path in checkpoints.iterdir() if checkpoints else ():
        code = code.replace(f'"folder or hub id of {path.name}"', repr(str(path)))
    return code


def run(code: str, name: str = "pattern") -> NDArray[Any]:
    """What a program computes. It imports what it needs, most of which is imported here already."""
    names: dict[str, Any] = {"__name__": "__main__"}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # what a checkpoint's library has to say
        exec(compile(code, "program", "exec"), names)
    return np.array(names[name].tolist(), dtype=np.float32)


def run_alone(code: str, name: str = "pattern") -> NDArray[Any]:
    """What a program computes in a process of its own, which takes seconds."""
    more = f"\nimport json\nprint(json.dumps({name}.tolist()))\n"
    ran = subprocess.run(
        [sys.executable, "-c", code + more], capture_output=True, text=True, timeout=PROGRAM_S
    )
    assert ran.returncode == 0, ran.stderr
    return np.array(json.loads(ran.stdout.splitlines()[-1]), dtype=np.float32)


def of_page(inspector: Inspector, tensor: str = "pattern") -> NDArray[Any]:
    """The same numbers from the API, with the same request as the page's."""
    answer = json.loads(text_of(saved(inspector, "json")))
    if tensor == "rollout":
        return np.array(answer["rollout"][0], dtype=np.float32)
    return np.array(answer["sites"][0]["tensors"][tensor][0][0], dtype=np.float32)


def assert_same(found: NDArray[Any], expected: NDArray[Any]) -> None:
    assert found.shape == expected.shape
    np.testing.assert_allclose(found, expected, atol=2e-6)


def test_the_shipped_model_with_masks_mutes_and_painted_cells(inspector: Inspector) -> None:
    inspector.open(LINK + EDITS)
    code = program(inspector)
    assert "Cell(" in code and "MutedHead(0, 1)" in code and "window=4" in code
    found = run_alone(code)
    assert_same(found, of_page(inspector))
    assert not np.allclose(found, matrix(inspector), atol=1e-3)  # the edits did something


@pytest.mark.parametrize("shown", ["scores", "norms", "rollout"])
def test_other_numbers_of_the_shipped_model(inspector: Inspector, shown: str) -> None:
    inspector.open(f"{LINK}&matrix={shown}&muted=0.1")
    assert_same(run(program(inspector), shown), of_page(inspector, shown))


def test_any_text_survives_being_quoted(inspector: Inspector) -> None:
    inspector.open("/?layer=1&head=2")
    inspector.type('"""\\ \'quoted\' \n\t{x} \u202e😀 \u2028 # none')
    assert_same(run(program(inspector)), of_page(inspector))


@pytest.mark.parametrize(
    "link",
    [
        "model=bert&text=the+cat+is+on+the+mat&pair=a+dog+sat&layer=1&head=1",
        "model=gpt2&text=the+cat+is+on+the+mat&layer=2&head=1",
        "model=t5&text=the+old+cat&target=a+dog+sat&kind=encoder&layer=1&head=3",
        "model=t5&text=the+old+cat&target=a+dog+sat&kind=decoder&layer=2&head=0",
        "model=t5&text=the+old+cat&target=a+dog+sat&kind=cross&layer=1&head=2",
    ],
)
def test_an_unedited_checkpoint_needs_transformers_alone(
    inspector: Inspector, checkpoints: Path, link: str
) -> None:
    inspector.open(f"/?{link}")
    code = program(inspector, checkpoints)
    assert "from transformers import" in code
    assert "from model" not in code
    assert_same(run(code), of_page(inspector))


@pytest.mark.parametrize(
    "link",
    [
        "model=bert&text=the+cat+is+on+the+mat&text=a+dog&shown=0&layer=1&head=1&muted=0.0&causal=true",
        "model=gpt2&text=the+cat+is+on+the+mat&layer=2&head=1&causal=false&matrix=norms",
        "model=t5&text=the+old+cat&target=a+dog+sat&kind=cross&layer=1&head=2&muted=0.1.cross",
    ],
)
def test_an_edited_checkpoint_goes_through_our_own_attention(
    inspector: Inspector, checkpoints: Path, link: str
) -> None:
    inspector.open(f"/?{link}")
    code = program(inspector, checkpoints)
    assert "open_source(" in code
    shown = "norms" if "norms" in link else "pattern"
    assert_same(run(code, shown), of_page(inspector, shown))


# The menu.


def test_axe_finds_nothing(inspector: Inspector) -> None:
    menu(inspector.open(LINK))
    for _ in appearances(inspector.page):
        accessible(inspector.page)


def test_the_menu_by_keyboard_alone(inspector: Inspector) -> None:
    page = inspector.open(LINK).page
    page.keyboard.press("d")
    expect(page.locator('#save [data-export="png"]')).to_be_focused()
    page.keyboard.press("Tab")
    with page.expect_download() as found:
        page.keyboard.press("Enter")
    assert found.value.suggested_filename.endswith(".svg")
    page.keyboard.press("Escape")
    expect(page.locator("#save")).to_be_hidden()
    button = page.locator('[data-save="head"]')
    expect(button).to_have_attribute("aria-expanded", "false")


def test_trouble_is_said_in_the_menu_and_harms_nothing(inspector: Inspector) -> None:
    inspector.open(LINK)
    inspector.page.route("**/api/trace", lambda route: route.abort())
    menu(inspector).locator('[data-export="json"]').click()
    expect(inspector.page.locator("#save-status")).to_contain_text("Nothing was saved.")
    expect(inspector.page.locator("#save-status")).to_contain_text("cannot be reached")
    assert inspector.page.locator("#problem").is_hidden()
    inspector.page.unroute("**/api/trace")  # the page may ask for more by itself
    inspector.errors.clear()  # the browser says by itself that a request failed
