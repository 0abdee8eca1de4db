"""From scratch in the inspector: settings, deliberate mistakes, and common beliefs."""

import base64
import json
import math
import os
import re
import subprocess
import sys
import urllib.request
from pathlib import Path
from typing import Any

import pytest
import torch
from playwright.sync_api import Locator, expect
from safetensors.torch import save

from tests.browser.appearances import accessible, appearances
from tests.browser.inspector import Inspector, pick, unfold

TEXT = "The cat sat on the mat"
OPEN = "/?model=scratch&text=" + TEXT.replace(" ", "+")


def ask(inspector: Inspector, request: dict[str, Any]) -> dict[str, Any]:
    """The API's own answer."""
    body = json.dumps({"model": "scratch", "texts": [TEXT], **request}).encode()
    call = urllib.request.Request(
        inspector.server + "/api/trace", body, {"Content-Type": "application/json"}
    )
    with urllib.request.urlopen(call) as response:
        answer: dict[str, Any] = json.load(response)
    return answer


def tensor(answer: dict[str, Any], name: str) -> torch.Tensor:
    """A tensor of the first site: batch, head, query, key."""
    return torch.tensor(answer["sites"][0]["tensors"][name])


def entry(inspector: Inspector, name: str) -> Locator:
    return inspector.page.locator(f"[data-entry={name}]")


def turn(inspector: Inspector, part: str, name: str) -> str:
    """Switch on an entry of the panel, and read its consequence."""
    inspector.page.locator(f"#part-{part}").check()
    inspector.ready()
    entry(inspector, name).locator("input").click()
    inspector.ready()
    consequence = entry(inspector, name).locator(".consequence")
    expect(consequence).not_to_have_text("")
    expect(consequence).not_to_have_text("…")
    return consequence.inner_text()


def look(inspector: Inspector, view: str) -> None:
    inspector.view(view)
    inspector.ready()


def written(number: float) -> str:
    """A number as the page writes it."""
    if number == 0:
        return "0"
    return f"{float(f'{number:.3g}'):g}"


def spread(numbers: torch.Tensor) -> str:
    least, most = written(float(numbers.min())), written(float(numbers.max()))
    return least if least == most else f"{least} to {most}"


def setting(inspector: Inspector, name: str) -> Locator:
    return inspector.page.locator(f"[data-setting={name}]")


def put(inspector: Inspector, name: str, value: str) -> None:
    """Type a number."""
    box = setting(inspector, name).locator("input")
    box.fill(value)
    box.press("Enter")


def test_one_choice_shows_a_mechanism_of_the_sentence_that_stands_there(
    inspector: Inspector,
) -> None:
    inspector.open(f"/?text={TEXT.replace(' ', '+')}&layer=0&head=0")
    page = inspector.page
    expect(page.locator("#scratch")).to_be_hidden()
    page.locator("#model").select_option("From scratch")
    inspector.ready()
    assert page.locator("textarea").first.input_value() == TEXT
    pattern = tensor(ask(inspector, {}), "pattern")[0, 0]
    assert torch.allclose(torch.tensor(inspector.figure()["z"]), pattern, atol=1e-6)
    box = page.locator("#grid").bounding_box()
    assert box and box["y"] + box["height"] < 900, "the heads are seen without scrolling"
    scale = setting(inspector, "scale").locator("select").bounding_box()
    assert scale and scale["width"] > 60, "a setting shows its value, not its arrow alone"
    recipe = page.locator("#scratch-recipe")
    expect(recipe).to_have_text(
        "softmax over keys of (q · k / √8) · v → W_O, 4 heads of 8 channels"
    )
    expect(page.locator("#scratch-note")).to_contain_text("there are no predictions")


