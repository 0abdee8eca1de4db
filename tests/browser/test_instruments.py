"""Labels, the ranking of heads, norms and rollout: the page shows the API's numbers."""

import json
import re
import urllib.request
from collections.abc import Sequence
from typing import Any

import pytest
from playwright.sync_api import Route, expect

from model.core.checkpoint import SHIPPED
from model.facts import facts
from model.gallery import Entry, load_gallery
from tests.browser.appearances import accessible, appearances
from tests.browser.inspector import Inspector, looks, pick, unfold

pytestmark = pytest.mark.browser
SENTENCE = "The dogs near the river saw the dogs."
OPEN = "/?text=The+dogs+near+the+river+saw+the+dogs.&layer=1&head=2"
NAMES = {
    "previous_token": "previous token",
    "same_token": "same token",
    "induction": "induction",
    "first_token": "first token",
    "special_mass": "special",
    "punctuation_mass": "punctuation",
}
Heads = dict[tuple[int, int], dict[str, Any]]


def ask(inspector: Inspector, path: str, request: object = None) -> Any:
    body = None if request is None else json.dumps(request).encode()
    call = urllib.request.Request(
        inspector.server + path, body, {"Content-Type": "application/json"}
    )
    with urllib.request.urlopen(call) as response:
        return json.load(response)


def probe(inspector: Inspector) -> Heads:
    """The API's scores on the probe."""
    answer = ask(inspector, "/api/models/shipped/heads")
    assert answer["state"] == "ready"
    return {(head["layer"], head["head"]): head["scores"] for head in answer["heads"]}


def sentence(inspector: Inspector) -> Heads:
    """The API's scores on the sentence."""
    request = {"texts": [SENTENCE], "select": {"layers": []}, "analyse": {"scores": True}}
    heads = ask(inspector, "/api/trace", request)["scores"][0]["heads"]
    return {(head["layer"], head["head"]): head["scores"] for head in heads}


ABSENT = ", but not in this sentence"


def labels(inspector: Inspector) -> dict[tuple[int, int], str]:
    """The text of each head for a screen reader, without its position and state."""
    found = {}
    for cell in inspector.page.locator(".cell").all():
        words = cell.get_attribute("aria-label") or ""
        place = re.match(r"layer (\d+), head (\d+)(?:, )?", words)
        assert place
        found[int(place[1]), int(place[2])] = words[place.end() :]
    return found


def strongest(scores: dict[str, Any], copying: float | None, drawn: Sequence[Entry] = ()) -> str:
    """The label that a head should have, computed independently. Copying is None if unknown."""
    shares = {name: scores[name]["value"] for name in NAMES if scores[name]["over"] >= 3}
    looks = shares.pop("induction", None) or 0.0
    if copying is None or copying >= 0.75:
        shares["induction"] = looks
    name, share = max(
        ((name, round(share, 6)) for name, share in shares.items() if share is not None),
        key=lambda pair: pair[1],
    )
    half = ""
    if "induction" not in shares and looks >= 0.3 and looks >= share:
        half = f"looks where induction looks ({looks:.2f}), but does not copy ({copying:.2f})"
    if name == "induction" and copying is None and share >= 0.3:
        half = "whether it copies is not known: it was not measured"
    return "; ".join(filter(None, (_alone(scores, name, share, drawn), half)))


def _alone(scores: dict[str, Any], name: str, share: float, drawn: Sequence[Entry]) -> str:
    """The label of the largest share, or of a relation, without what it lacks."""
    values = sorted((entry.value or 0.0, entry.label or "") for entry in drawn if entry.label)
    telling = name in ("previous_token", "same_token", "induction") and share >= 0.3
    if values and (not telling or values[-1][0] > share):
        return ", ".join(f"{label} {value:.2f}" for value, label in reversed(values))
    if share >= 0.3:
        return f"{NAMES[name]} {scores[name]['value']:.2f}"
    broad = scores["normalised_entropy"]["value"]
    return f"broad {broad:.2f}" if broad is not None and broad >= 0.8 else ""


