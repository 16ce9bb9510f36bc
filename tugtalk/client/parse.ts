/** A line of the bridge as a message, in a browser too: nothing here needs the schemas. */
import type { OutboundMessage } from "../src/types.ts";

/**
 * Parses one line of the bridge. Only `type` is checked, since the bridge checks every message against
 * its schemas: a type that this version does not know passes. Throws an `Error` for any other text.
 */
export function parse(line: string): OutboundMessage {
  const value = parseJson(line);
  if (isMessage(value)) return value;
  throw new Error(`not a message of tugtalk: expected an object with a "type": ${excerpt(line)}`);
}

function parseJson(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch (cause) {
    throw new Error(`not a message of tugtalk: not JSON: ${excerpt(line)}`, { cause });
  }
}

/** The guard claims more than it checks; the bridge has checked the rest. */
function isMessage(value: unknown): value is OutboundMessage {
  if (typeof value !== "object" || value === null || !("type" in value)) return false;
  return typeof value.type === "string";
}

/** In characters. */
const MAX_EXCERPT = 80;

function excerpt(line: string): string {
  return line.length > MAX_EXCERPT ? `${line.slice(0, MAX_EXCERPT)}…` : line;
}
