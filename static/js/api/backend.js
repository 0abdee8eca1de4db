// Where the page's requests are answered: by the server or, for the models that the page can run, by the engine in it. The
// address or a setting of the server decides. When the server does not answer, the reader may; the page never does by itself.

import { isFile } from "../standalone/bar.js";
import { insideSources } from "../standalone/carried.js";
import { Engine } from "./engine.js";
import { getFile } from "./server.js";

/** @import { EngineBoot, Limits, Model } from "../types.d.ts" */
/** @import { Source } from "./engine.js" */
/** @typedef {{engine: EngineBoot, limits: Limits, models: Model[]}} Boot */

/** @type {Boot} */
const NOTHING = {
  engine: { usual: "server", models: [], files: {} },
  limits: { texts: 0, characters: 0, tokens: 0 },
  models: [],
};

const FILES = ["config.json", "tokenizer.json", "model.safetensors"];

export class Backend {
  #boot = NOTHING;
  /** @type {"server" | "page"} */
  #chosen = "server";
  #alone = false;
  /** What the address says, for links to other pages. @type {import("../types.d.ts").Choice["engine"]} */
  said = "default";
  /** The models that only this page has, by name. @type {Map<string, Source>} */
  #own = new Map();
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

  /** What the address says. @param {Backend["said"]} engine */
  choose(engine) {
    this.said = engine;
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

  /** Whether the page answers for the models that it can run. */
  get isInPage() {
    return (this.#alone || this.#chosen === "page") && this.#boot.engine.models.length > 0;
  }

  /** Whether there is a server that the page could leave, and a model that it could run then. */
  get couldLeave() {
    return !this.#boot.engine.only && this.#boot.engine.models.length > 0;
  }

  /** Whether the page could answer for a model. @param {string} model */
  runs(model) {
    return this.#own.has(model) || this.#boot.engine.models.includes(model);
  }

  /** Whether the page answers for a model now. @param {string} model */
  isHere(model) {
    if (this.#boot.engine.only) return true;
    return this.#own.has(model) || (this.isInPage && this.runs(model));
  }

  /** Whether no server could answer for a model. @param {string} model */
  isOnlyHere(model) {
    return Boolean(this.#boot.engine.only) || this.#own.has(model);
  }

  /** The engine, which starts when it is first asked. */
  get engine() {
    this.#engine ??= new Engine({ sources: this.#sources(), limits: this.#boot.limits });
    return this.#engine;
  }

  /** Whether the engine has been needed so far. */
  get hasEngine() {
    return this.#engine !== null;
  }

  /** Fetch what the page needs to answer for all models that it can run. */
  async open() {
    await Promise.all(this.#boot.engine.models.map((name) => this.engine.open(name)));
  }

  /** Add a model that only the page has. @param {Source} source @returns {Promise<Model>} */
  async add(source) {
    const model = await this.engine.add(source);
    this.#own.set(source.name, source);
    return model;
  }

  /** The data of a model that only this page has; undefined: it is none. @param {string} model */
  ownData(model) {
    return this.#own.get(model);
  }

  /** @param {() => void} draw called now, and when the place changes */
  watch(draw) {
    this.#listeners.push(draw);
    draw();
  }

  #tell() {
    for (const draw of this.#listeners) draw();
  }

  /** What the engine needs for each of its models: the files of some; others need none. */
  #sources() {
    const { models, files } = this.#boot.engine;
    const load = (/** @type {string} */ name) => (isFile ? inside(name) : fetched(name, files));
    return Object.fromEntries(models.map((name) => [name, () => load(name)]));
  }
}

/** The one of the page. */
export const backend = new Backend();

/** @param {string} name @param {Record<string, string>} files @returns {Promise<Source>} */
async function fetched(name, files) {
  const addresses = FILES.map((file) => files[`${name}/${file}`]);
  if (!addresses[0]) return { type: name, name };
  const [config, tokenizer, weights] = await Promise.all(addresses.map(getFile));
  return { type: "native", name, config, tokenizer, weights };
}

/** @param {string} name @returns {Promise<Source>} */
async function inside(name) {
  const carried = (await insideSources()).find((one) => one.name === name);
  if (!carried) throw new Error(`This page does not contain ${name}.`);
  return carried;
}
