"""A reader's own tensors: dropped on the page, drawn by it, and sent nowhere."""

import base64
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd  # type: ignore[import-untyped,unused-ignore]
import pytest
from numpy.typing import NDArray
from playwright.sync_api import Page, Request, expect
from safetensors.numpy import save_file

from tests.browser.appearances import accessible, appearances
from tests.browser.inspector import Inspector

pytestmark = [pytest.mark.browser, pytest.mark.fresh]
TOKENS = ["[CLS]", "The", "cat", "sat", "[SEP]"]
N = len(TOKENS)
PRIVATE = "Zyzzyva"  # a word of the file, to look for wherever it should not be


def patterns(*shape: int) -> NDArray[np.float32]:
    rng = np.random.default_rng(0)
    return rng.dirichlet(np.ones(shape[-1]), size=shape[:-1]).astype("float32")


def vectors(seed: int, *shape: int) -> NDArray[np.float32]:
    return np.random.default_rng(seed).normal(size=shape).astype("float32")


def attention(q: NDArray[Any], k: NDArray[Any]) -> NDArray[Any]:
    """The causal pattern of one head."""
    scores = q @ k.T / np.sqrt(q.shape[1])
    scores[np.triu_indices(N, 1)] = -np.inf
    shares = np.exp(scores - scores.max(axis=1, keepdims=True))
    found: NDArray[Any] = shares / shares.sum(axis=1, keepdims=True)
    return found


def written(path: Path, arrays: Mapping[str, NDArray[Any]], tokens: list[str]) -> Path:
    match path.suffix:
        case ".safetensors":
            save_file(dict(arrays), path, {"tokens": json.dumps(tokens)})
        case ".npz":
            np.savez_compressed(path, tokens=np.array(tokens), **arrays)  # type: ignore[arg-type]
        case _:
            lists = {name: array.tolist() for name, array in arrays.items()}
            path.write_text(json.dumps(lists | {"tokens": tokens}))
    return path


def drop(page: Page, path: Path) -> None:
    """Drop a file on the page, as a mouse does."""
    page.evaluate(
        """([name, data]) => {
          const bytes = Uint8Array.from(atob(data), (each) => each.charCodeAt(0));
          const dataTransfer = new DataTransfer();
          dataTransfer.items.add(new File([bytes], name));
          for (const kind of ["dragover", "drop"])
            document.body.dispatchEvent(
              new DragEvent(kind, { dataTransfer, bubbles: true, cancelable: true }),
            );
        }""",
        [path.name, base64.b64encode(path.read_bytes()).decode()],
    )


def draw(inspector: Inspector, button: str = "Draw") -> Inspector:
    """Take every guess of the dialog."""
    inspector.page.get_by_role("button", name=button, exact=True).click()
    expect(inspector.page.locator("#own")).to_be_hidden()
    return inspector.ready()


def model(page: Page) -> str:
    return page.locator("#model").input_value()


@pytest.mark.parametrize("suffix", [".safetensors", ".npz", ".json"])
def test_a_dropped_file_is_drawn_and_nothing_is_sent(
    inspector: Inspector, tmp_path: Path, suffix: str
) -> None:
    given = patterns(2, 3, N, N)
    tokens = ["[CLS]", PRIVATE, "cat", "sat", "[SEP]"]
    path = written(tmp_path / f"mine{suffix}", {"pattern": given}, tokens)
    inspector.open()
    page = inspector.plotly().page
    asked: list[Request] = []
    page.on("request", lambda request: asked.append(request))
    drop(page, path)
    expect(page.locator("#own-status")).to_contain_text(path.name)
    expect(page.get_by_role("button", name="Draw", exact=True)).to_be_visible()
    draw(inspector)
    assert model(page) == "mine"
    expect(page.locator("#sentences textarea")).to_have_value(f"{PRIVATE} cat sat")
    assert page.locator("#chips .chip").all_inner_texts() == tokens
    expect(page.locator("#grid canvas")).to_have_count(6)
    page.wait_for_function(
        "(first) => Math.abs(document.querySelector('#plot').data[0].z[0][0] - first) < 1e-6",
        arg=float(given[0, 0, 0, 0]),
    )
    np.testing.assert_allclose(inspector.figure()["z"], given[0, 0], atol=1e-6)
    for each in asked:  # the page may still ask about the model before, and fetch its engine
        if each.method != "GET":
            assert json.loads(each.post_data or "")["model"] == "shipped", each.url
    assert not any(PRIVATE in f"{each.url} {each.post_data}" for each in asked)
    assert PRIVATE not in page.url


