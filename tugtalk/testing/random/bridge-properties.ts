/** The properties of every bridge, whatever its host and its Claude do. Each property is checked in many runs. */
import * as fc from "fast-check";
import { describe, fieldsOf } from "../observer/observed.ts";
import type { BridgeHarness } from "./bridge-harness.ts";
import {
  checkAnswers,
  checkRecovery,
  end,
  goodSetup,
  open,
  runSetup,
  walk,
} from "./harness-run.ts";
import type { Check } from "./property-check.ts";
import { chunksOf, claudeBytes, hostBytes } from "./random-bytes.ts";
import { answerTo } from "./random-host.ts";
import { anyStep, goodStep } from "./random-steps.ts";
import { RunStatistics } from "./run-statistics.ts";

/** Something that is checked in many runs. */
export type Property = {
  readonly name: string;
  /** Its share of all runs, in percent. */
  readonly share: number;
  /** Events that must have happened in some run; without them the property was not tested. */
  readonly events: readonly string[];
  readonly statistics: RunStatistics;
  readonly check: (runs: number, limitMs: number) => Check<unknown>;
};

/** How many steps a run has at most. */
const STEPS = { maxLength: 50, size: "max" } as const;

type Chosen = Pick<Property, "name" | "share" | "events">;

/** A property of runs with one bridge or several. */
export function property<Value>(
  chosen: Chosen,
  values: fc.Arbitrary<Value>,
  live: (value: Value) => Promise<BridgeHarness | readonly BridgeHarness[]>,
): Property {
  const statistics = new RunStatistics();
  const faultsOf = async (value: unknown) => {
    const harnesses = [await live(value as Value)].flat();
    for (const harness of harnesses) statistics.add(harness);
    return harnesses.flatMap((harness, at) =>
      harness.brokenGuarantees().map((fault) => `bridge ${at}: ${fault}`),
    );
  };
  const { name } = chosen;
  return {
    ...chosen,
    statistics,
    check: (runs, limitMs) => ({ name, values, runs, limitMs, faultsOf }),
  };
}

/** Host, Claude and machine do anything; afterwards the bridge still answers, and ends. */
const ANYTHING = property(
  {
    name: "whatever host, Claude and machine do, the guarantees hold and the bridge still answers",
    share: 45,
    events: [
      "a run of three turns",
      "a run of three processes",
      "transcript_lines",
      ...["success", "error", "cancelled"].map((result) => `turn_complete ${result}`),
      ...["exited", "session_command", "shutdown"].map((reason) => `turn_cancelled ${reason}`),
      ...["completed", "cancelled", "rejected", "failed"].map((end) => `message_status ${end}`),
      ...["allow", "deny", "answered"].map((outcome) => `control_request_resolved ${outcome}`),
      ...["interrupted", "exited", "withdrawn", "timeout"].map(
        (why) => `control_request_cancel ${why}`,
      ),
      "hook_request",
      ...["assistant_text", "thinking_text", "tool_use"].flatMap((block) =>
        ["complete", "abandoned"].map((end) => `${block} ${end}`),
      ),
      ...["claude_start_failed", "stale_request", "queue_full"].map((code) => `error ${code}`),
    ],
  },
  fc.record({ runSetup, steps: fc.array(anyStep, STEPS), recovers: fc.boolean() }),
  async ({ runSetup: chosen, steps, recovers }) => {
    const harness = await open(chosen);
    await walk(harness, steps);
    await checkAnswers(harness);
    if (recovers) await checkRecovery(harness);
    await end(harness);
    return harness;
  },
);

/** Where both follow their protocols, every message is settled and there is no error. */
const GOOD_PEERS = property(
  {
    name: "where host and Claude follow their protocols, every message is settled",
    share: 15,
    events: [
      "a run of three turns",
      "turn_complete success",
      "turn_complete cancelled",
      "control_request_resolved allow",
      "control_request_resolved answered",
      "host_tool_request",
      "hook_request",
      "tool_result",
      "message_status completed",
    ],
  },
  fc.record({ runSetup: goodSetup, steps: fc.array(goodStep, STEPS) }),
  async ({ runSetup: chosen, steps }) => {
    const harness = await open(chosen);
    await walk(harness, steps);
    await finishAll(harness);
    harness.faults.push(...unfinished(harness), ...unexpectedMessages(harness));
    if (chosen.version === "2.1.330")
      harness.faults.push(...refusals(harness), ...misplaced(harness));
    await end(harness);
    return harness;
  },
);

