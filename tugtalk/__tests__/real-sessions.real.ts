/** Conversations that outlive a bridge, with every measured version of the CLI. */
import { MEASURED_VERSIONS } from "../simulator/measured-versions.ts";
import { realResume } from "../testing/real/real-resume.ts";

for (const version of MEASURED_VERSIONS) realResume(version);
