"""Live figures of a lesson: they draw the API's numbers, and everybody can use their switches."""

import json
import re
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import Locator, Page, Route, expect

from scripts.live import serving
from tests.browser.appearances import accessible, appearances
from tests.browser.contexts import Pages
from tests.browser.inspector import Inspector, place_of

pytestmark = pytest.mark.browser
TEXT = "The cat sat on the mat"
LINK = f"?model=scratch&scratch.mechanism=multi-head&text={TEXT}&query=3"
FIGURES: dict[str, Any] = {
    "scale": {
        "link": LINK,
        "caption": "Turn the scale off.",
        "switches": [
            {
                "name": "Scale",
                "options": [
                    {"label": "1/√d_head", "set": ""},
                    {"label": "none", "set": "scratch.scale=1"},
                ],
            },
            {
                "name": "Softmax over",
                "options": [
                    {"label": "keys", "set": ""},
                    {"label": "queries", "set": "scratch.softmax_over=query"},
                ],
            },
        ],
        "measures": ["row_sums", "change"],
    },
    "lines": {
        "link": f"?model=scratch&scratch.mechanism=single-head&text={TEXT}&view=lines",
        "caption": "The same as lines.",
    },
    "inside": {
        "link": "?model=scratch&scratch.mechanism=single-head&text=The cat sat&query=2&view=inside",
        "caption": "One row, worked out.",
    },
    "compare": {
        "link": f"?model=scratch&text={TEXT}&view=compare&against=scratch.scale%3D1",
        "caption": "With the scale, and without.",
    },
    "text": {
        "link": f"?model=scratch&scratch.mechanism=multi-head&text={TEXT}&view=text&over=layer",
        "caption": "The text itself.",
    },
    "cross": {
        "link": "?model=scratch&scratch.mechanism=cross-attention&text=The cat sat on the mat"
        "&target=Le chat dort&query=1",
        "caption": "Three ask, six answer.",
    },
    "padded": {
        "link": "?model=scratch&scratch.mechanism=padded-batch&text=dog&text=man bites dog&shown=0",
        "caption": "A batch of two.",
    },
    "trained": {
        "link": "?model=shipped&text=The keys near the cabinet are old.&layer=2&head=1&query=5",
        "caption": "A trained model.",
        "measures": ["prediction"],
    },
    "order": {"link": LINK, "caption": "Another order.", "measures": ["order"]},
    "missing": {"link": LINK, "caption": "To be broken."},
}
QUESTION: dict[str, Any] = {
    "ask": "What does a larger scale do?",
    "options": ["It makes rows even.", "It makes rows sharp."],
    "answer": 1,
    "because": "Larger scores lie further apart.",
    "figure": "scale",
    "set": {"Scale": "none"},
}


def write(folder: Path, name: str, figures: dict[str, Any], questions: list[Any]) -> None:
    content = {"title": name, "summary": "Of the tests.", "figures": figures}
    (folder / f"{name}.json").write_text(json.dumps({**content, "questions": questions}))
    prose = "".join(f'<p>{"Some words. " * 40}</p>{{{{ figure("{one}") }}}}' for one in figures)
    asked = "{{ questions() }}" if questions else ""
    (folder / f"{name}.html").write_text(f"<h2>Look</h2>{prose}{asked}")


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A server with the test's own lessons: one for each figure, and one with all."""
    folder = tmp_path_factory.mktemp("lessons")
    write(folder, "80-trial-all", {**FIGURES}, [QUESTION])
    for index, name in enumerate(FIGURES):
        write(folder, f"{81 + index}-trial-{name}", {name: FIGURES[name]}, [])
    write(folder, "95-trial-asked", {"scale": FIGURES["scale"]}, [QUESTION])
    with serving(lessons=str(folder)) as address:
        yield address


