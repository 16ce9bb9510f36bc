/** A command that waits at a gate, under a name that is the same in each run. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Gate } from "../real/real-replies.ts";
import type { Stage } from "./scenario.ts";

export function commandAt({ place }: Stage, { command }: Pick<Gate, "command">): string {
  writeFileSync(join(place.home.project, "wait.sh"), command);
  return "sh wait.sh";
}
