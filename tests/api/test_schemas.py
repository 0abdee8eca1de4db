"""The limits of requests, their invalid values, and the errors for them."""

import json
from collections.abc import Callable
from typing import Any

import pytest
from fastapi.testclient import TestClient

from model.errors import CheckpointError
from model.sources.registry import Progress, Registry
from model.sources.source import Source
from tests.api.conftest import Serve

MASKS, SELECT, PREDICT, ANALYSE = "masks", "select", "predict", "analyse"
CELL = {"layer": 1, "head": 0, "query": 2, "key": 1}
PATCH: dict[str, Any] = {"clean": "the dog"}
ZERO: dict[str, Any] = {"kind": "zero", "at": "head", "layer": 0}

REFUSED: list[tuple[dict[str, Any], str, str | None]] = [
    # what the request says, the code and the field of the refusal
    ({"texts": None}, "invalid_value", "texts"),
    ({"texts": []}, "invalid_value", "texts"),
    ({"texts": "one"}, "invalid_value", "texts"),
    ({"texts": [1]}, "invalid_value", "texts.0"),
    ({"texts": ["a"] * 9}, "too_many_texts", "texts"),
    ({"texts": ["a", "b" * 20_001]}, "too_many_characters", "texts.1"),
    ({"texts": ["a", "cat " * 400]}, "too_many_tokens", "texts.1"),
    ({"texts": ["fine", "a\udfff"]}, "lone_surrogate", "texts.1"),
    ({"texts": [], "ids": None}, "invalid_value", "texts"),
    ({"ids": [[1]]}, "invalid_input", "ids"),
    ({"ids": 1}, "invalid_value", "ids"),
    ({"ids": []}, "invalid_value", "ids"),
    ({"ids": [[-1]]}, "invalid_value", "ids.0.0"),
    ({"ids": [[1.5]]}, "invalid_value", "ids.0.0"),
    ({"special_tokens": "yes"}, "invalid_value", "special_tokens"),
    ({"targets": ["\ud800"]}, "lone_surrogate", "targets.0"),
    ({"pairs": ["a", "b"]}, "invalid_input", "pairs"),
    ({"pairs": ["a"]}, "invalid_input", "pairs"),
    ({"targets": ["a"]}, "invalid_input", "targets"),
    ({"model": 1}, "invalid_value", "model"),
    ({"model": "\ud800"}, "lone_surrogate", "model"),
    ({"model": "x" * 201}, "invalid_value", "model"),
    ({"text": "one"}, "unknown_field", "text"),
    ({"<b>": 1}, "unknown_field", "?"),
    ({"\ud800": 1}, "lone_surrogate", None),
    ({MASKS: None}, "invalid_value", "masks"),
    ({MASKS: {"causal": 1}}, "invalid_value", "masks.causal"),
    ({MASKS: {"causal": "true"}}, "invalid_value", "masks.causal"),
    ({MASKS: {"padding": None}}, "invalid_value", "masks.padding"),
    ({MASKS: {"padding_side": "both"}}, "invalid_value", "masks.padding_side"),
    ({MASKS: {"window": 0}}, "invalid_value", "masks.window"),
    ({MASKS: {"window": 2.5}}, "invalid_value", "masks.window"),
    ({MASKS: {"window": 10**30}}, "invalid_value", "masks.window"),
    ({MASKS: {"prefix": 0}}, "invalid_value", "masks.prefix"),
    ({MASKS: {"sinks": 1.5}}, "invalid_value", "masks.sinks"),
    ({MASKS: {"mask": 1}}, "unknown_field", "masks.mask"),
    ({MASKS: {"blocked": [{"key": -1}]}}, "invalid_value", "masks.blocked.0.key"),
    ({MASKS: {"blocked": [{"key": True}]}}, "invalid_value", "masks.blocked.0.key"),
    ({MASKS: {"blocked": [{}] * 10_001}}, "invalid_value", "masks.blocked"),
    ({MASKS: {"blocked": [{"query": 99}]}}, "invalid_input", "masks.blocked"),
    ({MASKS: {"blocked": [{"kind": "both"}]}}, "invalid_value", "masks.blocked.0.kind"),
    ({MASKS: {"blocked": [{"kind": "cross"}]}}, "invalid_input", "masks.blocked"),
    ({MASKS: {"allowed": [{"kind": "encoder"}]}}, "invalid_input", "masks.allowed"),
    ({MASKS: {"allowed": [{"layer": 2}]}}, "invalid_input", "masks.allowed"),
    ({MASKS: {"allowed": [{"text": 1}]}}, "invalid_input", "masks.allowed"),
    ({"muted": [[0, 3]]}, "invalid_input", "muted"),
    ({"muted": [[2, 0]]}, "invalid_input", "muted"),
    ({"muted": [[0]]}, "invalid_value", "muted.0"),
    ({"interventions": [{"kind": "zero"}]}, "missing_field", "interventions.0.layer"),
    ({"interventions": [ZERO, ZERO | {"kind": "stop"}]}, "invalid_value", "interventions.1.kind"),
    ({"interventions": [ZERO | {"at": "scores"}]}, "invalid_value", "interventions.0.at"),
    ({"interventions": [ZERO | {"by": 2}]}, "unknown_field", "interventions.0.by"),
    ({"interventions": [ZERO | {"positions": []}]}, "invalid_value", "interventions.0.positions"),
    (
        {"interventions": [ZERO | {"positions": [1, 1]}]},
        "invalid_value",
        "interventions.0.positions",
    ),
    ({"interventions": [ZERO | {"layer": 2}]}, "invalid_input", "interventions.0.layer"),
    ({"interventions": [ZERO | {"head": 3}]}, "invalid_input", "interventions.0.head"),
    ({"interventions": [ZERO | {"positions": [9]}]}, "invalid_input", "interventions.0.positions"),
    ({"interventions": [ZERO | {"text": 1}]}, "invalid_input", "interventions.0.text"),
    ({"interventions": [ZERO | {"site": "cross"}]}, "invalid_input", "interventions.0.site"),
    ({"interventions": [ZERO | {"factor": 2}]}, "invalid_input", "interventions.0.factor"),
    ({"interventions": [ZERO | {"kind": "scale"}]}, "invalid_input", "interventions.0.factor"),
    (
        {"interventions": [ZERO | {"kind": "scale", "factor": 1001}]},
        "invalid_value",
        "interventions.0.factor",
    ),
    (
        {"interventions": [ZERO | {"kind": "patch", "source": "a dog sat"}]},
        "not_aligned",
        "interventions.0.source",
    ),
    (
        {"interventions": [ZERO | {"kind": "patch", "source": "a", "pairs": [[0, 1], [0, 1]]}]},
        "invalid_input",
        "interventions.0.pairs",
    ),
    (
        {"interventions": [ZERO | {"kind": "patch", "source": "a", "pairs": [[0]]}]},
        "invalid_value",
        "interventions.0.pairs.0",
    ),
    (
        {"interventions": [ZERO | {"kind": "patch", "source": "a" * 20_001}]},
        "too_many_characters",
        "interventions.0.source",
    ),
    (
        {"interventions": [ZERO | {"kind": "mean", "texts": ["a"] * 9}]},
        "too_many_texts",
        "interventions.0.texts",
    ),
    (
        {"interventions": [ZERO | {"kind": "mean", "texts": ["a", "a " * 301]}]},
        "too_many_tokens",
        "interventions.0.texts.1",
    ),
    ({"interventions": [ZERO] * 65}, "invalid_value", "interventions"),
    ({"muted": [0, 1]}, "invalid_value", "muted.0"),
    ({"muted": [[0, 1, "cross"]]}, "invalid_input", "muted"),
    ({"muted": [["self", 0]]}, "invalid_value", "muted.0"),
    ({"muted": [[0, 1, 2]]}, "invalid_value", "muted.0"),
    ({"muted": [[0, 1, "self", 0]]}, "invalid_value", "muted.0"),
    ({SELECT: {"tensors": []}}, "invalid_value", "select.tensors"),
    ({SELECT: {"tensors": ["attention"]}}, "invalid_value", "select.tensors.0"),
    ({SELECT: {"tensors": ["q", "q"]}}, "invalid_value", "select.tensors"),
    ({SELECT: {"layers": [2]}}, "invalid_input", "select.layers"),
    ({SELECT: {"layers": ["1"]}}, "invalid_value", "select.layers.0"),
    ({SELECT: {"kinds": []}}, "invalid_value", "select.kinds"),
    ({SELECT: {"kinds": ["both"]}}, "invalid_value", "select.kinds.0"),
    ({SELECT: {"kinds": ["self", "self"]}}, "invalid_value", "select.kinds"),
    ({SELECT: {"kinds": "self"}}, "invalid_value", "select.kinds"),
    ({SELECT: {"heads": [3]}}, "invalid_input", "select.heads"),
    ({SELECT: {"heads": []}}, "invalid_value", "select.heads"),
    ({SELECT: {"heads": [1, 1]}}, "invalid_value", "select.heads"),
    ({SELECT: {"rows": [2, 2]}}, "invalid_value", "select"),
    ({SELECT: {"rows": [0, 9]}}, "invalid_input", "select.rows"),
    ({SELECT: {"rows": [1, 2, 3]}}, "invalid_value", "select.rows"),
    ({SELECT: {"resolution": 0}}, "invalid_value", "select.resolution"),
    ({SELECT: {"resolution": 1025}}, "invalid_value", "select.resolution"),
    ({SELECT: {"resolution": 8, "tensors": ["scores"]}}, "invalid_value", "select"),
    ({SELECT: {"resolution": 8, "rows": [0, 1]}}, "invalid_value", "select"),
    ({SELECT: {"units": "words", "rows": [0, 1]}}, "invalid_value", "select"),
    ({SELECT: {"units": "words", "tensors": ["scores"]}}, "invalid_value", "select"),
    ({SELECT: {"units": "letters"}}, "invalid_value", "select.units"),
    ({SELECT: {"pooling": "min", "resolution": 8}}, "invalid_value", "select.pooling"),
    ({SELECT: {"pooling": "mean"}}, "invalid_value", "select"),
    ({SELECT: {"dtype": "int8"}}, "invalid_value", "select.dtype"),
    ({SELECT: {"dtype": "uint8", "tensors": ["scores"]}}, "invalid_value", "select"),
    ({SELECT: {"dtype": "uint8", "tensors": ["norms"]}}, "invalid_value", "select"),
    ({SELECT: {"resolution": 8, "tensors": ["norms"]}}, "invalid_value", "select"),
    ({PREDICT: {"top_k": 0}}, "invalid_value", "predict.top_k"),
    ({PREDICT: {"top_k": 101}}, "invalid_value", "predict.top_k"),
    ({PREDICT: {"top_k": "3"}}, "invalid_value", "predict.top_k"),
    ({PREDICT: {"position": 8}}, "invalid_input", "predict.position"),
    ({PREDICT: {"position": -1}}, "invalid_value", "predict.position"),
    ({PREDICT: {"temperature": 0}}, "invalid_value", "predict.temperature"),
    ({PREDICT: {"temperature": 101}}, "invalid_value", "predict.temperature"),
    ({PREDICT: {"temperature": True}}, "invalid_value", "predict.temperature"),
    ({PREDICT: {"temperature": float("nan")}}, "invalid_value", "predict.temperature"),
    ({PREDICT: {"temperature": float("inf")}}, "invalid_value", "predict.temperature"),
    ({ANALYSE: None}, "invalid_value", "analyse"),
    ({ANALYSE: {"score": True}}, "unknown_field", "analyse.score"),
    ({ANALYSE: {"scores": 1}}, "invalid_value", "analyse.scores"),
    ({ANALYSE: {"scores": None}}, "invalid_value", "analyse.scores"),
    ({ANALYSE: {"specials": "yes"}}, "invalid_value", "analyse.specials"),
    ({ANALYSE: {"rollout": {}}}, "invalid_value", "analyse.rollout"),
    ({ANALYSE: {"lens": True}}, "invalid_value", "analyse.lens"),
    ({ANALYSE: {"lens": {"temperature": 1}}}, "unknown_field", "analyse.lens.temperature"),
    ({ANALYSE: {"lens": {"top_k": 0}}}, "invalid_value", "analyse.lens.top_k"),
    ({ANALYSE: {"lens": {"top_k": 101}}}, "invalid_value", "analyse.lens.top_k"),
    ({ANALYSE: {"lens": {"position": -1}}}, "invalid_value", "analyse.lens.position"),
    ({ANALYSE: {"lens": {"position": 8}}}, "invalid_input", "analyse.lens.position"),
    ({ANALYSE: {"patching": {}}}, "missing_field", "analyse.patching.clean"),
    ({ANALYSE: {"patching": PATCH | {"at": "z"}}}, "invalid_value", "analyse.patching.at"),
    ({ANALYSE: {"patching": PATCH | {"by": "token"}}}, "invalid_value", "analyse.patching.by"),
    ({ANALYSE: {"patching": PATCH | {"text": 1}}}, "invalid_input", "analyse.patching.text"),
    ({ANALYSE: {"patching": PATCH | {"by": "head"}}}, "invalid_input", "analyse.patching.by"),
    ({ANALYSE: {"patching": PATCH | {"clean": "a b c"}}}, "not_aligned", "analyse.patching.clean"),
    (
        {ANALYSE: {"patching": PATCH | {"clean": "\ud800"}}},
        "lone_surrogate",
        "analyse.patching.clean",
    ),
    (
        {ANALYSE: {"patching": PATCH | {"clean": "a " * 10_001}}},
        "too_many_tokens",
        "analyse.patching.clean",
    ),
    (
        {ANALYSE: {"patching": PATCH | {"token": 10_000}}},
        "invalid_input",
        "analyse.patching.token",
    ),
    (
        {ANALYSE: {"patching": PATCH | {"against": 10_000}}},
        "invalid_input",
        "analyse.patching.against",
    ),
    (
        {ANALYSE: {"patching": PATCH | {"position": 99}}},
        "invalid_input",
        "analyse.patching.position",
    ),
    (
        {ANALYSE: {"patching": PATCH | {"pairs": [[9, 0]]}}},
        "invalid_input",
        "analyse.patching.pairs",
    ),
    (
        {ANALYSE: {"patching": PATCH | {"pairs": [[0, 0]], "position": 1}}},
        "invalid_input",
        "analyse.patching.position",
    ),
    (
        {ANALYSE: {"patching": PATCH | {"pairs": [[1, 1], [2, 1]]}}},
        "invalid_input",
        "analyse.patching.pairs",
    ),
    ({ANALYSE: {"stream": {"tensors": ["resid"]}}}, "invalid_value", "analyse.stream.tensors.0"),
    ({ANALYSE: {"stream": {"tensors": []}}}, "invalid_value", "analyse.stream.tensors"),
    ({ANALYSE: {"stream": {"positions": [2, 2]}}}, "invalid_value", "analyse.stream"),
    ({ANALYSE: {"stream": {"dtype": "uint8"}}}, "invalid_value", "analyse.stream.dtype"),
    ({ANALYSE: {"stream": {"layers": []}}}, "invalid_value", "analyse.stream.layers"),
    ({ANALYSE: {"stream": {"layers": [9]}}}, "invalid_input", "analyse.stream.layers"),
    ({ANALYSE: {"stream": {"positions": [0, 99]}}}, "invalid_input", "analyse.stream.positions"),
    (
        {ANALYSE: {"stream": {"tensors": ["resid_mid_cross"]}}},
        "unavailable",
        "analyse.stream.tensors",
    ),
    ({ANALYSE: {"cell": {}}}, "missing_field", "analyse.cell.layer"),
    ({ANALYSE: {"cell": {**CELL, "layer": 9}}}, "invalid_input", "analyse.cell.layer"),
    ({ANALYSE: {"cell": {**CELL, "head": 3}}}, "invalid_input", "analyse.cell.head"),
    ({ANALYSE: {"cell": {**CELL, "query": 99}}}, "invalid_input", "analyse.cell.query"),
    ({ANALYSE: {"cell": {**CELL, "key": 99}}}, "invalid_input", "analyse.cell.key"),
    ({ANALYSE: {"cell": {**CELL, "key": -1}}}, "invalid_value", "analyse.cell.key"),
    ({ANALYSE: {"cell": {**CELL, "text": 1}}}, "invalid_input", "analyse.cell.text"),
    ({ANALYSE: {"cell": {**CELL, "kind": "cross"}}}, "invalid_input", "analyse.cell.kind"),
    (
        {ANALYSE: {"cell": {**CELL, "without": [{"part": {"kind": "soul"}}]}}},
        "invalid_value",
        "analyse.cell.without.0.part.kind",
    ),
    (
        {ANALYSE: {"cell": {**CELL, "without": [{"part": {"kind": "mlp", "site": "\ud800"}}]}}},
        "lone_surrogate",
        "analyse.cell.without.0.part.site",
    ),
    (
        {ANALYSE: {"cell": {**CELL, "without": [{"part": {"kind": "embedding"}}] * 5_001}}},
        "invalid_value",
        "analyse.cell.without",
    ),
    (
        {
            ANALYSE: {
                "cell": {
                    **CELL,
                    "without": [
                        {"part": {"kind": "embedding"}},
                        {"part": {"kind": "mlp", "layer": 1}},
                    ],
                }
            }
        },
        "invalid_input",
        "analyse.cell.without.1",
    ),
    ({ANALYSE: {"explanations": True}}, "invalid_value", "analyse.explanations"),
    ({ANALYSE: {"explanations": {"steps": 129}}}, "invalid_value", "analyse.explanations.steps"),
    (
        {ANALYSE: {"explanations": {"baseline": "median"}}},
        "invalid_value",
        "analyse.explanations.baseline",
    ),
    ({ANALYSE: {"explanations": {"layer": 2}}}, "invalid_input", "analyse.explanations.layer"),
    ({ANALYSE: {"explanations": {"head": 3}}}, "invalid_input", "analyse.explanations.head"),
    (
        {ANALYSE: {"explanations": {"position": 8}}},
        "invalid_input",
        "analyse.explanations.position",
    ),
    (
        {ANALYSE: {"explanations": {"against": 10**6}}},
        "invalid_input",
        "analyse.explanations.against",
    ),
    (
        {ANALYSE: {"other_attention": {"epsilon": 1.5}}},
        "invalid_value",
        "analyse.other_attention.epsilon",
    ),
    (
        {ANALYSE: {"other_attention": {"seed": -1}}},
        "invalid_value",
        "analyse.other_attention.seed",
    ),
    (
        {ANALYSE: {"other_attention": {"head": 3}}},
        "invalid_input",
        "analyse.other_attention.head",
    ),
    (
        {ANALYSE: {"other_attention": {"position": 0}}},
        "unavailable",
        "analyse.other_attention",
    ),
    ({ANALYSE: {"attribution": True}}, "invalid_value", "analyse.attribution"),
    ({ANALYSE: {"attribution": {"token": -1}}}, "invalid_value", "analyse.attribution.token"),
    (
        {ANALYSE: {"attribution": {"against": 10**6}}},
        "invalid_input",
        "analyse.attribution.against",
    ),
    (
        {ANALYSE: {"attribution": {"position": 8}}},
        "invalid_input",
        "analyse.attribution.position",
    ),
    ({ANALYSE: {"top_keys": True}}, "invalid_value", "analyse.top_keys"),
    ({ANALYSE: {"top_keys": {"top_k": 257}}}, "invalid_value", "analyse.top_keys.top_k"),
    ({ANALYSE: {"top_keys": {"rows": [3, 3]}}}, "invalid_value", "analyse.top_keys"),
    ({ANALYSE: {"top_keys": {"rows": [3, 99]}}}, "invalid_input", "analyse.top_keys.rows"),
    ({ANALYSE: {"top_keys": {"layers": []}}}, "invalid_value", "analyse.top_keys.layers"),
    ({ANALYSE: {"top_keys": {"layers": [99]}}}, "invalid_input", "analyse.top_keys.layers"),
    ({ANALYSE: {"top_keys": {"heads": [99]}}}, "invalid_input", "analyse.top_keys.heads"),
    ({ANALYSE: {"top_keys": {"heads": [1, 1]}}}, "invalid_value", "analyse.top_keys.heads"),
    ({ANALYSE: {"match": {}}}, "missing_field", "analyse.match.cells"),
    ({ANALYSE: {"match": {"cells": []}}}, "invalid_value", "analyse.match.cells"),
    ({ANALYSE: {"match": {"cells": [[1]]}}}, "invalid_value", "analyse.match.cells.0"),
    ({ANALYSE: {"match": {"cells": [[1, 0, 2]]}}}, "invalid_value", "analyse.match.cells.0"),
    ({ANALYSE: {"match": {"cells": [[0, 9]]}}}, "invalid_input", "analyse.match.cells"),
    ({ANALYSE: {"match": {"cells": [[0, 0]], "text": 1}}}, "invalid_input", "analyse.match.text"),
    (
        {ANALYSE: {"match": {"cells": [[0, 0]], "kind": "cross"}}},
        "invalid_input",
        "analyse.match.kind",
    ),
    ({ANALYSE: {"overview": {"resolution": 257}}}, "invalid_value", "analyse.overview.resolution"),
    ({ANALYSE: {"overview": {"over": "texts"}}}, "invalid_value", "analyse.overview.over"),
    ({ANALYSE: {"overview": {"pooling": "sum"}}}, "invalid_value", "analyse.overview.pooling"),
    ({ANALYSE: {"overview": {"layers": []}}}, "invalid_value", "analyse.overview.layers"),
    ({ANALYSE: {"overview": {"layers": [99]}}}, "invalid_input", "analyse.overview.layers"),
    ({ANALYSE: {"overview": {"heads": [99]}}}, "invalid_input", "analyse.overview.heads"),
    ({ANALYSE: {"far_links": {"top_k": 0}}}, "invalid_value", "analyse.far_links.top_k"),
    (
        {ANALYSE: {"far_links": {"min_distance": 0}}},
        "invalid_value",
        "analyse.far_links.min_distance",
    ),
    ({ANALYSE: {"far_links": {"layers": []}}}, "invalid_value", "analyse.far_links.layers"),
    ({ANALYSE: {"far_links": {"layers": [99]}}}, "invalid_input", "analyse.far_links.layers"),
    ({ANALYSE: {"far_links": {"heads": [99]}}}, "invalid_input", "analyse.far_links.heads"),
    ({ANALYSE: {"paths": {"threshold": 0}}}, "invalid_value", "analyse.paths.threshold"),
    ({ANALYSE: {"paths": {"limit": 401}}}, "invalid_value", "analyse.paths.limit"),
    ({ANALYSE: {"paths": {"token": 10**6}}}, "invalid_input", "analyse.paths.token"),
    ({ANALYSE: {"paths": {"position": 8}}}, "invalid_input", "analyse.paths.position"),
    ({ANALYSE: {"composition": 1}}, "invalid_value", "analyse.composition"),
    ({ANALYSE: {"weight_composition": {}}}, "invalid_value", "analyse.weight_composition"),
    ({ANALYSE: {"mute_effects": []}}, "invalid_value", "analyse.mute_effects"),
    ({ANALYSE: {"mute_effects": {"token": "a"}}}, "invalid_value", "analyse.mute_effects.token"),
    ({ANALYSE: {"mute_effects": {"token": 1.5}}}, "invalid_value", "analyse.mute_effects.token"),
    ({ANALYSE: {"mute_effects": {"token": 10**6}}}, "invalid_input", "analyse.mute_effects.token"),
    ({ANALYSE: {"mute_effects": {"heads": []}}}, "unknown_field", "analyse.mute_effects.heads"),
]


