// Starts a page that is one file. Its script lies in the page as packed as everything else that it carries.

import { runInside } from "./standalone/carried.js";

runInside("main.js");
