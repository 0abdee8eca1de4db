// Under which address people join: the one that the server found out, or the one that the teacher types.

import { make, need, write } from "../../dom/dom.js";
import { addressIn, isLoopback, shortAddress } from "../address.js";
import * as words from "./words.js";

/** @import { ClassApi, ClassDocument } from "../types.d.ts" */

/**
 * @param {ClassApi} api
 * @param {{join: string, offered: string[], closed: boolean}} boot
 */
export function address(api, { join, offered, closed }) {
  const shown = need("#address", HTMLElement);
  const said = need("#address-said", HTMLElement);
  const other = need("#address-other", HTMLDetailsElement);
  const typed = need("#address-typed", HTMLInputElement);
  const check = need("#address-check", HTMLAnchorElement);
  const picture = need("#qr", HTMLImageElement);
  const say = (/** @type {string} */ text) => {
    said.hidden = text === "";
    write(said, text);
  };
  need("#address-offered", HTMLDataListElement).replaceChildren(
    ...offered.map((one) => Object.assign(make("option"), { value: shortAddress(one) })),
  );
  need("#address-form", HTMLFormElement).addEventListener("submit", async (event) => {
    event.preventDefault();
    const found = addressIn(typed.value, location.protocol);
    if (found === null) return say(words.NO_ADDRESS);
    try {
      await api.patch({ address: found });
    } catch (error) {
      say(error instanceof Error ? error.message : "");
    }
  });
  let drawn = "";
  return (/** @type {ClassDocument} */ document) => {
    const at = document.address ? `${document.address}/join` : join;
    const isReached = document.desk?.reached.includes(new URL(at).host) ?? false;
    const now = `${at} ${isReached}`;
    if (now === drawn) return;
    drawn = now;
    shown.textContent = shortAddress(at);
    picture.src = `/class/${api.code}/qr.svg?${new URLSearchParams({ at })}`; // another picture
    const stays = isLoopback(at);
    const fault = stays ? (closed ? words.CLOSED_SERVER : words.LOOPBACK) : "";
    const told = isReached ? words.REACHED : document.address ? words.NOT_REACHED : "";
    say(fault || told);
    said.classList.toggle("class-warning", !isReached);
    other.open ||= stays;
    check.hidden = !document.address;
    check.href = at;
  };
}
