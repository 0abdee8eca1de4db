// The engine's errors, as in model/errors.py; `status` is the HTTP status that the server would send with each.
//
//     HeadlightError
//     ├── InputError            the caller's request is invalid: 422, or 404 for an unknown model
//     │   ├── TextError         a text cannot be tokenized
//     │   ├── LimitError        the request is valid, but larger than allowed here
//     │   └── UnavailableError  this source or site does not have that tensor or edit
//     ├── CheckpointError       a file is corrupt or of another kind: 503
//     └── NumericsError         a number is not finite: 500, a bug or broken weights

/**
 * @typedef {object} Details
 * @property {string} [code] a stable identifier for programs; each class has its own
 * @property {string | null} [field] the part of the request at fault
 * @property {number | null} [limit] the limit that was exceeded
 */

/**
 * A sentence in English that the page can say in another language, as `Message` in model/message.py: its template, which
 * catalogues list, and its values, which may be sentences. With `many`, the template is for one, and the value `n` decides.
 */
export class Sentence {
  /** @param {string} template @param {string | null} many @param {Record<string, string | number | Sentence>} values */
  constructor(template, many, values) {
    this.template = template;
    this.many = many;
    this.values = values;
  }

  toString() {
    const template = this.many === null || this.values.n === 1 ? this.template : this.many;
    return template.replace(/\{(\w+)\}/g, (_, name) => {
      const value = this.values[name];
      return typeof value === "number" ? grouped(value) : String(value);
    });
  }
}

/** @param {string} template @param {Record<string, string | number | Sentence>} [values] */
export const sentence = (template, values = {}) => new Sentence(template, null, values);

/** @param {string} one @param {string} many @param {Record<string, string | number | Sentence>} values */
export const nsentence = (one, many, values) => new Sentence(one, many, values);

/** Base of every error that the engine throws on purpose. */
export class HeadlightError extends Error {
  static code = "error";
  static status = 500;

  /** @param {string | Sentence} message @param {Details} [details] */
  constructor(message, { code, field = null, limit = null } = {}) {
    super(String(message));
    this.said = message instanceof Sentence ? message : null;
    const { code: usual, status } = /** @type {typeof HeadlightError} */ (new.target);
    this.code = code ?? usual;
    this.field = field;
    this.limit = limit;
    this.status = this.code === "unknown_model" ? 404 : status;
  }
}

/** The caller's request is invalid. */
export class InputError extends HeadlightError {
  static code = "invalid_input";
  static status = 422;
}

/** A text cannot be tokenized. */
export class TextError extends InputError {
  static code = "invalid_text";
}

/** The request is valid, but larger than allowed here. */
export class LimitError extends InputError {
  static code = "limit_exceeded";
}

/** This source or site does not have that tensor or edit. */
export class UnavailableError extends InputError {
  static code = "unavailable";
}

/** A file of weights or of a vocabulary is corrupt or of another kind. */
export class CheckpointError extends HeadlightError {
  static code = "bad_checkpoint";
  static status = 503;
}

/** A number is not finite. Such a number is never part of an answer. */
export class NumericsError extends HeadlightError {
  static code = "not_finite";
}

/** A whole number as messages write it, in groups of three digits: "1,024". @param {number} n */
export const grouped = (n) => n.toLocaleString("en-US");
