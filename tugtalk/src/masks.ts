/**
 * Takes secrets, and the names of persons, out of what is recorded. A mask is as long as what it
 * hides, so that cuts in a text stay where they are; the same secret has the same mask.
 */
import { findSecretFields } from "./json-secrets.ts";
import { blank, distinct, formsOf, isTelling, maskOf } from "./mask-forms.ts";
import { findWord, merged, replaced, withoutEscapes } from "./replaced-text.ts";
import {
  findAddresses,
  findAll,
  findSecretShapes,
  isSecretBag,
  isSecretField,
  isSecretName,
  isSecretVariable,
  type SecretRange,
} from "./secret-shapes.ts";
import { isFileContent, isMeant } from "./wire-values.ts";
import { wireWords } from "./wire-words.ts";

type Environment = Readonly<Record<string, string | undefined>>;

export type MasksOptions = {
  readonly env: Environment;
  /** Names of the person and of the machine. */
  readonly names: readonly string[];
};

/** Known secrets beyond these, in all their forms, are found by their shape and place only. */
const MAX_KNOWN = 1000;

/** Texts that stood still while they streamed: that many, and of that length, are masked alike again. */
const MAX_BEGINNINGS = 16;
export const MAX_BEGINNING = 1024 * 1024;

/** Shorter ones are hidden in their place only: elsewhere they would be anything. */
const MIN_SEARCHED = 8;

/** Fields that may hold JSON as text. */
const JSON_FIELDS: ReadonlySet<string> = new Set(["mcp_config", "settings"]);

/** The names of fields are masked too, as far as they are none that a wire would have. */
const PLAIN_NAME = /^[A-Za-z_]{1,40}$/;

/** Names that many have. */
const ANYBODY =
  /^(root|user|users|home|admin|ubuntu|debian|node|runner|app|dev|test|build|docker|claude|tugtalk|localhost|local|vscode|host|default|unknown|code|person|me|pi)$/i;

export class Masks {
  /** What is looked for everywhere, in each form that it may take. */
  readonly #known = new Map<string, number>();
  /** Those of more than four words, with their first four: the end of a text may cut such a secret. */
  readonly #long = new Map<string, string>();
  /** What its shape gave away: it keeps its number, but is not looked for by itself. */
  readonly #seen = new Map<string, number>();
  readonly #beginnings = new Map<string, string>();
  readonly #names: RegExp | undefined;
  readonly #words = wireWords();
  #newest = 0;
  #masked = 0;

  constructor({ env, names }: MasksOptions) {
    for (const [name, value] of Object.entries(env))
      if (value !== undefined && isSecretVariable(name)) this.learn(value);
    const own = [...new Set(names)].filter((name) => name.length > 2 && !ANYBODY.test(name));
    if (own.length > 0)
      this.#names = new RegExp(`(?<![A-Za-z0-9])(?:${alternatives(own)})(?![A-Za-z0-9])`, "dg");
  }

  /** Hides a value from now on, wherever it stands. */
  learn(value: string): void {
    if (!this.#isSearched(value) || this.#known.has(value) || this.#known.size >= MAX_KNOWN) return;
    const number = this.#numberOf(value);
    for (const form of formsOf(value)) {
      this.#known.set(form, number);
      const opening = /^\s*(?:\S+\s+){4}/.exec(form)?.[0];
      if (opening !== undefined) this.#long.set(form, opening);
    }
  }

  /** Whether a value is a secret wherever it stands: a word, or a path, may be anything elsewhere. */
  #isSearched(value: string): boolean {
    if (!isTelling(value) || value.length < MIN_SEARCHED) return false;
    if (/^[a-z]+$|^(?:\/[\w.-]+)+\/?$/.test(value)) return false;
    return !this.#words.has(value);
  }

  /** How often something was masked. */
  get masked(): number {
    return this.#masked;
  }

  /** Text that may be JSON, but was not read as such, without secrets. */
  maskUnread(text: string): string {
    const fields = findSecretFields(text);
    for (const { start, end } of fields) this.#learnWhole(text.slice(start, end));
    return this.maskText(text, fields);
  }