def learn(inspector: Inspector, name: str) -> Locator:
    """Open the lesson of one figure; returns the figure."""
    inspector.open(f"/learn/trial-{name}")
    return inspector.page.locator("figure[data-figure]").first


def traced(server: str, **request: Any) -> Any:
    body = json.dumps(request).encode()
    call = urllib.request.Request(f"{server}/api/trace", body, {"Content-Type": "application/json"})
    with urllib.request.urlopen(call) as response:
        return json.load(response)


def pattern(server: str, head: int = 0, text: str = TEXT, **scratch: Any) -> list[list[float]]:
    """The API's numbers for a head of multi-head attention."""
    answer = traced(
        server,
        model="scratch",
        scratch={"mechanism": "multi-head", **scratch},
        texts=[text],
        select={"tensors": ["pattern"], "layers": [0], "heads": [head]},
    )
    rows: list[list[float]] = answer["sites"][0]["tensors"]["pattern"][0][0]
    return rows


def row_of(figure: Locator) -> dict[int, float]:
    """The selected row in the table: weight by key. The table may be folded."""
    found = {}
    for row in figure.locator(".figure-numbers tbody tr").all():
        name, value = row.locator("td").all_text_contents()
        found[int(re.findall(r"^\d+", name)[0])] = float(value)
    return found


def agree(figure: Locator, row: list[float]) -> bool:
    return row_of(figure) == pytest.approx(dict(enumerate(row)), abs=6e-5)


def values(figure: Locator, measure: str) -> dict[str, float]:
    values = figure.locator(f"[data-measure={measure}]").get_attribute("data-values")
    found: dict[str, float] = json.loads(values or "null")
    return found


def choose(figure: Locator, name: str, option: str) -> None:
    group = figure.get_by_role("group", name=name, exact=True)
    group.get_by_role("radio", name=option, exact=True).check(force=True)
    drawn(figure)


def drawn(figure: Locator) -> None:
    expect(figure).to_have_attribute("data-state", "ready")


def picture(figure: Locator) -> str:
    shown: str = figure.locator("canvas").first.evaluate("(it) => it.toDataURL()")
    return shown


def point(page: Page, figure: Locator, query: int, key: int, size: tuple[int, int]) -> None:
    """Move the mouse to a cell of a matrix with the given numbers of rows and columns."""
    plot = figure.locator(".plot")
    plot.scroll_into_view_if_needed()
    page.mouse.move(*place_of(plot, query, key, size))


def test_it_draws_what_the_api_says(inspector: Inspector) -> None:
    figure = learn(inspector, "scale")
    rows = pattern(inspector.server)
    assert agree(figure, rows[3])
    point(inspector.page, figure, 1, 2, (6, 6))
    reading = figure.locator(".figure-readout").inner_text()
    assert reading.startswith("query 1 cat → key 2 sat: weight ")
    assert float(re.findall(r"weight (\S+),", reading)[0]) == pytest.approx(rows[1][2], abs=6e-5)
    inspector.page.mouse.down()
    inspector.page.mouse.up()
    assert agree(figure, rows[1])  # the row that was clicked


def test_another_head_is_chosen_and_read(inspector: Inspector) -> None:
    figure = learn(inspector, "scale")
    before = picture(figure)
    choose(figure, "Head", "2")
    assert agree(figure, pattern(inspector.server, head=2)[3])
    assert picture(figure) != before


def test_a_switch_changes_the_picture_its_numbers_and_what_is_measured(
    inspector: Inspector,
) -> None:
    figure = learn(inspector, "scale")
    before = picture(figure)
    assert values(figure, "change")["most"] == 0
    choose(figure, "Scale", "none")
    assert agree(figure, pattern(inspector.server, scale=1)[3])
    assert picture(figure) != before
    assert values(figure, "change")["most"] > 0.01
    choose(figure, "Softmax over", "queries")
    rows = pattern(inspector.server, scale=1, softmax_over="query")
    assert agree(figure, rows[3])
    sums = [sum(row) for row in rows]
    found = values(figure, "row_sums")
    assert found["row_least"] == pytest.approx(min(sums), abs=1e-5)
    assert found["row_most"] == pytest.approx(max(sums), abs=1e-5)
    choose(figure, "Scale", "1/√d_head")
    choose(figure, "Softmax over", "keys")
    assert picture(figure) == before


