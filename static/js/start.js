// Starts a page that is one file. Its script lies in the page as packed as everything else that it carries.

import { runInside, styleInside } from "./standalone/carried.js";

await styleInside("page.css");
runInside("main.js");
