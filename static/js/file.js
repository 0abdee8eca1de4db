// The inspector as a file of its own: the script holds the engine, too, for browsers that start no worker from a file.

import { hold } from "./api/thread.js";
import { serve } from "./engine/serving.js";
import "./main.js";

hold(serve);
