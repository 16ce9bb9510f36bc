/** The delay of the host's tools and hooks, and their cost in a contender's processor time. */
import { percentile, sized } from "../findings.ts";
import { startCpuMeter } from "../process-costs.ts";
import { at } from "./dialects.ts";
import type { Peer } from "./peer.ts";
import { type Measures, type Scenario, withWarmPeer } from "./scenario.ts";
import { promptInput } from "./turn-plan.ts";

const FIRST = sized(200, 50);
const NEXT = sized(2000, 100);

/** The first requests run in code that is not compiled yet. */
function programScenario(name: string, of: "tool" | "hook", what: string): Scenario {
  return {
    name,
    what: `${what} one by one, the first ${FIRST} and the next ${NEXT}`,
    asksProgram: true,
    measure: async (contender, setting) =>
      await withWarmPeer({ ...contender, ...contender.program }, setting, async (peer) => ({
        ...(await askProgram(peer, of, FIRST, "first ")),
        ...(await askProgram(peer, of, NEXT)),
      })),
  };
}

/**
 * The time from the stand-in's write of a request to its read of the answer. Throws if an answer is not the
 * host's.
 */
async function askProgram(
  peer: Peer,
  of: "tool" | "hook",
  count: number,
  prefix = "",
): Promise<Measures> {
  const spentMs = startCpuMeter(peer.pid);
  const { answers, answerUs } = await peer.turn([{ kind: "program", of, count }], () => {});
  const cpuUs = (spentMs() * 1000) / count;
  const right = answers.filter((answer, number) => textIn(answer) === pathOf(number)).length;
  if (right < count) throw new Error(`${right} of ${count} answers are those of the host`);
  return { [`${prefix}p50 µs`]: percentile(answerUs, 0.5), [`${prefix}CPU µs/call`]: cpuUs };
}

/** The host's answer. */
function textIn(answer: unknown): unknown {
  const result = at(answer, "mcp_response", "result", "content", "0", "text");
  return result ?? at(answer, "hookSpecificOutput", "permissionDecisionReason");
}

/** The host names the file of the request. */
function pathOf(number: number): unknown {
  return promptInput(number)["file_path"];
}

export const PROGRAM_SCENARIOS: readonly Scenario[] = [
  programScenario("tool-calls", "tool", "calls of a tool of the host"),
  programScenario("hook-calls", "hook", "hooks of the host before a tool"),
];