def refusal(client: TestClient, request: dict[str, Any]) -> dict[str, Any]:
    response = client.post(
        "/api/trace", content=json.dumps(request), headers={"Content-Type": "application/json"}
    )
    assert response.status_code == 422, response.text
    error: dict[str, Any] = response.json()["error"]
    return error


@pytest.mark.parametrize(
    ("change", "code", "field"), REFUSED, ids=[f"{r[1]}-{r[2]}-{i}" for i, r in enumerate(REFUSED)]
)
def test_wrong_value_is_refused_by_name(
    client: TestClient, change: dict[str, Any], code: str, field: str | None
) -> None:
    error = refusal(client, {"texts": ["the cat sat on the mat."], **change})
    assert (error["code"], error["field"]) == (code, field)


@pytest.mark.parametrize("number", [float("nan"), float("inf"), -float("inf")], ids=str)
@pytest.mark.parametrize(
    ("change", "field"),
    [
        (lambda x: {ANALYSE: {"paths": {"threshold": x}}}, "analyse.paths.threshold"),
        (
            lambda x: {"interventions": [ZERO | {"kind": "scale", "factor": x}]},
            "interventions.0.factor",
        ),
        (lambda x: {PREDICT: {"temperature": x}}, "predict.temperature"),
        (lambda x: {PREDICT: {"top_p": x}}, "predict.top_p"),
        (lambda x: {"generate": {"n_tokens": 1, "temperature": x}}, "generate.temperature"),
    ],
    ids=["threshold", "factor", "temperature", "top_p", "generate"],
)
def test_a_number_that_is_not_finite_is_called_so(
    client: TestClient, change: Callable[[float], dict[str, Any]], field: str, number: float
) -> None:
    body = json.dumps({"texts": ["the cat"], **change(number)})  # as NaN, Infinity or -Infinity
    headers = {"Content-Type": "application/json"}
    error = client.post("/api/trace", content=body, headers=headers).json()["error"]
    assert (error["code"], error["field"]) == ("invalid_value", field)
    assert error["message"] == f"{field}: input should be a finite number."


