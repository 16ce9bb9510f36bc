/** Messages in Claude's own queue, with the versions that deal with them in different ways. */
import {
  realBlockedTurn,
  realDroppedQueue,
  realLeftQueue,
  realRecalls,
} from "../testing/real/real-steered.ts";

realLeftQueue("2.1.38", ["failed"]);
for (const version of ["2.1.197", "2.1.330"]) {
  realLeftQueue(version, ["cancelled", "reason"]);
  realRecalls(version);
  realBlockedTurn(version);
}
realDroppedQueue("2.1.330");
