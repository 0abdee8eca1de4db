// Addresses of servers, as people type and read them. Pure.

/** Without its scheme, as it is typed. @param {string} address */
export const shortAddress = (address) => address.replace(/^https?:\/\//u, "");

/** Where a class joins, as it is typed. @param {{address: string | null} | null} document @param {string} found what the server found out */
export const joinAt = (document, found) =>
  document?.address ? `${shortAddress(document.address)}/join` : found;

/** Whether an address means another machine on every other machine. @param {string} address */
export function isLoopback(address) {
  const { hostname } = new URL(address);
  return /^(.*\.)?localhost$|^127\.|^\[::1\]$|^0\.0\.0\.0$|^\[::\]$/u.test(hostname);
}

/**
 * The address that somebody typed, with or without its scheme and what follows the port.
 * @param {string} typed
 * @param {string} protocol of this page, as in "http:"
 * @returns {string | null} such as http://192.168.1.20:8000; null: it is none
 */
export function addressIn(typed, protocol) {
  const text = typed.trim();
  if (/\s/u.test(text) || text === "") return null;
  try {
    const { origin, username } = new URL(/^\w+:\/\//u.test(text) ? text : `${protocol}//${text}`);
    return username === "" && /^https?:/u.test(origin) ? origin : null;
  } catch {
    return null;
  }
}
