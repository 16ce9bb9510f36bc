/**
 * Takes secrets, and the name of the person, out of a text. A mask is as many stars as what it hides
 * has characters, so that a text that was cut into pieces can be cut in the same places again.
 */
import { isSecretVariable, SECRET_PATTERNS } from "./secret-patterns.ts";

export type TextMaskOptions = {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The home folder of the person, whose name is hidden in paths. */
  readonly home: string;
};

/** Secret values beyond these are hidden in their own fields only. */
const MAX_LEARNED = 200;

/** Shorter values are hidden in their own fields only: elsewhere they may mean anything; so are longer ones. */
const MIN_LEARNED_CHARS = 8;
const MAX_LEARNED_CHARS = 8 * 1024;

/** So is what others may say too: a word, a number, a path, an address, a media type, the id of a message. */
const ORDINARY = new RegExp(
  [
    String.raw`[A-Za-z_]+|[\d.]+|\*+`,
    String.raw`(?:/[\w.-]+)+/?|https?:[^@]*|\w+/[\w.+-]+`,
    String.raw`[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}`,
  ]
    .map((form) => `^(?:${form})$`)
    .join("|"),
);

/** Of a longer text the rest is hidden, in characters: a recording is not held up by one text. */
export const MAX_READABLE = 1024 * 1024;

/** Short texts return often, line after line: the last ones are kept with their masks. */
const MAX_KEPT_CHARS = 64;
const MAX_KEPT = 2000;

export class TextMask {
  /** Each learned value as it is and as it stands in JSON. */
  readonly #learned = new Set<string>();
  readonly #personName: RegExp | undefined;
  readonly #kept = new Map<string, string>();

  constructor({ env, home }: TextMaskOptions) {
    this.#personName = personName(home);
    for (const [name, value] of Object.entries(env))
      if (value !== undefined && isSecretVariable(name)) this.learn(value);
  }

  /** Hides a value from now on, wherever it stands. */
  learn(value: string): void {
    if (this.#learned.has(value) || this.#learned.size >= 2 * MAX_LEARNED) return;
    if (value.length < MIN_LEARNED_CHARS || value.length > MAX_LEARNED_CHARS) return;
    if (ORDINARY.test(value)) return;
    this.#learned.add(value).add(JSON.stringify(value).slice(1, -1));
    this.#kept.clear();
  }

  /** The text without secrets; as long as it was. */
  mask(text: string): string {
    if (text.length > MAX_KEPT_CHARS) return this.#search(text);
    const kept = this.#kept.get(text);
    if (kept !== undefined) return kept;
    const masked = this.#search(text);
    if (this.#kept.size >= MAX_KEPT) this.#kept.clear();
    this.#kept.set(text, masked);
    return masked;
  }

  #search(text: string): string {
    let masked = text.slice(0, MAX_READABLE);
    for (const value of this.#learned) masked = masked.replaceAll(value, stars);
    for (const pattern of SECRET_PATTERNS) masked = masked.replace(pattern, starsAtEnd);
    if (this.#personName !== undefined) masked = masked.replace(this.#personName, stars);
    return masked.padEnd(text.length, "*");
  }
}

/** A mask of this length. */
export function stars(text: string): string {
  return "*".repeat(text.length);
}

/** Hides the group at the end of a match, or the whole match where there is none. */
function starsAtEnd(match: string, group: unknown): string {
  const secret = typeof group === "string" ? group : match;
  return match.slice(0, match.length - secret.length) + stars(secret);
}

/** The name of a home folder, in a path and in the name that Claude gives a folder's conversations. */
function personName(home: string): RegExp | undefined {
  const [, parent = "", name = ""] = /^(.*)[/\\]([^/\\]+)$/.exec(home) ?? [];
  if (name.length < 3 || name === "root") return undefined;
  const slug = `${parent.replaceAll(/[^A-Za-z0-9]/g, "-")}-`;
  const before = `[/\\\\]|${RegExp.escape(slug)}`;
  return new RegExp(`(?<=${before})${RegExp.escape(name)}(?![A-Za-z0-9])`, "g");
}
