/** The time at which a text was written, within the text itself, for processes of one machine. */

/** Milliseconds since 1970 with fractions. */
export function clockMs(): number {
  return performance.timeOrigin + performance.now();
}

/** A text of this length, or a little longer, that says when it was made. */
export function markedText(chars: number): string {
  return `@${clockMs().toFixed(3)};`.padEnd(chars, "x");
}

/** When the first marked text in `text` was made. */
export function markedTime(text: string): number | undefined {
  const start = text.indexOf("@");
  if (start < 0) return undefined;
  return Number(text.slice(start + 1, text.indexOf(";", start)));
}