def test_what_is_chosen_beside_a_switch_stays(inspector: Inspector) -> None:
    figure = learn(inspector, "scale")
    choose(figure, "Head", "1")
    choose(figure, "Scale", "none")
    assert agree(figure, pattern(inspector.server, head=1, scale=1)[3])


def test_a_sentence_is_typed_and_taken_back(inspector: Inspector) -> None:
    figure = learn(inspector, "scale")
    choose(figure, "Scale", "none")
    figure.get_by_label("Sentence").fill("cats sleep here now")
    expect(figure.locator(".figure-readout")).to_contain_text("now")
    drawn(figure)
    rows = pattern(inspector.server, text="cats sleep here now", scale=1)
    assert agree(figure, rows[3])
    assert values(figure, "change")["most"] > 0.01  # against the same words with the usual scale
    choose(figure, "Scale", "1/√d_head")
    assert agree(figure, pattern(inspector.server, text="cats sleep here now")[3])
    assert values(figure, "change")["most"] == 0
    figure.get_by_role("button", name="Reset").click()
    expect(figure.get_by_label("Sentence")).to_have_value(TEXT)
    drawn(figure)
    assert agree(figure, pattern(inspector.server)[3])


def test_the_inspector_opens_with_what_the_figure_shows(inspector: Inspector) -> None:
    figure = learn(inspector, "scale")
    choose(figure, "Scale", "none")
    choose(figure, "Head", "3")
    row = row_of(figure)
    figure.get_by_role("link", name="Open in the inspector").click()
    inspector.ready()
    page = inspector.page
    query = parse_qs(urlsplit(page.url).query)
    assert query["model"] == ["scratch"]
    assert query["scratch.scale"] == ["1"]
    assert query["head"] == ["3"]
    assert query["lesson"] == ["trial-scale"]
    expect(page.locator("#head-title")).to_have_text("Layer 0 · head 3")
    found = {}
    for line in page.locator("#row tbody tr").all():
        name, value = line.locator("td").all_text_contents()
        found[int(re.findall(r"^\d+", name)[0])] = float(value)
    assert found == row
    page.get_by_role("link", name="Back to the lesson").click()
    expect(page).to_have_url(re.compile("/learn/trial-scale$"))


@pytest.mark.parametrize("name", [name for name in FIGURES if name not in ("missing", "text")])
def test_every_view_is_drawn_in_a_lesson(inspector: Inspector, name: str) -> None:
    figure = learn(inspector, name)
    box = figure.locator("canvas").first.bounding_box()
    assert box and box["width"] > 100
    shades = figure.locator("canvas").evaluate_all(
        """(all) => all.map((it) => {
          const { data } = it.getContext("2d").getImageData(0, 0, it.width, it.height);
          return new Set(new Uint32Array(data.buffer)).size;
        })"""
    )
    assert max(shades) > 8


def test_the_text_of_a_figure_is_coloured_as_the_api_says(inspector: Inspector) -> None:
    figure = learn(inspector, "text")
    tokens = figure.locator(".text-token")
    tokens.nth(4).hover()
    every = [pattern(inspector.server, head)[4] for head in range(4)]
    for index, weights in enumerate(zip(*every, strict=True)):
        share = tokens.nth(index).get_attribute("data-share") or "0"
        assert float(share.rstrip("%")) == pytest.approx(25 * sum(weights), abs=0.51)
    assert figure.locator(".text-said").inner_text().startswith("“the” gives ")


