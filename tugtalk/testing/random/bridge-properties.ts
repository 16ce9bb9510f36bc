/** What holds for every bridge, whatever its host and its Claude do. Each property is a life of a world. */
import * as fc from "fast-check";
import type { World } from "../model/world.ts";
import {
  beginning,
  checkAnswers,
  checkRecovery,
  end,
  goodBeginning,
  open,
  walk,
} from "../model/world-run.ts";
import { WorldStatistics } from "../model/world-statistics.ts";
import { describe, fieldsOf } from "../observer/observed.ts";
import type { Check } from "./property-check.ts";
import { chunksOf, claudeBytes, hostBytes } from "./random-bytes.ts";
import { answerTo } from "./random-host.ts";
import { anyStep, goodStep } from "./random-steps.ts";

/** Something that is checked in many lives. */
export type Property = {
  readonly name: string;
  /** Its part of all lives, in hundredths. */
  readonly share: number;
  /** What must have happened in some life, or the property was not put to the test. */
  readonly events: readonly string[];
  readonly statistics: WorldStatistics;
  readonly check: (runs: number, limitMs: number) => Check<unknown>;
};

/** The longest lives, in steps. */
const STEPS = { maxLength: 50, size: "max" } as const;

type Chosen = Pick<Property, "name" | "share" | "events">;

function property<Value>(
  chosen: Chosen,
  values: fc.Arbitrary<Value>,
  live: (value: Value) => Promise<World>,
): Property {
  const statistics = new WorldStatistics();
  const faultsOf = async (value: unknown) => {
    const world = await live(value as Value);
    statistics.add(world);
    return world.broken();
  };
  const { name } = chosen;
  return {
    ...chosen,
    statistics,
    check: (runs, limitMs) => ({ name, values, runs, limitMs, faultsOf }),
  };
}

/** Host, Claude and machine do anything at all; in the end the bridge still serves, and ends. */
const ANYTHING = property(
  {
    name: "whatever host, Claude and machine do, the guarantees hold and the bridge goes on",
    share: 45,
    events: [
      "a run of three turns",
      "a run of three processes",
      ...["success", "error", "cancelled"].map((result) => `turn_complete ${result}`),
      ...["exited", "session_command", "shutdown"].map((reason) => `turn_cancelled ${reason}`),
      ...["completed", "cancelled", "rejected", "failed"].map((end) => `message_status ${end}`),
      ...["allow", "deny", "answered"].map((outcome) => `control_request_resolved ${outcome}`),
      ...["interrupted", "exited", "withdrawn"].map((why) => `control_request_cancel ${why}`),
      ...["assistant_text", "thinking_text", "tool_use"].flatMap((block) =>
        ["complete", "abandoned"].map((end) => `${block} ${end}`),
      ),
      ...["claude_start_failed", "stale_request", "queue_full"].map((code) => `error ${code}`),
    ],
  },
  fc.record({ beginning, steps: fc.array(anyStep, STEPS), recovers: fc.boolean() }),
  async ({ beginning: chosen, steps, recovers }) => {
    const world = await open(chosen);
    await walk(world, steps);
    await checkAnswers(world);
    if (recovers) await checkRecovery(world);
    await end(world);
    return world;
  },
);

/** Where both keep to their protocols, every message comes to its end and nothing goes wrong. */
const GOOD_PEERS = property(
  {
    name: "where host and Claude keep to their protocols, every message comes to its end",
    share: 15,
    events: [
      "a run of three turns",
      "turn_complete success",
      "turn_complete cancelled",
      "control_request_resolved allow",
      "control_request_resolved answered",
      "tool_result",
      "message_status completed",
    ],
  },
  fc.record({ beginning: goodBeginning, steps: fc.array(goodStep, STEPS) }),
  async ({ beginning: chosen, steps }) => {
    const world = await open(chosen);
    await walk(world, steps);
    await finishAll(world);
    world.faults.push(...unfinished(world), ...complaints(world));
    if (chosen.version === "2.1.330") world.faults.push(...refusals(world), ...misplaced(world));
    await end(world);
    return world;
  },
);

