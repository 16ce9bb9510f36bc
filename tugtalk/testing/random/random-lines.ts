/**
 * Lines of Claude in an order that no CLI prints: every kind, with ids from small sets, so that they
 * repeat; sometimes with a field missing or of another type.
 */
import * as fc from "fast-check";
import { fixtureOf, KIND_FIXTURES, type Line } from "../captures/kind-fixtures.ts";
import { promptLine, questionLine } from "../drivers/test-lines.ts";
import { type Fields, fieldsOf } from "../observer/observed.ts";
import { altered, type Change, change } from "./altered-json.ts";
import type { BridgeHarness, Process } from "./bridge-harness.ts";

/** One line, as numbers that choose its kind and its ids. */
export type RandomLine = {
  readonly kind: number;
  readonly ids: number;
  readonly index: number;
  readonly odd: Change | null;
};

/** Kinds that make up a turn; the rest are notifications. */
const OF_TURN =
  /^(assistant|user|result|stream_event|control_|command_lifecycle|conversation_reset|system\/(init$|status|compact|task_|model_refusal_fallback|background))/;

const TURN_LINES: readonly Line[] = [
  ...KIND_FIXTURES.filter(({ kind }) => OF_TURN.test(kind)).map(({ line }) => line),
  promptLine("r"),
  questionLine("r"),
];
const OTHER_LINES: readonly Line[] = [
  ...KIND_FIXTURES.filter(({ kind }) => !OF_TURN.test(kind)).map(({ line }) => line),
  { type: "brand_new", subtype: "of_a_kind" },
  { type: "system", subtype: "brand_new" },
];

const small = fc.nat({ max: 1000 });

export const randomLine: fc.Arbitrary<RandomLine> = fc.record({
  kind: fc.oneof(
    { weight: 8, arbitrary: fc.nat({ max: TURN_LINES.length - 1 }) },
    {
      weight: 1,
      arbitrary: fc.integer({
        min: TURN_LINES.length,
        max: TURN_LINES.length + OTHER_LINES.length - 1,
      }),
    },
  ),
  ids: small,
  index: fc.nat({ max: 3 }),
  odd: fc.option(change, { freq: 6 }),
});

/** The line, with current ids. */
export function lineOf(harness: BridgeHarness, process: Process, random: RandomLine): Fields {
  const template =
    TURN_LINES[random.kind] ??
    OTHER_LINES[random.kind - TURN_LINES.length] ??
    fixtureOf("keep_alive");
  const placed = fieldsOf(withIds(template, idsFor(harness, process, random)));
  return random.odd === null ? placed : fieldsOf(altered(placed, [random.odd]));
}

type Ids = Readonly<Record<string, unknown>>;

/** The value of each key that holds an id. */
function idsFor(harness: BridgeHarness, { claude }: Process, { ids, index }: RandomLine): Ids {
  const { pid } = claude.process;
  const pick = <Item>(...items: readonly Item[]) => items[ids % items.length];
  const tool = pick(`t${pid}-a`, `t${pid}-b`, `t${pid}-1`);
  const written = claude.writes;
  const uuids = written.flatMap(({ uuid }) => (typeof uuid === "string" ? [uuid] : []));
  const ours = written.flatMap(({ type, request_id }) =>
    type === "control_request" ? [request_id] : [],
  );
  const uuid = pick(...uuids, `u${pid}-a`, `u${pid}-b`, harness.newId());
  return {
    id: pick(`m${pid}-a`, `m${pid}-b`, tool),
    tool_use_id: tool,
    parent_tool_use_id: pick(null, null, tool),
    task_id: pick("task-a", "task-b"),
    agent_id: pick("task-a", "task-b"),
    request_id: pick(`r${pid}-a`, `r${pid}-b`, `r${pid}-${harness.newId()}`),
    response_to: pick(...ours.toReversed(), "never asked"),
    uuid,
    command_uuid: uuid,
    user_message_uuids: [uuid],
    supersedes: [`u${pid}-a`],
    retracted_message_uuids: [`u${pid}-b`],
    session_id: pick(harness.sessionId, harness.sessionId, harness.newId()),
    index,
  };
}

/** A copy in which each known key has its new value. */
function withIds(value: unknown, ids: Ids, key = ""): unknown {
  if (Array.isArray(value)) return value.map((item) => withIds(item, ids, key));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => {
      if (key === "response" && name === "request_id") return [name, ids["response_to"]];
      // Inputs and raw lines stay as they are.
      if (name === "input" || name === "raw") return [name, item];
      return Object.hasOwn(ids, name) && item !== undefined
        ? [name, ids[name]]
        : [name, withIds(item, ids, name)];
    }),
  );
}
