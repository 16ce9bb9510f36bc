/** Which lines carry a piece of a text that streams, on either wire, and which lines end such texts. */

import { isJsonObject, type JsonObject } from "../base/json.ts";

/** Whose texts stream. */
export type Side = "bridge" | "claude";

/** A piece of a text: which text, and where in its line the piece stands. */
export type TextPiece = {
  readonly key: string;
  readonly text: string;
  readonly path: readonly string[];
};

/** Events between texts. Others, as a ping, may come within one. */
const ENDS: ReadonlySet<unknown> = new Set([
  "message_start",
  "content_block_start",
  "content_block_stop",
  "message_stop",
]);

/** The piece that a line carries. */
export function pieceIn(side: Side, line: JsonObject): TextPiece | undefined {
  return side === "claude" ? claudePiece(line) : emittedPiece(line);
}

/** The beginning of the keys of the texts that a line ends, if it ends any. */
export function endsIn(side: Side, line: JsonObject): string | undefined {
  const { type } = line;
  const isEnd =
    side === "claude"
      ? type === "result" || (type === "stream_event" && ENDS.has(fields(line["event"])["type"]))
      : isBlock(type) ||
        type === "tool_use" ||
        type === "turn_complete" ||
        type === "turn_cancelled";
  return isEnd ? scopeOf(line) : undefined;
}

/** The line with another text in the place of its piece. */
export function withText(
  line: JsonObject,
  [name, ...path]: readonly string[],
  text: string,
): JsonObject {
  if (name === undefined) return line;
  return { ...line, [name]: path.length === 0 ? text : withText(fields(line[name]), path, text) };
}

function claudePiece(line: JsonObject): TextPiece | undefined {
  if (line["type"] !== "stream_event") return undefined;
  const event = fields(line["event"]);
  const delta = fields(event["delta"]);
  if (event["type"] !== "content_block_delta") return undefined;
  const key = `${scopeOf(line)}${event["index"]}`;
  for (const field of ["text", "thinking", "partial_json"]) {
    const text = delta[field];
    if (typeof text === "string") return { key, text, path: ["event", "delta", field] };
  }
  return undefined;
}

function emittedPiece(line: JsonObject): TextPiece | undefined {
  const { type, text, partial_json } = line;
  if (isBlock(type) && line["status"] === "partial" && typeof text === "string") {
    const key = `${scopeOf(line)}${line["msg_id"]}/${line["block_index"]}`;
    return { key, text, path: ["text"] };
  }
  if (type !== "tool_input_delta" || typeof partial_json !== "string") return undefined;
  const key = `${scopeOf(line)}${line["tool_use_id"]}`;
  return { key, text: partial_json, path: ["partial_json"] };
}

function isBlock(type: unknown): boolean {
  return type === "assistant_text" || type === "thinking_text";
}

/** The main conversation, or the subagent; the texts of one end one after the other. */
function scopeOf(line: JsonObject): string {
  return `${line["parent_tool_use_id"] ?? ""}/`;
}

/** The fields of an object; none where it is none. */
export function fields(value: unknown): JsonObject {
  return isJsonObject(value) ? value : {};
}