@pytest.mark.parametrize(
    "head", [["self", 0], [0, "self"], [0, 1, 2], [0, 1, None], [0, 1, "both"], [0, -1], [True, 1]]
)
def test_an_invalid_muted_head_is_refused_with_its_index(
    client: TestClient, head: list[Any]
) -> None:
    error = refusal(client, {"texts": ["a"], "muted": [head]})
    assert error["code"] == "invalid_value"
    assert error["field"].split(".")[:2] == ["muted", "0"]


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (
            {ANALYSE: {"patching": {"clean": "a " * 301}}},
            "The clean sentence has 302 tokens; shipped takes at most 300.",
        ),
        (
            {ANALYSE: {"patching": {"clean": "a b"}}},
            "Text 1 has 7 tokens and the clean sentence has 3, so their tokens do not align. Make "
            "both equally long.",
        ),
        (
            {"texts": ["a"], "special_tokens": False, ANALYSE: {"patching": {"clean": "a b"}}},
            "Text 1 has 1 token and the clean sentence has 2, ",
        ),
        ({"interventions": [ZERO | {"kind": "patch", "source": "a " * 301}]}, "The source has 302"),
        (
            {"interventions": [ZERO | {"kind": "resample", "source": "a"}]},
            "Text 1 has 7 tokens and the source has 2, ",
        ),
        (
            {"interventions": [ZERO | {"kind": "mean", "texts": ["a", "a " * 301]}]},
            "Sentence 2 of the mean has 302",
        ),
        (
            {"model": "scratch", "interventions": [ZERO | {"kind": "patch", "source": "a " * 900}]},
            "The source has ",
        ),
    ],
    ids=lambda each: each[:24] if isinstance(each, str) else "",
)
def test_a_sentence_beside_the_texts_is_called_by_its_name(
    client: TestClient, change: dict[str, Any], says: str
) -> None:
    error = refusal(client, {"texts": ["the cat sat on the mat"], **change})
    assert error["message"].startswith(says)


