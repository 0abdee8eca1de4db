// What the predictions say.

import { gettext, ngettext } from "../../language/gettext.js";
import { pointed } from "../../language/language.js";
import { isolated, percent, quote } from "../../words/format.js";

/** @import { Listed, Nucleus } from "../../types.d.ts" */

export const COMPARED = gettext("± compared with the model without your masks and mutes");
export const COLUMNS = {
  watched: { text: "◎", title: gettext("The token whose log-probability the mute effects show") },
  change: {
    text: gettext("± edits"),
    title: gettext("± compared with the model without your masks and mutes, in percentage points"),
  },
};
export const UNDO = gettext("Undo");
export const MUTE_EACH = gettext("Mute each head in turn");
export const MUTE_EACH_TITLE = gettext(
  "How much the watched token loses or gains without each head",
);

export const WRITE = gettext("Let it write");
export const STOP = gettext("Stop");
export const WRITE_TITLE = gettext(
  "The model adds one token after another, while you watch where each looks",
);
export const WRITE_COMMAND = gettext("the model adds one token after another");
export const LENGTH = {
  title: gettext("How far the model writes"),
  sentence: gettext("a sentence"),
  /** @param {number} n */
  tokens: (n) => gettext("{n} tokens", { n }),
};
export const DRAWN = {
  text: gettext("random"),
  title: gettext(
    "Draw each token from those listed, by their probabilities; otherwise the likeliest is taken",
  ),
};
/** @param {number} n */
export const wrote = (n) =>
  ngettext("The model wrote {n} token.", "The model wrote {n} tokens.", n);
/** @param {Named} named */
export const endsAt = ({ token }) =>
  gettext("The model ends here: {token} is what it would add.", { token: quote(token) });

/** Where a token is predicted. @param {{fills: boolean, token: string}} position */
export const predictedAt = ({ fills, token }) =>
  fills ? gettext("at {token}", { token }) : gettext("after {token}", { token });

/** What a click on a token does. */
export const HINTS = {
  fill: gettext("Click a token to insert it; ◎ watches it."),
  cut: gettext(
    "Click a token to continue with it from there: the text after it is removed. ◎ watches it.",
  ),
  end: gettext("Click a token to append it; ◎ watches it."),
};
/** @param {string} reason a sentence without its full stop */
export const noInsertion = (reason) => gettext("No token can be inserted: {reason}.", { reason });

/** Why a token cannot be inserted: sentences without their full stop. */
export const SPECIAL = gettext("it is a special token, which cannot be typed");
export const OF_CLASSES = gettext("these are classes, not tokens");
export const NOTHING_TO_REPLACE = gettext("there is no typed text that it could replace");

/** @typedef {{token: string}} Named */
/** @typedef {Named & {reason: string}} Refused */

/** @param {Refused} refused */
export const cannotInsert = ({ token, reason }) =>
  gettext("{token} cannot be inserted: {reason}.", { token: quote(token), reason });
/** @param {Refused} refused */
export const cannotAppend = ({ token, reason }) =>
  gettext("{token} cannot be appended: {reason}.", { token: quote(token), reason });
/** @param {Refused} refused */
export const appendFailed = ({ token, reason }) =>
  gettext("{token} could not be appended: {reason}", { token: quote(token), reason });
/** @param {Named} named */
export const partOfCharacter = ({ token }) =>
  gettext("{token} is a part of a character and cannot be typed alone.", { token: quote(token) });

/** What was done; `misread`: the model reads the new text as other tokens. */
export const INSERTED = {
  /** @param {Named} named */
  fill: ({ token }) => gettext("{token} was inserted.", { token: quote(token) }),
  /** @param {Named} named */
  end: ({ token }) => gettext("{token} was appended.", { token: quote(token) }),
  /** @param {Named} named */
  cut: ({ token }) =>
    gettext("{token} was appended there, and the text after it was removed.", {
      token: quote(token),
    }),
  misread: {
    /** @param {Named} named */
    fill: ({ token }) =>
      gettext("{token} was inserted, but it is read as other tokens there.", {
        token: quote(token),
      }),
    /** @param {Named} named */
    end: ({ token }) =>
      gettext("{token} was appended, but it is read as other tokens there.", {
        token: quote(token),
      }),
    /** @param {Named} named */
    cut: ({ token }) =>
      gettext(
        "{token} was appended there, and the text after it was removed, but it is read as other tokens there.",
        { token: quote(token) },
      ),
  },
};

/**
 * The tooltip of a token.
 * @param {Listed} token
 * @param {string} reason why it cannot be appended; "" if it can
 */
export function tokenTitle({ text, id, probability }, reason) {
  const [token, p] = [isolated(JSON.stringify(text)), pointed(probability.toPrecision(4))];
  return reason
    ? gettext("{token}, id {id}, probability {p}; cannot be appended: {reason}", {
        token,
        id: String(id),
        p,
        reason,
      })
    : gettext("{token}, id {id}, probability {p}", { token, id: String(id), p });
}

/** @param {Named} named */
export const watchLabel = ({ token }) => gettext("Watch {token}", { token: quote(token) });
export const WATCH = gettext("Watch this token: mute effects will show it");
export const WATCHED = gettext("Watched: mute effects show this token");
/** @param {string} probability */
export const unedited = (probability) =>
  gettext("{probability} without your masks and mutes", { probability });

/**
 * How much of the probability the listed tokens have together: "These 10 add up to 87.3%."
 * @param {Listed[]} likeliest
 * @param {Nucleus | undefined} nucleus
 */
export function held(likeliest, nucleus) {
  const n = likeliest.length;
  const sum = percent(likeliest.reduce((total, { probability }) => total + probability, 0));
  if (!nucleus) return ngettext("This one has {sum}.", "These {n} add up to {sum}.", n, { sum });
  if (nucleus.tokens === n) {
    return ngettext(
      "This one has {sum}, which is the whole nucleus.",
      "These {n} add up to {sum}, which is the whole nucleus.",
      n,
      { sum },
    );
  }
  const [all, share] = [nucleus.tokens, percent(nucleus.share)];
  return ngettext(
    "This one has {sum}; all {all} of the nucleus add up to {share}.",
    "These {n} add up to {sum}; all {all} of the nucleus add up to {share}.",
    n,
    { sum, all, share },
  );
}

export const SAMPLING = {
  label: gettext("How predictions are listed"),
  temperature: {
    text: gettext("temp."),
    label: gettext("temperature"),
    title: gettext("Temperature: below 1 favours the most likely tokens, above 1 the others"),
  },
  topK: { text: gettext("top-k"), title: gettext("The maximum number of tokens") },
  topP: {
    text: gettext("top-p"),
    label: gettext("top-p"),
    title: gettext("The smallest set of most likely tokens with this total probability"),
  },
  off: gettext("off"),
  reset: {
    label: gettext("Reset how predictions are listed"),
    title: gettext("Temperature 1, 10 tokens, no top-p"),
  },
};
