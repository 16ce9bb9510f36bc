/** Commands, background work, steering, trouble and limits with every measured version of the CLI. */
import { MEASURED_VERSIONS } from "../simulator/measured-versions.ts";
import { EXPECTED } from "../testing/real/real-expected.ts";
import { realFeatures } from "../testing/real/real-features.ts";

for (const version of MEASURED_VERSIONS) realFeatures(version, EXPECTED[version]);
