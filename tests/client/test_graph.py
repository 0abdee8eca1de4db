"""Attribution graphs: of the path map, and as circuit-tracer and Neuronpedia have them."""

import json
from pathlib import Path
from typing import Any

import pytest

from headlight import Client, Graph, RequestError

# as circuit-tracer writes it (its format alone: no file of its own is in this project)
THEIRS: dict[str, Any] = {
    "metadata": {
        "slug": "dallas",
        "scan": "gemma-2-2b",
        "transcoder_list": ["gemma"],
        "prompt_tokens": ["<bos>", "Dallas", " is"],
        "prompt": "<bos>Dallas is",
        "node_threshold": 0.8,
        "schema_version": 1,
    },
    "qParams": {
        "pinnedIds": ["3_41_2"], "supernodes": [["Texas", "3_41_2"]],
        "linkType": "both", "clickedId": "", "sg_pos": "",
    },
    "nodes": [
        {
            "node_id": "E_77_1", "feature": 1, "layer": "E", "ctx_idx": 1,
            "feature_type": "embedding", "jsNodeId": "E_77-1", "clerp": "", "influence": 0.4,
            "activation": None,
        },
        {
            "node_id": "3_41_2", "feature": 902, "layer": "3", "ctx_idx": 2,
            "feature_type": "cross layer transcoder", "jsNodeId": "3_41-0", "clerp": "Texas",
            "influence": 0.6, "activation": 12.5,
        },
        {
            "node_id": "27_9_2", "feature": 9, "layer": "27", "ctx_idx": 2, "feature_type": "logit",
            "token_prob": 0.42, "is_target_logit": True, "jsNodeId": "L_9-2",
            "clerp": 'Output " Austin" (p=0.420)',
        },
    ],
    "links": [
        {"source": "E_77_1", "target": "3_41_2", "weight": 0.7},
        {"source": "3_41_2", "target": "27_9_2", "weight": -1.5},
    ],
}  # fmt: skip


def test_a_path_map_is_written_as_a_graph_and_read_again(hl: Client, tmp_path: Path) -> None:
    run = hl.trace("Every morning the king washed")
    found = run.graph(token=" himself", against=" herself", limit=20)
    edges = list(run.paths(token=" himself", against=" herself", limit=20))
    assert sum(row["weight"] for row in found.links) == pytest.approx(
        sum(edge["moved"] for edge in edges), abs=1e-3
    )
    into = [row for row in found.links if row["target"].startswith("4_")]
    assert into and all(row["target"].endswith("_5") for row in into)
    types = set(found.nodes.columns["type"])
    assert {"logit", "attention head", "embedding"} <= types
    again = Graph.load(found.save(tmp_path / "graph.json", slug="king"))
    assert (again.prompt, again.tokens, again.model) == (found.prompt, found.tokens, "shipped")
    assert list(again.links) == list(found.links)
    names = ("node", "layer", "position", "type", "label")
    for mine, read in zip(found.nodes, again.nodes, strict=True):
        assert [mine[name] for name in names] == [read[name] for name in names]
    written = json.loads((tmp_path / "graph.json").read_text())
    assert written.keys() == THEIRS.keys()
    assert written["metadata"].keys() >= THEIRS["metadata"].keys() - {"node_threshold"}
    assert written["nodes"][0].keys() >= THEIRS["nodes"][0].keys()
    assert all(isinstance(node["layer"], str) for node in written["nodes"])
    two = hl.trace(["The cat sat", "The dogs"]).graph(limit=5)
    assert [one.prompt for one in two] == ["The cat sat", "The dogs"]


def test_a_file_of_circuit_tracer_is_read_and_kept_as_it_is(tmp_path: Path) -> None:
    path = tmp_path / "dallas.json"
    path.write_text(json.dumps(THEIRS))
    found = Graph.load(path)
    assert (found.model, found.tokens) == ("gemma-2-2b", ("<bos>", "Dallas", " is"))
    assert found.nodes.columns["layer"] == [-1, 3, 27]
    assert found.nodes[1]["label"] == "Texas" and found.nodes[1]["activation"] == 12.5
    again = json.loads(found.save(tmp_path / "again.json", slug="dallas").read_text())
    assert all(again[name] == THEIRS[name] for name in ("links", "metadata", "qParams"))
    assert again["nodes"][2]["token_prob"] == 0.42 and again["nodes"][1]["jsNodeId"] == "3_41-0"
    pytest.importorskip("matplotlib")
    axes = found.plot()
    assert [tick.get_text() for tick in axes.get_yticklabels()] == ["tokens", "L3", "L27"]
    assert len(axes.lines) == 2 + 3


@pytest.mark.parametrize(
    "content",
    [
        "no json",
        "[]",
        json.dumps({**THEIRS, "nodes": None}),
        json.dumps({**THEIRS, "links": [{"source": "x", "target": "27_9_2", "weight": 1}]}),
        json.dumps({**THEIRS, "metadata": {}}),
    ],
)
def test_what_is_no_graph_is_told(tmp_path: Path, content: str) -> None:
    path = tmp_path / "graph.json"
    path.write_text(content)
    with pytest.raises(RequestError, match="no attribution graph") as caught:
        Graph.load(path)
    assert caught.value.code == "not_a_graph"
