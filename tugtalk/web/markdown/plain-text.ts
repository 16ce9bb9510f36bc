/** The text of a token as a person reads it. */
import { showHidden } from "../../client/views/visible-text.ts";

/** The character references that people write. */
const NAMED: Readonly<Record<string, string>> = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  apos: "'",
  nbsp: "\u00a0",
};

const REFERENCE = /&(?:(amp|lt|gt|quot|apos|nbsp)|#(\d{1,7})|#x([\da-f]{1,6}));/gi;

/** The text with its references (`&amp;`) resolved, and with its hidden characters visible. */
export function plainText(text: string): string {
  return showHidden(decode(text));
}

export function decode(text: string): string {
  if (!text.includes("&")) return text;
  return text.replace(REFERENCE, (reference, name?: string, decimal?: string, hex?: string) => {
    if (name !== undefined) return NAMED[name.toLowerCase()] ?? reference;
    const code = decimal === undefined ? Number.parseInt(hex ?? "", 16) : Number(decimal);
    return code > 0x10ffff ? reference : String.fromCodePoint(code);
  });
}
