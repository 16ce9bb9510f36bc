/**
 * Small captures with characters of several bytes: real conversations without the fields that no module
 * reads, with some letters replaced. Deltas and complete texts still match, because each letter always
 * has the same replacement.
 */
import type { Conversation } from "../../simulator/conversation.ts";

/** Replacements of two to four bytes, which a cut can split. */
const LETTERS: Readonly<Record<string, string>> = {
  e: "é",
  o: "あ",
  n: "한",
  t: "👋",
  r: "\u2028",
};

/** Fields whose letters are replaced. */
const TEXT_FIELDS = new Set(["text", "thinking", "result"]);

/** Large fields that no module needs. */
const LEFT_OUT = new Set([
  "usage",
  "modelUsage",
  "tools",
  "slash_commands",
  "mcp_servers",
  "agents",
  "skills",
  "plugins",
  "capabilities",
  "uuid",
  "session_id",
  "signature",
  "model_usage_since_last_result",
]);

/** The capture without large fields, and with replaced letters. */
export function smallMultibyte(conversation: Conversation): Conversation {
  const entries = conversation.entries.map((entry) =>
    entry.dir === "out" ? { ...entry, msg: replaced(entry.msg) as typeof entry.msg } : entry,
  );
  return { ...conversation, entries };
}

function replaced(value: unknown, key = ""): unknown {
  if (typeof value === "string")
    return TEXT_FIELDS.has(key)
      ? value.replace(/[eontr]/g, (letter) => LETTERS[letter] ?? letter)
      : value;
  if (Array.isArray(value)) return value.map((item) => replaced(item, key));
  if (typeof value !== "object" || value === null) return value;
  const kept = Object.entries(value).filter(
    ([name]) => !LEFT_OUT.has(name) || (name === "session_id" && "subtype" in value),
  );
  return Object.fromEntries(kept.map(([name, inner]) => [name, replaced(inner, name)]));
}
