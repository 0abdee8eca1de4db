// What stands around the pictures: the scheme, the link, what is shown, what is saved.

import { matricesOf, modelIn, toggleMute } from "../choice.js";
import { csv } from "../render/format.js";
import { MATRICES } from "../render/matrices.js";
import { detailOf } from "./detail.js";
import { check, download, need } from "./dom.js";

/** @typedef {import("../store.js").Store} Store */

const SCHEMES = /** @type {const} */ (["auto", "light", "dark"]);

/** The scheme button goes round: as the system says, light, dark. @param {Store} store */
export function scheme(store) {
  const button = need("#scheme", HTMLButtonElement);
  const system = matchMedia("(prefers-color-scheme: dark)");
  const root = document.documentElement;
  const chosen = () => /** @type {typeof SCHEMES[number]} */ (root.dataset.scheme ?? "auto");
  const apply = () => {
    const name = chosen();
    button.textContent = { auto: "Auto", light: "Light", dark: "Dark" }[name];
    button.title = "Colour scheme: as the system says, light, or dark";
    store.update({ scheme: name === "auto" ? (system.matches ? "dark" : "light") : name });
  };
  button.hidden = false;
  button.addEventListener("click", () => {
    const next = SCHEMES[(SCHEMES.indexOf(chosen()) + 1) % SCHEMES.length];
    if (next === "auto") delete root.dataset.scheme;
    else root.dataset.scheme = next;
    try {
      localStorage.setItem("scheme", next);
    } catch {
      // storage is blocked: the choice holds for this page
    }
    apply();
  });
  system.addEventListener("change", apply);
  apply();
}

/** Copy the address, which holds all that is seen. */
export function share() {
  const button = need("#share", HTMLButtonElement);
  const name = button.textContent;
  button.addEventListener("click", async () => {
    try {
      await navigator.clipboard.writeText(location.href);
      button.textContent = "Link copied";
    } catch {
      button.textContent = "Copy the address bar"; // no clipboard without https or permission
    }
    setTimeout(() => {
      button.textContent = name;
    }, 2000);
  });
}

/** @param {Store} store */
export function matrixSwitch(store) {
  const field = need("#matrix", HTMLElement);
  store.watch(["matrix", "lacks", "kind", "model", "models"], (state) => {
    const known = matricesOf(modelIn(state), state.kind);
    for (const input of field.querySelectorAll("input")) {
      const label = /** @type {HTMLElement} */ (input.closest("label"));
      label.hidden = !known.some((name) => name === input.value);
    }
    check("matrix", state.matrix, field);
  });
  field.addEventListener("change", ({ target }) => {
    const matrix = MATRICES.find(
      (name) => target instanceof HTMLInputElement && name === target.value,
    );
    if (matrix) store.update({ matrix });
  });
  need("#mute", HTMLButtonElement).addEventListener("click", () =>
    store.update(toggleMute(store.state)),
  );
}

export const VIEWS = /** @type {const} */ (["heatmap", "lines", "inside", "compare"]);

/** How the head is drawn: one of four. @param {Store} store */
export function viewSwitch(store) {
  const field = need("#view", HTMLElement);
  store.watch(["view"], ({ view }) => {
    check("view", view, field);
    for (const name of VIEWS) need(`#${name}-view`, HTMLElement).hidden = name !== view;
  });
  field.addEventListener("change", ({ target }) => {
    const view = VIEWS.find((name) => target instanceof HTMLInputElement && name === target.value);
    if (view) store.update({ view });
  });
}

/**
 * @param {Store} store
 * @param {(format: "png" | "svg", filename: string) => void} save
 */
export function exports(store, save) {
  for (const button of document.querySelectorAll("[data-export]")) {
    button.addEventListener("click", () => {
      const detail = detailOf(store.state);
      if (!detail) return;
      const { matrix } = store.state;
      const numbers = detail[matrix];
      if (!numbers) return; // on its way
      const { kind, layer } = detail.site;
      const head = `${kind === "self" ? "" : `${kind}-`}layer-${layer}-head-${detail.head}-`;
      const filename = `headlight-${matrix === "rollout" ? "" : head}${matrix}`;
      const format = button.getAttribute("data-export");
      if (format === "png" || format === "svg") return save(format, filename);
      const text = csv(detail.queryLabels, detail.keyLabels, numbers);
      const address = URL.createObjectURL(new Blob([text], { type: "text/csv" }));
      download(address, `${filename}.csv`);
      URL.revokeObjectURL(address);
    });
  }
}
