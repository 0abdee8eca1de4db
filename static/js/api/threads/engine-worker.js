// The engine, in a thread of its own.

import { serve } from "../../engine/serving.js";
import { begin } from "./begun.js";

begin("engine", serve);
