/** Takes secrets out of a JSON value: by the names of its fields, and out of every text in it. */
import { isJsonObject, type JsonObject, parseJson } from "../../base/json.ts";
import { stars, type TextMask } from "./mask-text.ts";
import { isSecretBag, isSecretField, isSecretName } from "./secret-patterns.ts";

/** The value that is masked, and what it is masked with. */
type Field = { readonly name: string; readonly isSecret: boolean; readonly mask: TextMask };

/** JsonObject that may hold JSON as text. */
const JSON_FIELDS: ReadonlySet<string> = new Set(["mcp_config", "settings"]);

/** Names of fields that a wire has. Any other is masked like a text: it may be a question, or a path. */
const PLAIN_NAME = /^[A-Za-z_]{1,40}$/;

/** The value without secrets; the same one if there are none. */
export function maskJson<Value>(value: Value, mask: TextMask): Value {
  return maskField(value, { name: "", isSecret: false, mask }) as Value;
}

function maskField(value: unknown, field: Field): unknown {
  if (typeof value === "string") return maskString(value, field);
  if (Array.isArray(value)) return maskList(value, field);
  // It stays a number, so that the message stays one of its kind.
  if (typeof value === "number") return field.isSecret ? 0 : value;
  return isJsonObject(value) ? maskFields(value, field) : value;
}

function maskString(text: string, { name, isSecret, mask }: Field): string {
  if (isSecret) return maskWhole(text, mask);
  const [, flag = "", value = ""] = /^(--[\w-]+=)([\s\S]+)$/.exec(text) ?? [];
  if (isSecretFlag(flag.slice(0, -1))) return flag + maskWhole(value, mask);
  const json = JSON_FIELDS.has(name) ? text : value;
  const masked = json.startsWith("{") ? maskJsonText(json, mask) : undefined;
  return masked === undefined ? mask.mask(text) : text.slice(0, -json.length) + masked;
}

function maskWhole(text: string, mask: TextMask): string {
  mask.learn(text);
  // `Bearer x` is a secret because x is one.
  mask.learn(/^[A-Za-z]{1,12} (\S+)$/.exec(text)?.[1] ?? "");
  return stars(text);
}

function maskJsonText(text: string, mask: TextMask): string | undefined {
  const value = parseJson(text);
  const masked = maskJson(value, mask);
  return masked === value ? undefined : JSON.stringify(masked);
}

/** In a command line a value may be the word after its flag. */
function maskList(list: readonly unknown[], field: Field): unknown {
  const masked = list.map((inner, index) => {
    const before = list[index - 1];
    const isSecret = field.isSecret || (typeof before === "string" && isSecretFlag(before));
    return maskField(inner, { ...field, isSecret });
  });
  return masked.every((value, index) => value === list[index]) ? list : masked;
}

function maskFields(fields: JsonObject, { name, isSecret, mask }: Field): unknown {
  const isBag = isSecret || isSecretBag(name);
  let isSame = true;
  const entries: [string, unknown][] = [];
  for (const [key, value] of Object.entries(fields)) {
    const inner = { name: key, isSecret: isBag || isSecretField(key, value), mask };
    const isLeft = isFileContent(key, value, fields) && !inner.isSecret;
    const masked = isLeft ? value : maskField(value, inner);
    let maskedKey = PLAIN_NAME.test(key) ? key : mask.mask(key);
    // Two names that are alike once they are masked stay two.
    while (maskedKey !== key && entries.some(([other]) => other === maskedKey)) maskedKey += "*";
    isSame &&= masked === value && maskedKey === key;
    entries.push([maskedKey, masked]);
  }
  return isSame ? fields : Object.fromEntries(entries);
}

/** Whether a field holds the bytes of a file that is not text, such as a picture: any letters may stand there. */
function isFileContent(key: string, value: unknown, { media_type: type }: JsonObject): boolean {
  if ((key !== "data" && key !== "content") || typeof value !== "string") return false;
  const isBinary = typeof type === "string" && /^(?:image|audio|video|application)\//.test(type);
  return isBinary && value.length % 4 === 0 && /^[A-Za-z0-9+/]+={0,2}$/.test(value);
}

function isSecretFlag(word: string): boolean {
  return /^--?[\w-]+$/.test(word) && isSecretName(word);
}