def test_missing_texts_are_named(client: TestClient) -> None:
    error = refusal(client, {})
    assert (error["code"], error["field"]) == ("missing_field", "texts")


def test_the_error_contains_the_limit(client: TestClient) -> None:
    def limit(change: dict[str, Any]) -> int:
        found: int = refusal(client, {"texts": ["a"], **change})["limit"]
        return found

    assert limit({"texts": ["a"] * 9}) == 8
    assert limit({"texts": ["b" * 20_001]}) == 20_000
    assert limit({"texts": ["cat " * 400]}) == 300  # the model's own, below the server's 1,024
    assert limit({"masks": {"blocked": [{}] * 10_001}}) == 10_000
    assert limit({"predict": {"top_k": 101}}) == 100
    assert limit({"select": {"rows": [0, 9]}}) == 2


def test_limits_are_settings(serve: Serve) -> None:
    client = serve(max_texts=2, max_characters=5, max_tokens=3)
    for texts, code, limit in (
        (["a"] * 3, "too_many_texts", 2),
        (["a", "bbbbbb"], "too_many_characters", 5),
        (["a a a"], "too_many_tokens", 3),
    ):
        error = refusal(client, {"texts": texts})
        assert (error["code"], error["limit"]) == (code, limit)
    assert client.get("/api/models").json()["models"][0]["max_tokens"] == 3
    texts = client.get("/openapi.json").json()["components"]["schemas"]["TraceRequest"]
    assert texts["properties"]["texts"]["maxItems"] == 2


