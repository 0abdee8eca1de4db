// Where the page's requests are answered: by the server or, for the models that the page can run, by the engine in it. The
// address or a setting of the server decides. When the server does not answer, the reader may; the page never does by itself.

import { isFile } from "../standalone/bar.js";
import { insideSources } from "../standalone/inside.js";
import { Engine } from "./engine.js";
import { getFile } from "./server.js";

/** @typedef {import("../types.d.ts").EngineBoot} EngineBoot */
/** @typedef {import("../types.d.ts").Limits} Limits */
/** @typedef {import("../types.d.ts").Model} Model */
/** @typedef {import("./engine.js").Source} Source */
/** @typedef {{engine: EngineBoot, limits: Limits, models: Model[]}} Boot */

/** @type {Boot} */
const NOTHING = {
  engine: { usual: "server", models: [], files: {} },
  limits: { texts: 0, characters: 0, tokens: 0 },
  models: [],
};

export class Place {
  #boot = NOTHING;
  /** @type {"server" | "page"} */
  #chosen = "server";
  #alone = false;
  /** The names of models that only the page has. @type {Set<string>} */
  #own = new Set();
  /** @type {Engine | null} */
  #engine = null;
  /** @type {(() => void)[]} */
  #listeners = [];
  /** The server's models, as it described them last. @type {Model[]} */
  models = [];

  /** @param {Boot} boot */
  prepare(boot) {
    this.#boot = boot;
    this.models = boot.models;
    this.choose("default");
  }

  /** What the address says. @param {import("../types.d.ts").Choice["engine"]} engine */
  choose(engine) {
    this.#chosen = engine === "default" ? this.#boot.engine.usual : engine;
    this.#tell();
  }

  /** Go on without the server, or ask it again. @param {boolean} alone */
  goOn(alone) {
    this.#alone = alone;
    this.#tell();
  }

  /** Whether the reader has left the server, because it did not answer. */
  get isAlone() {
    return this.#alone;
  }

  /** Whether the page could answer for a model. @param {string} model */
  runs(model) {
    return this.#own.has(model) || this.#boot.engine.models.includes(model);
  }

  /** Whether the page answers for a model now. @param {string} model */
  isHere(model) {
    const here = this.#alone || this.#chosen === "page";
    return this.#own.has(model) || (here && this.runs(model));
  }

  /** The engine, which starts when it is first asked. */
  get engine() {
    this.#engine ??= new Engine({ sources: () => this.#sources(), limits: this.#boot.limits });
    return this.#engine;
  }

  /** Whether the engine has been needed so far. */
  get hasEngine() {
    return this.#engine !== null;
  }

  /** Add a model that only the page has. @param {Source} source @returns {Promise<Model>} */
  async add(source) {
    const models = await this.engine.add(source);
    this.#own.add(source.name);
    return /** @type {Model} */ (models.find(({ name }) => name === source.name));
  }

  /** @param {() => void} draw called now, and when the place changes */
  watch(draw) {
    this.#listeners.push(draw);
    draw();
  }

  #tell() {
    for (const draw of this.#listeners) draw();
  }

  /** What the engine needs for its models: the files of some; others need none. @returns {Promise<Source[]>} */
  #sources() {
    if (isFile) return insideSources();
    const { models, files } = this.#boot.engine;
    return Promise.all(
      models.map(async (name) => {
        if (!files[`${name}/config.json`]) return { type: name, name };
        const bytes = ["config.json", "tokenizer.json", "model.safetensors"].map((file) =>
          getFile(files[`${name}/${file}`]),
        );
        const [config, tokenizer, weights] = await Promise.all(bytes);
        return { type: "native", name, config: json(config), tokenizer: json(tokenizer), weights };
      }),
    );
  }
}

/** The one of the page. */
export const place = new Place();

/** @param {ArrayBuffer} bytes */
const json = (bytes) => JSON.parse(new TextDecoder().decode(bytes));
