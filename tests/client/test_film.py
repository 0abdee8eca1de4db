"""A run over the training of its model, on a server whose model has a film."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from headlight import Client, RequestError, connect
from model.core.checkpoint import FILES, SHIPPED
from model.film import Film, save_frame, write_film
from model.sources.native import NativeSource
from scripts import live

CURVES = {"loss": [9.0, 5.0, 3.0], "induction": [0.0, 0.5, 1.0]}


@pytest.fixture(scope="module")
def filmed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Client]:
    """A client of a server with the shipped model, whose weights were halved at two steps."""
    folder: Path = tmp_path_factory.mktemp("filmed")
    for name in FILES:
        (folder / name).symlink_to(SHIPPED / name)
    weights = NativeSource("own", folder).model.state_dict()
    for step, factor in ((0, 0.5), (100, 0.9)):
        save_frame(folder, step, {name: factor * tensor for name, tensor in weights.items()})
    write_film(folder, Film((0, 100, 400), CURVES, {"induction": [[[0.0]]] * 3}))
    with live.serving(models=f"mine={folder}") as address, connect(address) as client:
        yield client


def test_arrays_have_the_step_as_their_first_axis(filmed: Client) -> None:
    run = filmed.trace("the cat sat", model="mine")
    film = run.over(fetch=["pattern", "q"])
    assert film.steps == (0, 100, 400)
    assert film.pattern.shape == (3, *run.pattern.shape) and film.q.shape[0] == 3
    np.testing.assert_array_equal(film.pattern[-1], run.pattern)
    at = filmed.trace("the cat sat", model="mine@100")
    np.testing.assert_array_equal(film.pattern[1], at.pattern)
    assert not np.allclose(film.pattern[0], film.pattern[1])
    with pytest.raises(AttributeError, match="It has pattern, q"):
        _ = film.k


def test_it_keeps_masks_mutes_and_texts(filmed: Client) -> None:
    run = filmed.trace(["a cat", "the dogs sat"], model="mine@100", masks={"causal": False})
    some = run.over([400, 0])
    assert some.steps == (400, 0) and [each.shape[0] for each in some.pattern] == [2, 2]
    whole = filmed.trace(["a cat", "the dogs sat"], model="mine", masks={"causal": False})
    for at, expected in zip(some.pattern, whole.pattern, strict=True):
        np.testing.assert_array_equal(at[0], expected)


def test_what_was_measured_is_a_table(filmed: Client) -> None:
    assert list(filmed.film("mine")) == [
        {"step": 0, "loss": 9.0, "induction": 0.0},
        {"step": 100, "loss": 5.0, "induction": 0.5},
        {"step": 400, "loss": 3.0, "induction": 1.0},
    ]


def test_steps_that_are_not_there(filmed: Client) -> None:
    with pytest.raises(RequestError, match="Expected steps of 0, 100, 400; got"):
        filmed.trace("a cat", model="mine").over([7])
    with pytest.raises(RequestError, match="has no film") as caught:
        filmed.trace("a cat", model="scratch").over()
    assert caught.value.code == "no_film"


def test_a_film_is_a_strip_of_patterns_and_its_curves(filmed: Client) -> None:
    plt = pytest.importorskip("matplotlib.pyplot")
    run = filmed.trace("the cat sat", model="mine")
    film = run.over()
    axes = film.plot(1, 3)
    [image] = axes.images
    picture: Any
    picture, n = np.ma.filled(np.ma.asarray(image.get_array()), np.nan), len(run.tokens)
    np.testing.assert_allclose(picture[:, :n], film.pattern[0][1, 3])
    np.testing.assert_allclose(picture[:, -n:], run.pattern[1, 3])
    assert np.isnan(picture[:, n]).all()  # a gap
    assert [label.get_text() for label in axes.get_xticklabels()] == ["0", "100", "400"]
    two = film.plot(1, 3, most=2)
    assert [label.get_text() for label in two.get_xticklabels()] == ["0", "400"]
    with pytest.raises(RequestError, match="no such text, layer or head"):
        film.plot(9, 0)
    with pytest.raises(RequestError, match="Fetch them"):
        run.over(fetch=["q"]).plot(1, 3)
    curves = filmed.film("mine").plot()
    assert [line.get_label() for line in curves.lines] == ["loss", "induction"]
    assert np.asarray(curves.lines[0].get_ydata()).tolist() == [9.0, 5.0, 3.0]
    assert len(filmed.film("mine").plot(value="loss").lines) == 1
    several = filmed.trace(["a cat", "the dogs sat"], model="mine").over([0, 400])
    assert len(several.plot(0, 0, text=1).get_xticklabels()) == 2
    plt.close("all")