def test_settings_reach_the_numbers_and_the_address_which_brings_them_back(
    inspector: Inspector,
) -> None:
    inspector.open(OPEN)
    page = inspector.page
    page.locator("#mechanism").select_option("fused-multi-head")
    inspector.ready()
    expect(page.locator("#scratch-modified")).to_have_text("")
    put(inspector, "n_heads", "3")
    inspector.ready()
    put(inspector, "seed", "5")
    inspector.ready()
    setting(inspector, "positions").locator("select").select_option("rotary")
    inspector.ready()
    expect(page.locator("#scratch-modified")).to_have_text("modified: 3")
    changed = {"mechanism": "fused-multi-head", "n_heads": 3, "seed": 5, "positions": "rotary"}
    pattern = tensor(ask(inspector, {"scratch": changed}), "pattern")
    assert pattern.shape[1] == 3
    assert torch.allclose(torch.tensor(inspector.figure()["z"]), pattern[0, 0], atol=1e-6)
    link = page.url
    for part in ("mechanism=fused-multi-head", "n_heads=3", "seed=5", "positions=rotary"):
        assert f"scratch.{part}" in link
    words = inspector.words()
    inspector.open(link.removeprefix(inspector.server))
    assert inspector.words() == words
    setting(inspector, "seed").locator(".setting-back").click()
    inspector.ready()
    assert "seed" not in page.url
    page.locator("#scratch-back").click()
    inspector.ready()
    expect(page.locator("#scratch-modified")).to_have_text("")
    inspector.press("Control+z")  # the panel's controls have no undo of their own
    expect(page.locator("#scratch-modified")).to_have_text("modified: 2")


def test_a_first_look_has_a_mechanism_to_choose_and_to_break(inspector: Inspector) -> None:
    page = inspector.open("/?depth=start&text=" + TEXT.replace(" ", "+")).page
    panel = page.locator("#scratch")
    expect(panel).to_be_hidden()
    page.locator("#model").select_option("scratch")
    inspector.ready()
    expect(panel.locator("#scratch-settings, #part-settings")).to_have_count(2)
    for setting in panel.locator("#scratch-settings, #part-settings").all():
        expect(setting).to_be_hidden()
    panel.locator("#mechanism").select_option("fused-multi-head")
    inspector.ready()
    expect(page.locator("#scratch-name")).to_have_text("Multi-head, one matrix")
    panel.get_by_label("Softmax over queries").check()
    inspector.ready()
    told = entry(inspector, "axis").locator(".consequence")
    expect(told).to_contain_text("column sums")
    expect(page.locator("#view input:checked + span")).to_have_text("Compare")
    expect(page.locator("#view input:checked + span")).to_be_visible()
    boxes = [page.locator(part).bounding_box() for part in ("#scratch", ".heads", ".foot")]
    for box in boxes:
        assert box is not None and box["y"] + box["height"] <= 900
    panel.get_by_label("Softmax over queries").uncheck()
    inspector.ready()
    expect(page.locator("#view input:checked + span")).to_have_text("Heatmap")
    page.locator("#depth").click()
    expect(page.locator("#part-settings")).to_be_checked()
    expect(page.locator("#scratch-settings")).to_be_visible()


def test_a_new_seed_draws_other_weights(inspector: Inspector) -> None:
    inspector.open(OPEN)
    before = inspector.figure()
    inspector.page.get_by_role("button", name="New seed").click()
    inspector.ready()
    assert inspector.figure() != before


def test_what_cannot_be_says_why_where_it_was_set_and_the_picture_stays(
    inspector: Inspector,
) -> None:
    inspector.open(OPEN)
    page = inspector.page
    before, link = inspector.figure(), page.url
    put(inspector, "d_model", "999")  # beyond what may be: it is not even asked for
    expect(setting(inspector, "d_model").locator(".setting-problem")).to_have_text(
        "From 1 to 256, whole."
    )
    put(inspector, "n_heads", "5")
    inspector.state("error")
    expect(setting(inspector, "d_head").locator(".setting-problem")).to_contain_text(
        "d_model = 32 cannot be divided evenly among 5 heads"
    )
    assert inspector.figure() == before
    assert page.url == link
    put(inspector, "n_heads", "2")
    inspector.ready()
    expect(page.locator("#problem")).to_be_hidden()
    inspector.errors.clear()  # the browser tells of the refusal, too


def test_what_a_mechanism_does_not_have_is_disabled_with_the_reason(inspector: Inspector) -> None:
    inspector.open(OPEN)
    packing = setting(inspector, "packing").locator("select")
    expect(packing).to_be_disabled()
    expect(inspector.page.locator("#scratch-settings")).to_contain_text("nothing is packed")
    inspector.page.locator("#mechanism").select_option("padded-batch")
    inspector.ready()
    expect(packing).to_be_enabled()


