// The worker that opens a reader's own file.

import { serve } from "../../own/serving.js";

serve(/** @type {any} */ (self)); // its types are those of a window
