/**
 * Small captures whose text needs several bytes a character: real conversations, made small by
 * leaving out what no module reads, and made foreign letter by letter. Deltas and whole texts stay
 * equal, because every letter is replaced alike wherever it stands.
 */
import type { Conversation } from "../../simulator/conversation.ts";

/** One to four bytes each: what a cut can fall into. */
const LETTERS: Readonly<Record<string, string>> = {
  e: "é",
  o: "あ",
  n: "한",
  t: "👋",
  r: "\u2028",
};

/** The keys whose text is shown to people. */
const SPOKEN = new Set(["text", "thinking", "result"]);

/** Big, and not needed to tell one line from another. */
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

/** The capture, small and foreign. */
export function smallAndForeign(conversation: Conversation): Conversation {
  const entries = conversation.entries.map((entry) =>
    entry.dir === "out" ? { ...entry, msg: foreign(entry.msg) as typeof entry.msg } : entry,
  );
  return { ...conversation, entries };
}

function foreign(value: unknown, key = ""): unknown {
  if (typeof value === "string")
    return SPOKEN.has(key)
      ? value.replace(/[eontr]/g, (letter) => LETTERS[letter] ?? letter)
      : value;
  if (Array.isArray(value)) return value.map((item) => foreign(item, key));
  if (typeof value !== "object" || value === null) return value;
  const kept = Object.entries(value).filter(
    ([name]) => !LEFT_OUT.has(name) || (name === "session_id" && "subtype" in value),
  );
  return Object.fromEntries(kept.map(([name, inner]) => [name, foreign(inner, name)]));
}
