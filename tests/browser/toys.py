"""A toy for each table, made according to the recipes of CONTRIBUTING.md."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path


@dataclass(frozen=True)
class Toy:
    """A new thing: rows that are inserted before a line of a file, and its own files."""

    rows: Mapping[str, tuple[tuple[str, str], ...]]  # file: (the line, what goes before it)
    files: Mapping[str, str] = field(default_factory=dict)

    @property
    def touched(self) -> set[str]:
        """The files that a person edits or creates, not counting its own folder."""
        own = ("/js/views/", "/js/panels/")
        return {
            *self.rows,
            *(path for path in self.files if not any(folder in path for folder in own)),
        }

    def add(self, tree: Path) -> None:
        """Put it into a copy of the project.

        Raises:
            ValueError: a line is not there once, so that the recipe is out of date.
        """
        for path, rows in self.rows.items():
            text = (tree / path).read_text()
            for line, row in rows:
                if text.count(line) != 1:
                    raise ValueError(f"{path} has {text.count(line)} of {line!r}; expected one")
                text = text.replace(line, row + line)
            (tree / path).write_text(text)
        for path, text in self.files.items():
            (tree / path).parent.mkdir(parents=True, exist_ok=True)
            (tree / path).write_text(text)


MASK = Toy(
    rows={
        "static/js/facts/masks.json": (
            (
                '    { "name": "window", "bit": 4,',
                '    { "name": "parity", "bit": 32, "words": "an odd way off", '
                '"angle": "dots" },\n',
            ),
            (
                '    "blocked": {',
                """    "parity": {
      "default": false,
      "rule": { "reason": "parity" },
      "address": "parity",
      "choose": {
        "legend": "Parity",
        "options": [
          { "value": false, "name": "any", "label": "any" },
          { "value": true, "name": "even", "label": "even" }
        ]
      },
      "words": {
        "edit": { "true": "even distances" },
        "now": { "true": "Even distances.", "false": "Any distance." },
        "side": { "true": "even distances", "false": "any distance" }
      }
    },
""",
            ),
        ),
        "model/masks/rules.py": (
            (
                "# The rules, by the names",
                "def _odd(parity: bool, at: Places) -> Cells:\n"
                "    return (at.query - at.key) % 2 == 1\n\n\n",
            ),
            ('    "sinks": _sinks,\n', '    "parity": _odd,\n'),
            ("    blocked: tuple[Cell, ...] = _USUAL", '    parity: bool = _USUAL["parity"]\n'),
        ),
        "static/js/engine/masks/rules.js": (
            (
                "  // Raffel et al. 2020, figure 4",
                "  parity: (_, query, key) => (query - key) % 2 !== 0,\n",
            ),
        ),
        "headlight/request/masks.py": (
            ("    blocked: tuple[Cell, ...] = _USUAL", '    parity: bool = _USUAL["parity"]\n'),
        ),
    }
)
TENSOR = Toy(
    rows={
        "static/js/facts/tensors.json": (
            (
                '  "value_weighted": {',
                '  "squares": { "axes": ["row", "key"], "reads": ["pattern"],\n'
                '    "is_share": true },\n',
            ),
        ),
        "model/trace/tensors.py": (
            (
                '    "value_weighted": _value',
                '    "squares": lambda part: part.pattern**2,\n',
            ),
        ),
        "static/js/engine/trace/tensors.js": (
            (
                "  value_weighted: valueWeighted,",
                "  squares: ({ pattern: { shape, data } }) => ({\n"
                "    shape, data: data.map((share) => share ** 2) }),\n",
            ),
        ),
        "static/js/facts/matrices.json": (
            (
                '  {\n    "name": "rollout",',
                """  {
    "name": "squares",
    "label": "Squares",
    "of": "head",
    "always": false,
    "scale": "share",
    "unit": "square",
    "row": "squares",
    "about": "Each weight times itself.",
    "lines": null,
    "sums": false
  },
""",
            ),
        ),
    }
)
METRIC = Toy(
    rows={
        "static/js/facts/metrics.json": (
            (
                '    {\n      "name": "between",',
                """    {
      "name": "own_token",
      "label": "own token",
      "definition": "How much a token looks at itself: A[i,i].",
      "source": "A toy",
      "unit": "share of attention",
      "one_text": true,
      "find": { "name": "own token", "brief": "own", "unit": "share", "does": "looks at itself" }
    },
""",
            ),
        ),
        "model/analysis/metrics.py": (
            (
                '    "same_token": lambda at:',
                '    "own_token": lambda at: (at.j == at.i) & at.counted,\n',
            ),
        ),
        "static/js/engine/analysis/metrics.js": (
            ("  same_token: (at,", "  own_token: (at, i, j) => j === i && at.counted[j],\n"),
        ),
    }
)
ANALYSIS = Toy(
    rows={
        "server/api/analyses/__init__.py": (
            ("from server.api.analyses.flow", "from server.api.analyses.evenly import Evenly\n"),
            ("    Rollout(),\n", "    Evenly(),\n"),
        ),
        "static/js/facts/analyses.json": (
            (
                '  { "name": "rollout" },\n',
                '  { "name": "evenly", "does": "One share for all", "needs": "a server" },\n',
            ),
        ),
        "static/js/facts/matrices.json": (
            (
                '  {\n    "name": "flow",',
                """  {
    "name": "evenly",
    "label": "Evenly",
    "of": "trace",
    "always": false,
    "scale": "share",
    "unit": "share",
    "row": "shares",
    "about": "One share for every token.",
    "lines": null,
    "sums": true
  },
