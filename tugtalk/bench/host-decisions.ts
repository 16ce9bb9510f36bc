/**
 * The time of a decision from a client's POST to Claude's stdin, through host and bridge. The stand-in
 * reports its input over a socket, so the times include that way.
 */

import { openFaultControl } from "../testing/drivers/controlled-claude.ts";
import { askingTurn } from "../testing/drivers/host-conversations.ts";
import { endHosts, startHost } from "../testing/drivers/host-process.ts";
import { emitted, fastEnough, median, percentile, report, sized } from "./findings.ts";

const DECISIONS = sized(1000, 100);
/** The first decisions compile code, and are not measured. */
const WARM_UP = 50;
const P99_LIMIT_MS = 25;
/** No decision may take longer. */
const LIMIT_MS = 500;

async function measure(): Promise<readonly number[]> {
  const host = await startHost();
  const control = openFaultControl();
  const ids = Array.from({ length: WARM_UP + DECISIONS }, (_, index) => `decision-${index}`);
  const conversation = ids.flatMap((id) => askingTurn({ id }));
  const creating = host.createSession({ conversation, claudeEnv: control.env });
  const claude = await control.first;
  await claude.apply({ order: "listen" });
  const session = await creating;
  const events = await session.events();
  const times: number[] = [];
  for (const id of ids) {
    await session.message("go");
    await events.next(
      ({ type, data }) => type === "control_request_forward" && data["request_id"] === id,
    );
    const start = performance.now();
    const reply = session.run("approve", { requestId: id, decision: "allow" });
    await claude.hasHeard(`"request_id":"${id}"`);
    times.push(performance.now() - start);
    const { status } = await reply;
    if (status !== 200) throw new Error(`the decision ${id} was answered with ${status}`);
    await events.next("turn_complete");
  }
  control.close();
  return times.slice(WARM_UP);
}

try {
  const times = await measure();
  report(`${times.length} decisions, from the POST of a client to the stdin of Claude`, [
    emitted("median", `${median(times).toFixed(2)} ms`),
    fastEnough("99th percentile", percentile(times, 0.99), P99_LIMIT_MS, "ms"),
    fastEnough("slowest", Math.max(...times), LIMIT_MS, "ms"),
  ]);
} finally {
  await endHosts();
}
