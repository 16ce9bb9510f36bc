/**
 * The text that the repeats of a line share with it. They may differ in the text of their delta, and
 * in their uuid, which means nothing to the host.
 */

import { fieldsOf } from "../base/json.ts";
import type { StreamEvent, StreamEventMessage } from "../messages/conversation-lines.ts";
import type { RepeatedMessage } from "../messages/repeated-message.ts";
import type { OutboundDraft } from "../types.ts";

/** The key of the text in each kind of delta, and its field in the message for the host. */
const TEXT_KEYS: ReadonlyMap<unknown, TextKey> = new Map([
  ["text_delta", { key: "text", field: "text" }],
  ["thinking_delta", { key: "thinking", field: "text" }],
  ["input_json_delta", { key: "partial_json", field: "partial_json" }],
]);

type TextKey = {
  readonly key: "text" | "thinking" | "partial_json";
  readonly field: RepeatedMessage["field"];
};

/** The value between two constants of a template: a text, or an id that means nothing to the host. */
type Gap = "text" | "uuid";

export type Template = TextKey & {
  readonly event: StreamEventMessage;
  /** The delta of the event. */
  readonly delta: Delta;
  readonly message: OutboundDraft | undefined;
  readonly constants: readonly string[];
  /** The gap after each constant but the last. */
  readonly gaps: readonly Gap[];
};

/** Printable ASCII without escapes: a search in the JSON finds every text that its values contain. */
const PLAIN = /^[ -[\]-~]*\n?$/;

/** The template of a line that was applied. Undefined unless only its text can differ in the answer. */
export function buildTemplate(
  line: string,
  event: StreamEventMessage,
  emitted: readonly OutboundDraft[],
): Template | undefined {
  const delta = deltaOf(event);
  const names = TEXT_KEYS.get(delta?.type);
  if (delta === undefined || names === undefined || emitted.length > 1) return undefined;
  const text = delta[names.key];
  const [message] = emitted;
  const isAnswered = message === undefined || fieldsOf(message)[names.field] === text;
  // An empty text has no message, and with another key the delta could have a second text.
  if (!text || !isAnswered || Object.keys(delta).length !== 2) return undefined;
  const pieces = piecesOf(`${line}\n`, names.key, text, event.uuid);
  return pieces && { ...names, ...pieces, event, delta, message };
}

type Delta = Extract<StreamEvent, { type: "content_block_delta" }>["delta"];

function deltaOf({ event }: StreamEventMessage): Delta | undefined {
  return event.type === "content_block_delta" ? event.delta : undefined;
}

/** Cuts a line at its text and at its uuid. Undefined unless it is certain where they are. */
function piecesOf(line: string, key: string, text: string, uuid: string | undefined) {
  const cut = cutOut(line, key, JSON.stringify(text).slice(1, -1));
  if (cut === undefined || cut.some((piece) => !PLAIN.test(piece))) return undefined;
  const [before, after] = cut;
  // Of two texts in one object, the last one counts.
  if (before.indexOf(`"${key}"`) + key.length + 4 !== before.length || after.includes(`"${key}"`))
    return undefined;
  const first = cutOut(before, "uuid", uuid);
  if (first !== undefined) return { constants: [...first, after], gaps: ["uuid", "text"] as const };
  const last = cutOut(after, "uuid", uuid);
  if (last !== undefined) return { constants: [before, ...last], gaps: ["text", "uuid"] as const };
  return { constants: cut, gaps: ["text"] as const };
}

/** The text before and after this value of this key. */
function cutOut(text: string, key: string, literal = ""): [string, string] | undefined {
  const opening = `"${key}":"`;
  const at = text.indexOf(`${opening}${literal}"`);
  if (at === -1) return undefined;
  const from = at + opening.length;
  return [text.slice(0, from), text.slice(from + literal.length)];
}
