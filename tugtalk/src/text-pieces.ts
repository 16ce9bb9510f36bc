/** Which lines carry a piece of a text that streams, on either wire, and which lines end such texts. */

type Fields = Readonly<Record<string, unknown>>;

/** The two pipes whose texts stream. */
export type Speaker = "claude" | "bridge";

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
export function pieceIn(speaker: Speaker, line: Fields): TextPiece | undefined {
  return speaker === "claude" ? claudePiece(line) : toldPiece(line);
}

/** The beginning of the keys of the texts that a line ends, if it does. */
export function endsIn(speaker: Speaker, line: Fields): string | undefined {
  const { type } = line;
  if (speaker === "claude") {
    const isEnd =
      type === "result" || (type === "stream_event" && ENDS.has(fields(line["event"])["type"]));
    return isEnd ? laneOf(line) : undefined;
  }
  const isBlock = type === "assistant_text" || type === "thinking_text" || type === "tool_use";
  return isBlock || type === "turn_complete" || type === "turn_cancelled"
    ? laneOf(line)
    : undefined;
}

function claudePiece(line: Fields): TextPiece | undefined {
  const event = fields(line["event"]);
  const delta = fields(event["delta"]);
  if (line["type"] !== "stream_event" || event["type"] !== "content_block_delta") return undefined;
  const key = `${laneOf(line)}${event["index"]}`;
  for (const field of ["text", "thinking", "partial_json"]) {
    const text = delta[field];
    if (typeof text === "string") return { key, text, path: ["event", "delta", field] };
  }
  return undefined;
}

function toldPiece(line: Fields): TextPiece | undefined {
  const { type, text, partial_json } = line;
  const isPartial = type === "assistant_text" || type === "thinking_text";
  if (isPartial && line["status"] === "partial" && typeof text === "string") {
    const key = `${laneOf(line)}${line["msg_id"]}/${line["block_index"]}`;
    return { key, text, path: ["text"] };
  }
  if (type !== "tool_input_delta" || typeof partial_json !== "string") return undefined;
  const key = `${laneOf(line)}${line["tool_use_id"]}`;
  return { key, text: partial_json, path: ["partial_json"] };
}

/** The conversation of the lane; the texts of one lane end one after the other. */
function laneOf(line: Fields): string {
  return `${line["parent_tool_use_id"] ?? ""}/`;
}

function fields(value: unknown): Fields {
  return typeof value === "object" && value !== null ? (value as Fields) : {};
}