def test_cross_attention_shows_something_at_once(inspector: Inspector) -> None:
    inspector.open(OPEN)
    page = inspector.page
    page.locator("#mechanism").select_option("cross-attention")
    inspector.ready()
    target = page.locator("textarea[data-key=targets]").input_value()
    assert target
    expect(page.locator("#scratch-note")).to_contain_text(f"“{target}” was added")
    request = {"scratch": {"mechanism": "cross-attention"}, "targets": [target]}
    pattern = tensor(ask(inspector, request), "pattern")[0, 0]
    assert torch.allclose(torch.tensor(inspector.figure()["z"]), pattern, atol=1e-6)
    page.locator("#mechanism").select_option("multi-head")
    inspector.ready()
    expect(page.locator("textarea[data-key=targets]")).to_have_count(0)


def test_softmax_over_queries_and_its_sums(inspector: Inspector) -> None:
    inspector.open(OPEN)
    words = turn(inspector, "mistakes", "axis")
    pattern = tensor(ask(inspector, {"scratch": {"softmax_over": "query"}}), "pattern")[0, 0]
    rows = spread(pattern.sum(-1))
    assert f"Row sums 1 → {rows};" in words
    assert words.endswith("→ 1.")
    look(inspector, "heatmap")
    sums = inspector.page.locator("canvas.sums")
    expect(sums).to_have_attribute("aria-label", f"Row sums {rows}; column sums 1.")
    expect(inspector.page.locator("#readout")).to_contain_text("Columns sum to 1")
    entry(inspector, "axis").locator("input").click()
    inspector.ready()
    assert "softmax_over" not in inspector.page.url
    expect(sums).to_have_attribute("aria-label", re.compile("^Row sums 1;"))


def test_a_mistake_and_what_it_does_share_one_window(inspector: Inspector) -> None:
    """The switch, the heads, and the pattern with and without the mistake: nothing to scroll."""
    inspector.page.set_viewport_size({"width": 1280, "height": 720})
    inspector.open(OPEN + "&depth=full&view=lines")
    words = turn(inspector, "mistakes", "axis")
    assert "view=compare" in inspector.page.url
    what = inspector.page.locator(".compare-what")
    expect(what).to_have_text("A: softmax over keys; B: softmax over queries.")
    assert inspector.page.evaluate("scrollY") == 0
    ends = inspector.page.evaluate(
        """() => {
          const box = (selector) => document.querySelector(selector).getBoundingClientRect();
          const canvas = document.querySelector(".compare-stage canvas");
          const plots = canvas.dataset.plots.split(";").map((one) => one.split(" ").map(Number));
          const cells = Math.max(...plots.map(([, y, , height]) => y + height));
          const bar = [...document.querySelectorAll("body *")].filter(
            (it) => it.offsetHeight && ["fixed", "sticky"].includes(getComputedStyle(it).position)
              && it.getBoundingClientRect().bottom >= innerHeight - 1);
          return {
            floor: Math.min(innerHeight, ...bar.map((it) => it.getBoundingClientRect().top)),
            consequence: box("[data-entry=axis] .consequence").bottom,
            panel: box("#scratch").bottom,
            heads: box("#grid .cell canvas").bottom,
            cells: canvas.getBoundingClientRect().top + cells,
          };
        }"""
    )
    floor = ends.pop("floor")
    assert floor > 640
    assert {name: end for name, end in ends.items() if end > floor} == {}
    assert words == entry(inspector, "axis").locator(".consequence").inner_text()
    entry(inspector, "axis").locator("input").click()
    inspector.ready()
    assert "view=lines" in inspector.page.url
    assert "against" not in inspector.page.url


@pytest.mark.parametrize(("name", "scale"), [("no-scale", 1), ("wide-scale", "1/sqrt(d_model)")])
def test_a_wrong_scale_by_variance_and_entropy(
    inspector: Inspector, name: str, scale: float | str
) -> None:
    inspector.open(OPEN)
    words = turn(inspector, "mistakes", name)
    select = {"tensors": ["scores", "pattern"]}
    answer = ask(inspector, {"scratch": {"scale": scale}, "select": select})
    scores, pattern = tensor(answer, "scores"), tensor(answer, "pattern")[0]
    assert f"Variance of the scores {written(float(scores.var(correction=0)))};" in words
    factor = answer["sites"][0]["scale"]
    theory = written(factor**2 * 8)
    assert f"= {theory}." in words
    entropy = -(pattern * pattern.log()).sum(-1).mean(-1)
    each = ", ".join(written(float(head)) for head in entropy)
    assert f"→ {each} nats; an even distribution has {written(math.log(6))}." in words


