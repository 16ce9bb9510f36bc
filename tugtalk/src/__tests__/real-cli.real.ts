/** The bridge with the real CLI of the newest measured version. Needs the npm registry once. */
import { EXPECTED } from "./support/real-expected.ts";
import { realList } from "./support/real-list.ts";

realList("2.1.330", EXPECTED["2.1.330"]);
