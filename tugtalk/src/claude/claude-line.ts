/**
 * Parses one line of Claude's stdout. The most frequent lines are checked without their schemas, which would
 * return them unchanged. `schema-lines.ts` reads all other lines. Protocol reference §3.
 */
import { type Fields, parseJson } from "../base/json.ts";
import { CHARS_IN_DEPTH, isDeeperThan, MAX_DEPTH } from "../base/json-depth.ts";
import { notificationFields, notificationOf } from "../messages/notification-fields.ts";
import type { Notification } from "../messages/notifications.ts";
import type { ClaudeLine, ClaudeMessage, UnknownLine } from "../protocol-types.ts";
import { PLAIN_LINES, PLAIN_NOTIFICATIONS } from "./plain-checks.generated.ts";

/** Loaded with the first line that is not plain: building the schemas takes longer than a start. */
const schemaLines = () => require("./schema-lines.ts") as typeof import("./schema-lines.ts");

/** Never throws: a line that is not recognized becomes `unknown`. */
export function parseClaudeLine(line: string): ClaudeMessage {
  const raw = parseJson(line);
  // Output of a debugger or a package manager, or a line cut short.
  if (raw === undefined) return { type: "unknown", original_type: "invalid_line", raw: line };
  const isTooDeep = line.length > CHARS_IN_DEPTH && isDeeperThan(MAX_DEPTH, raw);
  return isTooDeep ? tooDeep(raw, line) : parseClaudeMessage(raw);
}

/** A message that is too deep to be serialized is forwarded as text. A request is refused. */
function tooDeep(raw: unknown, line: string): ClaudeMessage {
  const type = isTyped(raw) ? raw.type : "invalid_line";
  return schemaLines().readRequestHead(raw) ?? { type: "unknown", original_type: type, raw: line };
}

/** Checks a parsed line; see `parseClaudeLine`. */
export function parseClaudeMessage(raw: unknown): ClaudeMessage {
  if (!isTyped(raw)) return { type: "unknown", original_type: "invalid_line", raw };
  const kind = kindOf(raw);
  if (isPlainLine(kind, raw)) return raw;
  return plainNotification(kind, raw) ?? schemaLines().readBySchema(kind, raw) ?? unknown(raw);
}

/** Whether the schema of this kind would return the line unchanged. */
export function isPlainLine(kind: string, line: unknown): line is ClaudeLine {
  return PLAIN_LINES.get(kind)?.(line) === true;
}

/** The notification in a line that its schema would return unchanged; undefined for any other line. */
export function plainNotification(kind: string, raw: Fields): Notification | undefined {
  const row = PLAIN_NOTIFICATIONS.get(kind);
  if (row === undefined) return undefined;
  const message = { ...row.added, ...notificationFields(row.name, raw) };
  return row.isPlain(message) ? notificationOf(kind, raw, message) : undefined;
}

type TypedObject = { readonly type: string; readonly [key: string]: unknown };

function isTyped(raw: unknown): raw is TypedObject {
  return typeof raw === "object" && raw !== null && "type" in raw && typeof raw.type === "string";
}

function kindOf(raw: TypedObject): string {
  const { type, subtype } = raw;
  return type === "system" && typeof subtype === "string" ? `${type}/${subtype}` : type;
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
