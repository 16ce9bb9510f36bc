/** Parses one line of Claude's stdout. Protocol reference §3. */
import type { z } from "zod";
import { parseJson } from "../base/json.ts";
import { isDeeperThan, MAX_DEPTH } from "../base/json-depth.ts";
import { MAX_BLOCK_INDEX, type StreamEventMessage } from "../messages/conversation-lines.ts";
import { isNotificationKind, parseNotification } from "../messages/notifications.ts";
import {
  CLAUDE_LINES,
  type ClaudeMessage,
  RequestHead,
  type UnknownLine,
} from "../protocol-types.ts";

const SCHEMAS: ReadonlyMap<string, z.ZodType<ClaudeMessage>> = new Map(
  Object.entries(CLAUDE_LINES),
);

/** Never throws: what is not recognized becomes `unknown`. */
export function parseClaudeLine(line: string): ClaudeMessage {
  const raw = parseJson(line);
  // Output of a debugger or a package manager, or a line cut short.
  if (raw === undefined) return { type: "unknown", original_type: "invalid_line", raw: line };
  // A level takes two characters, so most lines are too short to be too deep.
  const isTooDeep = line.length > 2 * MAX_DEPTH && isDeeperThan(MAX_DEPTH, raw);
  return isTooDeep ? tooDeep(raw, line) : parseClaudeMessage(raw);
}

/** A message that is too deep to be serialized is forwarded as text. A request is refused. */
function tooDeep(raw: unknown, line: string): ClaudeMessage {
  const type = isTyped(raw) ? raw.type : "invalid_line";
  const request = RequestHead.safeParse(raw);
  return request.success ? request.data : { type: "unknown", original_type: type, raw: line };
}

/** Checks a parsed line; see `parseClaudeLine`. */
export function parseClaudeMessage(raw: unknown): ClaudeMessage {
  if (!isTyped(raw)) return { type: "unknown", original_type: "invalid_line", raw };
  if (isDelta(raw)) return raw;
  const kind = kindOf(raw);
  if (isNotificationKind(kind)) return parseNotification(kind, raw) ?? unknown(raw);
  const parsed = SCHEMAS.get(kind)?.safeParse(raw);
  return parsed?.success === true ? parsed.data : unknown(raw);
}

type TypedObject = { readonly type: string; readonly [key: string]: unknown };

function isTyped(raw: unknown): raw is TypedObject {
  return typeof raw === "object" && raw !== null && "type" in raw && typeof raw.type === "string";
}

function kindOf(raw: TypedObject): string {
  const { type, subtype } = raw;
  return type === "system" && typeof subtype === "string" ? `${type}/${subtype}` : type;
}

/** Most lines of a turn are text deltas, which are checked without zod. */
function isDelta(raw: TypedObject): raw is StreamEventMessage {
  if (raw.type !== "stream_event" || (raw["parent_tool_use_id"] ?? null) !== null) return false;
  const event = raw["event"];
  if (!isTyped(event) || event.type !== "content_block_delta") return false;
  const delta = event["delta"];
  const index = event["index"];
  if (!Number.isInteger(index) || Number(index) < 0 || Number(index) > MAX_BLOCK_INDEX)
    return false;
  if (!isTyped(delta)) return false;
  return delta.type === "text_delta" && typeof delta["text"] === "string";
}

function unknown(raw: TypedObject): UnknownLine {
  const { type, subtype } = raw;
  return {
    type: "unknown",
    original_type: type,
    ...(typeof subtype === "string" && { original_subtype: subtype }),
    raw,
  };
}
