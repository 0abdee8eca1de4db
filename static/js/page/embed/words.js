// What a frame says to its host about a message that it cannot take.

export const EXPECTED = {
  /** @param {string} max characters */
  query: (max) =>
    `a query string of at most ${max} characters, such as "text=The+keys&layer=2&head=3"`,
  /** @param {string[]} names */
  oneOf: (names) => names.map((name) => `"${name}"`).join(", "),
};
/** @param {string[]} types */
export const unknownType = (types) => `Expected the type ${types.join(", ")}; got another one.`;
/** @param {{type: string, version: number}} message */
export const otherVersion = ({ type, version }) =>
  `Expected version: ${version} in ${type}; got another one.`;
/** @param {{type: string, name: string, expected: string}} field */
export const unfit = ({ type, name, expected }) => `${type}: expected ${name} to be ${expected}.`;
