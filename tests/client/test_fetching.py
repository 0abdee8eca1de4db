"""How much is fetched, and when: nothing before it is read, nothing twice, in slices if need be."""

import asyncio
import json
import tracemalloc
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from safetensors.numpy import load_file

import headlight
from headlight import AsyncClient, Client, Run
from headlight.http.steps import Call, Reply
from headlight.run.save import save
from scripts import live
from tests.client.by_hand import done

TEXTS = ["Maria saw herself in the mirror.", "The cat", "The dogs near the house run."]


@pytest.fixture
def sent(monkeypatch: pytest.MonkeyPatch) -> list[dict[str, Any]]:
    """The bodies of the requests for traces that are sent in the test."""
    from headlight.http import transport

    bodies: list[dict[str, Any]] = []
    request = transport._request

    def noted(call: Call) -> dict[str, Any]:
        if call.body is not None:
            bodies.append(json.loads(call.body))
        return request(call)

    monkeypatch.setattr(transport, "_request", noted)
    return bodies


@pytest.fixture(scope="module")
def small() -> Iterator[Client]:
    """A server that sends at most 10,000 bytes at once, and takes 400."""
    with (
        live.serving(max_answer_bytes="11000", max_body_bytes="400") as address,
        headlight.connect(address) as client,
    ):
        yield client


def asked(body: dict[str, Any]) -> dict[str, Any]:
    look: dict[str, Any] = body["parts"]["asked"]
    return look


def test_a_tensor_is_fetched_when_it_is_read_and_once(
    hl: Client, sent: list[dict[str, Any]]
) -> None:
    run = hl.trace(TEXTS[0])
    assert [asked(body) for body in sent] == [{"layers": []}]
    for _ in range(2):
        run.site("layers.1").q, run.tokens, run.predictions
    assert [asked(body).get("tensors") for body in sent] == [None, ["q"], None]
    assert asked(sent[1])["layers"] == [1]
    assert [body["predict"] is None for body in sent] == [True, True, False]


def test_tensors_can_come_along_with_the_trace(hl: Client, sent: list[dict[str, Any]]) -> None:
    run = hl.trace(TEXTS, fetch=["pattern", "z"])
    assert [p.shape for p in run.pattern] == [(3, 8, n, n) for n in map(len, run.tokens)]
    assert run[2].site("layers.1").z.shape == (8, len(run.tokens[2]), 16)
    assert len(sent) == 1


def test_an_answer_that_is_too_large_comes_in_slices(hl: Client, small: Client) -> None:
    text = TEXTS[0] * 2
    whole, sliced = hl.trace(text), small.trace(text)
    np.testing.assert_allclose(sliced.pattern, whole.pattern, atol=1e-5)  # layers, and heads
    text = TEXTS[2] * 6
    for name in ("pattern", "k"):  # rows, too, of what has them
        found, expected = (
            run.tensor(name, layers=[1]) for run in (small.trace(text), hl.trace(text))
        )
        np.testing.assert_allclose(found, expected, atol=1e-4)


def test_texts_are_sent_by_their_bytes_too(small: Client, sent: list[dict[str, Any]]) -> None:
    run = small.trace([text * 6 for text in TEXTS])
    assert [len(row) for row in run.tokens] == [58, 23, 48]
    assert [len(body["texts"]) for body in sent] == [3, 1, 1, 1]


def test_a_text_that_is_too_large_alone_is_refused(small: Client) -> None:
    with pytest.raises(headlight.RequestError) as caught:
        small.trace("word " * 200)
    assert (caught.value.code, caught.value.limit) == ("body_too_large", 400)


def test_the_field_of_a_refusal_counts_all_texts(hl: Client) -> None:
    hl.trace(["a"] * 4)  # now it is known that 3 go together
    with pytest.raises(headlight.RequestError, match=r"^texts\.4: ") as caught:
        hl.trace(["a", "b", "c", "d", "\ud800"])
    assert caught.value.field == "texts.4"


def test_texts_whose_padding_takes_part_go_together(hl: Client) -> None:
    run = hl.trace(TEXTS, masks={"padding": False})
    assert len({pattern.shape for pattern in run.pattern}) == 1
    assert any(token.padding for token in run.tokens[1])
    with pytest.raises(headlight.RequestError, match="together"):
        run[0]
    with pytest.raises(headlight.RequestError) as caught:
        hl.trace(["a"] * 4, masks={"padding_side": "left"})
    assert (caught.value.code, caught.value.limit) == ("too_many_texts", 3)


def test_many_texts_take_no_more_memory_than_some(hl: Client) -> None:
    def peak(n: int) -> int:
        tracemalloc.start()
        try:
            for run in hl.each((TEXTS[i % 3] for i in range(n)), fetch=["pattern", "q"]):
                assert run.pattern.shape[0] == 3
            return tracemalloc.get_traced_memory()[1]
        finally:
            tracemalloc.stop()

    peak(6)
    assert peak(120) < 1.5 * peak(12)


