"""The examples: beside the sentence, as cards, and the line on what to look at."""

import json
import re
import urllib.request
from dataclasses import asdict
from pathlib import Path
from shutil import copytree
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import FloatRect, Locator, expect

from model.core.checkpoint import SHIPPED
from model.gallery import GALLERY, Entry, load_gallery
from scripts.live import serving
from server.pages.examples import example
from tests.browser.appearances import accessible, appearances
from tests.browser.contexts import Pages
from tests.browser.inspector import Inspector, pick
from tests.sweeps import some

pytestmark = pytest.mark.browser
ENTRIES = load_gallery(SHIPPED)
BY_TITLE = {entry.title: entry for entry in ENTRIES}
ASKED = ("herself", "agreement", "copying", "brackets", "key", "padded", "wrong mask", "mute")
OPENED = ("texts", "layer", "head", "query", "shown", "masks", "muted", "view")


def opened(inspector: Inspector) -> dict[str, Any]:
    """The state of the page, from its fields and its address, as fields of an entry."""
    boxes = inspector.page.locator("textarea[data-key=texts]")
    query = parse_qs(urlsplit(inspector.page.url).query)

    def one(name: str, usual: str) -> str:
        return query.get(name, [usual])[0]

    def count(name: str) -> int | None:
        return int(query[name][0]) if name in query else None

    causal = one("causal", "")
    return {
        "texts": tuple(boxes.nth(place).input_value() for place in range(boxes.count())),
        **{name: int(one(name, "0")) for name in ("layer", "head", "query", "shown")},
        "masks": {
            "causal": {"": None, "true": True, "false": False}[causal],
            "padding": one("padding", "true") == "true",
            "padding_side": one("padding_side", "right"),
            **{name: count(name) for name in ("window", "prefix", "sinks")},
            "blocked": (),
            "allowed": (),
        },
        "muted": tuple(tuple(map(int, head.split("."))) for head in query.get("muted", [])),
        "view": one("view", "heatmap"),
    }


def tip(entry: Entry) -> str:
    """What an example suggests, with its key."""
    key = example(entry).get("shortcut")
    return entry.next + (f" Shortcut: {key}." if key else "")


def shows(inspector: Inspector, entry: Entry) -> None:
    """Assert that the page is in the state of an entry, and shows it everywhere."""
    expected = {name: value for name, value in asdict(entry).items() if name in OPENED}
    assert opened(inspector) == expected
    words = inspector.page.locator("#look-words").inner_text()
    assert words == f"{entry.title}: {entry.look} {tip(entry)}"
    card = inspector.page.locator("#gallery-cards [aria-current=true] b")
    assert card.text_content() == entry.title
    assert inspector.page.locator("#look-back").is_hidden()


def ask(inspector: Inspector, request: dict[str, Any]) -> Any:
    body = json.dumps(request).encode()
    headers = {"Content-Type": "application/json"}
    call = urllib.request.Request(inspector.server + "/api/trace", body, headers)
    with urllib.request.urlopen(call) as response:
        return json.load(response)


def request_of(entry: Entry, **changes: Any) -> dict[str, Any]:
    return {
        "texts": entry.texts,
        "masks": asdict(entry.masks),
        "muted": entry.muted,
        "select": {"tensors": ["pattern"], "layers": [entry.layer], "heads": [entry.head]},
        "predict": {"top_k": 10, "position": entry.query},
        **changes,
    }


def probabilities(answer: Any, text: int = 0) -> dict[str, float]:
    return {one["text"].strip(): one["probability"] for one in answer["predictions"][text]}


def listed(inspector: Inspector) -> dict[str, float]:
    """The page's list of next tokens."""
    found = {}
    for row in inspector.page.locator("#next tbody tr").all():
        share = re.search(r"([\d.]+)%", row.locator("td").last.inner_text())
        title = row.locator("td").first.inner_text().strip()
        if share:
            found[title] = float(share[1]) / 100
    return found