def test_a_padding_mask_that_is_not_applied(inspector: Inspector) -> None:
    inspector.open(OPEN)
    page = inspector.page
    page.locator("#part-mistakes").check()
    expect(entry(inspector, "padding")).to_contain_text("Turning it on adds a shorter text.")
    words = turn(inspector, "mistakes", "padding")
    short = page.locator("textarea[data-key=texts]").nth(1).input_value()
    request = {"texts": [TEXT, short], "masks": {"padding": False}}
    n = len(short.split())
    given = tensor(ask(inspector, request), "pattern")[1, :, :n, n:]
    assert f"weight of a padding key: 0 → {written(float(given.max()))};" in words
    assert f"of all padding in one row: 0 → {written(float(given.sum(-1).max()))}." in words


def test_right_padding_under_a_causal_mask_changes_exactly_nothing(inspector: Inspector) -> None:
    inspector.open(OPEN)
    words = turn(inspector, "mistakes", "right-padding")
    assert "did not change at all" in words
    unfold(inspector.page, "masks")
    inspector.page.locator("[name=padding_side][value=left]").check()
    inspector.ready()
    other = entry(inspector, "padding").locator(".consequence")
    expect(other).to_contain_text("changed by up to")


def test_masks_after_the_softmax_lose_what_they_block(inspector: Inspector) -> None:
    inspector.open(OPEN + "&causal=true")
    words = turn(inspector, "mistakes", "mask-after")
    request = {"scratch": {"mask_applied": "after"}, "masks": {"causal": True}}
    pattern = tensor(ask(inspector, request), "pattern")[0, 0]
    assert f"Row sums 1 → {spread(pattern.sum(-1))};" in words
    look(inspector, "inside")
    heads = inspector.page.locator(".inside-keys thead th").all_inner_texts()
    names = [head.split("\n")[0] for head in heads]
    assert names.index("softmax") < names.index("mask") < names.index("weight")
    row = pattern[-1]
    expect(inspector.page.locator(".inside-keys tbody tr").first).to_contain_text(f"{row[0]:.4f}")


def test_a_packing_misread_makes_other_heads(inspector: Inspector) -> None:
    own = {"mechanism": "fused-multi-head"}
    inspector.open(OPEN + "&scratch.mechanism=fused-multi-head")
    words = turn(inspector, "mistakes", "packing")
    wrong = {**own, "read_as": "qkv head d_head"}
    now, before = (tensor(ask(inspector, {"scratch": one}), "pattern")[0] for one in (wrong, own))
    off = (now - before).abs().sum(-1).mean(-1) / 2
    for head, share in enumerate(off.tolist()):
        assert f"head {head} {written(share)}" in words


@pytest.mark.parametrize("name", ["sees-next", "hides-self", "blocked-row"])
def test_masks_that_are_off_by_one_or_block_all(inspector: Inspector, name: str) -> None:
    inspector.open(OPEN + "&causal=true&query=3")
    words = turn(inspector, "mistakes", name)
    if name == "sees-next":
        request = {"scratch": {"causal_diagonal": 1}, "masks": {"causal": True}}
        pattern = tensor(ask(inspector, request), "pattern")[0]
        future = max(float(pattern[:, i, i + 1 :].max()) for i in range(5))
        assert words == f"Largest weight of a later token: 0 → {written(future)}."
    else:
        row = 0 if name == "hides-self" else 3
        assert words == f"Row {row} has no distribution: its weights and its z are 0."
        look(inspector, "heatmap")
        assert torch.tensor(inspector.figure()["z"])[row].sum() == 0


def test_the_order_of_words_is_not_known(inspector: Inspector) -> None:
    inspector.open(OPEN)
    words = turn(inspector, "beliefs", "order")
    assert "6 of 6 words moved" in words and "stayed the same, apart from rounding" in words
    assert inspector.page.locator("textarea").first.input_value() == "mat the on sat cat The"
    setting(inspector, "positions")  # what positions would do is one setting away
    entry(inspector, "order").locator("input").click()
    inspector.ready()
    assert inspector.page.locator("textarea").first.input_value() == TEXT


