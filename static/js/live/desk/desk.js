// The teacher's desk: the page's parts, each drawn from every new document of the class.

import { backend } from "../../api/backend.js";
import { need } from "../../dom/dom.js";
import { languages, scheme } from "../../page/chrome.js";
import { markResults } from "../activities/questions.js";
import { classApi } from "../api.js";
import { classBar } from "../bar.js";
import { codeIn, isTeacher, takeFromAddress, tokenOf } from "../identity.js";
import { heatLinks } from "../screen/heat.js";
import { follow } from "../stream.js";
import { ENDED, spaced } from "../words.js";
import { address } from "./address.js";
import { asking } from "./asking.js";
import { files } from "./files.js";
import { people } from "./people.js";
import { plan } from "./plan.js";
import { running } from "./running.js";
import { steering } from "./steering.js";
import { NOT_YOURS } from "./words.js";
import { work } from "./work.js";

const boot = JSON.parse(need("#boot", HTMLScriptElement).textContent ?? "");
const code = codeIn(location.pathname) ?? "";
const problem = need("#problem", HTMLElement);
languages();
scheme(() => {});
backend.prepare(boot);
takeFromAddress(code);
addEventListener("hashchange", () => location.reload()); // another link of the teacher's, pasted into this tab
const token = tokenOf(code);

/** @param {unknown} error */
const fail = (error) => {
  problem.textContent = error instanceof Error ? error.message : String(error);
  problem.hidden = false;
};

if (token !== null && isTeacher(token)) open(token);
else fail(new Error(NOT_YOURS));

/** @param {string} token */
function open(token) {
  const api = classApi(code, token);
  const bar = classBar(code);
  need("#code", HTMLElement).textContent = spaced(code);
  need("#projector", HTMLAnchorElement).href = `/class/${code}`;
  files(api, fail);
  work(api, fail);
  const marks = need("#marks", HTMLElement);
  const none = { places: {}, notes: [] };
  const parts = [
    bar.show,
    address(api, boot),
    steering(api, fail),
    plan(api, fail),
    running(api, fail),
    asking(api),
    people(api, fail),
  ];
  let marked = "";
  follow(api, {
    desk: true,
    onDocument: (doc) => {
      problem.hidden = true;
      for (const show of parts) show(doc);
      const now = JSON.stringify(doc.desk?.questions);
      if (now !== marked) {
        const found = doc.desk?.questions ?? none;
        markResults(marks, null, found);
        marks.append(...heatLinks(found.places, code));
      }
      marked = now;
      document.documentElement.dataset.state = "ready";
    },
    onConnection: (connection, why) => {
      bar.connection(connection, why);
      if (connection === "ended") fail(new Error(ENDED));
      if (connection === "out") fail(new Error(NOT_YOURS));
    },
  });
}
