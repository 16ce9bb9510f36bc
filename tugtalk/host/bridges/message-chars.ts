/** The memory that a message takes, in characters: its texts, and a constant for each of its values. Pure. */

const CHARS_PER_VALUE = 8;

export function messageChars(value: unknown): number {
  if (typeof value === "string") return CHARS_PER_VALUE + value.length;
  if (typeof value !== "object" || value === null) return CHARS_PER_VALUE;
  let chars = CHARS_PER_VALUE;
  for (const part of Object.values(value)) chars += messageChars(part);
  return chars;
}
