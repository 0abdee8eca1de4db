"""Predictions: the API's numbers; a click appends a token; each head is muted in turn."""

import json
import math
import re
import urllib.request
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import Locator, Route, expect

from tests.browser.appearances import accessible, appearances
from tests.browser.inspector import Inspector, is_extra, rested

pytestmark = pytest.mark.browser
TEXT = "The dogs near the river"
LINK = "/?text=The+dogs+near+the+river&layer=1&head=2"
EDITED = f"{LINK}&muted=1.2&muted=0.1&window=3"
EDITS = {"masks": {"window": 3}, "muted": [[1, 2], [0, 1]]}
T5 = "/?model=t5&text=the+old+cat+sat+on+the+mat&target=a+girl+saw"
BERT = "/?model=bert&text=the+cat+sat+on+the+%5BMASK%5D+.&layer=1&head=0"


@pytest.fixture(scope="module")
def server(families: str) -> str:
    return families


def ask(server: str, **request: Any) -> dict[str, Any]:
    """The API's answer to the same request."""
    body = json.dumps({"select": {"layers": []}, **request}).encode()
    headers = {"Content-Type": "application/json"}
    call = urllib.request.Request(f"{server}/api/trace", body, headers)
    with urllib.request.urlopen(call) as response:
        answer: dict[str, Any] = json.load(response)
    return answer


def ids(tokens: list[dict[str, Any]]) -> list[int]:
    return [token["id"] for token in tokens]


def percent(p: float) -> str:
    return "< 0.1%" if p < 0.0005 else f"{100 * p:.1f}%"


def points(change: float) -> str:
    size = abs(100 * change)
    sign = "−" if change < 0 else "+"
    return "0" if change == 0 else f"{sign}{'<0.1' if size < 0.05 else f'{size:.1f}'}"


def rows(inspector: Inspector) -> list[Locator]:
    return inspector.page.locator("#next tbody tr").all()


def shown(inspector: Inspector) -> list[tuple[int, str, str]]:
    """Each row: the id, its change, its probability."""
    return [
        (
            int(row.get_attribute("data-id") or -1),
            row.locator("td.change").inner_text(),
            row.locator("td").last.inner_text(),
        )
        for row in rows(inspector)
    ]


def expected(predictions: list[dict[str, Any]]) -> list[tuple[int, str, str]]:
    return [
        (
            one["id"],
            "" if one["unedited"] is None else points(one["probability"] - one["unedited"]),
            percent(one["probability"]),
        )
        for one in predictions
    ]


def link(inspector: Inspector) -> dict[str, list[str]]:
    return parse_qs(urlsplit(inspector.page.url).query, keep_blank_values=True)


def bar(row: Locator, name: str) -> float:
    value: float = row.evaluate("(row, name) => Number(row.style.getPropertyValue(name))", name)
    return value


def painted(inspector: Inspector) -> None:
    inspector.page.locator("#effects-panel[aria-busy=false] .summary:not(:empty)").wait_for()
    expect(inspector.page.locator("#effects-panel .summary")).not_to_contain_text("Computing")


# The list.


@pytest.mark.parametrize("settings", [{}, {"temperature": 0.5, "top_k": 4, "top_p": 0.6}])
def test_changes_are_against_the_run_without_masks_and_mutes(
    inspector: Inspector, settings: dict[str, float]
) -> None:
    inspector.open(EDITED + "".join(f"&{key}={value}" for key, value in settings.items()))
    predict = {**settings, "unedited": True}
    predictions = ask(inspector.server, texts=[TEXT], predict=predict, **EDITS)["predictions"][0]
    assert shown(inspector) == expected(predictions)
    every = ask(inspector.server, texts=[TEXT], predict={**settings, "top_k": 100, "top_p": None})
    plain = {one["id"]: one["probability"] for one in every["predictions"][0]}
    compared = 0
    for row, one in zip(rows(inspector), predictions, strict=True):
        if one["id"] not in plain:
            continue
        compared += 1
        before, now = plain[one["id"]], one["probability"]
        assert one["unedited"] == pytest.approx(before, rel=1e-5)
        assert bar(row, "--share") == pytest.approx(min(before, now), abs=1e-5)
        assert bar(row, "--most") == pytest.approx(max(before, now), abs=1e-5)
        direction = "low" if now < before else "high"
        assert direction in (row.get_attribute("class") or "")
        if abs(now - before) > 0.01:
            assert bar(row, "--was") == pytest.approx(before, abs=1e-5)
    assert compared >= 2
    panel = inspector.page.locator("#next-panel").inner_text()
    assert "compared with the model without your masks and mutes" in panel