def test_the_inside_and_the_comparison_have_the_numbers_of_the_api(inspector: Inspector) -> None:
    figure = learn(inspector, "compare")
    usual, bare = pattern(inspector.server), pattern(inspector.server, scale=1)
    cells = figure.locator(".compare-table tbody tr").first.locator("td").all_inner_texts()
    place = [int(part) for part in re.findall(r"\d+", cells[0])]
    assert float(cells[1]) == pytest.approx(bare[place[0]][place[1]], abs=6e-5)
    assert float(cells[2]) == pytest.approx(usual[place[0]][place[1]], abs=6e-5)
    figure = learn(inspector, "inside")
    answer = traced(
        inspector.server,
        model="scratch",
        scratch={"mechanism": "single-head"},
        texts=["The cat sat"],
        select={"tensors": ["pattern"]},
    )
    row = answer["sites"][0]["tensors"]["pattern"][0][0][2]
    shown = figure.locator("td[data-part=weight]").all_inner_texts()
    assert [float(weight) for weight in shown] == pytest.approx(row, abs=6e-5)


def test_cross_attention_has_two_sentences_and_its_own_shape(inspector: Inspector) -> None:
    figure = learn(inspector, "cross")
    answer = traced(
        inspector.server,
        model="scratch",
        scratch={"mechanism": "cross-attention"},
        texts=[TEXT],
        targets=["Le chat dort"],
        select={"tensors": ["pattern"], "heads": [0]},
    )
    rows = answer["sites"][0]["tensors"]["pattern"][0][0]
    assert (len(rows), len(rows[0])) == (3, 6)
    assert agree(figure, rows[1])
    figure.get_by_label("Target").fill("Le chien")
    expect(figure.locator(".plot")).to_have_attribute("aria-label", re.compile("^2 queries"))


def test_a_batch_lets_its_sentence_be_chosen_and_not_typed(inspector: Inspector) -> None:
    figure = learn(inspector, "padded")
    assert figure.locator("textarea").count() == 0
    expect(figure.locator(".legend")).to_contain_text("padding")
    choose(figure, "Sentence", "man bites dog")
    expect(figure.locator(".legend")).not_to_contain_text("padding")


def test_the_keyboard_alone(inspector: Inspector) -> None:
    figure = learn(inspector, "scale")
    page = inspector.page
    figure.get_by_label("Sentence").focus()
    page.keyboard.press("Tab")
    page.keyboard.press("ArrowRight")  # the next option of the first switch
    drawn(figure)
    rows = pattern(inspector.server, scale=1)
    assert agree(figure, rows[3])
    for _ in range(3):
        page.keyboard.press("Tab")
    expect(figure.locator(".plot")).to_be_focused()
    page.keyboard.press("ArrowDown")
    readout = figure.locator(".figure-readout")
    expect(readout).to_have_text(re.compile(r"^query 3 on → key 0 The: "))
    page.keyboard.press("ArrowDown")
    page.keyboard.press("End")
    expect(readout).to_have_text(re.compile(r"^query 4 the → key 5 mat: "))
    weights = re.findall(r"weight (\S+),", readout.inner_text())
    assert float(weights[0]) == pytest.approx(rows[4][5], abs=6e-5)
    scroll = page.evaluate("scrollY")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowDown")  # there is no row below the last
    expect(readout).to_have_text(re.compile(r"^query 5 mat → key 5 mat: "))
    page.keyboard.press("Enter")
    assert agree(figure, rows[5])
    assert page.evaluate("scrollY") == scroll
    page.keyboard.press("Escape")
    expect(readout).to_contain_text("“mat” looks at")