def ranking(inspector: Inspector) -> list[tuple[str, str]]:
    rows = inspector.page.locator("#ranking tbody tr[data-head]").all()
    return [
        (str(row.get_attribute("data-head")), row.locator("td").last.inner_text()) for row in rows
    ]


@pytest.mark.parametrize("by", ["probe", "sentence"])
def test_each_head_is_labelled_by_its_strongest_score(inspector: Inspector, by: str) -> None:
    inspector.open(f"{OPEN}&by={by}").probed()
    scores = (probe if by == "probe" else sentence)(inspector)
    gallery = load_gallery(SHIPPED) if by == "probe" else []
    drawn = {place: [e for e in gallery if (e.layer, e.head) == place] for place in scores}
    copying = {place: found["copying"]["value"] for place, found in probe(inspector).items()}
    expected = {
        place: strongest(found, copying[place], drawn[place]) for place, found in scores.items()
    }
    said = labels(inspector)
    assert {place: label.removesuffix(ABSENT) for place, label in said.items()} == expected
    habits = {place for place, label in expected.items() if label.startswith("induction ")}
    here = {
        place: found["induction"]["value"] or 0.0 for place, found in sentence(inspector).items()
    }
    asked = scores if by == "probe" else {}
    faint = {at for at in habits & set(asked) if here[at] < asked[at]["induction"]["value"] / 2}
    assert {place for place in habits if said[place].endswith(ABSENT)} == faint
    assert bool(faint) == (by == "probe")
    only_looks = [place for place, label in expected.items() if "does not copy" in label]
    assert only_looks == ([] if by == "probe" else [(2, 4)])
    selected = inspector.page.locator(".cell[aria-selected=true] .tag").inner_text()
    title = inspector.page.locator("#head-label").inner_text()
    assert title == (expected[1, 2] or "no strong pattern")
    if expected[1, 2]:
        assert selected.split()[-1] == title.split(",")[0].split()[-1].removeprefix("0")


def test_heads_rank_by_the_metric_that_was_chosen(inspector: Inspector) -> None:
    inspector.open(OPEN).probed()
    pick(inspector.page.locator("#find").get_by_label("induction"))
    inspector.page.get_by_role("tab", name="Find a head").click()
    values = {place: found["induction"]["value"] for place, found in probe(inspector).items()}
    best = sorted(values, key=lambda place: (-values[place], place))
    expected = [(f"{layer}.{head}", f"{values[layer, head]:.3f}") for layer, head in best]
    assert ranking(inspector) == expected
    inspector.page.locator("#ranking tbody button").first.click()
    inspector.ready()
    layer, head = best[0]
    title = inspector.page.locator("#head-title").inner_text()
    assert title == f"Layer {layer} · head {head}"
    assert inspector.page.locator("#ranking .lit").get_attribute("data-head") == expected[0][0]
    for part in ("find=induction", "left=find", f"layer={layer}", f"head={head}"):
        assert part in inspector.page.url


def test_what_is_below_the_filter_is_dimmed_and_out_of_the_table(inspector: Inspector) -> None:
    inspector.open(f"{OPEN}&find=previous_token&left=find").probed()
    scores = probe(inspector)
    inspector.page.locator("#least").fill("0.4")
    kept = {place for place, found in scores.items() if found["previous_token"]["value"] >= 0.4}
    assert 0 < len(kept) < len(scores)
    assert inspector.page.locator(".cell.below").count() == len(scores) - len(kept)
    assert {place for place, _ in ranking(inspector)} == {f"{a}.{b}" for a, b in kept}
    assert "least=0.4" in inspector.page.url


def test_a_score_that_is_not_defined_says_why(inspector: Inspector) -> None:
    inspector.open("/?text=The+cat+sat.&layer=0&head=0&by=sentence&find=same_token&left=find")
    inspector.probed()
    reason = "not defined here: no token occurs twice"
    assert set(inspector.page.locator(".tag").all_inner_texts()) == {"–"}
    assert set(labels(inspector).values()) == {f"same token {reason}"}
    assert inspector.page.locator("#ranking tbody").inner_text().strip() == reason
    inspector.type("The cat saw the cat.")
    assert "–" not in inspector.page.locator(".tag").all_inner_texts()