def test_a_pattern_beside_its_transpose(inspector: Inspector) -> None:
    inspector.open(OPEN)
    words = turn(inspector, "beliefs", "transpose")
    pattern = tensor(ask(inspector, {}), "pattern")[0, 0]
    most = (pattern - pattern.T).abs().max()
    numbers = [float(one) for one in re.findall(r"\d\.\d+", words)]
    assert abs(numbers[0] - numbers[1]) == pytest.approx(float(most), abs=2e-3)
    page = inspector.page
    expect(page.locator("#compare-view")).to_be_visible()
    expect(page.locator(".compare-what")).to_contain_text("transposed (j → i)")
    words_of = page.locator("#compare-view").inner_text()
    inspector.open(page.url.removeprefix(inspector.server))
    assert page.locator("#compare-view").inner_text() == words_of


def test_weight_is_not_yet_what_is_moved_nor_the_cause(inspector: Inspector) -> None:
    inspector.open(OPEN)
    words = turn(inspector, "beliefs", "first-column")
    norms = tensor(ask(inspector, {"select": {"tensors": ["norms"]}}), "norms")[0, 0]
    moved = 100 * float(norms[:, 0].sum() / norms.sum())
    assert f"{written(moved)}% of what the head moves" in words
    entry(inspector, "first-column").locator("input").click()
    inspector.ready()
    words = turn(inspector, "beliefs", "cause")
    answer = ask(inspector, {"select": {"tensors": ["pattern", "z"]}})
    largest = tensor(answer, "pattern")[0, :, -1].max(-1).values
    head = int(largest.argmax())
    length = float(tensor(answer, "z")[0, head, -1].norm())
    weight = written(float(largest.max()))
    assert f"Head {head} has the largest weight in this row, {weight}" in words
    assert f"a z of length {written(length)}" in words
    assert f"muted=0.{head}" in inspector.page.url
    entry(inspector, "cause").locator("input").click()
    inspector.ready()
    assert "muted" not in inspector.page.url


def test_heads_slice_features(inspector: Inspector) -> None:
    inspector.open(OPEN + "&head=2")
    words = turn(inspector, "beliefs", "slices")
    expected = "Head 2 sees all 6 tokens and works with channels 16 to 23 of q, k and v"
    assert words.startswith(expected)
    expect(inspector.page.locator(".slices canvas")).to_be_visible()


@pytest.mark.fresh
def test_weights_of_a_file_are_run_and_kept_in_a_saved_view(
    inspector: Inspector, tmp_path: Path
) -> None:
    inspector.open(OPEN)
    page = inspector.page
    drawn = torch.Generator().manual_seed(3)
    content = save({"layers.0.attention.w_q.weight": torch.randn(32, 32, generator=drawn)})
    file = tmp_path / "mine.safetensors"
    file.write_bytes(content)
    page.locator("#scratch input[type=file]").set_input_files(file)
    weights = page.locator(".weights")
    expect(weights).to_contain_text("1 tensor of mine.safetensors")  # a file takes time to read
    inspector.ready()
    request = {"scratch": {"weights": base64.b64encode(content).decode()}}
    pattern = tensor(ask(inspector, request), "pattern")[0, 0]
    assert torch.allclose(torch.tensor(inspector.figure()["z"]), pattern, atol=1e-6)
    assert "weights" not in page.url
    with page.expect_download() as download:
        inspector.save("as a file")
    view = tmp_path / "view.json"
    download.value.save_as(view)
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Remove the weights from the file").click()
    inspector.ready()
    page.locator("#view-file").set_input_files(view)
    expect(weights).to_contain_text("1 tensor")
    inspector.ready()
    assert torch.allclose(torch.tensor(inspector.figure()["z"]), pattern, atol=1e-6)
    file.write_bytes(b"no such file")
    page.get_by_role("button", name="Remove the weights from the file").click()
    inspector.ready()
    page.locator("#scratch input[type=file]").set_input_files(file)
    inspector.state("error")
    expect(weights.locator(".setting-problem")).to_contain_text("safetensors")
    inspector.errors.clear()  # the browser tells of the refusal, too


