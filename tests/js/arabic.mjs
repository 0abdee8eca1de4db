// What a page in Arabic says: a process of its own, since modules read their page once. Prints a list.

const MESSAGES = {
  "Join at {address}": "انضموا عبر {address}",
  "{n} person": {
    zero: "لا أحد",
    one: "شخص واحد",
    two: "شخصان",
    few: "{n} أشخاص",
    other: "{n} شخص",
  },
};
globalThis.document = /** @type {any} */ ({ documentElement: { lang: "ar", dir: "rtl" } });
MESSAGES["the causal mask"] = "القناع السببي";
MESSAGES.Pattern = "النمط";
MESSAGES["{sentence} Next."] = "{sentence} التالي.";
MESSAGES["{token} has {share}."] = "لـ{token} حصة {share}.";
globalThis.headlightTranslations = {}; // before the page's modules are read
const { gettext, keyOf, ngettext } = await import("../../static/js/language/gettext.js");
for (const [english, said] of Object.entries(MESSAGES))
  globalThis.headlightTranslations[keyOf(english)] = said;
const { MINUS, percentage } = await import("../../static/js/language/language.js");
const { MATRIX_ROWS } = await import("../../static/js/state/matrices.js");
const { REASONS } = await import("../../static/js/state/masks.js");
const { bold, parts } = await import("../../static/js/words/parts.js");
const said = [
  gettext("Join at {address}", { address: "http://192.168.0.2/join" }),
  ...[0, 1, 2, 3, 11].map((n) => ngettext("{n} person", "{n} people", n)),
  gettext("Not here: {what}", { what: 1200 }),
  ngettext("{n} head", "{n} heads", 1),
  gettext("{unknown} stays"),
];
said.push(REASONS.map(({ words }) => words));
said.push(parts("{token} has {share}.", { share: bold("٪"), token: "cat" }));
said.push([MATRIX_ROWS[0].name, MATRIX_ROWS[0].label, MATRIX_ROWS[1].label]);
said.push(gettext("{sentence} Next.", { sentence: "\u2068cat\u2069 و\u2068mat\u2069" }));
said.push([MINUS, percentage("50")]);
process.stdout.write(JSON.stringify(said));