/** No bytes from the host crash the bridge or break a guarantee. */
const HOST_BYTES = property(
  {
    name: "no bytes from the host crash the bridge",
    share: 20,
    events: ["error bad_json", "error bad_message", "error unknown_type", "turn_complete success"],
  },
  fc.record({ runSetup, bytes: hostBytes, isEarly: fc.boolean() }),
  async ({ runSetup: chosen, bytes, isEarly }) => {
    const harness = await open(chosen);
    if (!isEarly) await finishAll(harness);
    for (const chunk of chunksOf(bytes)) {
      harness.host.sendNoise(chunk);
      await harness.settle();
    }
    await checkAnswers(harness);
    await checkRecovery(harness);
    await end(harness);
    return harness;
  },
);

/** No bytes from Claude do, in a turn or between turns; the lines after them count. */
const CLAUDE_BYTES = property(
  {
    name: "no bytes from Claude crash the bridge",
    share: 20,
    events: ["unknown_event", "turn_complete success", "turn_cancelled exited"],
  },
  fc.record({ runSetup, steps: fc.array(goodStep, { maxLength: 10 }), bytes: claudeBytes }),
  async ({ runSetup: chosen, steps, bytes }) => {
    const harness = await open(chosen);
    await walk(harness, steps);
    for (const chunk of chunksOf(bytes)) {
      void harness.process?.claude.print(chunk);
      await harness.settle();
    }
    if (harness.process !== undefined)
      await harness.printLine(harness.process, { type: "brand_new" });
    await checkAnswers(harness);
    await checkRecovery(harness);
    await end(harness);
    return harness;
  },
);

/** All of them. */
export const PROPERTIES: readonly Property[] = [ANYTHING, GOOD_PEERS, HOST_BYTES, CLAUDE_BYTES];

/** More moves than a run of that length can need. */
const MAX_MOVES = 500;

/** The host answers every prompt, and Claude finishes its work. */
async function finishAll(harness: BridgeHarness): Promise<void> {
  for (let move = 0; move < MAX_MOVES; move += 1) {
    const { process, host } = harness;
    if (process === undefined) return;
    for (const prompt of host.openPrompts)
      host.send({ id: harness.newId(), ...answerTo(prompt, 0) });
    await harness.settle();
    for (const line of process.model.work(0)) await harness.printLine(process, line);
    const state = host.received.findLast(({ type }) => type === "session_state");
    if (state?.["state"] === "idle" && unfinished(harness).length === 0) return;
  }
}

function unfinished({ host }: BridgeHarness): string[] {
  const last = new Map<unknown, unknown>();
  for (const { type, message_id, status } of host.received) {
    if (type === "message_status") last.set(message_id, status);
  }
  return [...last]
    .filter(([, status]) => !["completed", "cancelled", "rejected"].includes(String(status)))
    .map(([id, status]) => `message ${id} is ${status} in the end`);
}

/** 2.1.330 withdraws by itself the prompts that end with their turn, so the bridge refuses none. */
function refusals({ host, processes }: BridgeHarness): string[] {
  const cancelled = host.received.flatMap(({ type, reason, request_id }) =>
    type === "control_request_cancel" && reason !== "timeout" ? [request_id] : [],
  );
  return processes
    .flatMap(({ claude }) => claude.writes)
    .map(({ response }) => fieldsOf(response)["request_id"])
    .filter((id) => cancelled.includes(id))
    .map((id) => `request ${id} is refused while its asker still works`);
}

/** Work of background agents, and of agents below them, belongs to no turn. */
function misplaced({ host, processes }: BridgeHarness): string[] {
  const ids = processes.map(({ model }) => model.backgroundIds);
  return host.received
    .filter(({ turn_id }) => turn_id !== undefined)
    .filter(({ request_id, msg_id, tool_use_id }) =>
      ids.some((one) => [request_id, msg_id, tool_use_id].some((id) => one.has(id))),
    )
    .map((message) => `${describe(message)} of a background agent names a turn`);
}

/** Messages that a host must not get from a Claude that follows the protocol. */
function unexpectedMessages({ host }: BridgeHarness): string[] {
  return host.received
    .filter(
      ({ type, source }) => type === "unknown_event" || (type === "error" && source === "claude"),
    )
    .map((message) => `the host gets ${JSON.stringify(message)}`);
}
