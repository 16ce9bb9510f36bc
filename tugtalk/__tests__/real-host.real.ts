/** The reference host with real CLIs. */
import { realHost } from "../testing/real/real-host.ts";

for (const version of ["2.1.197", "2.1.330"]) realHost(version);