""",
            ),
        ),
    },
    files={
        "server/api/analyses/evenly.py": '''"""One share for every token of a text."""

from typing import Any, ClassVar

import torch
from pydantic import Field

from model.trace.trace import Trace
from server.api.analyses.analysis import Analysis, Fields, Runs


class Evenly(Analysis):
    name = "evenly"
    request: ClassVar[Fields] = {"evenly": (bool, Field(default=False, description="1 / n."))}
    answer = (Any | None, Field(description="Nested lists (batch, query, key)."))

    def nbytes(self, trace: Trace, analyse: Any, number_bytes: int) -> int:
        return number_bytes * len(trace.tokens) * len(trace.tokens[0]) ** 2

    def read(self, trace: Trace, analyse: Any, runs: Runs | None) -> Any:
        n = len(trace.tokens[0])
        return torch.full((len(trace.tokens), n, n), 1 / n)
'''
    },
)
VIEW = Toy(
    rows={
        "static/js/facts/views.json": (
            (
                '  {\n    "name": "map",',
                '  { "name": "largest", "label": "Largest", "about": "the largest weight",\n'
                '    "reads": ["pattern"] },\n',
            ),
        ),
        "static/js/views/views.js": (
            (
                "  map: {",
                '  largest: { part: coming(() => import("./largest/view.js")), questions: {}, '
                "oneMatrix: true },\n",
            ),
        ),
    },
    files={
        "static/js/views/largest/view.js": """// The largest weight of the head, in words.

import { make } from "../../dom/dom.js";
import { detailOf } from "../../numbers/detail.js";
import { csvTable } from "../../words/format.js";

const largest = (state) => Math.max(...(detailOf(state)?.pattern.data ?? [0]));

function view(root, store) {
  const line = make("p", { class: "toy" });
  root.append(line);
  store.watch(["detail", "view"], (state) => {
    line.textContent = largest(state).toFixed(4);
  });
  return { drawn: () => Promise.resolve() };
}

export const save = {
  parts: () => ["largest"],
  csv: async (state) => csvTable(["largest"], [[largest(state)]]),
  file: async (state) => new Blob([String(largest(state))]),
};
export { view as make };
""",
    },
)
PANEL = Toy(
    rows={
        "static/js/facts/panels.json": (
            (
                '  {\n    "name": "effects",',
                '  { "name": "stages", "label": "Stages", "about": "one stage after the other",\n'
                '    "predicts": true,\n'
                '    "reads": ["unembedding"] },\n',
            ),
        ),
        "static/js/panels/panels.js": (
            ("import { vectorRequest }", 'import { stagesRequest } from "./stages/request.js";\n'),
            (
                "  circuits: {",
                """  stages: {
    part: coming(() => import("./stages/panel.js")),
    questions: { stages: { request: stagesRequest, turn: "beside" } },
  },
""",
            ),
        ),
    },
    files={
        "static/js/panels/stages/request.js": """// The request for the stages.

import { analysis } from "../../asking/requests.js";

export const stagesRequest = (state, model) => analysis(state, model, { lens: { top_k: 1 } });
""",
        "static/js/panels/stages/panel.js": """// How many stages the logit lens has.

import { make } from "../../dom/dom.js";
import { csvTable } from "../../words/format.js";
import { stagesRequest } from "./request.js";

const count = ({ stages }) => stages?.answer?.trace.lens[0].stages.length ?? 0;

function panel(root, store) {
  const line = make("p", { class: "toy" });
  root.append(line);
  store.watch(["stages"], (state) => {
    line.textContent = String(count(state));
  });
}

export const save = {
  name: "stages",
  scene: () => null,
  caption: () => [],
  csv: (state) => csvTable(["stages"], [[count(state)]]),
  request: (state) => stagesRequest(state, state.models[0]),
};
export { panel as make };
""",
    },
)
SETTING = Toy(
    rows={
        "static/js/facts/mechanisms.json": (
            ('    "softmax_over",\n', '    "doubled",\n'),
            (
                '    "n_layers": {',
                """    "doubled": {
      "type": "flag",
      "default": false,
      "label": "scale doubled",
      "group": "Attention"
    },
""",
            ),
        ),
        "model/scratch/mechanisms.py": (
            ('    n_layers: int = _USUAL["n_layers"]', '    doubled: bool = _USUAL["doubled"]\n'),
            (
                "        return BlockConfig(",
                "        if parameters.doubled:\n"
                "            config = replace(config, scale=2 * config.scale_factor)\n",
            ),
        ),
        "static/js/engine/scratch/mechanisms.js": (
            (
                'import { attentionConfig } from "../core/attention.js";',
                'import { scaleFactor } from "../core/attention.js";\n',
            ),
            (
                "  return blockConfig({ attention,",
                "  if (parameters.doubled) attention.scale = 2 * scaleFactor(attention);\n",
            ),
        ),
        "static/js/sources/scratch/table.js": (
            ("  residual: { said:", '  doubled: { said: (on) => (on ? "twice" : "once") },\n'),
        ),
    }
)
# The most files that each may cost, its own folder not counted.
TOYS = {
    "mask": (MASK, 4),
    "view": (VIEW, 2),
    "panel": (PANEL, 2),
    "tensor": (TENSOR, 4),
    "analysis": (ANALYSIS, 4),
    "metric": (METRIC, 4),
    "setting": (SETTING, 4),
}