def choose(inspector: Inspector, title: str) -> Inspector:
    inspector.page.locator("#gallery-open").click()
    inspector.page.locator("#gallery-cards button", has_text=title).first.click()
    return inspector.ready()


def test_a_fresh_page_opens_the_first_example(inspector: Inspector) -> None:
    inspector.open()
    first = ENTRIES[0]
    shows(inspector, first)
    title = inspector.page.locator("#head-title").inner_text()
    assert title.startswith(f"Layer {first.layer} · head {first.head}")
    pressed = inspector.page.locator(".chip[aria-pressed=true]")
    assert pressed.get_attribute("data-place") == str(first.query)
    assert inspector.page.locator("#look-count").inner_text() == f"1 of {len(ENTRIES)}"


def test_where_there_are_no_keys_none_is_named(touched: Inspector) -> None:
    words = touched.open("/?depth=full").page.locator("#look-words")
    expect(words).to_contain_text(ENTRIES[0].next)
    assert "Shortcut" not in words.inner_text()


def test_what_is_asked_for_comes_first(inspector: Inspector) -> None:
    inspector.open()
    inspector.page.locator("#gallery-open").click()
    titles = inspector.page.locator("#gallery-cards b").all_inner_texts()
    for asked, title in zip(ASKED, titles, strict=False):
        assert asked in title.lower()


def test_a_card_says_what_it_shows_and_opens_it(inspector: Inspector) -> None:
    inspector.open()
    for place, entry in some(enumerate(ENTRIES), 4):
        inspector.press("c", "m")  # masks and mutes that the example undoes
        inspector.page.get_by_role("button", name="All examples").click()
        cards = inspector.page.get_by_role("dialog").get_by_role("listitem")
        assert cards.count() == len(ENTRIES)
        words = cards.nth(place).inner_text()
        assert all(part in words for part in (entry.title, *entry.texts, entry.look))
        cards.nth(place).get_by_role("button", name=entry.title).click()
        inspector.ready()
        assert inspector.page.locator("#gallery").is_hidden()
        shows(inspector, entry)
        assert inspector.page.locator(f"#{entry.view}-view").is_visible()


def test_a_link_to_an_example_shows_it(inspector: Inspector) -> None:
    inspector.open().page.keyboard.press("e")
    card = inspector.page.locator("#gallery").get_by_role("button", name="Inside", exact=True)
    card.click()
    address = inspector.ready().page.url
    inspector.page.goto("about:blank")
    inspector.open(address.removeprefix(inspector.server))
    shows(inspector, BY_TITLE["Inside"])


def test_herself_is_found_muted_and_missed(inspector: Inspector) -> None:
    """A newcomer's first steps: choose, read, mute, see. The numbers are the API's."""
    entry = BY_TITLE["Herself"]
    choose(inspector.open(), "Herself")
    before, after = (
        ask(inspector, request_of(entry, muted=muted))
        for muted in ([], [[entry.layer, entry.head]])
    )
    changes = re.findall(r"“(\w+)” \w+ from (\d+)% to (\d+)%", entry.next)
    assert [word for word, *_ in changes] == ["herself", "himself"]
    row = before["sites"][0]["tensors"]["pattern"][0][0][entry.query]
    tokens = [token["text"].strip() for token in before["tokens"][0]]
    assert tokens[row.index(max(row))] == "Mary"
    top = inspector.page.locator("#row tbody tr").first.inner_text()
    assert "Mary" in top
    for word, earlier, _ in changes:
        expect(inspector.page.locator("#next tbody")).to_contain_text(word)
        assert listed(inspector)[word] == pytest.approx(probabilities(before)[word], abs=6e-4)
        assert round(100 * probabilities(before)[word]) == int(earlier)
    inspector.page.get_by_role("button", name=re.compile("^Mute m")).click()
    inspector.ready()
    shown = f"{100 * probabilities(after)['herself']:.1f}%"
    expect(inspector.page.locator("#next tbody tr").first).to_contain_text(shown)
    for word, _, later in changes:
        assert listed(inspector)[word] == pytest.approx(probabilities(after)[word], abs=6e-4)
        assert round(100 * probabilities(after)[word]) == int(later)
    shows(inspector, BY_TITLE["A muted head"])  # the line says what has happened


