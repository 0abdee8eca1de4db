"""What the lesson “Why here” says of its tables and cuts, computed from its figures’ links."""

import re
from collections.abc import Callable
from typing import Any

import pytest

from server.pages.assets.folders import ROOT
from tests.lessons import Lesson

pytestmark = pytest.mark.long

KEYS, CABINET = 2, 6
APPLE, WINDOW, APPLE_AGAIN = 2, 3, 9
HEADS = [(layer, head) for layer in (0, 1) for head in range(8)]


@pytest.fixture
def why(lesson: Callable[[str], Lesson]) -> Lesson:
    return lesson("why-here")


def words_of(one: Lesson) -> str:
    return " ".join(one.words.split())


def table(one: Lesson, figure: str, **chosen: str) -> dict[str, Any]:
    """The cell of a figure, taken apart."""
    [found] = one.answer(figure, set=chosen, select={"layers": []})["cell"]
    return dict(found)


def name(part: dict[str, Any]) -> tuple[str, int | None, int | None]:
    return part["kind"], part["layer"], part["head"]


def entries(cell: dict[str, Any]) -> dict[tuple[Any, Any], float]:
    """The numbers of the table, by the names of the part of the query and of the key."""
    rows = zip(cell["query_parts"], cell["values"], strict=True)
    return {
        (name(query), name(key)): value
        for query, row in rows
        for key, value in zip(cell["key_parts"], row, strict=True)
    }


def two(value: float) -> str:
    return f"{value:.2f}".replace("-", "−")


FFN = [("mlp", 0, None), ("mlp", 1, None)]
EMBEDDING = ("embedding", None, None)


def test_the_cell_and_its_table(why: Lesson) -> None:
    words = words_of(why)
    row = why.tensor("cell")[2, 1, CABINET]
    scores = why.tensor("cell", "scores", set={"Shown": "scores"})[2, 1, CABINET, : CABINET + 1]
    best, next_best = scores.argsort(descending=True).tolist()[:2]
    assert (best, next_best) == (KEYS, 1)  # keys, The
    assert f"keys gets {scores[best]:.2f}, and the next best, The, gets {scores[1]:.2f}" in words
    assert f"with {row[KEYS]:.2f} of its weight" in words

    cell = table(why, "cell", Shown="taken apart")
    parts = list(map(name, cell["query_parts"]))
    assert parts == list(map(name, cell["key_parts"]))
    heads = [("head", *place) for place in HEADS]
    assert sorted(parts, key=str) == sorted([EMBEDDING, *FFN, ("norm", 2, None), *heads], key=str)
    assert "a and b each run over 20 parts: the embedding, 16 heads, two" in words
    assert (len(parts), len(heads)) == (20, 16)

    found = entries(cell)
    assert "That makes 400 entries" in words and len(found) == 400
    assert cell["score"] == pytest.approx(scores[KEYS].item(), abs=1e-5)
    assert sum(found.values()) == pytest.approx(cell["score"], abs=1e-5)
    assert abs(cell["remainder"]) < 1e-5  # “is only rounding”
    tiny = sum(abs(value) < 0.1 for value in found.values())
    assert f"{tiny} of the 400 lie between −0.1 and 0.1" in words
    largest = sorted(found, key=lambda pair: -abs(found[pair]))[:3]
    assert largest == [(FFN[1], FFN[1]), (FFN[1], FFN[0]), (FFN[0], FFN[0])]
    upper, mixed, lower = (two(found[pair]) for pair in largest)
    assert (
        f"FFN 1 on both sides adds {upper}, FFN 1 in the query with FFN 0 in the key adds {mixed}, "
        f"and FFN 0 on both sides adds {lower}." in words
    )
    assert all(abs(value) < 0.04 for pair, value in found.items() if EMBEDDING in pair)