def test_the_program_gives_the_same_numbers(inspector: Inspector) -> None:
    inspector.open(
        OPEN + "&scratch.mechanism=fused-multi-head&scratch.seed=4&scratch.scale=1&head=1"
    )
    page = inspector.page
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    inspector.save("Python")
    expect(page.locator("#save-status")).to_have_text("The program is copied.")
    program: str = page.evaluate("() => navigator.clipboard.readText()")
    root = Path(__file__).parents[2]
    ran = subprocess.run(
        [sys.executable, "-c", program],
        cwd=root,
        env={**os.environ, "PYTHONPATH": str(root)},
        capture_output=True,
        text=True,
        check=True,
    )
    row = [float(number) for number in re.findall(r"\d\.\d{4}", ran.stdout)]
    assert row == pytest.approx(inspector.figure()["z"][-1], abs=1e-4)


def test_no_probe_is_waited_for_and_heads_are_found_by_the_sentence(inspector: Inspector) -> None:
    inspector.open(OPEN + "&left=find")
    page = inspector.page
    pick(page.locator("#find").get_by_label("previous token"))
    inspector.ready()
    expect(page.locator("[name=by][value=sentence]")).to_be_checked()
    expect(page.locator("#ranking tbody tr")).to_have_count(4)
    expect(page.locator("#find-about")).to_contain_text("the one before it")


@pytest.mark.fresh
def test_the_panel_by_keyboard(inspector: Inspector) -> None:
    inspector.open(OPEN)
    panel = inspector.page.locator("#scratch")
    expect(panel).to_have_attribute("open", "")
    inspector.press("r")
    expect(panel).not_to_have_attribute("open", "")
    inspector.press("r")
    expect(inspector.page.locator("#mechanism")).to_be_focused()
    put(inspector, "seed", "70")  # digits are the field's: 0 zooms elsewhere
    inspector.ready()
    assert "scratch.seed=70" in inspector.page.url
    inspector.page.locator("#help-open").click()
    expect(inspector.page.locator("#help")).to_contain_text("From scratch: open or close")


def test_axe_finds_nothing_wrong(inspector: Inspector) -> None:
    inspector.open(OPEN + "&scratch.softmax_over=query&scratch.seed=3")
    for part in ("settings", "mistakes", "beliefs"):
        inspector.page.locator(f"#part-{part}").check()
        inspector.ready()
        for _ in appearances(inspector.page):
            accessible(inspector.page)


@pytest.mark.fresh
def test_nothing_is_wider_than_a_phone(inspector: Inspector) -> None:
    inspector.page.set_viewport_size({"width": 390, "height": 844})
    inspector.open(OPEN)
    for part in ("settings", "mistakes", "beliefs"):
        inspector.page.locator(f"#part-{part}").check()
        inspector.ready()
        box = inspector.page.locator("#scratch").bounding_box()
        inside = inspector.page.evaluate("() => document.querySelector('#scratch').scrollWidth")
        assert box and box["x"] + max(box["width"], inside) <= 390


def test_the_weights_of_a_pair_of_heads_have_both_signs(inspector: Inspector) -> None:
    inspector.open(f"{OPEN}&scratch.mechanism=differential&matrix=net&head=1&query=5")
    said = inspector.page.locator("#matrix-said")
    expect(said).to_have_text("Net")
    select = {"tensors": ["net", "pattern"]}
    answer = ask(inspector, {"scratch": {"mechanism": "differential"}, "select": select})
    net, pattern = tensor(answer, "net")[0], tensor(answer, "pattern")[0]
    torch.testing.assert_close(net[1], pattern[0] - 0.8 * pattern[1])
    drawn = torch.tensor([[cell or 0.0 for cell in row] for row in inspector.figure()["z"]])
    assert torch.allclose(drawn.tril(), net[1], atol=1e-6)
    ends = "() => [document.querySelector('#plot').data[0]].map((it) => it.zmin / it.zmax)[0]"
    assert inspector.page.evaluate(ends) == -1, "the colours diverge around zero"
    inspector.open(f"{OPEN}&scratch.mechanism=multi-head&matrix=net")
    expect(said).to_have_text("Pattern")