def test_the_list_follows_its_settings_and_they_are_in_the_link(inspector: Inspector) -> None:
    inspector.open(LINK)
    reset = inspector.page.get_by_role("button", name="Reset how predictions are listed")
    assert reset.is_hidden()
    inspector.page.get_by_label("temperature").fill("-6")  # 10 ** (-6 / 20)
    inspector.ready()
    inspector.page.get_by_label("top-k").fill("5")
    inspector.ready()
    inspector.page.get_by_label("top-p").fill("70")
    inspector.ready()
    predict = {"temperature": 0.5, "top_k": 5, "top_p": 0.7}
    answer = ask(inspector.server, texts=[TEXT], predict=predict)
    assert shown(inspector) == expected(answer["predictions"][0])
    params = link(inspector)
    assert (params["temperature"], params["top_k"], params["top_p"]) == (["0.5"], ["5"], ["0.7"])
    core = answer["nucleus"][0]
    expect(inspector.page.locator("#next-panel")).to_contain_text(
        "the whole nucleus." if core["tokens"] <= 5 else f"all {core['tokens']} of the nucleus"
    )
    reset.click()
    inspector.ready()
    assert shown(inspector) == expected(ask(inspector.server, texts=[TEXT])["predictions"][0])
    assert not {"temperature", "top_k", "top_p"} & set(link(inspector))


def test_settings_ask_for_no_picture_again(inspector: Inspector) -> None:
    inspector.open(LINK)
    asked: list[Any] = []

    def note(route: Route) -> None:
        if not is_extra(route.request):
            asked.append(json.loads(route.request.post_data or "{}"))
        route.continue_()

    inspector.page.route("**/api/trace", note)
    inspector.page.get_by_label("temperature").fill("3")
    inspector.ready()
    assert [one["select"] for one in asked] == [{"layers": []}]


def test_a_refusal_stays_in_the_panel(inspector: Inspector) -> None:
    def refuse(route: Route) -> None:
        asked = json.loads(route.request.post_data or "{}")
        if (asked.get("predict") or {}).get("top_k") != 7:
            return route.continue_()
        error = {"code": "x", "message": "Seven is refused.", "field": "predict.top_k"}
        return route.fulfill(status=422, json={"error": error | {"limit": None}})

    inspector.page.route("**/api/trace", refuse)
    inspector.open(f"{LINK}&top_k=7")
    expect(inspector.page.locator("#next-panel")).to_contain_text("Seven is refused.")
    assert inspector.page.locator("#problem").is_hidden()
    assert len(inspector.figure()["z"]) == 6
    inspector.errors.clear()  # Chromium itself logs the 422


# A click appends.


def test_a_click_appends_the_token_and_undo_takes_it_back(inspector: Inspector) -> None:
    inspector.open(LINK)
    before = ask(inspector.server, texts=[TEXT])
    for place in (0, 1):
        chosen = before["predictions"][0][place]
        rows(inspector)[place].locator(".token").click()
        box = inspector.page.locator("#sentences textarea").first
        expect(box).to_have_value(re.compile(f" {re.escape(chosen['text'])}$"))
        inspector.ready()
        after = ask(inspector.server, texts=[box.input_value()])
        assert ids(after["tokens"][0]) == [*ids(before["tokens"][0]), chosen["id"]]
        assert shown(inspector) == expected(after["predictions"][0])
        assert inspector.page.locator("#next-title").inner_text() == f"after “{chosen['text']}”"
        before = after
    undo = inspector.page.get_by_role("button", name="Undo", exact=True).and_(
        inspector.page.locator("#next-panel button")
    )
    box = inspector.page.locator("#sentences textarea").first
    once = box.input_value().rpartition(" ")[0]
    undo.click()
    expect(box).to_have_value(once)
    assert undo.is_hidden()
    expect(inspector.page.locator("#said")).to_contain_text("Undid: changed the sentence to")
    inspector.page.locator("#undo").click()  # there is only one list of what can be undone
    expect(box).to_have_value(TEXT)
    inspector.page.locator("#redo").click()
    expect(box).to_have_value(once)


def test_enter_appends_again_and_again_without_losing_its_place(inspector: Inspector) -> None:
    inspector.open(LINK)
    typed = TEXT
    rows(inspector)[0].locator(".token").focus()
    for _ in range(3):
        answer = ask(inspector.server, texts=[typed])
        first = answer["predictions"][0][0]
        inspector.page.keyboard.press("Enter")
        typed += first["text"] if first["text"] in ".,!?" else f" {first['text']}"
        expect(inspector.page.locator("#sentences textarea").first).to_have_value(typed)
        inspector.ready()
        expect(rows(inspector)[0].locator(".token")).to_be_focused()


