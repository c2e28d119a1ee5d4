/** Before every file of tests: what pages load beside their first picture is there. */

import { loadChecks } from "../src/store/laterChecks";

await loadChecks();
