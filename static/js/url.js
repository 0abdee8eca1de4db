// The reader's choice as a URL and back. The keys are the request's; what is at its default is left out.

/** @typedef {import("./types.d.ts").Choice} Choice */
/** @typedef {import("./types.d.ts").Model} Model */

/**
 * @param {Choice} choice
 * @param {Model[]} models
 * @returns {string} a query string, with its "?" unless it is empty
 */
export function toQuery(choice, models) {
  const query = new URLSearchParams();
  if (choice.model !== models[0]?.name) query.set("model", choice.model);
  for (const text of choice.texts) query.append("text", text);
  const { causal, padding, padding_side, window } = choice.masks;
  if (causal !== null) query.set("causal", String(causal));
  if (!padding) query.set("padding", "false");
  if (padding_side !== "right") query.set("padding_side", padding_side);
  if (window !== null) query.set("window", String(window));
  for (const head of choice.muted) query.append("muted", head.join("."));
  query.set("layer", String(choice.layer));
  query.set("head", String(choice.head));
  if (choice.shown !== 0) query.set("shown", String(choice.shown));
  if (choice.query !== null) query.set("query", String(choice.query));
  if (choice.matrix !== "pattern") query.set("matrix", choice.matrix);
  return `?${query}`;
}

/**
 * Whatever a link says that does not fit (an unknown model, a head that is not there) falls back to the default.
 * @param {string} search
 * @param {Model[]} models
 * @param {{text: string, layer: number, head: number, query: number}} example
 * @param {number} maxTexts
 * @returns {Choice}
 */
export function fromQuery(search, models, example, maxTexts) {
  const query = new URLSearchParams(search);
  const model = models.find(({ name }) => name === query.get("model")) ?? models[0];
  if (!model) throw new Error("The server has no models.");
  const texts = query.has("text") ? query.getAll("text").slice(0, maxTexts) : [example.text];
  const causal = query.get("causal");
  const fresh = !query.has("text") && !query.has("layer");
  return {
    model: model.name,
    texts,
    masks: {
      causal: causal === "true" ? true : causal === "false" ? false : null,
      padding: query.get("padding") !== "false",
      padding_side: query.get("padding_side") === "left" ? "left" : "right",
      window: whole(query.get("window"), 1, 1_000_000),
    },
    muted: [...new Set(query.getAll("muted"))]
      .map((pair) => pair.split("."))
      .map(([layer, head]) => [
        whole(layer, 0, model.n_layers - 1) ?? -1,
        whole(head, 0, model.n_heads - 1) ?? -1,
      ])
      .filter(([layer, head]) => layer >= 0 && head >= 0)
      .map(([layer, head]) => [layer, head]),
    layer: whole(query.get("layer"), 0, model.n_layers - 1) ?? (fresh ? example.layer : 0),
    head: whole(query.get("head"), 0, model.n_heads - 1) ?? (fresh ? example.head : 0),
    shown: whole(query.get("shown"), 0, texts.length - 1) ?? 0,
    query: whole(query.get("query"), 0, Number.MAX_SAFE_INTEGER) ?? (fresh ? example.query : null),
    matrix: query.get("matrix") === "scores" ? "scores" : "pattern",
  };
}

/**
 * @param {string | null | undefined} text
 * @param {number} least
 * @param {number} most
 */
function whole(text, least, most) {
  if (text == null || !/^\d+$/.test(text)) return null;
  const number = Number(text);
  return number >= least && number <= most ? number : null;
}
