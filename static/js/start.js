// Starts a page that is one file. Its script lies in the page as packed as everything else that it carries; the page's content policy
// knows it by its hash.

import { insideText } from "./standalone/inside.js";

const script = document.createElement("script");
script.type = "module";
script.dataset.started = ""; // for standalone/again.js, which leaves it out
script.textContent = await insideText("file.js");
document.head.append(script);