/** No bytes of the host's bring the bridge down, or to anything that it should not do. */
const HOST_BYTES = property(
  {
    name: "no bytes of the host's bring the bridge down",
    share: 20,
    events: ["error bad_json", "error bad_message", "error unknown_type", "turn_complete success"],
  },
  fc.record({ beginning, bytes: hostBytes, isEarly: fc.boolean() }),
  async ({ beginning: chosen, bytes, isEarly }) => {
    const world = await open(chosen);
    if (!isEarly) await finishAll(world);
    for (const chunk of chunksOf(bytes)) {
      world.host.sendNoise(chunk);
      await world.settle();
    }
    await checkAnswers(world);
    await checkRecovery(world);
    await end(world);
    return world;
  },
);

/** No bytes of Claude's do, in a turn or between turns; what follows them counts. */
const CLAUDE_BYTES = property(
  {
    name: "no bytes of Claude's bring the bridge down",
    share: 20,
    events: ["unknown_event", "turn_complete success", "turn_cancelled exited"],
  },
  fc.record({ beginning, steps: fc.array(goodStep, { maxLength: 10 }), bytes: claudeBytes }),
  async ({ beginning: chosen, steps, bytes }) => {
    const world = await open(chosen);
    await walk(world, steps);
    for (const chunk of chunksOf(bytes)) {
      void world.process?.claude.print(chunk);
      await world.settle();
    }
    if (world.process !== undefined) await world.say(world.process, { type: "brand_new" });
    await checkAnswers(world);
    await checkRecovery(world);
    await end(world);
    return world;
  },
);

/** All of them. */
export const PROPERTIES: readonly Property[] = [ANYTHING, GOOD_PEERS, HOST_BYTES, CLAUDE_BYTES];

// ------------------------------------------------------------------------------------- good peers

/** More moves than any life of that length leaves to be made. */
const ENOUGH_MOVES = 500;

/** The host answers all that it is asked, and Claude brings all that it has to its end. */
async function finishAll(world: World): Promise<void> {
  for (let move = 0; move < ENOUGH_MOVES; move += 1) {
    const { process, host } = world;
    if (process === undefined) return;
    for (const prompt of host.openPrompts) host.send({ id: world.newId(), ...answerTo(prompt, 0) });
    await world.settle();
    for (const line of process.model.work(0)) await world.say(process, line);
    const state = host.received.findLast(({ type }) => type === "session_state");
    if (state?.["state"] === "idle" && unfinished(world).length === 0) return;
  }
}

function unfinished({ host }: World): string[] {
  const last = new Map<unknown, unknown>();
  for (const { type, message_id, status } of host.received) {
    if (type === "message_status") last.set(message_id, status);
  }
  return [...last]
    .filter(([, status]) => !["completed", "cancelled", "rejected"].includes(String(status)))
    .map(([id, status]) => `message ${id} is ${status} in the end`);
}

/** 2.1.330 takes back by itself what dies with its turn: nothing is left to be refused while it lives. */
function refusals({ host, processes }: World): string[] {
  const cancelled = host.received.flatMap(({ type, reason, request_id }) =>
    type === "control_request_cancel" && reason !== "timeout" ? [request_id] : [],
  );
  return processes
    .flatMap(({ claude }) => claude.writes)
    .map(({ response }) => fieldsOf(response)["request_id"])
    .filter((id) => cancelled.includes(id))
    .map((id) => `request ${id} is refused while whoever asked still works`);
}

/** Work of background agents, and of agents below them, belongs to no turn. */
function misplaced({ host, processes }: World): string[] {
  const ids = processes.map(({ model }) => model.backgroundIds);
  return host.received
    .filter(({ turn_id }) => turn_id !== undefined)
    .filter(({ request_id, msg_id }) => ids.some((one) => one.has(request_id) || one.has(msg_id)))
    .map((message) => `${describe(message)} of a background agent names a turn`);
}

/** What a host must not hear of a Claude that does nothing wrong. */
function complaints({ host }: World): string[] {
  return host.received
    .filter(
      ({ type, source }) => type === "unknown_event" || (type === "error" && source === "claude"),
    )
    .map((message) => `the host is told ${JSON.stringify(message)}`);
}