def test_the_diagram_is_the_table_with_the_heads_of_a_layer_together(why: Lesson) -> None:
    groups: list[tuple[str, int | None]] = [
        *(("embedding", None), ("head", 0), ("mlp", 0), ("head", 1), ("mlp", 1), ("norm", 2))
    ]
    rows = [[0.0] * 6 for _ in groups]
    for (query, key), value in entries(table(why, "cell", Shown="taken apart")).items():
        rows[groups.index(query[:2])][groups.index(key[:2])] += value

    def one(value: float) -> str:
        return f"{round(value, 1) + 0.0:.1f}".replace("-", "−")

    columns = [sum(row[place] for row in rows) for place in range(6)]
    drawn = [one(value) for row in rows for value in (*row, sum(row))]
    drawn += [one(value) for value in (*columns, sum(columns))]
    svg = (ROOT / "templates" / "learn" / "diagrams" / "12-cell.svg.html").read_text("utf-8")
    assert re.findall(r">(−?\d+\.\d)</text>", svg) == drawn
    [told] = re.findall(r"<desc.*?>(.*?)</desc>", svg)
    told_rows = re.findall(r"(?:−?\d+\.\d, ){5}−?\d+\.\d", told)
    sums = [[sum(row) for row in rows], columns]
    assert told_rows == [", ".join(map(one, row)) for row in (*rows, *sums)]
    assert told.endswith(f"All together: {one(sum(columns))}.")


def test_parts_that_are_switched_off(why: Lesson) -> None:
    words = words_of(why)

    def left(option: str) -> float:
        cell = table(why, "off", **{"Switched off": option})
        return float((cell["switched"] or cell)["pattern"][KEYS])

    caption = why.content.figures["off"].caption
    assert f"How much of the {left('nothing'):.2f} is left" in caption
    query, keys, both = (left(f"FFN 1 in {side}") for side in ("q", "k", "q and k"))
    assert f"falls to {query:.2f}; without it in k, to {keys:.2f}; without it in both, " in words
    assert f"without it in both, to {both:.2f}." in words
    without = table(why, "off", **{"Switched off": "all heads"})["query_parts"]
    assert sum(part["kind"] == "head" for part in without) == 16
    assert f"all 16 heads instead: the weight is still {left('all heads'):.2f}." in words
    asked = why.content.questions[0]
    assert asked.options[asked.answer].startswith(f"{left(asked.set['Switched off']):.2f}")


def test_a_real_run_differs_from_the_frozen_norm(why: Lesson) -> None:
    usual = entries(table(why, "off"))
    run = table(why, "off", **{"Switched off": "FFN 1, real run"})
    real = entries(run)
    assert all(value == 0 for pair, value in real.items() if FFN[1] in pair)
    frozen = table(why, "off", **{"Switched off": "FFN 1 in q and k"})["switched"]["pattern"][KEYS]
    assert f"The weight is {run['pattern'][KEYS]:.2f}, not {frozen:.2f}." in words_of(why)
    # what is left grows: both norms divide by less, by the same for each part
    kept = [
        (usual[pair], value)
        for pair, value in real.items()
        if not any(part == FFN[1] or part[0] == "norm" for part in pair)
    ]
    grown = [after / before for before, after in kept if abs(before) > 1e-3]
    assert len(grown) > 100 and min(grown) > 1.5
    assert grown == pytest.approx([grown[0]] * len(grown), rel=1e-3)


def test_the_note_that_the_table_hides(why: Lesson) -> None:
    words = words_of(why)
    tokens = [token["text"].strip() for token in why.answer("induction")["tokens"][0]]
    place_of = {"apple": APPLE, "window": WINDOW}
    assert all(tokens.index(word) == place for word, place in place_of.items())
    assert tokens.index("apple", APPLE + 1) == APPLE_AGAIN
    pattern = why.tensor("induction")
    assert f"head 0 · 2 gives apple {pattern[0, 2, WINDOW, APPLE]:.2f} of its weight" in words
    assert pattern[1, 3, APPLE_AGAIN].argmax() == WINDOW

    cell = table(why, "induction", Shown="taken apart")
    assert (cell["query"], cell["key"]) == (APPLE_AGAIN, WINDOW)
    found = entries(cell)
    network = found[FFN[0], FFN[0]]
    assert network > cell["score"] and f"The score is {cell['score']:.2f}." in words
    assert f"FFN 0 on both sides adds {network:.2f}." in words
    assert f"wrote at window adds {two(key_sum(cell, 2))}." in words
    assert f"the weight on window is still {without_key(why, 2):.2f}." in words

    option = "0 · 2 at the first “window”"
    cut = table(why, "induction", Shown="taken apart", **{"Taken away": option})
    left = entries(cut)
    assert sum(left.values()) == pytest.approx(cut["score"], abs=1e-4)  # “still sums exactly”
    assert f"the entry of {network:.2f} has shrunk to {two(left[FFN[0], FFN[0]])}" in words


