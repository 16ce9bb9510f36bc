/** Finds the deltas of streamed texts, on either wire, and the lines after which the texts have ended. */
import { type Fields, fieldsOf } from "../base/json.ts";

/** One delta: which text it continues, and where in its line it is. */
export type TextDelta = {
  readonly key: string;
  readonly text: string;
  readonly path: readonly string[];
};

/** Events of Claude's stream that come between texts. A ping may come within one. */
const BLOCK_BOUNDS = /^(message|content_block)_(start|stop)$/;

/** Lines without a delta that end the texts before them. */
const TEXT_ENDS: ReadonlySet<unknown> = new Set([
  "result",
  "assistant_text",
  "thinking_text",
  "tool_use",
  "turn_complete",
  "turn_cancelled",
]);

/** The delta of a line. */
export function deltaIn(line: Fields): TextDelta | undefined {
  const { type } = line;
  if (type === "stream_event") return claudeDelta(line);
  if (type === "tool_input_delta") return deltaAt(["partial_json"], line, line["tool_use_id"]);
  const isPartial = line["status"] === "partial";
  if (!isPartial || (type !== "assistant_text" && type !== "thinking_text")) return undefined;
  return deltaAt(["text"], line, `${line["msg_id"]}/${line["block_index"]}`);
}

/** How the keys of the texts begin that have ended with this line, which has no delta. */
export function endedBy(line: Fields): string | undefined {
  const { type, event } = line;
  const isBound = type === "stream_event" && BLOCK_BOUNDS.test(String(fieldsOf(event)["type"]));
  return isBound || TEXT_ENDS.has(type) ? scopeOf(line) : undefined;
}

/** The line with another text at the path of its delta. */
export function withText(line: Fields, [name, ...path]: readonly string[], text: string): Fields {
  if (name === undefined) return line;
  return { ...line, [name]: path.length === 0 ? text : withText(fieldsOf(line[name]), path, text) };
}

function claudeDelta(line: Fields): TextDelta | undefined {
  const event = fieldsOf(line["event"]);
  if (event["type"] !== "content_block_delta") return undefined;
  const delta = fieldsOf(event["delta"]);
  const field = ["text", "thinking", "partial_json"].find((name) => name in delta);
  return field === undefined ? undefined : deltaAt(["event", "delta", field], line, event["index"]);
}

function deltaAt(path: readonly string[], line: Fields, block: unknown): TextDelta | undefined {
  const text = path.reduce((value: unknown, name) => fieldsOf(value)[name], line);
  return typeof text === "string" ? { key: `${scopeOf(line)}${block}`, text, path } : undefined;
}

/** The main conversation or a subagent. Within one, a text begins after the one before has ended. */
function scopeOf(line: Fields): string {
  return `${line["parent_tool_use_id"] ?? ""}/`;
}
