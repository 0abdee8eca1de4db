// The inspector as a file of its own: the script also holds what runs in workers, for browsers that start none from a file.

import { hold } from "./api/threads/thread.js";
import { serve as serveEngine } from "./engine/serving.js";
import "./main.js";
import { serve as serveOwn } from "./own/serving.js";

hold("engine", serveEngine);
hold("own", serveOwn);
