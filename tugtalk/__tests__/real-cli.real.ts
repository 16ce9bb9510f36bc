/** The bridge with the real CLI of every measured version. Needs the npm registry once. */
import { MEASURED_VERSIONS } from "../simulator/measured-versions.ts";
import { EXPECTED } from "../testing/real/real-expected.ts";
import { realList } from "../testing/real/real-list.ts";

for (const version of MEASURED_VERSIONS) realList(version, EXPECTED[version]);
