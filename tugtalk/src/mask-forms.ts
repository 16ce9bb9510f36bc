/** What a mask looks like, for which values there is one with a number, and how such a value is written. */

/** Shorter ones have no number. */
const MIN_CHARS = 6;
const MIN_DIGITS = 12;
const MAX_CHARS = 8 * 1024;

/** Whether a value may be told from others by its mask. */
export function isTelling(value: string): boolean {
  if (value.length < MIN_CHARS || value.length > MAX_CHARS) return false;
  // A mask is hidden already, and a type of media is none.
  if (/^\[[\w-]+\**\]$|^\*+$|^\w+\/[\w.+-]+$/.test(value)) return false;
  return value.length >= MIN_DIGITS || !/^\d+$/.test(value);
}

/** As it is, as it stands in JSON, in JSON inside JSON, and in an address. */
export function formsOf(value: string): string[] {
  const once = JSON.stringify(value).slice(1, -1);
  const twice = JSON.stringify(once).slice(1, -1);
  const bytes = Buffer.from(value).toString("latin1");
  return [value, once, twice, encodeURIComponent(value.toWellFormed()), bytes];
}

/** The masked name of a field, with a number where there is another of that name. */
export function distinct(masked: string, name: string, taken: Set<string>): string {
  if (masked === name) return name;
  let free = masked;
  for (let number = 2; taken.has(free); number += 1) free = `${masked}*${number}`;
  taken.add(free);
  return free;
}

/** `[secret-1***]`: as long as the secret, and without a space. */
export function maskOf(number: number, length: number): string {
  const start = `[secret-${number}`.length < length ? `[secret-${number}` : `[${number}`;
  return start.length < length ? `${start.padEnd(length - 1, "*")}]` : "*".repeat(length);
}

/** The mask of what has no number. */
export function blank(text: string): string {
  return "*".repeat(text.length);
}