def test_the_wrong_mask_is_the_apis(inspector: Inspector) -> None:
    entry = BY_TITLE["A wrong mask"]
    choose(inspector.open(), entry.title)
    answer = ask(inspector, request_of(entry))
    row = answer["sites"][0]["tensors"]["pattern"][0][0][entry.query]
    assert inspector.figure()["z"][entry.query] == pytest.approx(row, abs=1e-6)
    (ahead,) = re.findall(r"gives (\d+)% of its weight to later words", entry.look)
    assert round(100 * sum(row[entry.query + 1 :])) == int(ahead)
    expect(inspector.page.locator("#next tbody tr").first).to_contain_text("milk")
    expected = probabilities(answer)["milk"]
    assert listed(inspector)["milk"] == pytest.approx(expected, abs=6e-4)
    inspector.press("c")
    assert opened(inspector)["masks"]["causal"] is None
    plain = probabilities(ask(inspector, request_of(entry, masks={})))
    assert plain.get("milk", 0) < 0.01


def test_a_padded_pair_hatches_its_padding(inspector: Inspector) -> None:
    entry = BY_TITLE["A padded pair"]
    choose(inspector.open(), entry.title)
    answer = ask(inspector, request_of(entry))
    padding = [token["padding"] for token in answer["tokens"][entry.shown]]
    chips = inspector.page.locator(f".chip.padding[data-text='{entry.shown}']")
    assert chips.count() == sum(padding) > 0
    expect(inspector.page.locator("#legend")).to_contain_text("padding")
    row = inspector.figure()["z"][entry.query]
    inspector.press("p")
    assert inspector.figure()["z"][entry.query] == pytest.approx(row, abs=1e-5)


def test_heads_are_found_by_their_weight_from_one_token_to_another(inspector: Inspector) -> None:
    entry = BY_TITLE["Herself"]
    choose(inspector.open(), entry.title)
    pick(inspector.page.get_by_label("from … to …"))
    about = inspector.page.locator("#find-about")
    expect(about).to_contain_text("from “saw” to “Mary”")  # what the head gives most
    select = {"tensors": ["pattern"]}
    sites = ask(inspector, request_of(entry, select=select))["sites"]
    for query, key in ((entry.query, 1), (4, 2)):
        inspector.page.get_by_role("combobox", name="from").select_option(index=query)
        inspector.page.get_by_role("combobox", name="to").select_option(index=key)
        inspector.ready()
        weights = {
            f"{site['layer']}.{head}": site["tensors"]["pattern"][0][head][query][key]
            for site in sites
            for head in site["heads"]
        }
        rows = inspector.page.locator("#ranking tbody tr[data-head]").all()
        found = [str(row.get_attribute("data-head")) for row in rows]
        values = [float(row.locator("td").last.inner_text()) for row in rows]
        assert sorted(found) == sorted(weights)
        assert values == sorted(values, reverse=True)
        for head, value in zip(found, values, strict=True):
            assert value == pytest.approx(weights[head], abs=0.5 / 255 + 0.0051)
        best = inspector.page.locator(".cell .tag b").all_inner_texts()
        assert max(float(text.replace("1.0", "1")) for text in best) == pytest.approx(
            max(weights.values()), abs=0.0075
        )
    assert "find=between" in inspector.page.url
    assert "key=2" in inspector.page.url


def test_a_long_text_says_why_no_weight_can_be_read(inspector: Inspector) -> None:
    text = "+".join(["The+cat+sat+on+the+mat."] * 11)
    inspector.open(f"/?text={text}&find=between&left=find")
    expect(inspector.page.locator("#ranking tbody")).to_contain_text("pooled")