@pytest.mark.fresh
def test_the_probe_says_how_far_it_is(inspector: Inspector) -> None:
    done: int | None = 3

    def compute(route: Route) -> None:
        if done is None:
            return route.continue_()
        answer: dict[str, Any] = {
            "model": "shipped",
            "state": "computing",
            "probe": None,
            "metrics": [],
            "sink_share": None,
            "heads": None,
            "error": None,
            "progress": {"done": done, "total": 16},
        }
        return route.fulfill(status=202, headers={"Retry-After": "1"}, json=answer)

    inspector.page.route("**/heads", compute)
    inspector.open(OPEN)
    about = inspector.page.locator("#find-about")
    expect(about).to_have_text("probing the heads: 3 of 16")
    assert set(labels(inspector).values()) == {""}
    done = 6
    expect(about).to_have_text("probing the heads: 6 of 16")
    done = None
    inspector.probed()
    expect(about).not_to_contain_text("probing")
    assert "induction" in " ".join(labels(inspector).values())


@pytest.mark.fresh
def test_a_probe_that_failed_says_why_and_the_sentence_still_labels(inspector: Inspector) -> None:
    answer: dict[str, Any] = {
        "model": "shipped",
        "state": "failed",
        "probe": None,
        "metrics": [],
        "heads": None,
        "sink_share": None,
        "progress": {"done": 0, "total": 16},
        "error": "It has too few words.",
    }
    inspector.page.route("**/heads", lambda route: route.fulfill(json=answer))
    inspector.open(OPEN)
    about = inspector.page.locator("#find-about")
    expect(about).to_have_text("The heads could not be probed: It has too few words.")
    pick(inspector.page.locator("#find").get_by_label("this sentence"))
    expected = {place: strongest(found, None) for place, found in sentence(inspector).items()}
    last = inspector.page.locator(".cell").last
    expect(last).to_have_attribute("aria-label", f"layer 2, head 7, {expected[2, 7]}")
    assert labels(inspector) == expected


def test_norms_are_those_of_the_api(inspector: Inspector) -> None:
    inspector.open(f"{OPEN}&query=5").press("s", "s")
    select = {"tensors": ["norms", "pattern"], "layers": [1], "heads": [2]}
    site = ask(inspector, "/api/trace", {"texts": [SENTENCE], "select": select})["sites"][0]
    norms, pattern = (site["tensors"][name][0][0] for name in ("norms", "pattern"))
    for drawn, sent in zip(inspector.figure()["z"], norms, strict=True):
        assert drawn == pytest.approx(sent, abs=1e-5)
    key = max(range(6), key=lambda place: float(norms[5][place]))
    reading = inspector.hover(5, key)
    assert f"norm {norms[5][key]:.4f} = {pattern[5][key]:.4f} × " in reading
    table = inspector.page.locator("#row tbody tr td:last-child").all_inner_texts()
    assert [float(cell) for cell in table] == pytest.approx(
        sorted(norms[5][:6], reverse=True), abs=1e-4
    )
    with inspector.page.expect_download() as download:
        inspector.save("CSV")
    assert download.value.suggested_filename == "headlight-shipped-layer-1-head-2-norms.csv"


def test_rollout_is_that_of_the_api_and_of_no_single_head(inspector: Inspector) -> None:
    inspector.open(f"{OPEN}&query=5&qkv=on").press("s", "s", "s", "s")
    request = {"texts": [SENTENCE], "select": {"layers": []}, "analyse": {"rollout": True}}
    rollout = ask(inspector, "/api/trace", request)["rollout"][0]
    for drawn, sent in zip(inspector.figure()["z"], rollout, strict=True):
        assert drawn == pytest.approx(sent, abs=1e-6)
    assert inspector.page.locator("#head-title").inner_text() == "Attention rollout · all layers"
    assert inspector.page.locator("#head-label").inner_text() == ""
    assert inspector.page.locator("#vectors").is_hidden()
    assert f"share {rollout[5][2]:.4f}" in inspector.hover(5, 2)
    assert "blocked by the causal mask" in inspector.hover(1, 4)
    table = inspector.page.locator("#row tbody tr td:last-child").all_inner_texts()
    assert sum(map(float, table)) == pytest.approx(1, abs=1e-3)
    with inspector.page.expect_download() as download:
        inspector.save("CSV")
    assert download.value.suggested_filename == "headlight-shipped-rollout.csv"
    inspector.press("s", "s")  # past the flow
    assert inspector.page.locator("#vectors").is_visible()
    assert "matrix" not in inspector.page.url


