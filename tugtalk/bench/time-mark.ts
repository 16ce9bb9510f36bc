/** The time at which a text was written, within the text itself, for processes of one machine. */

/** Milliseconds since 1970 with fractions. */
export function clockMs(): number {
  return performance.timeOrigin + performance.now();
}

/** A text of about this length with the time of its making. */
export function markedText(chars: number): string {
  return `@${clockMs().toFixed(3)};`.padEnd(chars, "x");
}

/** The time of the first marked text in `text`. */
export function markedTime(text: string): number | undefined {
  const start = text.indexOf("@");
  if (start < 0) return undefined;
  return Number(text.slice(start + 1, text.indexOf(";", start)));
}