def test_a_token_read_in_the_middle_goes_on_from_there(inspector: Inspector) -> None:
    inspector.open(f"{LINK}&query=2")
    assert "the text after it is removed" in inspector.page.locator("#next-panel").inner_text()
    answer = ask(inspector.server, texts=[TEXT], predict={"position": 2})
    first = answer["predictions"][0][0]
    rows(inspector)[0].locator(".token").click()
    box = inspector.page.locator("#sentences textarea").first
    expect(box).to_have_value(re.compile(r"^The dogs"))
    expect(box).not_to_have_value(TEXT)
    inspector.ready()
    after = ask(inspector.server, texts=[box.input_value()])
    assert ids(after["tokens"][0]) == [*ids(answer["tokens"][0][:3]), first["id"]]
    assert "query" not in link(inspector)


def test_the_page_asks_for_the_new_text_once(inspector: Inspector) -> None:
    """The request that checks an append is the page's next request, so its run is cached."""

    def computed() -> float:
        with urllib.request.urlopen(f"{inspector.server}/metrics") as response:
            text = response.read().decode()
        found = re.search(r"^headlight_traces_computed_total\S* (\S+)$", text, re.M)
        assert found
        return float(found[1])

    inspector.page.route(  # what the page asks while the reader rests is a trace of its own
        "**/api/trace", lambda route: None if is_extra(route.request) else route.continue_()
    )
    inspector.open("/?text=A+boy+near+the+lake+who&layer=1&head=2")
    before = computed()
    rows(inspector)[0].locator(".token").click()
    expect(inspector.page.locator("#sentences textarea").first).not_to_have_value(
        "A boy near the lake who"
    )
    inspector.ready()
    assert computed() - before == 1


def test_a_word_of_a_tiny_decoder_is_appended(inspector: Inspector) -> None:
    inspector.open("/?model=gpt2&text=the+cat+sat")
    answer = ask(inspector.server, model="gpt2", texts=["the cat sat"])
    place, first = next(
        (index, one)
        for index, one in enumerate(answer["predictions"][0])
        if not one["special"] and one["text"].isalpha()
    )
    rows(inspector)[place].locator(".token").click()
    box = inspector.page.locator("#sentences textarea").first
    expect(box).to_have_value(f"the cat sat {first['text']}")
    inspector.ready()
    after = ask(inspector.server, model="gpt2", texts=[box.input_value()])
    assert ids(after["tokens"][0]) == [*ids(answer["tokens"][0]), first["id"]]


def test_a_token_is_appended_while_another_head_is_on_its_way(inspector: Inspector) -> None:
    """As when a first head gives way to a better one, a moment after the page was opened."""
    inspector.open(f"{LINK}&layer=0&head=1")
    token = rows(inspector)[0].locator(".token")
    held: list[Route] = []
    inspector.page.route("**/api/trace", lambda route: held.append(route), times=1)
    inspector.page.locator("#grid [role=gridcell]").nth(5).click()
    expect(inspector.page.locator("html")).to_have_attribute("data-state", "loading")
    while not held:
        rested(inspector.page, 10)
    token.click()
    expect(inspector.page.locator("#sentences textarea").first).not_to_have_value(TEXT)
    for route in held:
        route.continue_()
    inspector.ready()


def test_a_fill_takes_the_place_of_the_mask(inspector: Inspector) -> None:
    inspector.open(BERT)
    text = "the cat sat on the [MASK] ."
    answer = ask(inspector.server, model="bert", texts=[text])
    position = answer["predicted_at"][0]
    place, chosen = next(
        (index, one) for index, one in enumerate(answer["predictions"][0]) if not one["special"]
    )
    assert "Click a token to insert it" in inspector.page.locator("#next-panel").inner_text()
    rows(inspector)[place].locator(".token").click()
    box = inspector.page.locator("#sentences textarea").first
    expect(box).to_have_value(f"the cat sat on the {chosen['text']} .")
    inspector.ready()
    after = ask(inspector.server, model="bert", texts=[box.input_value()])
    filled = ids(answer["tokens"][0])
    filled[position] = chosen["id"]
    assert ids(after["tokens"][0]) == filled


