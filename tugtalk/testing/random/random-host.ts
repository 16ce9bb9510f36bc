/** The messages that a host may send at any moment: every type, with ids that exist, existed or never did. */
import * as fc from "fast-check";
import { BAD_LINES } from "../drivers/bad-host-lines.ts";
import { type Fields, fieldsOf } from "../observer/observed.ts";
import type { BridgeHarness } from "./bridge-harness.ts";

/** One message, as numbers that choose its fields. */
export type RandomMessage = { readonly type: keyof typeof MESSAGES; readonly pick: number };

/** Builds a message for a number, with the ids of the harness. */
type Build = (harness: BridgeHarness, pick: number) => Fields;

const of = <Item>(pick: number, items: readonly Item[]): Item => {
  const item = items[pick % items.length];
  if (item === undefined) throw new Error("there is nothing to pick from");
  return item;
};

/** Output as V38 prints it, and as the trace of a model change. */
const QUOTED = [
  "<local-command-stdout>$1</local-command-stdout>",
  "<local-command-stdout>Set model to x</local-command-stdout>",
] as const;
const TEXTS = [
  "hello",
  "go on",
  "/cost",
  "/clear",
  "/compact",
  "",
  "\u2028\ud800",
  ...QUOTED,
] as const;
const MODES = ["default", "plan", "acceptEdits", "bypassPermissions", "auto"] as const;
const IMAGE = { filename: "a.png", media_type: "image/png", content: "iVBORw0KGgoAAAAA" };

/** The tool of the host that the model of Claude calls. */
export const LEVEL = {
  name: "level",
  description: "The level of the water at a place.",
  input_schema: { type: "object" },
};

const MESSAGES = {
  user_message: (harness, pick) => ({
    text: of(pick, TEXTS),
    ...of(pick, [
      {},
      {},
      { message_id: harness.newId() },
      { message_id: messageId(harness, pick) },
    ]),
    ...of(pick >> 2, [
      {},
      {},
      { delivery: "steer" },
      { delivery: "steer" },
      { delivery: "replace" },
      { delivery: "now" },
    ]),
    ...of(pick >> 5, [
      {},
      {},
      {},
      { attachments: [IMAGE] },
      { attachments: [{ ...IMAGE, content: "" }] },
    ]),
  }),
  steer: (harness) => ({
    type: "user_message",
    text: "by the way",
    delivery: "steer",
    message_id: harness.newId(),
  }),
  now: (harness) => ({
    type: "user_message",
    text: "at once",
    delivery: "now",
    message_id: harness.newId(),
  }),
  answer: (harness, pick) => answerTo(prompt(harness, pick), pick),
  tool_approval: (harness, pick) => ({
    request_id: promptId(harness, pick),
    decision: of(pick, ["allow", "deny"]),
    ...of(pick >> 1, [{}, { interrupt: true }, { updatedInput: { a: 1 } }, { message: "no" }]),
  }),
  question_answer: (harness, pick) => ({
    request_id: promptId(harness, pick),
    answers: of(pick, [{}, { "no such question": "a" }]),
    ...of(pick >> 1, [{}, { response: "words" }]),
  }),
  elicitation_answer: (harness, pick) => ({
    request_id: promptId(harness, pick),
    action: of(pick, ["accept", "decline", "cancel"]),
  }),
  dialog_answer: (harness, pick) => ({
    request_id: promptId(harness, pick),
    behavior: of(pick, ["completed", "cancelled"]),
  }),
  interrupt: (_world, pick) =>
    of(pick, [{}, {}, { cancel_queued: true }, { include_background: true }]),
  permission_mode: (_world, pick) => ({ mode: of(pick, MODES) }),
  model_change: (_world, pick) => ({ model: of(pick, ["opus", null]) }),
  cancel_message: (harness, pick) => ({ message_id: messageId(harness, pick) }),
  stop_task: (_world, pick) => ({ task_id: of(pick, ["task-a", "never"]) }),
  host_tools: (_world, pick) => ({
    tools: of(pick, [[LEVEL], [], [LEVEL, { ...LEVEL, name: "other" }], [LEVEL, LEVEL]]),
  }),
  host_tool_answer: (harness, pick) => ({
    request_id: promptId(harness, pick),
    ...of(pick >> 1, [{ text: "high" }, { text: "none", is_error: true }, { text: 1 }, {}]),
  }),
  hook_answer: (harness, pick) => ({
    request_id: promptId(harness, pick),
    ...of(pick >> 1, [
      {},
      { decision: "deny", reason: "not now" },
      { decision: "deny" },
      { decision: "perhaps" },
      { context: "by the way" },
      { stop: "enough" },
    ]),
  }),
  control: (_world, pick) => ({
    subtype: of(pick, [
      "mcp_status",
      "mcp_call",
      "set_color",
      "apply_flag_settings",
      "get_settings",
    ]),
    tool: "mcp__s__ask",
    settings: {},
    color: "red",
  }),
  session_list: () => ({}),
  session_history: (harness) => ({ session_id: harness.sessionId }),
  protocol_init: (_world, pick) => ({ version: of(pick, [2, 1, 3]) }),
} as const satisfies Record<string, Build>;

