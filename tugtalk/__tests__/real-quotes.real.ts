/** Texts that quote the output of a local command, with every measured version. */
import { MEASURED_VERSIONS } from "../simulator/measured-versions.ts";
import { realEffort, realQuotes } from "../testing/real/real-quotes.ts";

for (const version of MEASURED_VERSIONS) realQuotes(version);
realEffort("2.1.330");