def test_a_question_is_answered_by_its_figure(inspector: Inspector) -> None:
    figure = learn(inspector, "asked")
    page = inspector.page
    question = page.locator(".question")
    reveal = question.get_by_role("button", name="Reveal")
    figure.get_by_label("Sentence").fill("what is asked is of the sentence of the lesson")
    expect(figure.locator(".figure-readout")).to_contain_text("“is” (token 3) looks at")
    verdict = question.get_by_role("status")
    reveal.press("Enter")
    expect(verdict).to_have_text("Give an answer first: a guess is enough.")
    expect(question.get_by_text(QUESTION["because"])).to_be_hidden()
    question.get_by_role("radio").first.focus()
    page.keyboard.press("Space")
    reveal.press("Enter")
    expect(verdict).to_contain_text("Not quite.")
    expect(verdict).to_contain_text(QUESTION["because"])
    question.get_by_role("radio").nth(1).check()
    reveal.press("Enter")
    expect(verdict).to_have_text(re.compile("^Right"))
    expect(reveal).to_be_focused()
    expect(figure.get_by_role("radio", name="none")).to_be_checked()
    drawn(figure)
    assert agree(figure, pattern(inspector.server, scale=1)[3])
    expect(figure).to_be_in_viewport()
    expect(figure.get_by_label("Sentence")).to_have_value(TEXT)
    note = figure.get_by_role("note")
    expect(note).to_contain_text("Question 1: Right. b, It makes rows sharp.")
    expect(note).to_be_in_viewport()
    note.get_by_role("button", name="Back to the question").click()
    expect(reveal).to_be_focused()
    expect(reveal).to_be_in_viewport()
    question.get_by_role("radio").first.check()
    expect(verdict).to_be_empty()
    expect(note).to_be_hidden()
    reveal.press("Enter")
    expect(note).to_contain_text("Question 1: Not quite.")
    figure.get_by_role("button", name="Reset").click()
    expect(note).to_be_hidden()


def test_what_was_just_typed_is_not_lost_to_a_switch(inspector: Inspector) -> None:
    figure = learn(inspector, "scale")
    box = figure.get_by_label("Sentence")
    # in one go: faster than any pause after the last letter
    box.evaluate(
        """(it) => {
          it.value = "cats sleep here now";
          it.dispatchEvent(new Event("input", { bubbles: true }));
          it.closest("figure").querySelectorAll("fieldset input")[1].click();
        }"""
    )
    expect(figure.locator(".figure-readout")).to_contain_text("now")
    drawn(figure)
    expect(box).to_have_value("cats sleep here now")
    assert agree(figure, pattern(inspector.server, text="cats sleep here now", scale=1)[3])


def test_what_is_typed_goes_to_both_sides_of_a_comparison(inspector: Inspector) -> None:
    figure = learn(inspector, "compare")
    figure.get_by_label("Sentence").fill("cats sleep here now")
    cells = figure.locator(".compare-table tbody tr").first.locator("td")
    expect(cells.first).to_contain_text(re.compile("cats|sleep|here|now"))
    drawn(figure)
    bare = pattern(inspector.server, text="cats sleep here now", scale=1)
    labels = cells.all_inner_texts()
    query, key = [int(part) for part in re.findall(r"\d+", labels[0])]
    assert float(labels[1]) == pytest.approx(bare[query][key], abs=6e-5)


def test_a_difference_is_measured_where_there_can_be_one(inspector: Inspector) -> None:
    figure = learn(inspector, "order")
    order = figure.locator("[data-measure=order]")
    expect(order).to_be_hidden()
    figure.get_by_label("Sentence").fill("mat the on sat cat The")
    expect(order).to_contain_text("words moved")
    drawn(figure)
    assert values(figure, "order")["moved"] > 0
    figure.get_by_label("Sentence").fill("other words")
    expect(order).to_be_hidden()


