/** Masks the secrets in a JSON value: the values of fields with telling names, and secrets in every text. */
import { type Fields, isJsonObject, parseJson } from "../../base/json.ts";
import { MAX_DEPTH } from "../../base/json-depth.ts";
import { MASK_CHAR, maskAll, type TextMask } from "./mask-text.ts";
import { isSecretBag, isSecretField, isSecretName } from "./secret-patterns.ts";

/** The field of a value. With `isSecret` all of the value is masked; below `levels` it is left out. */
type Field = {
  readonly name: string;
  readonly isSecret: boolean;
  readonly levels: number;
  readonly mask: TextMask;
};

/** Fields that may hold JSON as text. */
const JSON_FIELDS: ReadonlySet<string> = new Set(["mcp_config", "settings"]);

/** Names of fields on a wire. Other names are masked like texts: they may be questions or paths. */
const PLAIN_NAME = /^[A-Za-z_]{1,40}$/;

/** Deeper levels are left out. The bridge may add some levels to a value that it receives. */
export const KEPT_DEPTH = MAX_DEPTH + 16;

/** The value with its secrets masked. */
export function maskJson<Value>(value: Value, mask: TextMask): Value {
  return maskValue(value, { name: "", isSecret: false, levels: KEPT_DEPTH, mask }) as Value;
}

function maskValue(value: unknown, field: Field): unknown {
  if (typeof value === "string") return maskString(value, field);
  // It stays a number, so that the message keeps its shape.
  if (typeof value === "number") return field.isSecret ? 0 : value;
  if (typeof value !== "object" || value === null) return value;
  if (field.levels < 0) return null;
  const inner = { ...field, levels: field.levels - 1 };
  return isJsonObject(value) ? maskFields(value, inner) : maskList(value as unknown[], inner);
}

function maskString(text: string, { name, isSecret, mask }: Field): string {
  if (isSecret) return maskSecret(text, mask);
  const [, flag = "", value = ""] = /^(--[\w-]+=)([\s\S]+)$/.exec(text) ?? [];
  if (isSecretFlag(flag.slice(0, -1))) return flag + maskSecret(value, mask);
  const json = JSON_FIELDS.has(name) ? text : value;
  const parsed = json.startsWith("{") ? parseJson(json) : undefined;
  if (parsed === undefined) return mask.mask(text);
  return text.slice(0, -json.length) + JSON.stringify(maskJson(parsed, mask));
}

/** Masks all of a value here, and the same value in every later text. */
function maskSecret(text: string, mask: TextMask): string {
  mask.learn(text);
  // In `Bearer x` the secret is x.
  mask.learn(/^[A-Za-z]{1,12} (\S+)$/.exec(text)?.[1] ?? "");
  return maskAll(text);
}

/** In a command line a value may follow its flag. */
function maskList(list: readonly unknown[], field: Field): unknown {
  return list.map((value, index) => {
    const isSecret = field.isSecret || isSecretFlag(list[index - 1]);
    return maskValue(value, { ...field, isSecret });
  });
}

function maskFields(fields: Fields, outer: Field): Fields {
  const { mask } = outer;
  const isBag = outer.isSecret || isSecretBag(outer.name);
  const masked = new Map<string, unknown>();
  for (const [key, value] of Object.entries(fields)) {
    const field = { ...outer, name: key, isSecret: isBag || isSecretField(key, value) };
    const isKept = isFileContent(key, value, fields) && !field.isSecret;
    let maskedKey = PLAIN_NAME.test(key) ? key : mask.mask(key);
    // Two names that are the same when masked stay two.
    while (masked.has(maskedKey)) maskedKey += MASK_CHAR;
    masked.set(maskedKey, isKept ? value : maskValue(value, field));
  }
  return Object.fromEntries(masked);
}

/** Whether a field holds the base64 of a file, for example a picture: it may have any letters. */
function isFileContent(key: string, value: unknown, { media_type: type }: Fields): boolean {
  if ((key !== "data" && key !== "content") || typeof value !== "string") return false;
  const isBinary = typeof type === "string" && /^(?:image|audio|video|application)\//.test(type);
  return isBinary && value.length % 4 === 0 && /^[A-Za-z0-9+/]+={0,2}$/.test(value);
}

function isSecretFlag(argument: unknown): boolean {
  return typeof argument === "string" && /^--?[\w-]+$/.test(argument) && isSecretName(argument);
}
