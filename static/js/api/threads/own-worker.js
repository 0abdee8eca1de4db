// Opens a reader's own file, in a thread of its own.

import { serve } from "../../own/serving.js";
import { begin } from "./begun.js";

begin("own", serve);