def test_q_k_and_v_give_every_view_the_exact_numbers(inspector: Inspector, tmp_path: Path) -> None:
    q, k, v = vectors(1, 2, 4, N, 6), vectors(2, 2, 2, N, 6), vectors(3, 2, 2, N, 6)
    path = written(tmp_path / "qkv.npz", {"q": q, "k": k, "v": v}, TOKENS)
    inspector.open()
    page = inspector.plotly().page
    drop(page, path)
    draw(inspector)
    page.locator("#grid").focus()
    inspector.press("ArrowRight", "ArrowRight")  # head 2 reads the keys of group 1
    expected = attention(q[0, 2], k[0, 1])
    page.wait_for_function(
        "(last) => Math.abs(document.querySelector('#plot').data[0].z[1][0] - last) < 1e-6",
        arg=float(expected[1, 0]),
    )
    shown = np.array(inspector.figure()["z"], dtype=float)
    np.testing.assert_allclose(np.nan_to_num(shown), expected, atol=1e-6)
    assert "causal" in page.locator("#legend").inner_text()
    inspector.press("v", "v")
    assert page.locator("#view input:checked").input_value() == "inside"
    expect(page.locator("#inside-view")).to_contain_text(f"{expected[N - 1].max():.4f}")


def test_what_needs_the_model_again_is_greyed_out_with_the_reason(
    inspector: Inspector, tmp_path: Path
) -> None:
    path = written(tmp_path / "mine.npz", {"pattern": patterns(2, 3, N, N)}, TOKENS)
    inspector.open("/?depth=full&causal=false&muted=0.1&text=Hello")
    page = inspector.page
    drop(page, path)
    draw(inspector)
    expect(page.locator("#mask-hint")).to_contain_text("one recorded run")
    expect(page.locator("#mute")).to_be_disabled()
    expect(page.locator("#masks fieldset").first).to_have_attribute("disabled", "")
    assert page.locator("#sentences textarea").get_attribute("readonly") is not None
    expect(page.locator("#add-sentence")).to_be_disabled()
    page.locator("[data-save=head]").click()
    page.locator("[data-export=python]").click()
    expect(page.locator("#save-status")).to_contain_text("no program can ask for it")
    page.keyboard.press("Escape")
    page.locator("#share").click()
    expect(page.locator("#copy")).to_contain_text("No link can carry it")
    page.keyboard.press("Escape")
    inspector.press("m", "c")
    assert model(page) == "mine" and "muted" not in page.url
    page.locator("#model").select_option("shipped")
    inspector.ready()
    expect(page.locator("#mute")).to_be_enabled()
    page.locator("#model").select_option("mine")
    inspector.ready()
    assert page.locator("#chips .chip").all_inner_texts() == TOKENS


def test_nothing_on_the_page_asks_for_a_server(inspector: Inspector, tmp_path: Path) -> None:
    """It is open from one, and a server would not have the model either."""
    q, k, v = vectors(1, 2, 4, N, 6), vectors(2, 2, 2, N, 6), vectors(3, 2, 2, N, 6)
    path = written(tmp_path / "qkv.npz", {"q": q, "k": k, "v": v}, TOKENS)
    inspector.open()
    page = inspector.page
    drop(page, path)
    draw(inspector)
    for tab in page.locator("#right-tabs [role=tab]:visible").all():
        tab.click()
        inspector.ready()
        assert "Headlight server" not in page.locator("main").inner_text(), tab.inner_text()
    shown = page.locator("#view label:not([hidden]) input")
    for name in shown.evaluate_all("all => all.map(({ value }) => value)"):
        inspector.view(name).ready()
        assert "Headlight server" not in page.locator("main").inner_text(), name


def test_eight_texts_of_a_large_batch_are_shown(inspector: Inspector, tmp_path: Path) -> None:
    given, names = patterns(2, 11, 2, 3, 3), [[f"text{text}", "b", "c"] for text in range(11)]
    path = tmp_path / "batch.npz"
    np.savez(path, pattern=given, tokens=np.array(names, dtype=object))
    inspector.open()
    page = inspector.page
    drop(page, path)
    first = page.get_by_label("The page shows 8 texts of this batch, from text")
    expect(first).to_have_value("0")
    expect(page.locator("#own-form .own-tokens").first).to_be_hidden()
    first.fill("9")
    draw(inspector)
    chips = page.locator("#chips .chip").all_inner_texts()
    assert chips == ["text9", "b", "c", "text10", "b", "c"]
    shown = np.array(inspector.figure()["z"], dtype=float)
    np.testing.assert_allclose(shown, given[0, 9, 0], atol=1e-6)


