// The worker in which the engine computes.

import "../../engine/worker.js";