  /** The text without secrets, and without what else is known to be one. */
  maskText(text: string, more: readonly SecretRange[] = []): string {
    const names = replaced(text, merged(this.#namesIn(text)), blank);
    const mask = (secret: string) => this.#mask(secret);
    const secrets = merged([...this.#secretsIn(text), ...more]);
    const masked = replaced(text, secrets, mask, names);
    const beginning = this.#beginningOf(text);
    const result = beginning + masked.slice(beginning.length);
    if (result !== text) this.#masked += 1;
    return result;
  }

  /** A text that begins so is masked so from now on: its beginning was written before its end was known. */
  remember(beginning: string, masked: string): void {
    if (beginning === masked || beginning.length > MAX_BEGINNING) return;
    this.#beginnings.set(beginning, masked);
    const [oldest] = this.#beginnings.keys();
    if (this.#beginnings.size > MAX_BEGINNINGS && oldest !== undefined)
      this.#beginnings.delete(oldest);
  }

  #beginningOf(text: string): string {
    let longest = "";
    for (const [beginning, masked] of this.#beginnings)
      if (masked.length > longest.length && text.startsWith(beginning)) longest = masked;
    return longest;
  }

  /** What would be masked in a text, in order, also where a known secret may only have begun. */
  rangesIn(text: string): readonly SecretRange[] {
    return merged([...this.#secretsIn(text), ...this.#namesIn(text), ...this.#begunIn(text)]);
  }

  #begunIn(text: string): SecretRange[] {
    const end = text.length;
    return [...this.#long].flatMap(([form, opening]) => {
      const begun = findWord(opening, text).map(({ start }) => start);
      const start = begun.find((at) => end - at < form.length && form.startsWith(text.slice(at)));
      return start === undefined ? [] : [{ label: start, start, end }];
    });
  }

  #secretsIn(text: string): SecretRange[] {
    const known = [...this.#known.keys()].flatMap((form) => findWord(form, text));
    const words = withoutEscapes(text);
    return merged([...known, ...findSecretShapes(words), ...findAddresses(words)]);
  }

  #namesIn(text: string): SecretRange[] {
    if (this.#names === undefined) return [];
    const found = findAll(this.#names, text);
    const words = withoutEscapes(text);
    // A path of Windows may look like an escape.
    return words === text ? found : [...found, ...findAll(this.#names, words)];
  }

  /** Bytes that are no text, without what is known as a secret or looks like one. */
  maskBytes(bytes: Uint8Array): Uint8Array {
    return Buffer.from(this.maskUnread(Buffer.from(bytes).toString("latin1")), "latin1");
  }

  /** A JSON value without secrets; the same one if there were none. */
  maskValue<Value>(value: Value): Value {
    return this.#walk(value, "", false) as Value;
  }

  #walk(value: unknown, key: string, isSecret: boolean): unknown {
    if (typeof value === "string") return this.#maskString(value, key, isSecret);
    if (Array.isArray(value)) return this.#walkList(value, key, isSecret);
    if (typeof value === "number" && isSecret) return this.#maskNumber(value);
    if (typeof value !== "object" || value === null) return value;
    return this.#walkFields(value as Readonly<Record<string, unknown>>, key, isSecret);
  }

  /** Words of a command line come in pairs, or as `--name=value`. */
  #walkList(list: readonly unknown[], key: string, isSecret: boolean): unknown {
    const masked = list.map((inner, index) => {
      const before = list[index - 1];
      const isValue = typeof before === "string" && isSecretFlag(before);
      return this.#walk(inner, key, isSecret || isValue);
    });
    return masked.every((value, index) => value === list[index]) ? list : masked;
  }

  #walkFields(fields: Readonly<Record<string, unknown>>, key: string, isSecret: boolean): unknown {
    const isBag = isSecret || isSecretBag(key);
    let isSame = true;
    const taken = new Set(Object.keys(fields));
    const entries = Object.entries(fields).map(([name, inner]) => {
      const isSecretHere = isBag || isSecretField(name, inner);
      const isLeft = !isSecretHere && isFileContent(name, inner, fields);
      const masked = isLeft ? inner : this.#walk(inner, name, isSecretHere);
      const maskedName = PLAIN_NAME.test(name) ? name : distinct(this.maskText(name), name, taken);
      isSame &&= masked === inner && maskedName === name;
      return [maskedName, masked] as const;
    });
    return isSame ? fields : Object.fromEntries(entries);
  }

  #maskString(text: string, key: string, isSecret: boolean): string {
    if (isSecret) return this.#maskWhole(text);
    if (isMeant(key, text)) return text;
    if (JSON_FIELDS.has(key)) return this.#maskJson(text) ?? this.maskText(text);
    const [, flag = "", value = ""] = /^(--[\w-]+=)([\s\S]+)$/.exec(text) ?? [];
    if (isSecretFlag(flag.slice(0, -1))) return flag + this.#maskWhole(value);
    if (isMeant(flag.slice(2, -1).replaceAll("-", "_"), value)) return text;
    const masked = value.startsWith("{") ? this.#maskJson(value) : undefined;
    return masked === undefined ? this.maskText(text) : flag + masked;
  }

  /** Also what is too short, or too common, to be hidden elsewhere. */
  #maskWhole(text: string): string {
    this.#learnWhole(text);
    if (text === "") return text;
    this.#masked += 1;
    return this.#mask(text);
  }

  #learnWhole(text: string): void {
    this.learn(text);
    // `Bearer x` is a secret because x is one.
    const credentials = /^[A-Za-z]{1,12} (\S{8,})$/.exec(text)?.[1];
    if (credentials !== undefined) this.learn(credentials);
  }

  /** It stays a number, so that the message stays one of its kind. */
  #maskNumber(value: number): number {
    if (value === 0) return value;
    this.#masked += 1;
    this.learn(String(value));
    return 0;
  }

  #maskJson(text: string): string | undefined {
    try {
      const value: unknown = JSON.parse(text);
      const masked = this.maskValue(value);
      return masked === value ? text : JSON.stringify(masked);
    } catch {
      return undefined; // The path of a file, or a mistake.
    }
  }

  #mask(secret: string): string {
    return isTelling(secret) ? maskOf(this.#numberOf(secret), secret.length) : blank(secret);
  }

  #numberOf(secret: string): number {
    const given = this.#known.get(secret) ?? this.#seen.get(secret);
    if (given !== undefined) return given;
    this.#newest += 1;
    if (this.#seen.size < MAX_KNOWN) this.#seen.set(secret, this.#newest);
    return this.#newest;
  }
}

function isSecretFlag(word: string): boolean {
  return /^--?[\w-]+$/.test(word) && isSecretName(word);
}

/** A pattern for any of these, the longest first. */
function alternatives(values: readonly string[]): string {
  const sorted = [...values].sort((one, other) => other.length - one.length);
  return sorted.map((value) => RegExp.escape(value)).join("|");
}