def test_a_table_is_drawn_with_its_labels(inspector: Inspector, tmp_path: Path) -> None:
    frame = pd.DataFrame(patterns(N, N), index=TOKENS, columns=TOKENS)
    path = tmp_path / "mine.csv"
    frame.to_csv(path)
    inspector.open()
    drop(inspector.page, path)
    draw(inspector)
    assert inspector.page.locator("#chips .chip").all_inner_texts() == TOKENS
    shown = np.array(inspector.figure()["z"], dtype=float)
    np.testing.assert_allclose(shown, frame.to_numpy(), atol=1e-6)


def test_an_attribution_graph_is_drawn_and_its_nodes_are_chosen(
    inspector: Inspector, tmp_path: Path
) -> None:
    nodes = [
        {
            "node_id": "E_1",
            "layer": "E",
            "ctx_idx": 0,
            "feature_type": "embedding",
            "clerp": "Dallas",
        },
        {"node_id": "3_41", "layer": "3", "ctx_idx": 1, "clerp": "Texas", "activation": 12.5},
        {"node_id": "3_42", "layer": "3", "ctx_idx": 1, "clerp": "capitals"},
        {
            "node_id": "27_9",
            "layer": "27",
            "ctx_idx": 1,
            "feature_type": "logit",
            "clerp": "Austin",
        },
    ]
    links = [
        {"source": "E_1", "target": "3_41", "weight": 0.75},
        {"source": "3_41", "target": "27_9", "weight": 1.5},
        {"source": "3_42", "target": "27_9", "weight": -0.5},
    ]
    about = {"prompt": "Dallas is", "prompt_tokens": ["Dallas", " is"], "scan": "gemma"}
    path = tmp_path / "dallas.json"
    path.write_text(json.dumps({"metadata": about, "nodes": nodes, "links": links}))
    page = inspector.open("/").page
    before = model(page)
    drop(page, path)
    dialog = page.locator("#own")
    expect(dialog).to_contain_text("“Dallas is”, in gemma: 4 nodes and 3 links")
    expect(dialog.locator(".own-node")).to_have_count(4)
    rows = dialog.locator(".own-links tbody tr")
    expect(rows).to_have_text(["TexasAustin1.5", "DallasTexas0.75", "capitalsAustin−0.5"])
    dialog.get_by_role("button", name="capitals").click()
    expect(rows).to_have_count(1)
    expect(dialog.locator(".own-node")).to_have_count(2)
    expect(dialog.get_by_text("capitals, at “is” in layer 3: its strongest links.")).to_be_visible()
    dialog.get_by_role("button", name="All links").click()
    expect(rows).to_have_count(3)
    accessible(page, "#own")
    dialog.get_by_role("button", name="Close").click()
    assert model(page) == before  # it is no model


def test_a_warning_comes_before_the_picture(inspector: Inspector, tmp_path: Path) -> None:
    given = patterns(2, 3, N, N)
    given[1, 2, 3] *= 0.5
    path = written(tmp_path / "off.safetensors", {"attentions": given}, TOKENS)
    inspector.open()
    page = inspector.page
    drop(page, path)
    page.get_by_role("button", name="Draw", exact=True).click()
    remark = page.locator(".own-remarks li")
    expect(remark).to_contain_text("1 of 30 rows of attentions do not sum to 1")
    expect(remark).to_contain_text("layer 1, head 2, query 3, with a sum of 0.500")
    draw(inspector, "Show it")
    assert model(page) == "off"


def test_a_broken_file_gives_one_message_and_leaves_the_page(
    inspector: Inspector, tmp_path: Path
) -> None:
    given = patterns(2, 3, N, N)
    given[1, 0, 2, 3] = np.nan
    broken = written(tmp_path / "nan.npz", {"pattern": given}, TOKENS)
    (tmp_path / "torn.safetensors").write_bytes((2**31).to_bytes(8, "little") + b"{" * 100)
    page = inspector.open().probed().page
    before = inspector.words()
    drop(page, broken)
    page.get_by_role("button", name="Draw", exact=True).click()
    problem = page.locator("#own-problem")
    expect(problem).to_contain_text("pattern has NaN at layer 1, head 0, query 2, key 3")
    drop(page, tmp_path / "torn.safetensors")
    expect(problem).to_contain_text("cut short: its header is incomplete")
    expect(page.locator("#own-form")).to_be_hidden()
    page.keyboard.press("Escape")
    assert inspector.words() == before and model(page) == "shipped"


