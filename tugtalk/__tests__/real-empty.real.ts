/** Conversations that are not on disk, with the versions that have `/clear`. */
import { realEmpty } from "../testing/real/real-empty.ts";

for (const version of ["2.1.197", "2.1.330"]) realEmpty(version);
