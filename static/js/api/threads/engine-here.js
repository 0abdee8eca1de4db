// The engine, for a page in which no worker starts.

export { serve } from "../../engine/serving.js";
