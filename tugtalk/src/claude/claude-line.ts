/** Parses one line of Claude's stdout. Protocol reference §3. */
import { parseJson } from "../base/json.ts";
import { CHARS_IN_DEPTH, isDeeperThan, MAX_DEPTH } from "../base/json-depth.ts";
import type { ClaudeMessage, UnknownLine } from "../protocol-types.ts";
import { isPlainLine, plainNotification } from "./plain-lines.ts";

/** Loaded with the first line that is not plain: building the schemas takes longer than a start. */
const schemaLines = () => require("./schema-lines.ts") as typeof import("./schema-lines.ts");

/** Never throws: what is not recognized becomes `unknown`. */
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