def test_several_problems_are_counted(client: TestClient) -> None:
    error = refusal(client, {"texts": [], "predict": {"top_k": 0, "position": -1}})
    assert error["field"] == "texts"
    assert error["message"].endswith("There are 2 more problems.")


def test_answer_that_would_be_too_large_is_refused_before_it_is_computed(serve: Serve) -> None:
    client = serve(max_answer_bytes=200_000)
    texts = ["cat " * 150]
    error = refusal(client, {"texts": texts})
    assert (error["code"], error["field"], error["limit"]) == (
        "answer_too_large",
        "select",
        200_000,
    )
    assert "uint8" in error["message"]
    fits = {"texts": texts, "select": {"layers": [0], "dtype": "uint8"}}
    accept = {"Accept": "application/safetensors"}
    assert client.post("/api/trace", json=fits, headers=accept).status_code == 200


@pytest.mark.parametrize("accept", ["application/json", "application/safetensors"])
@pytest.mark.parametrize(
    "select",
    [
        {},
        {"tensors": ["q", "k", "v", "z", "result", "scores", "norms", "blocked_by"], "heads": [1]},
        {"rows": [5, 70]},
        {"resolution": 50},
        {"dtype": "float16"},
        {"dtype": "uint8"},
    ],
)
def test_size_is_estimated_from_above_and_not_far(
    serve: Serve, select: dict[str, Any], accept: str
) -> None:
    request = {"texts": ["the quick cat ran " * 20, "a dog sat"], "select": select}
    client = serve(max_answer_bytes=1)
    refused = client.post("/api/trace", json=request, headers={"Accept": accept}).json()["error"]
    found = int("".join(filter(str.isdigit, refused["message"].split(" bytes")[0])))
    sent = len(serve().post("/api/trace", json=request, headers={"Accept": accept}).content)
    assert 0.4 * found < sent <= found + 4_096