def test_each_gives_the_texts_in_order(hl: Client) -> None:
    texts = [TEXTS[i % 3] for i in range(8)]
    runs = list(hl.each(iter(texts), muted=[(0, 1)]))
    assert [run.request.texts for run in runs] == [(text,) for text in texts]
    assert all(run.request.muted == ((0, 1),) for run in runs)


@pytest.mark.parametrize("library", ["pandas", "polars"])
def test_tables_become_data_frames(hl: Client, library: Any) -> None:
    run = hl.trace(TEXTS[:2])
    frame = run.scores.to_frame(library)
    assert isinstance(frame, import_module(library).DataFrame)
    assert frame.shape[0] == 2 * 3 * 8
    assert list(frame.columns[:4]) == ["text", "site", "layer", "head"]
    likeliest = run.predictions.to_frame(library)
    assert list(likeliest["token"])[:2] == [
        run.predictions[0]["token"],
        run.predictions[1]["token"],
    ]


def test_what_a_run_is_saved_as(hl: Client, tmp_path: Path) -> None:
    run = hl.trace(TEXTS[0]).mute((1, 0)).trace()
    tensors = load_file(run.save(tmp_path / "a.safetensors", tensors=["q", "k"]))
    assert np.array_equal(tensors["layers.1.q"][0], run.site("layers.1").q)
    answer = json.loads(run.save(tmp_path / "a.json").read_text())
    assert answer["sites"][1]["muted"] == [0] and "pattern" in answer["sites"][0]["tensors"]
    with pytest.raises(headlight.RequestError, match=r"ends with \.html"):
        run.save(tmp_path / "a.docx")
    with pytest.raises(headlight.RequestError, match="one by one"):
        hl.trace([*TEXTS, "more"]).save(tmp_path / "a.json")


def test_a_page_is_what_the_server_exports_for_the_link(hl: Client, tmp_path: Path) -> None:
    run = hl.trace(TEXTS[1], muted=[(1, 0)])
    steps = save(run, tmp_path / "page.html", layer=1, head=2)
    path, calls = done(steps, [Reply(200, {}, b"<html>")])
    assert path.read_bytes() == b"<html>"
    assert run.weights is not None
    asked_for = "/export?model=shipped&text=The+cat&muted=1.0&layer=1&head=2"
    asked_for += f"&weights={run.weights[:8]}"
    assert calls == [Call("GET", asked_for)]
    assert run.link(layer=1, head=2) == hl.address + asked_for.replace("export", "")
    edited = run.mute((0, 1))  # which has not run
    assert edited.link(layer=1).endswith(f"&weights={run.weights[:8]}")


def test_the_asynchronous_client_gives_the_same(hl: Client, address: str) -> None:
    run = hl.trace(TEXTS[0])

    async def later() -> None:
        async with AsyncClient(address) as soon:
            same, two = await asyncio.gather(soon.trace(TEXTS[0]), soon.trace(TEXTS[:2]))
            assert same.tokens == run.tokens
            assert np.array_equal(await same.pattern, run.pattern)
            assert np.array_equal(await same.site("layers.1").q, run.site("layers.1").q)
            assert (await same.predictions) == run.predictions
            assert (await two.scores).columns["text"][-1] == 1
            edited = await same.mute((2, 3)).block(query="saw", key="Maria").trace()
            assert (await edited.pattern)[0, 0, 2, 1] == 0
            change = await edited.compare(same).pattern
            assert np.array_equal(change, await edited.pattern - run.pattern)
            each = [run.tokens[-1] async for run in soon.each(TEXTS * 2)]
            assert each == [".", " cat", "."] * 2
            with pytest.raises(headlight.RequestError, match="layers 0 to 2"):
                await same.mute((9, 9)).trace()

    asyncio.run(later())


def test_the_next_texts_are_asked_for_before_they_are_wanted(
    address: str, sent: list[dict[str, Any]]
) -> None:
    async def later() -> None:
        async with AsyncClient(address) as soon:
            runs = soon.each(TEXTS * 3)
            await anext(runs)
            before = len(sent)

            async def more() -> None:
                while len(sent) == before:
                    await asyncio.sleep(0.01)

            await asyncio.wait_for(more(), 10)
            await runs.aclose()  # a loop that is left

    asyncio.run(later())


def test_a_run_prints_as_the_program_that_makes_it(hl: Client, address: str) -> None:
    run = hl.trace(TEXTS[0], muted=[(2, 3)]).mask(window=3).allow("saw", "Maria", layer=1).trace()
    names: dict[str, Any] = {}
    exec(str(run), names)
    again = names["run"]
    assert isinstance(again, Run)
    assert again.request == run.replace(model="shipped").request
    assert np.array_equal(again.pattern, run.pattern)
    assert f"headlight.connect('{address}')" in str(run)
    names["hl"].close()
