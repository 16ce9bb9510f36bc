/**
 * The turn for a user message that no conversation scripts: an echo in a few deltas, or a flood as load
 * for the reader. The order of lines is that of the version (protocol reference §4a).
 */
import {
  buildAssistant,
  buildInit,
  buildLifecycle,
  buildReplay,
  buildResult,
  buildStatus,
  buildStreamEvent,
  costOfCall,
  type Session,
  userUuids,
  uuidOf,
} from "./claude-lines.ts";
import { RECORDED_LINES } from "./imitated-version.ts";
import { contentBlocksOf, type JsonObject } from "./json-value.ts";
import { newApiId } from "./scenario-ids.ts";

/** How many messages of how many text deltas of how many bytes each a turn streams instead of its echo. */
export type Flood = {
  readonly messages: number;
  readonly deltas: number;
  readonly bytes: number;
};

/** What a built-in turn answers. */
export type TurnPlan = {
  readonly received: JsonObject;
  readonly costSoFar: number;
  readonly flood?: Flood;
};

/**
 * The flood written as `<deltas>x<bytes>` or `<messages>x<deltas>x<bytes>`, or nothing for an absent
 * one. Throws on another form.
 */
export function parseFlood(text: string | undefined): Flood | undefined {
  if (text === undefined || text === "") return undefined;
  const [, messages = "1", deltas, bytes] = /^(?:(\d+)x)?(\d+)x(\d+)$/.exec(text) ?? [];
  if (deltas === undefined || bytes === undefined) {
    throw new Error(`TUGTALK_SIM_FLOOD is <deltas>x<bytes>, such as 20000x80; got ${text}`);
  }
  return { messages: Number(messages), deltas: Number(deltas), bytes: Number(bytes) };
}

/** The lines of one turn with all flags set, made while they are taken. */
export function* buildTurn(session: Session, plan: TurnPlan): Generator<JsonObject> {
  const isLatest = session.version === "2.1.330";
  const uuid = uuidOf(plan.received);
  const replay = [buildReplay(session, plan.received)];
  if (isLatest && uuid !== undefined) yield buildLifecycle(session, uuid, "started");
  yield buildInit(session, uuid);
  if (session.version !== "2.1.38") {
    const fields = { status: "requesting", ...(isLatest ? userUuids(uuid) : {}) };
    yield buildStatus(session, fields);
  }
  if (isLatest) yield* replay;
  yield* buildAnswer(session, plan, isLatest ? [] : replay);
  if (isLatest && uuid !== undefined) yield buildLifecycle(session, uuid, "completed");
}

function* buildAnswer(
  session: Session,
  plan: TurnPlan,
  lateReplay: readonly JsonObject[],
): Generator<JsonObject> {
  const deltas = deltasOf(plan);
  const text = [...deltas()].join("");
  const { messages = 1 } = plan.flood ?? {};
  for (let count = 1; count <= messages; count += 1)
    yield* buildMessage(session, { deltas, text }, count === 1 ? lateReplay : []);
  yield buildResult(session, {
    subtype: "success",
    isError: false,
    totalCost: plan.costSoFar + messages * costOfCall(session.version),
    modelCalls: messages,
    result: text,
    terminalReason: "completed",
  });
}

type Said = { readonly deltas: () => Iterable<string>; readonly text: string };

function* buildMessage(
  session: Session,
  { deltas, text }: Said,
  lateReplay: readonly JsonObject[],
): Generator<JsonObject> {
  const message = { ...RECORDED_LINES[session.version].message, ...newMessage(session) };
  const event = (body: JsonObject) => buildStreamEvent(session, message.id, body);
  const block = { type: "text", text: "" };
  yield event({ type: "message_start", message });
  yield event({ type: "content_block_start", index: 0, content_block: block });
  for (const piece of deltas()) {
    const delta = { type: "text_delta", text: piece };
    yield event({ type: "content_block_delta", index: 0, delta });
  }
  yield* lateReplay;
  yield buildAssistant(session, message, { type: "text", text });
  const delta = { stop_reason: "end_turn", stop_sequence: null };
  yield event({ type: "content_block_stop", index: 0 });
  yield event({ type: "message_delta", delta, usage: USAGE });
  yield event({ type: "message_stop" });
}

const USAGE = {
  input_tokens: 100,
  cache_creation_input_tokens: 400,
  cache_read_input_tokens: 1500,
  output_tokens: 42,
};

function newMessage(session: Session): { readonly id: string; readonly model: string } {
  return { id: newApiId("msg", session.newId), model: session.model.replace("[1m]", "") };
}

/** The deltas as a fresh iteration each time: a flood is never held in memory piece by piece. */
function deltasOf(plan: TurnPlan): () => Iterable<string> {
  const { flood } = plan;
  if (flood !== undefined) {
    const piece = "x".repeat(flood.bytes);
    return () => repeat(piece, flood.deltas);
  }
  const said = contentBlocksOf(plan.received)
    .map((block) => (block["type"] === "text" ? String(block["text"]) : `[${block["type"]}]`))
    .join("\n");
  const pieces = `You said: ${said}`.match(/.{1,12}/gsu) ?? [];
  return () => pieces;
}

function* repeat(piece: string, times: number): Generator<string> {
  for (let count = 0; count < times; count++) yield piece;
}
