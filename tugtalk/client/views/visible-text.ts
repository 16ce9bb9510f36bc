/** Text that shows all its characters, for requests that a person may allow. Pure. */

/**
 * Control characters but tabs and the ends of lines, marks that make text read in another order, and
 * characters that nobody sees. The joiners are left: scripts and emoji need them.
 */
const HIDDEN =
  /(?!\r(?:\n|$))(?:[^\P{Cc}\n\t]|[\u00ad\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff\u{e0000}-\u{e007f}])/gu;

/** Control characters alone. */
const CONTROL = /(?!\r(?:\n|$))[^\P{Cc}\n\t]/gu;

/** The text with each hidden character as `\u{202e}`. */
export function showHidden(text: string): string {
  return text.replace(HIDDEN, escaped);
}

/** The text with each control character as `\u{1b}`: nothing that a terminal would obey. */
export function showControls(text: string): string {
  return text.replace(CONTROL, escaped);
}

function escaped(character: string): string {
  return `\\u{${character.codePointAt(0)?.toString(16)}}`;
}

/** A value of an input in full: a text unchanged, any other value as JSON. */
export function showValue(value: unknown): string {
  return showHidden(typeof value === "string" ? value : JSON.stringify(value, undefined, 2));
}

/** The first line, with a sign where more lines follow. */
export function onOneLine(text: string): string {
  const whole = text.trimEnd();
  const first = firstLine(whole);
  return first === whole ? first : `${first} …`;
}

export function firstLine(text: string): string {
  return text.split("\n", 1)[0] ?? "";
}