def test_a_part_that_the_lesson_does_not_have_stops_nothing(inspector: Inspector) -> None:
    page = inspector.page

    def with_strays(route: Route) -> None:
        answer = route.fetch()
        strays = '<figure data-figure="nope"></figure><section data-question="0"></section>'
        body = answer.text().replace("<h2>Look</h2>", f"<h2>Look</h2>{strays}")
        route.fulfill(response=answer, body=body)

    page.route("**/learn/trial-asked", with_strays)
    page.goto(f"{inspector.server}/learn/trial-asked")
    drawn(page.locator("[data-figure=scale]"))
    stray = page.locator("[data-figure=nope]")
    expect(stray).to_have_attribute("data-state", "error")
    expect(stray).to_contain_text("The JSON file of this lesson has no figure “nope”.")
    expect(page.locator("section[data-question]").first).to_have_attribute("data-state", "error")
    expect(page.get_by_role("button", name="Reveal")).to_be_visible()


def test_an_error_keeps_the_picture_and_can_be_tried_again(inspector: Inspector) -> None:
    figure = learn(inspector, "missing")
    before = picture(figure)
    page = inspector.page

    def refuse(route: Route) -> None:
        error = {"code": "busy", "message": "Too much to do.", "field": None, "limit": None}
        route.fulfill(status=500, json={"error": error})

    page.route("**/api/trace", refuse)
    figure.get_by_label("Sentence").fill("cats sleep")
    expect(figure).to_have_attribute("data-state", "error")
    expect(figure.get_by_role("alert")).to_contain_text("Too much to do.")
    assert picture(figure) == before
    inspector.state("error")
    page.unroute("**/api/trace")
    figure.get_by_role("button", name="Try again").click()
    drawn(figure)
    inspector.ready()
    expect(figure.get_by_role("alert")).to_be_hidden()
    assert picture(figure) != before
    inspector.errors[:] = [message for message in inspector.errors if "500" not in message]


def test_an_empty_sentence_is_no_blank_page(inspector: Inspector) -> None:
    figure = learn(inspector, "scale")
    figure.get_by_label("Sentence").fill("")
    expect(figure).to_have_attribute("data-state", re.compile("ready|error"))
    figure.get_by_label("Sentence").fill("one two")
    expect(figure.locator(".plot")).to_have_attribute("aria-label", re.compile("^2 queries"))
    drawn(figure)
    inspector.errors[:] = [message for message in inspector.errors if "422" not in message]


def test_figures_far_below_wait_until_those_that_are_seen_stand(inspector: Inspector) -> None:
    page = inspector.page
    asked: list[str] = []
    held: list[Route] = []
    released = False

    def hold(route: Route) -> None:
        asked.append(route.request.post_data or "")
        if released:
            route.continue_()
        else:
            held.append(route)

    page.route("**/api/trace", hold)
    page.goto(f"{inspector.server}/learn/trial-all")
    expect(page.locator("[data-figure=scale]")).to_have_attribute("data-state", "loading")
    far = page.locator("[data-figure=trained]")
    expect(far).to_have_attribute("data-state", "waiting")
    expect(page.locator("html")).to_have_attribute("data-state", "loading")
    assert asked
    assert not any("cabinet" in body for body in asked)
    released = True
    for route in held:
        route.continue_()
    for name in FIGURES:  # in the end all are there, for whoever prints
        drawn(page.locator(f"[data-figure={name}]"))
    ids = page.evaluate("[...document.querySelectorAll('[id]')].map(({ id }) => id)")
    assert len(ids) == len(set(ids))


