// The worker that the engine runs in.

import { serve } from "./serving.js";

serve(/** @type {any} */ (self)); // its types are those of a window
