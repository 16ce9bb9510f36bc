/**
 * The turn for a message that no conversation scripts: an echo in a few deltas, or a flood to load the
 * reader.
 */
import { type Fields, isJsonObject } from "../src/base/json.ts";
import { buildReplay } from "./claude-lines.ts";
import type { ScriptedReply } from "./conversation.ts";
import { contentBlocksOf } from "./json-value.ts";
import { limitNow, REFUSED, refusal } from "./limited-turn.ts";
import { ending, opening, streamed } from "./shorthand.ts";
import type { Flood, SimulatorState } from "./simulator-state.ts";

/**
 * The flood from the text `<deltas>x<bytes>` or `<messages>x<deltas>x<bytes>`; undefined without a text.
 * Throws for another form.
 */
export function parseFlood(text: string | undefined): Flood | undefined {
  if (text === undefined || text === "") return undefined;
  const [, messages = "1", deltas, bytes] = /^(?:(\d+)x)?(\d+)x(\d+)$/.exec(text) ?? [];
  if (deltas === undefined || bytes === undefined) {
    throw new Error(`TUGTALK_SIM_FLOOD is <deltas>x<bytes>, such as 20000x80; got ${text}`);
  }
  return { messages: Number(messages), deltas: Number(deltas), bytes: Number(bytes) };
}

/** The lines of the turn with all flags set, made message by message on demand. */
export function* buildTurn(state: SimulatorState, received: Fields): Generator<Fields> {
  yield* opening(state, {});
  yield buildReplay(state.session, received);
  const limit = limitNow(state);
  if (limit?.isLate !== false) yield* answer(state, received);
  if (limit !== undefined) yield* refusal(state, limit);
  yield* ending(state, limit === undefined ? {} : REFUSED);
}

function* answer(state: SimulatorState, received: Fields): Generator<Fields> {
  const { flood } = state.options;
  const reply = flood === undefined ? echoOf(received) : floodOf(flood);
  for (let count = 0; count < (flood?.messages ?? 1); count += 1) {
    for (const { msg } of streamed(state, reply)) if (isJsonObject(msg)) yield msg;
  }
}

function echoOf(received: Fields): ScriptedReply {
  const said = contentBlocksOf(received)
    .map((block) => (block["type"] === "text" ? String(block["text"]) : `[${block["type"]}]`))
    .join("\n");
  return { content: [{ type: "text", text: `You said: ${said}` }], pieceChars: 12 };
}

function floodOf({ deltas, bytes }: Flood): ScriptedReply {
  const pieces = Array.from({ length: deltas }, () => "x".repeat(bytes));
  return { content: [{ type: "text", text: pieces.join(""), pieces }] };
}