def test_a_token_of_an_encoder_decoder_goes_to_its_target(inspector: Inspector) -> None:
    inspector.open(f"{T5}&kind=cross")
    source, target = "the old cat sat on the mat", "a girl saw"
    answer = ask(inspector.server, model="t5", texts=[source], targets=[target])
    place, chosen = next(
        (index, one) for index, one in enumerate(answer["predictions"][0]) if not one["special"]
    )
    rows(inspector)[place].locator(".token").click()
    box = inspector.page.get_by_label("Target of sentence 1")
    expect(box).not_to_have_value(target)
    inspector.ready()
    assert inspector.page.locator("#sentences textarea").first.input_value() == source
    after = ask(inspector.server, model="t5", texts=[source], targets=[box.input_value()])
    assert ids(after["target_tokens"][0]) == [*ids(answer["target_tokens"][0]), chosen["id"]]
    assert shown(inspector) == expected(after["predictions"][0])


# The watched token, and each head muted in turn.


def test_a_token_is_watched_and_the_effects_are_of_it(inspector: Inspector) -> None:
    inspector.open(LINK)
    predictions = ask(inspector.server, texts=[TEXT])["predictions"][0]
    watch = inspector.page.locator("#next .watch")
    assert watch.nth(0).get_attribute("aria-pressed") == "true"  # the likeliest
    watch.nth(2).click()
    inspector.ready()
    assert [one.get_attribute("aria-pressed") for one in watch.all()].index("true") == 2
    assert link(inspector)["token"] == [str(predictions[2]["id"])]
    inspector.page.get_by_role("button", name="Mute each head in turn").click()
    painted(inspector)
    expect(inspector.page.locator("#effect-legend")).to_contain_text(
        f"“{predictions[2]['text']}” after “river” moves"
    )
    inspector.page.get_by_role("tab", name="Next token").click()
    inspector.ready()
    watch.nth(2).click()
    inspector.ready()
    assert "token" not in link(inspector)


@pytest.mark.parametrize("token", [None, 3])
def test_the_grid_is_painted_with_the_effect_of_each_head(
    inspector: Inspector, token: int | None
) -> None:
    predictions = ask(inspector.server, texts=[TEXT])["predictions"][0]
    watched = None if token is None else predictions[token]["id"]
    more = "" if watched is None else f"&token={watched}"
    inspector.open(f"{LINK}&right=effects&muted=0.1{more}")
    painted(inspector)
    analyse = {"mute_effects": {"token": watched}}
    found = ask(inspector.server, texts=[TEXT], muted=[[0, 1]], analyse=analyse)["mute_effects"][0]
    before = found["token"]["probability"]
    after = [
        None if one["change"] is None else before * math.exp(one["change"])
        for one in found["effects"]
    ]
    most = max(abs(one - before) for one in after if one is not None)
    cells = inspector.page.locator(".cell")
    assert cells.count() == len(found["effects"])
    for cell, now in zip(cells.all(), after, strict=True):
        number = cell.locator(".effect b").inner_text()
        if now is None:
            assert number == "–"
            continue
        change = now - before
        drawn = 0.0 if number in ("0", "≈0") else float(number.replace("−", "-"))
        assert drawn == pytest.approx(100 * change, abs=0.501 if abs(drawn) >= 10 else 0.0501)
        heard = cell.get_attribute("aria-label") or ""
        if abs(change) > 0.001:
            role = "helps" if change < 0 else "hurts"
            assert f"{role}: {percent(before)} → {percent(now)} without it" in heard
        tint = cell.locator(".tint")
        assert bar(tint, "--strength") == pytest.approx(abs(change) / most, abs=1e-5)
        if abs(change) > most / 10:
            expect(tint).to_have_class(f"tint {'falls' if change < 0 else 'rises'}")
    legend = inspector.page.locator("#effect-legend").inner_text()
    assert f"helps: {points(-most)} points" in legend and f"{points(most)}: hurts" in legend
    summary = inspector.page.locator("#effects-panel .summary").inner_text()
    selected = next(one for one in found["effects"] if (one["layer"], one["head"]) == (1, 2))
    chosen = percent(before * math.exp(selected["change"]))
    assert summary.startswith(f"Without layer 1 · head 2, “{found['token']['text']}” ")
    assert f"from {percent(before)} to {chosen} (" in summary
    assert f"“{found['token']['text']}”" in legend
    inspector.page.get_by_role("tab", name="Layer by layer").click()
    assert inspector.page.locator(".effect").count() == 0
    assert inspector.page.locator("#effect-legend").is_hidden()


@pytest.mark.parametrize("path", [EDITED, f"{LINK}&right=effects&muted=0.1"])
def test_axe_finds_nothing(inspector: Inspector, path: str) -> None:
    inspector.open(path)
    if "effects" in path:
        painted(inspector)
    for _ in appearances(inspector.page):
        accessible(inspector.page)
