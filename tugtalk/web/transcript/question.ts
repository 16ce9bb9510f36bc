/** The question of a turn. Pure. */
import type { TranscriptEntry } from "../../src/messages/transcript-models.ts";

/** What a person has asked in this entry; undefined if Claude began it. */
export function questionOf({ items }: TranscriptEntry): string | undefined {
  const asked = items.find((item) => item.kind === "user" && item.source === "host");
  return asked?.kind === "user" ? asked.text : undefined;
}
