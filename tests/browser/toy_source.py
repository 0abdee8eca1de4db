"""A toy source with settings, as the recipe of CONTRIBUTING.md says: rows, and files of its own."""

from tests.browser.toys import Toy

TWIN_IMPORT = 'import { TWIN } from "./twin/source.js";\n'
PANEL_IMPORT = 'import { twinPanel } from "./twin/panel.js";\n'
SOURCE = Toy(
    rows={
        "server/api/schemas/settings.py": (
            ("from server.api.schemas.source import", "from server.api.schemas import twin\n"),
            ("scratch.ROW,)", "twin.ROW, "),
        ),
        "static/js/sources/sources.js": (
            ('/** @import { Choice, Model, TraceJson } from "../types.d.ts" */', TWIN_IMPORT),
            ("SCRATCH];", "TWIN, "),
        ),
        "static/js/panels/sources.js": (
            ('/** @import { Store } from "../state/store.js" */', PANEL_IMPORT),
            ("  scratch(", "  twin: twinPanel,\n"),
        ),
    },
    files={
        "model/sources/twin.py": '''"""Attention from scratch, with some pairs of heads."""

from dataclasses import dataclass, replace
from typing import ClassVar

from model.errors import InputError
from model.scratch.mechanisms import ScratchConfig, configure
from model.sources.inputs import check_unmixed
from model.sources.scratch import ScratchSource
from model.trace.settings import Size, SourceSettings
from model.sources.source import Inputs
from model.trace.trace import Trace


@dataclass(frozen=True, slots=True)
class TwinSettings(SourceSettings):
    name: ClassVar[str] = "twin"
    pairs: int = 1

    def __post_init__(self) -> None:
        if self.pairs == 3:
            raise InputError("Expected 1, 2 or 4 pairs; got 3.", field="twin.pairs")

    @property
    def inner(self) -> ScratchConfig:
        return configure(changes={"n_heads": 2 * self.pairs})

    @property
    def size(self) -> Size:
        return self.inner.size

    @property
    def nbytes(self) -> int:
        return 0


class TwinSource(ScratchSource):
    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.info = replace(self.info, settings=TwinSettings.name)

    def trace(self, inputs: Inputs, *, max_tokens: int | None = None) -> Trace:
        check_unmixed(inputs, self.info)
        own = inputs.settings or TwinSettings()
        assert isinstance(own, TwinSettings)
        inner = replace(inputs, settings=own.inner)
        return replace(super().trace(inner, max_tokens=max_tokens), settings=own)
''',
        "server/api/schemas/twin.py": '''"""A number of pairs of heads, as asked and answered."""

from typing import Any

from pydantic import BaseModel, ConfigDict, Field

from model.sources.twin import TwinSettings, TwinSource
from server.api.schemas.source import SourceRow


class Twin(BaseModel):
    """How many pairs of heads there are."""

    model_config = ConfigDict(extra="forbid", strict=True)
    pairs: int = Field(default=1, ge=1, le=4)

    def to_config(self) -> TwinSettings:
        return TwinSettings(self.pairs)


class AppliedTwin(BaseModel):
    heads: int


ROW = SourceRow(
    name="twin",
    open=TwinSource,
    schema=Twin,
    about="Of the model `twin`.",
    answer=(AppliedTwin | None, Field(description="The pairs, counted.")),
    applied=lambda settings: {"heads": 2 * settings.pairs},
    described={"most_pairs": (int | None, Field(default=None, description="Of `twin`."))},
    describe=lambda: {"most_pairs": 4},
    others={},
)
''',
        "static/js/sources/twin/source.js": """
export const TWIN = {
  name: "twin",
  label: "Pairs of heads",
  initial: {},
  read(query) {
    const pairs = Number(query.get("twin.pairs") ?? 1);
    return pairs === 1 ? {} : { pairs };
  },
  write(query, { pairs = 1 }) {
    if (pairs !== 1) query.set("twin.pairs", String(pairs));
  },
  configured(model, { pairs = 1 }) {
    if (model.state !== "ready") return model;
    const n_heads = 2 * pairs;
    return { ...model, n_heads, sites: model.sites.map((site) => ({ ...site, n_heads })) };
  },
  fit: () => ({}),
  tokenization: () => null,
  size: ({ twin }) => (twin ? `${twin.heads} heads in pairs` : ""),
  inWords: ({ pairs = 1 }) => `pairs ${pairs}`,
  difference: ({ pairs = 1 }) => `pairs ${pairs}`,
  changes: ({ pairs = 1 }) => (pairs === 1 ? "" : `pairs ${pairs}`),
  isRandom: () => true,
  program: () => ({
    library: [],
    imports: ["from model.sources.twin import TwinSettings, TwinSource"],
    source: "TwinSource()",
    settings: "TwinSettings()",
  }),
};
""",
        "static/js/panels/twin/words.js": 'export const PAIRS = "Pairs";\n',
        "static/js/panels/twin/panel.js": """
import { make } from "../../dom/dom.js";
import { PAIRS } from "./words.js";

export function twinPanel(root, store) {
  const pairs = make("input");
  pairs.type = "number";
  root.append(make("label", {}, [make("span", { text: PAIRS }), pairs]));
  pairs.addEventListener("change", () => store.update({ twin: { pairs: Number(pairs.value) } }));
  store.watch(["model", "twin"], ({ model, twin }) => {
    root.hidden = model !== "twin";
    pairs.value = String(twin.pairs ?? 1);
  });
  return {};
}
""",
    },
)
