/** Two bridges in one folder at one time, with the versions that may meet there. */
import { realNeighbours } from "../testing/real/real-neighbours.ts";

for (const version of ["2.1.197", "2.1.330"]) realNeighbours(version);