def test_the_reader_corrects_the_axes_and_the_tokens(inspector: Inspector, tmp_path: Path) -> None:
    given = patterns(2, 2, 2, 2)  # nothing tells its axes apart
    path = tmp_path / "same.npy"
    np.save(path, np.ascontiguousarray(given.transpose(1, 0, 2, 3)))
    inspector.open()
    page = inspector.page
    drop(page, path)
    axes = page.locator("#own-form select")
    expect(axes).to_have_count(4)
    assert [axis.input_value() for axis in axes.all()] == ["layer", "head", "query", "key"]
    axes.nth(0).select_option("head")
    page.get_by_role("button", name="Draw", exact=True).click()
    expect(page.locator("#own-problem")).to_contain_text("Two axes are called “head”")
    axes.nth(1).select_option("layer")
    box = page.locator("#own-form textarea").first
    box.fill("one two three")
    expect(page.locator(".own-text .wrong")).to_contain_text("3 of 2")
    box.fill('["<b>bold</b>", "two"]')
    page.locator("#own-form input[type=text]").fill("turned")
    draw(inspector)
    assert page.locator("#chips .chip").all_inner_texts() == ["<b>bold</b>", "two"]
    page.locator("#grid").focus()
    inspector.press("ArrowRight")
    inspector.plotly()
    page.wait_for_function(
        "(first) => Math.abs(document.querySelector('#plot').data[0].z[0][0] - first) < 1e-6",
        arg=float(given[0, 1, 0, 0]),
    )


def test_the_dialog_is_used_with_the_keyboard_alone(inspector: Inspector, tmp_path: Path) -> None:
    path = written(tmp_path / "mine.json", {"pattern": patterns(1, 2, N, N)}, TOKENS)
    page = inspector.page
    # Chromium hands choosers over from now on: asked for it only with the key, it may come too late
    page.on("filechooser", lambda _: None)
    inspector.open()
    page.locator("#own-open").focus()
    page.keyboard.press("Enter")
    expect(page.locator("#own-choose")).to_be_focused()
    with page.expect_file_chooser() as chooser:
        page.keyboard.press("Enter")
    chooser.value.set_files(path)
    expect(page.get_by_role("button", name="Draw", exact=True)).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator("#own")).to_be_hidden()
    inspector.ready()
    assert model(page) == "mine"
    page.locator("#own-open").focus()
    page.keyboard.press("Enter")
    page.keyboard.press("Escape")
    expect(page.locator("#own-open")).to_be_focused()


def test_a_saved_file_opens_again_without_a_question(inspector: Inspector, tmp_path: Path) -> None:
    inspector.open("/?depth=full&text=The+cat+sat.&layer=1&head=2")
    page = inspector.page
    shown = inspector.figure()["z"]
    with page.expect_download() as saved:
        inspector.save("safetensors")
    path = tmp_path / "saved.safetensors"
    saved.value.save_as(path)
    page.keyboard.press("Escape")
    drop(page, path)
    expect(page.locator("#own-status")).to_contain_text(
        "saved by Headlight, from the model shipped"
    )
    page.get_by_role("button", name="Draw", exact=True).click()
    expect(page.locator(".own-remarks")).to_contain_text("Layer 1, head 2 of the file")
    draw(inspector, "Show it")
    assert model(page) == "saved"
    assert inspector.figure()["z"] == shown


def test_a_large_file_never_holds_up_the_page(inspector: Inspector, tmp_path: Path) -> None:
    path = tmp_path / "large.npz"
    np.savez_compressed(path, pattern=np.zeros((12, 12, 256, 256), dtype="float32"))
    inspector.open()
    page = inspector.page
    page.evaluate(
        """() => {
          window.longest = 0;
          let last = performance.now();
          setInterval(() => {
            const now = performance.now();
            window.longest = Math.max(window.longest, now - last);
            last = now;
          }, 10);
        }"""
    )
    drop(page, path)
    expect(page.get_by_role("button", name="Draw", exact=True)).to_be_visible()
    assert page.evaluate("() => window.longest") < 1000  # to unpack 38 MB takes longer on one core


def test_axe_finds_nothing_and_nothing_is_cut(inspector: Inspector, tmp_path: Path) -> None:
    path = written(
        tmp_path / "mine.npz",
        {"q": vectors(1, 2, 4, N, 6), "k": vectors(2, 2, 4, N, 6), "v": vectors(3, 2, 4, N, 6)},
        TOKENS,
    )
    inspector.open()
    page = inspector.page
    drop(page, path)
    expect(page.get_by_role("button", name="Draw", exact=True)).to_be_visible()
    page.locator("#own-help").evaluate("(it) => { it.open = true; }")
    for _, width in appearances(page, 390, 1024, 1440):
        assert accessible(page, "#own")
        wide = page.locator("#own").evaluate("(it) => it.scrollWidth - it.clientWidth")
        assert wide <= 0, width
