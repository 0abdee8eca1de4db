// A page of an exported course: the script holds the engine, too, for browsers that start no worker from a file.

import { hold } from "./api/threads/thread.js";
import { serve } from "./engine/serving.js";
import "./learn/main.js";

hold("engine", serve);
