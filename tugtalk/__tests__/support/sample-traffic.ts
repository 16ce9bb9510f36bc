/** The life of one bridge as its pipes saw it, short and without a fault, and ways to spoil it. Made up. */
import type {
  Fields,
  LineOutcome,
  Message,
  Observed,
  Traffic,
} from "../../testing/observer/observed.ts";
import { observe } from "../../testing/observer/observer.ts";

const ID = "00000000-0000-4000-8000-000000000001";

/** A message of the contract; its number is its place. */
export type Draft = Fields & { readonly type: string };

export const ack = {
  type: "protocol_ack",
  version: 2,
  instance_id: ID,
  tugtalk_version: "0.0.0",
  capabilities: { inbound: [] },
  in_reply_to: "init",
};
export const up: Draft = { type: "process_started", pid: 1, args: [] };
export const down: Draft = {
  type: "process_exit",
  pid: 1,
  exit_code: 0,
  signal: null,
  expected: true,
  stderr_tail: "",
  will_restart: false,
};
const receipt = { type: "message_status", message_id: "a" };
export const queued: Draft = { ...receipt, status: "queued", in_reply_to: "say" };
export const started = { ...receipt, status: "started", turn_id: "t" };
export const completed: Draft = { ...started, status: "completed" };
const turn = { turn_id: "t", message_ids: ["a"], trigger: "user" };
export const begin = { type: "turn_started", ...turn };
export const cost = { type: "cost_update", turn_id: "t" };
export const finish = {
  type: "turn_complete",
  ...turn,
  result: "success",
  subtype: "success",
  is_error: false,
  permission_denials: [],
};
export const cutOff = { type: "turn_cancelled", ...turn, partial_result: "", reason: "exited" };
/** Another turn, and its end. */
export const other: Draft = { ...begin, turn_id: "u", message_ids: [] };
export const otherEnd: Draft = { ...cutOff, turn_id: "u", message_ids: [] };
const text = { type: "assistant_text", turn_id: "t", msg_id: "m", block_index: 0, text: "a" };
export const partial = { ...text, is_partial: true, status: "partial" };
export const whole = { ...text, is_partial: false, status: "complete" };
const prompt = { request_id: "p" };
export const asked: Draft = {
  type: "control_request_forward",
  ...prompt,
  turn_id: "t",
  tool_name: "Bash",
  input: {},
  is_question: false,
};
export const resolved: Draft = {
  type: "control_request_resolved",
  ...prompt,
  outcome: "allow",
  in_reply_to: "yes",
};

/** The message that closes the prompt without an answer of the host's. */
export const cancelled = (reason: string): Draft => ({
  type: "control_request_cancel",
  ...prompt,
  reason,
});

/** A life in which all is well. */
export const GOOD: readonly Draft[] = [
  ...[ack, up, queued, begin, started, partial, whole],
  ...[asked, resolved, cost, finish, completed, down],
];

/** The lines of its host. */
export const SENT: readonly Fields[] = [
  { type: "protocol_init", id: "init" },
  { type: "user_message", id: "say", text: "a" },
  { type: "tool_approval", id: "yes", request_id: "p" },
];

/** A line that is written to Claude. */
export const fromBridge = (line: unknown, received = 0): Traffic => ({
  from: "bridge",
  line,
  received,
});
/** A line that Claude prints. */
export const fromClaude = (line: unknown): Traffic => ({ from: "claude", line, received: 0 });
export const initialize = fromBridge({
  type: "control_request",
  request_id: "i",
  request: { subtype: "initialize" },
});
export const user = fromBridge({ type: "user", uuid: "a", message: { role: "user", content: [] } });
export const ask = fromClaude({
  type: "control_request",
  request_id: "p",
  request: { subtype: "can_use_tool", tool_name: "Bash", input: {} },
});
const ANSWER = {
  type: "control_response",
  response: { subtype: "success", request_id: "p", response: { behavior: "allow" } },
};
export const answer = fromBridge(ANSWER);
/** The same, once the host has received so much. */
export const answerAfter = (received: number) => fromBridge(ANSWER, received);
export const withdrawal = fromClaude({ type: "control_cancel_request", request_id: "p" });
export const end: Traffic = { from: "exit", received: 13 };

const TRAFFIC: readonly Traffic[] = [initialize, user, ask, answer, end];

/** The differences from the good life. */
export type Life = {
  readonly received?: readonly Draft[];
  readonly sent?: readonly Fields[];
  readonly traffic?: readonly Traffic[];
  /** How much the host had received when it sent anything. */
  readonly after?: number;
  readonly lineOutcomes?: readonly LineOutcome[];
};

function numbered(drafts: readonly Draft[]): Message[] {
  return drafts.map((draft, index) => ({ seq: index + 1, ipc_version: 2, ...draft }));
}

/** The findings of the observer. */
export function faultsOf({
  received = GOOD,
  sent = SENT,
  traffic = TRAFFIC,
  after = 0,
  lineOutcomes = [],
}: Life): string[] {
  const observed: Observed = {
    received: numbered(received),
    sent: sent.map((message) => ({ message, after })),
    claudes: [{ pid: 1, traffic }],
    lineOutcomes,
    isOver: true,
  };
  return observe(observed);
}

/** The good life without these. */
export const without = (...left: readonly Draft[]) => GOOD.filter((one) => !left.includes(one));

/** The good life with some that come right before another. */
export const including = (before: Draft, ...more: readonly Draft[]) =>
  GOOD.flatMap((one) => (one === before ? [...more, one] : [one]));

/** The good life with one in the place of another. */
export const changed = (old: Draft, by: Draft) => GOOD.map((one) => (one === old ? by : one));