@pytest.mark.parametrize("same", ["order", "repetition"])
def test_equal_requests_are_one_trace(serve: Serve, same: str) -> None:
    client = serve()
    cells = [{"query": query, "key": key} for query in range(30) for key in range(30)]
    muted = [[0, 1], [1, 2]]
    other: dict[str, Any] = {"order": slice(None, None, -1), "repetition": slice(None)}
    again = [*cells[other[same]], *([cells[0]] if same == "repetition" else [])]
    for blocked, heads in ((cells, muted), (again, muted[other[same]])):
        request = {"texts": ["a cat " * 16], "masks": {"blocked": blocked}, "muted": heads}
        assert client.post("/api/trace", json=request).status_code == 200
    assert "headlight_traces_computed_total 1.0" in client.get("/metrics").text


@pytest.mark.parametrize("field", ["texts", "targets", "pairs"])
def test_length_is_checked_before_any_model_reads_the_text(serve: Serve, field: str) -> None:
    def load(progress: Progress) -> Source:
        raise CheckpointError("Nobody should have asked for it.")

    client = serve(Registry({"unread": load}), max_characters=5)
    request = {"texts": ["a"], field: ["bbbbbb"]}
    response = client.post("/api/trace", json=request)
    error = response.json()["error"]
    assert (response.status_code, error["code"]) == (422, "too_many_characters")
    assert (error["field"], error["limit"]) == (f"{field}.0", 5)