def test_hidden_weights_have_their_sign_and_every_step_inside(inspector: Inspector) -> None:
    inspector.open(f"{OPEN}&scratch.mechanism=state-space&matrix=hidden&head=1&query=5")
    page, said = inspector.page, inspector.page.locator("#matrix-said")
    expect(said).to_have_text("Hidden weights")
    select = {"tensors": ["hidden"]}
    answer = ask(inspector, {"scratch": {"mechanism": "state-space"}, "select": select})
    hidden = tensor(answer, "hidden")[0]
    drawn = torch.tensor([[cell or 0.0 for cell in row] for row in inspector.figure()["z"]])
    assert torch.allclose(drawn.tril(), hidden[1], atol=1e-6) and hidden[1].min() < 0
    expect(page.locator("#explain")).to_contain_text("There is no softmax here")
    inspector.open(f"{OPEN}&scratch.mechanism=state-space&view=inside&head=1&query=5")
    heads = page.locator(".inside-keys thead th[data-part]")
    parts = [each.get_attribute("data-part") for each in heads.all()]
    assert parts[-4:] == ["score", "mask", "weight", "moved"]
    weights = page.locator(".inside-keys tbody td[data-part=weight]").all_inner_texts()
    told = [float(text.replace("−", "-")) for text in weights]
    assert told == pytest.approx(hidden[1, 5].tolist(), abs=1e-4)
    expect(page.locator("#view-inside, .inside").first).to_contain_text("there is no softmax")
    # mistakes with a softmax mean nothing here
    inspector.open(f"{OPEN}&scratch.mechanism=retention&depth=start")
    box = page.get_by_label("Softmax over queries")
    expect(box).to_be_disabled()
    inspector.open(f"{OPEN}&scratch.mechanism=multi-head&matrix=hidden")
    expect(said).to_have_text("Pattern")


def test_the_cache_is_played_with_the_row_of_the_picture(inspector: Inspector) -> None:
    inspector.open(f"{OPEN}&scratch.mechanism=sliding-window&query=4&right=cache")
    panel = inspector.page.locator("#cache-panel")
    expect(panel.locator("li.gone")).to_have_text(["The"])
    expect(panel.locator("li.kept")).to_have_text(["cat", "sat", "on"])
    expect(panel).to_contain_text("4 tokens of 64 numbers each: this layer keeps 256 numbers")
    panel.get_by_role("button", name="Play").click()
    expect(panel.locator("li.new")).to_have_text("mat")
    inspector.ready()
    assert "query=5" in inspector.page.url


@pytest.mark.fresh  # a mistake that another test took back may end the comparison
def test_two_mechanisms_are_given_equal_sizes(inspector: Inspector) -> None:
    held = "view=compare&against=scratch.mechanism%3Dmulti-head"
    inspector.open(f"{OPEN}&scratch.mechanism=grouped-query&{held}")
    sizes = inspector.page.locator(".compare-sizes")
    expect(sizes).to_have_text(re.compile(r"^Parameters: 4,096 and 3,072\.Equal parameters"))
    expect(sizes.get_by_role("button", name="Equal cache")).to_be_hidden()  # A looks ahead
    inspector.open(f"{OPEN}&scratch.mechanism=grouped-query&{held}%26causal%3Dtrue")
    expect(sizes).to_contain_text("4,096 and 3,072. Kept of a token: 128 bytes and 64 bytes.")
    sizes.get_by_role("button", name="Equal cache").click()
    inspector.ready()
    expect(sizes).to_contain_text("Kept of a token: 128 bytes and 128 bytes.")
    assert "scratch.d_head=16" in inspector.page.url
    expect(sizes.get_by_role("button", name="Equal cache")).to_be_hidden()


@pytest.mark.fresh
def test_the_way_to_train_takes_the_mechanism_with_it(inspector: Inspector) -> None:
    inspector.open(f"{OPEN}&scratch.mechanism=linear")
    link = inspector.page.get_by_role("link", name="Train one yourself")
    expect(link).to_have_attribute("href", "/train?mechanism=linear&n_heads=2")
    inspector.page.goto(f"{inspector.server}{link.get_attribute('href')}")
    fields = inspector.page.locator(".side-field")
    expect(fields.filter(has_text="Attention").first.locator("select")).to_have_value("linear")
