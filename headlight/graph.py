"""Attribution graphs in the format of circuit-tracer and Neuronpedia: read, drawn, and written.

The format is that of Anthropic's attribution graphs (Ameisen et al. 2025, "Circuit Tracing"):
`metadata`, `qParams`, `nodes` and `links`. Theirs have features of transcoders as nodes; ours have
heads and feed-forward networks, whose edges are what cuts of single paths move.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from headlight.errors import RequestError
from headlight.extras import needs
from headlight.frames import Table

if TYPE_CHECKING:
    from matplotlib.axes import Axes

EMBEDDING, LOGIT = "embedding", "logit"  # types of nodes that both have
_VIEW: Mapping[str, Any] = {  # nothing is pinned, grouped or selected
    **{"pinnedIds": [], "supernodes": [], "linkType": "both", "clickedId": "", "sg_pos": ""}
}
_SHOWN = 200  # links that a picture has, the strongest
_THICKEST = 3.0  # points


@dataclass(frozen=True)
class Graph:
    """An attribution graph.

    Attributes:
        prompt: the text, and its `tokens`.
        nodes: a row for each: `node` (its id), `layer` (-1: embeddings), `position`, `type`,
            `label`, `activation` and `influence`, as far as they are known.
        links: `source`, `target` and `weight`.
        model: what the file calls the model.
    """

    prompt: str
    tokens: tuple[str, ...]
    nodes: Table
    links: Table
    model: str = ""
    rest: Mapping[str, Any] = field(default_factory=dict)  # of the metadata, kept as it came,
    view: Mapping[str, Any] = field(default_factory=dict)  # and what was pinned and grouped

    @classmethod
    def load(cls, path: str | Path) -> "Graph":
        """Read a file of circuit-tracer, of Neuronpedia, or of `save`.

        Raises:
            RequestError: it is no such file (code "not_a_graph").
            OSError: there is no such file.
        """
        path = Path(path)
        try:
            found = json.loads(path.read_text(encoding="utf-8"))
            return _read(found)
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            raise RequestError(
                f"{path} is no attribution graph: expected a JSON file with metadata, nodes and "
                f"links, as circuit-tracer and Neuronpedia write it; {error!r:.80}.",
                code="not_a_graph",
            ) from error

    def save(self, path: str | Path, slug: str = "headlight") -> Path:
        """Write it as Neuronpedia takes it; `slug` is its name there."""
        path = Path(path)
        content = {
            "metadata": {
                **self.rest,
                "slug": slug,
                "scan": self.model,
                "transcoder_list": self.rest.get("transcoder_list", []),
                "prompt_tokens": list(self.tokens),
                "prompt": self.prompt,
                "schema_version": 1,
            },
            "qParams": {**_VIEW, **self.view},
            "nodes": [_written(row, len(self.tokens)) for row in self.nodes],
            "links": list(self.links),
        }
        path.write_text(json.dumps(content, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
        return path

    def plot(self, *, ax: "Axes | None" = None) -> "Axes":
        """Draw it with matplotlib: tokens across, layers up, the strongest 200 links.

        Raises:
            ImportError: matplotlib is not installed.
        """
        from headlight.figures.colours import palette
        from headlight.figures.plotting import EXTRA

        with needs("matplotlib", EXTRA):
            import matplotlib.pyplot as plt

        places = _places(self.nodes)
        if ax is None:
            wide = 2.0 + 0.7 * len(self.tokens)
            _, ax = plt.subplots(figsize=(wide, 5.0), layout="constrained")
        colours = palette().diverging / 255
        strongest = sorted(self.links, key=lambda row: -abs(row["weight"]))[:_SHOWN]
        most = max((abs(row["weight"]) for row in strongest), default=1.0) or 1.0
        for row in strongest:
            (x, y), (to_x, to_y) = places[row["source"]], places[row["target"]]
            share = abs(row["weight"]) / most
            colour = colours[-40 if row["weight"] > 0 else 40]
            ax.plot([x, to_x], [y, to_y], color=colour, linewidth=_THICKEST * share, alpha=0.6)
        few = len(self.nodes) <= 60
        for row in self.nodes:
            x, y = places[row["node"]]
            ax.plot(x, y, "o", color=palette().text, markersize=4)
            if few:
                ax.annotate(row["label"], (x, y), xytext=(3, 3), textcoords="offset points", size=7)
        layers = sorted({row["layer"] for row in self.nodes})
        ax.set_yticks(layers, ["tokens" if layer < 0 else f"L{layer}" for layer in layers])
        ax.set_xticks(range(len(self.tokens)), self.tokens, rotation=90)
        return ax

    def __repr__(self) -> str:
        return (
            f"<graph of {len(self.nodes)} nodes and {len(self.links)} links: {self.prompt!r:.60}>"
        )


def graph_of(
    document: Mapping[str, Any], text: str, tokens: Sequence[Any], model: str, n_layers: int
) -> Graph:
    """The path map of one text, as the API sends it, as a graph."""
    nodes: dict[str, dict[str, Any]] = {}

    def node(end: Mapping[str, Any]) -> str:
        row = _node(end, document, tokens, n_layers)
        nodes.setdefault(row["node"], row)
        return str(row["node"])

    weights: dict[tuple[str, str], float] = {}
    for edge in document["edges"]:
        key = node(edge["sender"]), node(edge["receiver"])
        weights[key] = weights.get(key, 0.0) + edge["moved"]  # of a head: as q, k and v
    links = [
        {"source": source, "target": target, "weight": weight}
        for (source, target), weight in weights.items()
    ]
    return Graph(
        prompt=text,
        tokens=tuple(map(str, tokens)),
        nodes=Table.of(list(nodes.values()), NODES),
        links=Table.of(links, LINKS),
        model=model,
    )


NODES = ("node", "layer", "position", "type", "label", "activation", "influence", "feature", "rest")
LINKS = ("source", "target", "weight")


def _node(
    end: Mapping[str, Any], document: Mapping[str, Any], tokens: Sequence[Any], n_layers: int
) -> dict[str, Any]:
    part, at = end["part"], end["position"]
    found = {"position": at, "activation": None, "influence": None, "rest": {}}
    if part is None:
        token = document["token"]
        rest = {"token_prob": token["probability"], "is_target_logit": True}
        named = f"{n_layers + 1}_{token['id']}_{at}"
        label = f"Output “{token['text']}” (p={token['probability']:.3f})"
        own = {"node": named, "layer": n_layers + 1, "type": LOGIT, "feature": token["id"]}
        return {**found, **own, "label": label, "rest": rest}
    if part["kind"] == EMBEDDING:
        own = {"node": f"E_{tokens[at].id}_{at}", "layer": -1, "type": EMBEDDING, "feature": at}
        return {**found, **own, "label": str(tokens[at])}
    layer = -1 if part["layer"] is None else part["layer"]
    if part["head"] is not None:
        own = {"type": "attention head", "feature": part["head"]}
        return {**found, **own, "node": f"{layer}_h{part['head']}_{at}", "layer": layer} | {
            "label": f"L{layer}H{part['head']}"
        }
    named = f"{layer}_{part['kind']}_{at}"
    own = {"node": named, "layer": layer, "type": part["kind"], "feature": -1}
    return {**found, **own, "label": f"{part['kind']} {layer}" if layer >= 0 else part["kind"]}


def _written(row: Mapping[str, Any], n: int) -> dict[str, Any]:
    """A node as the format has it."""
    return {
        "node_id": row["node"],
        "jsNodeId": row["node"],
        "feature": row["feature"],
        "layer": "E" if row["layer"] < 0 else str(row["layer"]),
        "ctx_idx": row["position"],
        "reverse_ctx_idx": n - 1 - row["position"],
        "run_idx": 0,
        "feature_type": row["type"],
        "clerp": row["label"],
        "influence": row["influence"],
        "activation": row["activation"],
        "token_prob": 0.0,
        "is_target_logit": False,
        **row["rest"],
    }


_KNOWN = {
    *("node_id", "feature", "layer", "ctx_idx", "feature_type", "clerp", "influence", "activation")
}


def _read(found: Mapping[str, Any]) -> Graph:
    about = dict(found["metadata"])
    nodes = [
        {
            "node": str(one["node_id"]),
            "layer": -1 if one["layer"] == "E" else int(one["layer"]),
            "position": int(one["ctx_idx"]),
            "type": one["feature_type"],
            "label": one.get("clerp") or one["node_id"],
            "activation": one.get("activation"),
            "influence": one.get("influence"),
            "feature": one.get("feature"),
            "rest": {name: value for name, value in one.items() if name not in _KNOWN},
        }
        for one in found["nodes"]
    ]
    links = [{name: one[name] for name in LINKS} for one in found["links"]]
    known = {row["node"] for row in nodes}
    missing = [end for row in links for end in (row["source"], row["target"]) if end not in known]
    if missing:
        raise ValueError(f"a link has the end {missing[0]}, which is no node")
    return Graph(
        prompt=str(about.pop("prompt", "")),
        tokens=tuple(map(str, about.pop("prompt_tokens"))),
        nodes=Table.of(nodes, NODES),
        links=Table.of(links, LINKS),
        model=str(about.pop("scan", "")),
        rest=about,
        view=dict(found.get("qParams") or {}),
    )


def _places(nodes: Table) -> dict[str, tuple[float, float]]:
    """Where each node stands: those of a token and layer beside each other."""
    cells: dict[tuple[int, int], list[str]] = {}
    for row in nodes:
        cells.setdefault((row["position"], row["layer"]), []).append(row["node"])
    return {
        name: (position + 0.8 * ((n + 0.5) / len(names) - 0.5), float(layer))
        for (position, layer), names in cells.items()
        for n, name in enumerate(names)
    }
