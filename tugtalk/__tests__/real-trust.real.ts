/** Trust in a folder with real CLIs. */
import { realTrust } from "../testing/real/real-trust.ts";

for (const version of ["2.1.38", "2.1.197", "2.1.330"]) realTrust(version);