def test_on_paper_a_figure_is_a_light_picture_with_its_words(
    inspector: Inspector, tmp_path: Path
) -> None:
    page = inspector.page
    page.emulate_media(color_scheme="dark")
    figure = learn(inspector, "scale")
    choose(figure, "Scale", "none")
    page.emulate_media(media="print")
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    sheet = figure.locator(".figure-paper canvas")
    corner = sheet.evaluate(
        "(it) => [...it.getContext('2d').getImageData(1, it.height - 1, 1, 1).data]"
    )
    assert min(corner) > 240  # the panel of the light scheme
    expect(figure.locator(".figure-paper p")).to_have_text(
        "Scale: none · Softmax over: keys · Head: 0"
    )
    expect(figure.locator("figcaption")).to_be_visible()
    expect(figure.locator(".figure-measures")).to_be_visible()
    for control in ("button", "input", "textarea", "fieldset", ".plot", "details", "a"):
        assert not any(one.is_visible() for one in figure.locator(control).all()), control
    page.evaluate("dispatchEvent(new Event('afterprint'))")
    page.emulate_media(media="screen")
    assert sheet.count() == 0
    expect(figure.locator(".plot")).to_be_visible()
    page.pdf(path=tmp_path / "lesson.pdf")
    assert (tmp_path / "lesson.pdf").stat().st_size > 20_000
    assert sheet.count() == 0


def test_the_scheme_of_the_page_is_the_figures(inspector: Inspector) -> None:
    page = inspector.page
    page.emulate_media(color_scheme="light")
    figure = learn(inspector, "scale")
    light = picture(figure)
    page.locator("#scheme").click()  # light
    page.locator("#scheme").click()  # dark
    drawn(figure)
    assert picture(figure) != light
    page.locator("#scheme").click()  # as the system says
    drawn(figure)
    assert picture(figure) == light


def test_axe_is_content_and_nothing_is_cut(inspector: Inspector) -> None:
    page = inspector.page
    inspector.open("/learn/trial-all")
    for name in FIGURES:
        drawn(page.locator(f"[data-figure={name}]"))
    beyond = "document.querySelector('main').scrollWidth - innerWidth"
    cut = "(all) => all.filter((it) => it.scrollWidth > it.clientWidth).length"
    for _ in appearances(page, 390, 1440):
        accessible(page, "main")
        assert page.evaluate(beyond) <= 0
        assert page.locator(".compare-table td").evaluate_all(cut) == 0


def test_a_finger_on_a_phone_reads_a_cell(pages: Pages, server: str) -> None:
    inspector = Inspector(pages(390, 844, has_touch=True, is_mobile=True), server)
    figure = learn(inspector, "scale")
    plot = figure.locator(".plot")
    plot.scroll_into_view_if_needed()
    (left, _), (right, _) = (place_of(plot, 2, key, (6, 6)) for key in (1, 2))
    assert right - left > 28  # room for a number in each cell
    inspector.page.touchscreen.tap(*place_of(plot, 2, 1, (6, 6)))
    expect(figure.locator(".figure-readout")).to_contain_text("query 2 sat → key 1 cat: ")
    assert agree(figure, pattern(server)[2])
    assert inspector.errors == []


def test_a_figure_of_a_head_that_is_not_there_says_so(inspector: Inspector) -> None:
    page = inspector.page

    def without(route: Route) -> None:
        answer = route.fetch()
        route.fulfill(
            response=answer, body=answer.text().replace("query=3", "query=3\\u0026head=7")
        )

    page.route("**/learn/trial-missing", without)
    page.goto(f"{inspector.server}/learn/trial-missing")
    inspector.state("error")
    figure = page.locator("[data-figure=missing]")
    expect(figure.get_by_role("alert")).to_contain_text("layer 0 head 7")
    expect(figure.locator(".figure-views")).to_be_hidden()
    figure.get_by_role("button", name="Show layer 0 head").click()
    expect(figure.locator(".figure-views")).to_be_visible()
    inspector.ready()


def test_a_figure_of_a_model_that_is_not_there_says_so(inspector: Inspector) -> None:
    page = inspector.page

    def without(route: Route) -> None:
        answer = route.fetch()
        route.fulfill(response=answer, body=answer.text().replace("model=scratch", "model=gone"))

    page.route("**/learn/trial-missing", without)
    page.goto(f"{inspector.server}/learn/trial-missing")
    inspector.state("error")
    expect(page.locator("[data-figure=missing]")).to_contain_text(
        "This figure needs the model “gone”, which this server does not have."
    )