@pytest.mark.parametrize("name", ["Rollout", "Norms"])
def test_a_matrix_that_cannot_be_had_says_why_and_the_pattern_stays(
    inspector: Inspector, name: str
) -> None:
    def refuse(route: Route) -> None:
        asked = json.loads(route.request.post_data or "{}")
        names = {tensor for select in looks(asked) for tensor in select.get("tensors", [])}
        part = "parts.detail" if "parts" in asked else "select"
        wants = {
            "analyse.rollout": name == "Rollout" and asked.get("analyse", {}).get("rollout"),
            f"{part}.tensors": name == "Norms" and "norms" in names,
        }
        field = next((field for field, wanted in wants.items() if wanted), None)
        if field is None:
            return route.continue_()
        error = {"code": "unavailable", "message": "It has none.", "field": field, "limit": None}
        return route.fulfill(status=422, json={"error": error})

    inspector.page.route("**/api/trace", refuse)
    inspector.open(OPEN)
    unfold(inspector.page, "matrix")
    inspector.page.locator("#matrix").get_by_label(name).click()  # the refusal undoes the choice
    notice = inspector.page.locator("#notice")
    expect(notice).to_contain_text(f"{name} cannot be shown: It has none.")
    inspector.ready()
    assert inspector.page.locator("#problem").is_hidden()
    assert inspector.page.locator("input[name=matrix]:checked").get_attribute("value") == "pattern"
    assert inspector.figure()["z"][0][0] == 1
    inspector.errors.clear()  # Chromium itself logs the 422


def test_tabs_are_walked_by_the_arrows_and_kept_in_the_link(inspector: Inspector) -> None:
    inspector.open(OPEN)
    tabs = inspector.page.locator("#right-tabs").get_by_role("tab")
    tabs.first.focus()
    inspector.press("ArrowRight")
    assert tabs.nth(1).get_attribute("aria-selected") == "true"
    second = facts("panels")[1]["name"]
    assert inspector.page.locator(f"#{second}-panel").is_visible()
    assert inspector.page.locator("#next-panel").is_hidden()
    assert f"right={second}" in inspector.page.url
    assert inspector.page.locator("#head-title").inner_text() == "Layer 1 · head 2"
    inspector.press("Home")
    assert inspector.page.locator("#next-panel").is_visible()
    assert "right=" not in inspector.page.url


def test_f_finds_a_head_without_the_mouse(inspector: Inspector) -> None:
    inspector.open(OPEN).probed().press("f", *["ArrowRight"] * 3)
    assert "find=same_token" in inspector.page.url
    assert inspector.page.locator("#ranking").is_visible()
    inspector.press("Escape", "ArrowRight")
    assert inspector.page.locator("#head-title").inner_text() == "Layer 1 · head 3"


def test_axe_finds_nothing_and_labels_can_be_read(inspector: Inspector) -> None:
    inspector.open(f"{OPEN}&left=find&matrix=norms").probed()
    for _, width in appearances(inspector.page, 1440, 1024, 390):
        accessible(inspector.page)
        sizes = inspector.page.evaluate(
            """() => ({
              small: [...document.querySelectorAll(".tag")].filter(
                (tag) => parseFloat(getComputedStyle(tag).fontSize) < 12).length,
              cut: [...document.querySelectorAll(".tag > *")].filter((part) => {
                const a = part.getBoundingClientRect();
                const b = part.parentElement.getBoundingClientRect();
                return a.width && (a.left < b.left - 1 || a.right > b.right + 1);
              }).length,
              beyond: document.documentElement.scrollWidth - innerWidth,
              below: document.documentElement.scrollHeight - innerHeight,
            })"""
        )
        assert (sizes["small"], sizes["cut"], sizes["beyond"]) == (0, 0, 0)
        assert width < 1440 or sizes["below"] == 0