def test_the_keyboard_opens_walks_and_chooses(inspector: Inspector) -> None:
    inspector.open().page.keyboard.press("e")
    current = inspector.page.locator(".card[aria-current=true]")
    expect(current).to_be_focused()
    inspector.page.keyboard.press("ArrowRight")  # walks no heads behind the dialog
    expect(inspector.page.locator("#look-back")).to_be_hidden()
    inspector.page.keyboard.press("Tab")
    inspector.page.keyboard.press("Enter")
    inspector.ready()
    shows(inspector, ENTRIES[1])
    inspector.page.keyboard.press("e")
    inspector.page.keyboard.press("Escape")
    expect(inspector.page.locator("#gallery")).to_be_hidden()


def test_arrows_beside_the_line_go_round_the_examples(inspector: Inspector) -> None:
    inspector.open().page.get_by_role("button", name="Previous example").click()
    inspector.ready()
    shows(inspector, ENTRIES[-1])
    inspector.page.get_by_role("button", name="Next example").click()
    inspector.ready()
    shows(inspector, ENTRIES[0])


def test_who_moves_on_is_told_and_may_come_back(inspector: Inspector) -> None:
    entry = BY_TITLE["Agreement"]
    choose(inspector.open(), entry.title).press("m")
    words = inspector.page.locator("#look-words")
    _, happened = entry.next.split(": ", 1)  # what to do is done
    expect(words).to_have_text(f"{entry.title}: as you changed it. {happened}")
    inspector.press("ArrowRight")
    assert " shows in layer" in words.inner_text()
    inspector.page.get_by_role("button", name="Back to the example").click()
    inspector.ready()
    shows(inspector, entry)
    inspector.type("Something of my own.")
    assert inspector.page.locator("#look").is_hidden()


def test_the_line_stands_above_every_view(inspector: Inspector) -> None:
    inspector.open()
    for view in ("heatmap", "lines", "inside", "compare", "text"):
        inspector.view(view)
        inspector.ready()
        assert ENTRIES[0].look in inspector.page.locator("#look-words").inner_text()
        line = box_of(inspector.page.locator("#look"))
        assert line["y"] + line["height"] <= box_of(inspector.page.locator(f"#{view}-view"))["y"]


def box_of(locator: Locator) -> FloatRect:
    box = locator.bounding_box()
    assert box
    return box


def test_a_fresh_page_fits_a_laptop(inspector: Inspector) -> None:
    """The sentence, the examples, the masks, all heads, one head, its words, what comes next."""
    inspector.open().probed()
    parts = "#sentences #try #masks-menu #grid #look #plot #explain #row #next #next-step".split()
    for part in parts:
        box = box_of(inspector.page.locator(part))
        assert box["y"] >= 0
        assert box["y"] < 880, part


def test_without_a_gallery_the_page_opens_with_a_plain_sentence_and_a_head_that_matters(
    pages: Pages, tmp_path: Path
) -> None:
    folder = Path(copytree(SHIPPED, tmp_path / "shipped"))
    (folder / GALLERY).unlink()
    with serving(shipped=str(folder)) as address:
        page = Inspector(pages(1280, 720), address).open().page
        assert page.locator("textarea").first.input_value().endswith(".")
        expect(page.locator("#head-title")).not_to_contain_text("Layer 0 · head 0")
        assert page.locator("#try").is_hidden()
        assert page.locator("#look").is_hidden()


def test_axe_finds_nothing(inspector: Inspector) -> None:
    inspector.open("/?find=between&left=find")
    for _ in appearances(inspector.page, 1440, 390):
        for part in ("#try", "#look", "#find-menu"):
            accessible(inspector.page, part)
    inspector.page.keyboard.press("e")
    for _ in appearances(inspector.page, 1440, 390):
        accessible(inspector.page)
