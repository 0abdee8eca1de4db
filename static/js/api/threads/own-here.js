// Opens a reader's own file, for a page in which no worker starts.

export { serve } from "../../own/serving.js";
