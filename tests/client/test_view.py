"""Views as widgets: what passes between Python and the page. tests/browser has a real page."""

import asyncio
import html
import re
import sys
from collections.abc import Iterator
from typing import Any
from urllib.parse import parse_qs

import pytest

from headlight import AsyncClient, Cell, Client, HeadlightError, Masks, RequestError, Run
from headlight.inline.selection import Selection
from headlight.inline.view import View
from tests.exported import inside, written_by

TEXT = "Maria saw herself in the mirror."
SAID = {
    "model": "shipped",
    "kind": "self",
    "layer": 1,
    "head": 4,
    "view": "heatmap",
    "text": 0,
    "query": {"position": 3, "token": " herself"},
    "key": {"position": 1, "token": "Maria"},
}


class Sent:
    """In place of the connection to a notebook: it keeps what the widget sends."""

    comm_id = "view"

    def __init__(self) -> None:
        self.states: list[dict[str, Any]] = []
        self.answers: list[dict[str, Any]] = []

    def send(self, data: dict[str, Any], buffers: Any = None) -> None:
        if data["method"] == "update":
            self.states.append(data["state"])
        if data["method"] == "custom":
            self.answers.append(data["content"])

    def on_msg(self, act: Any) -> None:
        """Take what hears what the notebook sends: the tests call the view itself."""

    def close(self) -> None:
        """Nothing is open."""


@pytest.fixture(scope="module")
def run(hl: Client) -> Run:
    return hl.trace(TEXT)


@pytest.fixture
def view(run: Run) -> Iterator[View]:
    found = run.view(layer=2, head=3, view="lines")
    yield found
    found.close()


@pytest.fixture
def sent(view: View) -> Sent:
    found = Sent()
    view.comm = found
    return found


def names(sent: Sent) -> set[str]:
    """The traits that were sent."""
    return {name for state in sent.states for name in state}


def test_a_click_selects_in_python_and_is_not_sent_back(view: View, sent: Sent) -> None:
    heard: list[Any] = []
    view.observe(lambda change: heard.append(change.new), "selected")
    view.set_state({"_query": "?layer=1&head=4&view=lines&zoom=0%2C4%2C0%2C4"})
    view.set_state({"_said": SAID})
    assert heard == [Selection(layer=1, head=4, query=3, key=1)]
    assert "_query" not in names(sent) and "_frame" not in names(sent)


def test_python_selects_on_the_page_and_leaves_the_rest_of_it(view: View, sent: Sent) -> None:
    view.set_state({"_query": "?layer=1&head=4&view=lines&zoom=0%2C4%2C0%2C4&pinned=2"})
    view.selected = {"layer": 0, "query": "saw"}
    assert view.selected == Selection(layer=0, head=3, query=2)
    query = parse_qs(sent.states[-1]["_query"])
    assert (query["layer"], query["head"], query["query"]) == (["0"], ["3"], ["2"])
    assert (query["view"], query["zoom"], query["pinned"]) == (["lines"], ["0,4,0,4"], ["2"])
    assert "_frame" not in names(sent)


def test_masks_run_the_model_and_bring_its_page(run: Run, view: View, sent: Sent) -> None:
    before = view.run
    view.masks = {"causal": False}
    assert before is run and view.run.request.masks == Masks(causal=False)
    assert view.run.pattern[0, 0, 0, 1] > 0  # the first token sees the second
    [state] = [state for state in sent.states if "_frame" in state]
    page = written_by(state["_frame"]["srcdoc"])
    assert '"causal": false' in page
    assert "view=lines" in page and "causal=false" in state["_query"]
    sent.states.clear()
    view.masks = Masks(causal=False)  # as they are
    assert sent.states == []


def test_a_readers_edits_run_once_and_answer(view: View, sent: Sent) -> None:
    runs: list[Any] = []
    view.observe(lambda change: runs.append((view.run.request, change.name)), ["masks", "muted"])
    cell: dict[str, Any] = {"text": 0, "layer": 2, "head": 3, "query": 3, "key": 1}
    view._handle_custom_msg({"masks": {"blocked": [cell]}, "muted": [[2, 3]]}, [])
    assert sent.answers == [{"problem": ""}]
    assert view.masks == Masks(blocked=(Cell(**cell),)) and view.muted == ((2, 3),)
    assert runs == [(view.run.request, "masks"), (view.run.request, "muted")]
    assert sum("_frame" in state for state in sent.states) == 1


def test_a_refused_edit_of_a_reader_is_told_and_changes_nothing(view: View, sent: Sent) -> None:
    view._handle_custom_msg({"masks": {}, "muted": [[9, 0]]}, [])
    assert sent.answers == [{"problem": "shipped has layers 0 to 2; got 9."}]
    assert view.muted == () and sent.states == []


@pytest.mark.parametrize(
    ("name", "value", "told"),
    [
        ("selected", {"layer": 3}, "the layer to be one of 0, 1, 2; got 3"),
        ("selected", {"head": "3"}, "the head to be one of 0, .*; got '3'"),
        ("selected", {"query": 8}, "a position from 0 to 7, or the text of a token; got 8"),
        ("selected", {"key": "dog"}, "No token is 'dog'"),
        ("selected", {"row": 1}, "with the names layer, head, .*; got {'row': 1}"),
        ("masks", {"casual": False}, "with the names causal, .*; got {'casual': False}"),
        ("masks", {"window": 0}, "greater than or equal to 1"),
        ("muted", [(2, 8)], "got 8"),
        ("muted", [(2,)], r"such as .*; got \[\(2,\)\]"),
        ("muted", 2, r"such as \[\(2, 3\)\]; got 2"),
    ],
)
def test_a_bad_value_raises_at_once(view: View, name: str, value: Any, told: str) -> None:
    before = (view.selected, view.masks, view.muted, view.run, view._query)
    with pytest.raises(RequestError, match=told):
        setattr(view, name, value)
    assert (view.selected, view.masks, view.muted, view.run, view._query) == before


def test_a_live_page_computes_by_itself(run: Run) -> None:
    view = run.view(live=True)
    assert "shipped/model.safetensors" in inside(written_by(view._frame["srcdoc"]))
    frame = view._frame
    view.muted = [(2, 3)]
    assert view._frame is frame and "muted=2.3" in view._query
    assert view.run.request.muted == ((2, 3),)
    view.close()


def test_without_a_kernel_there_is_a_picture_of_what_it_shows_now(view: View) -> None:
    view.muted = [(1, 2)]
    view.selected = {"head": 5}
    bundle, _ = view._repr_mimebundle_()
    assert bundle["application/vnd.jupyter.widget-view+json"]["model_id"] == view.model_id
    [document] = re.findall(r'srcdoc="([^"]*)"', bundle["text/html"])
    page = written_by(html.unescape(document))
    assert "muted=1.2" in page and "head=5" in page
    assert bundle["image/png"].startswith("iVBOR")


def test_without_anywidget_the_error_says_what_to_install(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "anywidget", None)
    monkeypatch.delitem(sys.modules, "headlight.inline.view")
    with pytest.raises(HeadlightError, match=r'pip install .*"anywidget'):
        run.view()


def test_an_asynchronous_run_says_that_it_has_no_view(address: str) -> None:
    async def asked() -> None:
        async with AsyncClient(address) as client:
            run = await client.trace("The cat sat.")
            with pytest.raises(HeadlightError, match="a client that waits"):
                run.view()

    asyncio.run(asked())
