/** Interrupts while no model call and no tool runs, with the versions that differ. */
import { MEASURED_VERSIONS } from "../simulator/measured-versions.ts";
import { realBackgroundInterrupts, realStopHooks } from "../testing/real/real-interrupts.ts";

for (const version of MEASURED_VERSIONS) realStopHooks(version);
realBackgroundInterrupts("2.1.330");
