/** Kills of a real `claude`, with the versions that differ. */
import { type Repair, realFaults, realFirstStream } from "../testing/real/real-faults.ts";

const NO_ANSWER = "assistant: No response requested.";
const NO_RESULT =
  "[Tool call interrupted: the session ended before this call's result was recorded, so its outcome is unknown. Check whether it took effect before relying on it or running it again.]";

const REPAIRS: Readonly<Record<string, Repair>> = {
  "2.1.197": { text: [NO_ANSWER], call: () => [NO_ANSWER] },
  "2.1.330": {
    text: [NO_ANSWER],
    call: (tool) => [`assistant calls ${tool}`, `user has the result "${NO_RESULT}"`, NO_ANSWER],
  },
};

for (const [version, repair] of Object.entries(REPAIRS)) {
  realFaults(version, repair);
  realFirstStream(version, false);
}
realFirstStream("2.1.38", true);