def key_sum(cell: dict[str, Any], head: int) -> float:
    """What all that a head of layer 0 wrote into the key adds to the score."""
    return sum(value for (_, key), value in entries(cell).items() if key == ("head", 0, head))


def without_key(why: Lesson, head: int) -> float:
    """The weight of the induction cell without that head in the keys, with the norm frozen."""
    part = {"kind": "head", "layer": 0, "site": "layers.0", "head": head}
    asked: dict[str, Any] = {"layer": 1, "head": 3, "query": APPLE_AGAIN, "key": WINDOW}
    asked["without"] = [{"part": part, "side": "key"}]
    [cell] = why.answer("induction", analyse={"cell": asked}, select={"layers": []})["cell"]
    return float(cell["switched"]["pattern"][WINDOW])


def test_cuts_of_the_induction_cell(why: Lesson) -> None:
    def after(**more: Any) -> tuple[float, str]:
        """The weight of the cell, and the likeliest next word."""
        predict = {"top_k": 1, "position": APPLE_AGAIN}
        answer = why.answer("induction", predict=predict, **more)
        weight = answer["sites"][1]["tensors"]["pattern"][0][3][APPLE_AGAIN][WINDOW]
        return weight, answer["predictions"][0][0]["text"]

    def taken(option: str) -> tuple[float, str]:
        return after(set={"Taken away": option})

    assert taken("nothing")[1] == "window"
    muted, row = taken("0 · 2"), taken("0 · 2 at the first “window”")
    assert max(muted[0], row[0]) < 0.001 and "is below 0.001" in words_of(why)
    assert "window" not in (muted[1], row[1])
    for head in {*range(8)} - {2}:
        cell = {"text": 0, "layer": 0, "head": head, "query": WINDOW, "key": None}
        assert after(masks={"blocked": [cell]})[0] > 0.97, head
    assert "the weight stays above 0.97." in words_of(why)
    assert taken("0 · 5 at the first “window”")[0] > 0.97

    sign, where = why.content.questions[1:]
    cell = table(why, "induction", Shown="taken apart")
    assert f"adds {two(key_sum(cell, 7))} to the score" in sign.ask
    assert sign.because.startswith(f"Only {taken(sign.set['Taken away'])[0]:.2f} is left.")
    assert f"would have left {without_key(why, 7):.3f}." in sign.because

    apple = where.set["Taken away"]
    assert apple == "0 · 2 at the second “apple”"
    assert taken(apple)[1] == "window" and "“window”" in where.options[where.answer]
    assert muted[1] == "is" and "“is”, as when 0 · 2 is muted" in where.options[2]
    score = table(why, "induction", Shown="taken apart", **{"Taken away": apple})["score"]
    assert score > cell["score"] and f"to {score:.2f}." in where.because


def test_the_path_map_finds_what_the_table_hides(why: Lesson) -> None:
    predict = {"top_k": 2, "position": APPLE_AGAIN}
    first, second = why.answer("induction", predict=predict)["predictions"][0]
    asked = {"position": APPLE_AGAIN, "token": first["id"], "against": second["id"]}
    [found] = why.answer("induction", analyse={"paths": asked | {"threshold": 0.05}})["paths"]

    def end(node: dict[str, Any]) -> tuple[Any, int]:
        return node["part"] and name(node["part"]), node["position"]

    edges = {
        (end(edge["sender"]), end(edge["receiver"]), edge["through"]): edge
        for edge in found["edges"]
    }
    head, network = (("head", 0, 2), WINDOW), (FFN[0], WINDOW)
    route = [
        ((EMBEDDING, APPLE), head, "v"),
        (head, network, "mlp"),
        (network, (("head", 1, 3), APPLE_AGAIN), "k"),
    ]
    assert [edges[step]["verdict"] for step in route] == ["confirmed"] * 3
    widest = sorted(edges, key=lambda step: -abs(edges[step]["moved"]))[:2]
    assert set(widest) == set(route[:2])
