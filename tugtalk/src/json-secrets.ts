/**
 * Secrets in a text that looks like JSON, but was not read as such, by the names of their fields.
 * Where the text is no proper JSON, too much is taken for a secret rather than too little.
 */
import { isSecretBag, isSecretField, type Range, type SecretRange } from "./secret-shapes.ts";

/** A name and its colon, before a string, a list or an object. */
const LABEL = /(?<![\w-])([\w-]{1,80})\\*["']?\s*:\s*(?=(\\*)(["[{]))/g;

/** In an object: a sign, the start of a string, or a word. */
const PART = /[{[\]},:"]|[^\s{}[\],:"\\]+/g;

const DEPTHS: Readonly<Record<string, number>> = { "{": 1, "[": 1, "}": -1, "]": -1 };

/** Such a name of a field is no secret itself. */
const NAME = /^[\w.-]{1,80}$/;
const COLON = /\s*:/y;

/** For each sign, what it would begin a value of. */
const KINDS: Readonly<Record<string, unknown>> = { '"': "", "[": [], "{": {} };

/** A string or a word, and where the text goes on. */
type Part = Range & { readonly next: number };

/** Where the values of secret fields stand, in order. */
export function findSecretFields(text: string): SecretRange[] {
  const found: Range[] = [];
  let done = 0;
  for (const { index, 0: label, 1: name = "", 2: slashes = "", 3: sign = "" } of text.matchAll(
    LABEL,
  )) {
    const start = index + label.length + slashes.length;
    const isBag = sign !== '"' && isSecretBag(name);
    if (start < done || !(isBag || isSecretField(name, KINDS[sign]))) continue;
    const { values, next } = sign === '"' ? oneString(text, start) : valuesIn(text, start);
    found.push(...values);
    done = next;
  }
  return found
    .filter(({ start, end }) => end > start)
    .map(({ start, end }) => ({ label: start, start, end }));
}

function oneString(text: string, quote: number) {
  const part = stringAt(text, quote);
  return { values: [part], next: part.next };
}

/** All that an object or a list holds, but the names of its fields. */
function valuesIn(text: string, start: number) {
  const values: Range[] = [];
  const parts = new RegExp(PART);
  parts.lastIndex = start;
  let depth = 0;
  let isNext = false;
  for (let found = parts.exec(text); found !== null; found = parts.exec(text)) {
    const [{ index }, [part]] = [found, found];
    depth += DEPTHS[part] ?? 0;
    if (depth === 0) return { values, next: parts.lastIndex };
    const value = partAt(text, index, part);
    if (value !== undefined) {
      if (!(isNext && isName(text, value))) values.push(value);
      parts.lastIndex = value.next;
    }
    isNext = part === "{" || part === ",";
  }
  return { values, next: text.length };
}

/** The string or the word that stands here, unless it is a sign. */
function partAt(text: string, index: number, part: string): Part | undefined {
  if (part === '"') return stringAt(text, index);
  if (/^[{[\]},:]$/.test(part)) return undefined;
  const end = index + part.length;
  return { start: index, end, next: end };
}

function isName(text: string, { start, end, next }: Part): boolean {
  COLON.lastIndex = next;
  return end - start <= 80 && NAME.test(text.slice(start, end)) && COLON.test(text);
}

/** The string that a quote begins, to the end of the text if it has none. In JSON inside JSON quotes are escaped. */
function stringAt(text: string, quote: number): Part {
  const slashes = slashesBefore(text, quote, 0);
  const start = quote + 1;
  for (let at = text.indexOf('"', start); at !== -1; at = text.indexOf('"', at + 1)) {
    const beyond = slashesBefore(text, at, start) - slashes;
    if (beyond >= 0 && beyond % (2 * (slashes + 1)) === 0)
      return { start, end: at - slashes, next: at + 1 };
  }
  return { start, end: text.length, next: text.length };
}

function slashesBefore(text: string, index: number, from: number): number {
  let at = index;
  while (at > from && text[at - 1] === "\\") at -= 1;
  return index - at;
}