const TYPES = Object.keys(MESSAGES) as (keyof typeof MESSAGES)[];
const FREQUENT: readonly RandomMessage["type"][] = ["user_message", "steer", "answer", "interrupt"];

export const randomMessage: fc.Arbitrary<RandomMessage> = fc.record({
  type: fc.oneof(
    { weight: 3, arbitrary: fc.constantFrom(...FREQUENT) },
    { weight: 2, arbitrary: fc.constantFrom(...TYPES) },
  ),
  pick: fc.nat({ max: 1000 }),
});

/** The message, with current ids and an `id` of its own. */
export function messageOf(harness: BridgeHarness, { type, pick }: RandomMessage): Fields {
  return { type, id: harness.newId(), ...MESSAGES[type](harness, pick) };
}

/** A message that changes the conversation. */
export function sessionCommand(harness: BridgeHarness, pick: number): Fields {
  const { sessionId: session_id } = harness;
  const commands = [
    { command: "new" },
    { command: "fork" },
    { command: "continue" },
    { command: "resume", session_id },
    { command: "resume" },
    { command: "fork", session_id, at_message: session_id },
  ] as const;
  return { type: "session_command", id: harness.newId(), ...of(pick, commands) };
}

/** Lines that are no messages, without the longest, which only cost time. */
const SHORT_BAD_LINES = BAD_LINES.filter(({ line }) => line.length < 1000);

export const badLine: fc.Arbitrary<number> = fc.nat({ max: SHORT_BAD_LINES.length - 1 });

/** One of them. */
export function badLineOf(pick: number): string | Uint8Array {
  return SHORT_BAD_LINES[pick]?.line ?? "";
}

/** A prompt of the host: mostly the newest. */
function prompt({ host }: BridgeHarness, pick: number): Fields | undefined {
  const prompts = host.prompts.toReversed();
  return prompts[pick % 3] ?? prompts[0];
}

function promptId(harness: BridgeHarness, pick: number): unknown {
  return (pick % 5 === 0 ? undefined : prompt(harness, pick)?.["request_id"]) ?? "never asked";
}

/** The answer that a well-behaved host gives to a prompt. */
export function answerTo(asked: Fields | undefined, pick: number): Fields {
  const request_id = asked?.["request_id"] ?? "never asked";
  const { type, is_question, input } = asked ?? {};
  if (type === "elicitation_request")
    return { type: "elicitation_answer", request_id, action: "accept", content: { name: "a" } };
  if (type === "dialog_request")
    return { type: "dialog_answer", request_id, behavior: "completed" };
  if (type === "host_tool_request") return { type: "host_tool_answer", request_id, text: "high" };
  if (type === "hook_request") return { type: "hook_answer", request_id };
  if (is_question !== true)
    return { type: "tool_approval", request_id, decision: of(pick, ["allow", "deny"]) };
  const { questions } = fieldsOf(input);
  const first = fieldsOf(Array.isArray(questions) ? questions[0] : undefined);
  const question = typeof first["question"] === "string" ? first["question"] : "none";
  return { type: "question_answer", request_id, answers: { [question]: "Red" } };
}

/** A message that the host has sent: mostly one of the newest. */
function messageId({ host }: BridgeHarness, pick: number): unknown {
  const ids = host.received.flatMap(({ type, message_id }) =>
    type === "message_status" ? [message_id] : [],
  );
  return ids.toReversed()[pick % 4] ?? ids.at(-1) ?? "11111111-2222-4333-8444-555555555555";
}
