/**
 * Masks secrets and the name of the user in a text. A mask is as long as the text that it hides, so that a text
 * can be cut into the same deltas again, and limits in characters still hold.
 */
import { BoundedMap } from "../../base/bounded-map.ts";
import { isSecretVariable, SECRET_PATTERNS } from "./secret-patterns.ts";

export type TextMaskOptions = {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The home folder of the user, whose name is masked in paths. */
  readonly home: string;
};

/** Stands for one masked character. Texts hardly ever have it. */
export const MASK_CHAR = "\u2588";

/** How many secret values are masked outside their own fields. */
const MAX_LEARNED = 200;

/** Shorter and longer values are masked in their own fields only. */
const MIN_LEARNED_CHARS = 8;
const MAX_LEARNED_CHARS = 8 * 1024;

/** So are words, numbers, paths, URLs, media types and ids, which other texts may have too. */
const ORDINARY = new RegExp(
  [
    String.raw`[A-Za-z_]+|[\d.]+`,
    String.raw`(?:/[\w.-]+)+/?|https?:[^@]*|\w+/[\w.+-]+`,
    String.raw`[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}`,
  ]
    .map((form) => `^(?:${form})$`)
    .join("|"),
);

/** The rest of a longer text is masked, so that the search for secrets stays fast. In characters. */
export const MAX_READABLE = 1024 * 1024;

/** Ids and names come in many lines: the masked forms of short texts are cached. */
const MAX_CACHED_CHARS = 64;
const MAX_CACHED = 2000;

export class TextMask {
  /** Each learned value, in its plain form and in its form in JSON. */
  readonly #learned = new Set<string>();
  readonly #userName: RegExp | undefined;
  readonly #cache = new BoundedMap<string, string>(MAX_CACHED);

  constructor({ env, home }: TextMaskOptions) {
    this.#userName = userNameIn(home);
    for (const [name, value] of Object.entries(env))
      if (value !== undefined && isSecretVariable(name)) this.learn(value);
  }

  /** Masks this value in every later text. */
  learn(value: string): void {
    if (this.#learned.has(value) || this.#learned.size >= 2 * MAX_LEARNED) return;
    if (value.length < MIN_LEARNED_CHARS || value.length > MAX_LEARNED_CHARS) return;
    if (ORDINARY.test(value)) return;
    this.#learned.add(value).add(JSON.stringify(value).slice(1, -1));
    this.#cache.clear();
  }

  /** The text with its secrets masked; as long as it was. */
  mask(text: string): string {
    if (text.length > MAX_CACHED_CHARS) return this.#search(text);
    const masked = this.#cache.get(text) ?? this.#search(text);
    this.#cache.set(text, masked);
    return masked;
  }

  #search(text: string): string {
    let masked = text.slice(0, MAX_READABLE);
    for (const value of this.#learned) masked = masked.replaceAll(value, maskAll);
    for (const pattern of SECRET_PATTERNS) masked = masked.replace(pattern, maskEnd);
    if (this.#userName !== undefined) masked = masked.replace(this.#userName, maskAll);
    return masked.padEnd(text.length, MASK_CHAR);
  }
}

/** A mask for all of a text. */
export function maskAll(text: string): string {
  return MASK_CHAR.repeat(text.length);
}

/** Masks the group at the end of a match, or the whole match if the pattern has no group. */
function maskEnd(match: string, group: unknown): string {
  const secret = typeof group === "string" ? group : match;
  return match.slice(0, match.length - secret.length) + maskAll(secret);
}

/** Finds the name of a home folder in paths, and in the names of Claude's folders of transcripts. */
function userNameIn(home: string): RegExp | undefined {
  const [, parent = "", name = ""] = /^(.*)[/\\]([^/\\]+)$/.exec(home) ?? [];
  if (name.length < 3 || name === "root") return undefined;
  const slug = `${parent.replaceAll(/[^A-Za-z0-9]/g, "-")}-`;
  const before = `[/\\\\]|${RegExp.escape(slug)}`;
  return new RegExp(`(?<=${before})${RegExp.escape(name)}(?![A-Za-z0-9])`, "g");
}
