/** Commands, background work, steering, trouble and limits with every measured version of the CLI. */
import { MEASURED_VERSIONS } from "../../simulator/cli-cache.ts";
import { EXPECTED } from "./support/real-expected.ts";
import { realFeatures } from "./support/real-features.ts";

for (const version of MEASURED_VERSIONS) realFeatures(version, EXPECTED[version]);
