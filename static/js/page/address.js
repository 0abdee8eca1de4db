// The address follows what the page shows, so that it never contains what the server refused; but a text that could not be sent is
// kept, so that it survives a reload.

import { keysThatFollow } from "../state/address.js";
import { toQuery } from "../state/url.js";

/** @typedef {import("../state/store.js").Store} Store */

const REST_MS = 150; // some keys change continuously: the address follows once they rest

/** @param {Store} store */
export function address(store) {
  const write = (/** @type {Store["state"]} */ state) => {
    if (state.status === "loading" || (state.problem && !state.problem.retry)) return;
    try {
      history.replaceState(null, "", toQuery(state, state.models));
    } catch (error) {
      console.info("The address lags behind:", error); // browsers limit how often it may change
    }
  };
  store.watch(["status", ...keysThatFollow("now")], write);
  let timer = 0;
  store.watch(keysThatFollow("rest"), () => {
    clearTimeout(timer);
    timer = setTimeout(() => write(store.state), REST_MS);
  });
}
