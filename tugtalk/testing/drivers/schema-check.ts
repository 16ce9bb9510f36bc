/**
 * Checks messages with the committed `schema.json`, as a host in another language would. The validator
 * knows nothing of tugtalk.
 */
import { Ajv2020, type ErrorObject, type ValidateFunction } from "ajv/dist/2020.js";
import SCHEMA from "../../schema.json";
import { fieldsOf } from "../../src/base/json.ts";

type Side = "InboundMessage" | "OutboundMessage";

/** A definition, as far as it says which messages it is for. */
type Definition = {
  readonly oneOf?: readonly { readonly $ref: string }[];
  readonly properties?: Readonly<Record<string, { readonly const?: unknown }>>;
};

const DEFINITIONS: Readonly<Record<string, Definition>> = SCHEMA.$defs as never;
const PREFIX = "#/$defs/";

/**
 * All problems are reported. Formats are not checked, since each has a pattern beside it; nor is the
 * schema itself, which has a test of its own.
 */
const ajv = new Ajv2020({
  allErrors: true,
  validateFormats: false,
  validateSchema: false,
  strictTypes: false,
});
// Without the union of all messages, which would be compiled first, in half a second.
const { anyOf: _union, ...definitions } = SCHEMA;
ajv.addSchema(definitions);

/** The name of each definition by `type`, with the `subtype` for control requests. */
const NAMES: Readonly<Record<Side, ReadonlyMap<string, string>>> = {
  InboundMessage: namesIn("InboundMessage"),
  OutboundMessage: namesIn("OutboundMessage"),
};

/** Each is compiled when it is first needed. */
const validators = new Map<string, ValidateFunction>();

/** Throws where a message to the host is not one of the schema. */
export function checkOutbound(message: unknown): void {
  const fault = schemaFault("OutboundMessage", message);
  if (fault !== undefined) throw new Error(`${fault}\n${JSON.stringify(message)?.slice(0, 2000)}`);
}

/** Why a message is not one of the schema; undefined if it is. */
export function schemaFault(side: Side, message: unknown): string | undefined {
  const name = definitionName(side, message);
  if (name === undefined)
    return `schema.json has no ${side} of the type ${JSON.stringify(fieldsOf(message)["type"])}`;
  const validate = validatorOf(name);
  if (validate(message)) return undefined;
  const problems = (validate.errors ?? []).map(describe);
  return `not a valid ${name} of schema.json: ${[...new Set(problems)].slice(0, 5).join("; ")}`;
}

/** The name of the definition for a message; undefined if there is none for its type. */
export function definitionName(side: Side, message: unknown): string | undefined {
  const { type, subtype } = fieldsOf(message);
  return NAMES[side].get(`${type}`) ?? NAMES[side].get(`${type}/${subtype}`);
}

function namesIn(name: string): ReadonlyMap<string, string> {
  const { oneOf = [], properties } = DEFINITIONS[name] ?? {};
  const inner = oneOf.flatMap(({ $ref }) => [...namesIn($ref.slice(PREFIX.length))]);
  const { type, subtype } = properties ?? {};
  const own = [type?.const, subtype?.const].filter((value) => value !== undefined).join("/");
  return new Map(properties === undefined ? inner : [[own, name]]);
}

function validatorOf(name: string): ValidateFunction {
  const known = validators.get(name);
  if (known !== undefined) return known;
  const validate = ajv.getSchema(`${SCHEMA.$id}${PREFIX}${name}`);
  if (validate === undefined) throw new Error(`schema.json has no ${name}`);
  validators.set(name, validate);
  return validate;
}

function describe({ instancePath, message = "is wrong", params }: ErrorObject): string {
  const { additionalProperty, allowedValues, allowedValue } = params;
  const detail = additionalProperty ?? allowedValues ?? allowedValue;
  const suffix = detail === undefined ? "" : ` (${JSON.stringify(detail)})`;
  return `${instancePath || "the message"} ${message}${suffix}`;
}
