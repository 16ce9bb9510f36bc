/** Writes the check of a schema as an expression of `plain-value.ts`. Throws for a form that has no check. */
import { z } from "zod";
import { isJsonObject } from "../src/base/json.ts";
import { ABSOLUTE_PATH, WORKTREE_NAME } from "../src/base/plain-value.ts";
import { CHANNEL_NAME } from "../src/messages/envelope.ts";
import { HookAnswer } from "../src/messages/hook-messages.ts";
import { HostToolAnswer } from "../src/messages/host-tool-messages.ts";
import { NUL_FREE, worktreeName } from "../src/messages/message-schemas.ts";
import { SessionOptions } from "../src/messages/options.ts";

/** The definition of a schema of any kind. */
export type Definition = z.core.$ZodTypeDef & Readonly<Record<string, unknown>>;

export function definitionOf(schema: z.core.$ZodType): Definition {
  return schema._zod.def as Definition;
}

/** A message with one of these fields is no plain value: its schema checks it. */
const RARE_FIELDS: ReadonlySet<z.core.$ZodType> = new Set([
  SessionOptions.shape.host_tools,
  SessionOptions.shape.host_hooks,
  HostToolAnswer.shape.content,
]);

/** Schemas whose further checks concern long lines and rare fields, which are no plain values. */
const LIMITED: ReadonlySet<z.core.$ZodType> = new Set([HostToolAnswer, HookAnswer, worktreeName]);

/** Writes the checks of one file. */
export class CheckWriter {
  /** The names of `plain-value.ts` that it uses. */
  readonly used = new Set<string>();
  /** Checks of named schemas, each before the checks that use it. */
  readonly named = new Map<string, string>();

  /** The expression that checks a value of the schema. */
  check(schema: z.core.$ZodType, indent = ""): string {
    const { id } = metaOf(schema);
    if (id === undefined) return this.#whole(schema, indent);
    const name = `is${id}`;
    if (!this.named.has(name)) this.named.set(name, this.#whole(schema, ""));
    return name;
  }

  #whole(schema: z.core.$ZodType, indent: string): string {
    const base = this.#base(schema, indent);
    return isNulFree(schema) ? this.#call("refined", base, this.#use("isNulFree")) : base;
  }

  /** The checks of the fields of an object, except the left-out ones. */
  fields(shape: object, indent: string, ...without: readonly string[]): string {
    const inner = `${indent}  `;
    const lines = Object.entries<z.core.$ZodType>({ ...shape })
      .filter(([name]) => !without.includes(name))
      .map(([name, schema]) => `${inner}${keyOf(name)}: ${this.#field(schema, inner)},\n`);
    return lines.length === 0 ? "{}" : `{\n${lines.join("")}${indent}}`;
  }

  #field(schema: z.core.$ZodType, indent: string): string {
    return RARE_FIELDS.has(schema) ? this.#use("isAbsent") : this.check(schema, indent);
  }

  #base(schema: z.core.$ZodType, indent: string): string {
    const definition = definitionOf(schema);
    const inner = (name: string) => this.check(definition[name] as z.core.$ZodType, indent);
    switch (definition.type) {
      case "string":
        return this.#use(textCheck(definition));
      case "number":
        return this.#number(definition);
      case "literal":
        return this.#oneOf(definition["values"] as readonly unknown[]);
      case "enum":
        return this.#oneOf(Object.values(definition["entries"] as object));
      case "array":
        return this.#call("listOf", inner("element"));
      case "record":
        return this.#call("recordOf", inner("valueType"));
      case "custom":
        return this.#custom(schema, indent);
      case "object":
        return this.#object(definition, indent);
      case "union":
        return this.#union(definition["options"] as readonly z.core.$ZodType[], indent);
      case "optional":
        return this.#optional(definition["innerType"] as z.core.$ZodType, indent);
      case "nullable":
        return this.#call("either", inner("innerType"), this.#use("isNull"));
      case "pipe":
        return this.#items(schema, indent);
      case "catch":
      case "default":
        return inner("innerType");
      default:
        return this.#use(scalarCheck(definition.type));
    }
  }

  #use(name: string): string {
    this.used.add(name);
    return name;
  }

  #call(name: string, ...args: readonly string[]): string {
    return `${this.#use(name)}(${args.join(", ")})`;
  }

  #oneOf(values: readonly unknown[]): string {
    return this.#call("oneOf", ...values.map((value) => JSON.stringify(value)));
  }

  #optional(inner: z.core.$ZodType, indent: string): string {
    const definition = definitionOf(inner);
    if (definition.type === "optional")
      return this.#optional(definition["innerType"] as z.core.$ZodType, indent);
    if (definition.type !== "nullable") return this.#call("optional", this.check(inner, indent));
    return this.#call("nullish", this.check(definition["innerType"] as z.core.$ZodType, indent));
  }

  #number({ checks }: Definition): string {
    const rest = ownChecks(checks);
    const bound = (name: string) => rest.find(({ check }) => check === name);
    const [least, most] = [bound("greater_than"), bound("less_than")];
    if (rest.some(({ format }) => format === "safeint")) {
      const from =
        least === undefined
          ? Number.MIN_SAFE_INTEGER
          : Number(least["value"]) + (least["inclusive"] === true ? 0 : 1);
      return this.#call(
        "integer",
        String(from),
        String(most?.["value"] ?? Number.MAX_SAFE_INTEGER),
      );
    }
    if (rest.length === 0) return this.#use("isNumber");
    if (rest.length === 1 && least?.["value"] === 0 && least["inclusive"] === false)
      return this.#use("isPositive");
    throw new Error(`there is no check for such a number: ${JSON.stringify(rest)}`);
  }

  /** An object with any fields, or with values of one schema. */
  #custom(schema: z.core.$ZodType, indent: string): string {
    if (definitionOf(schema)["fn"] !== isJsonObject)
      throw new Error("there is no check for a custom schema");
    const values = metaOf(schema)["values"];
    if (values === undefined) return this.#use("isObject");
    return this.#call("recordOf", this.check(values as z.core.$ZodType, indent));
  }

  /** A list without the items that do not match. */
  #items(schema: z.core.$ZodType, indent: string): string {
    const items = metaOf(schema)["items"];
    if (items === undefined)
      throw new Error("there is no check for a schema that changes its value");
    return this.#call("listOf", this.check(items as z.core.$ZodType, indent));
  }

  #object(definition: Definition, indent: string): string {
    const catchall = definition["catchall"] as z.core.$ZodType | undefined;
    const isLoose = catchall !== undefined && definitionOf(catchall).type === "unknown";
    return `${this.#use(isLoose ? "looseObject" : "exactObject")}(${this.fields(definition["shape"] as object, indent)})`;
  }

  /**
   * Checks options with a type by that type, and untyped options one by one. Typed options then cannot change
   * their value.
   */
  #union(options: readonly z.core.$ZodType[], indent: string): string {
    const typed = options.flatMap(flattened).filter((option) => typeOf(option) !== undefined);
    const checked = typed.length === 0 ? options : options.filter(isUntyped);
    const checks = checked.map((option) => this.check(option, indent));
    if (typed.length > 0) checks.unshift(this.#byType(typed, indent));
    return checks.reduce((one, other) => this.#call("either", one, other));
  }

  #byType(options: readonly z.core.$ZodType[], indent: string): string {
    const inner = `${indent}  `;
    const rows = options.map((option) => {
      const fields = this.fields(shapeOf(option), inner, "type");
      return `${inner}${keyOf(typeOf(option) ?? "")}: ${fields},\n`;
    });
    return `${this.#use("byType")}({\n${rows.join("")}${indent}})`;
  }
}

const SCALARS: Readonly<Record<string, string>> = {
  boolean: "isFlag",
  null: "isNull",
  undefined: "isAbsent",
  unknown: "isAny",
};

function scalarCheck(type: string): string {
  const name = SCALARS[type];
  if (name === undefined) throw new Error(`there is no check for a schema of the type ${type}`);
  return name;
}

const PATTERN_CHECKS: ReadonlyMap<unknown, string> = new Map([
  [CHANNEL_NAME, "isChannelName"],
  [WORKTREE_NAME, "isWorktreeName"],
  [ABSOLUTE_PATH, "isAbsolutePath"],
]);

function textCheck({ format, checks }: Definition): string {
  const [rule, ...others] = ownChecks(checks).filter(({ check }) => check !== "custom");
  if (others.length === 0) {
    if (rule === undefined && format === undefined) return "isText";
    if (rule?.["check"] === "overwrite" && format === "uuid") return "isLowerUuid";
    if (rule?.["check"] === "min_length" && rule["minimum"] === 1) return "isName";
    const named = PATTERN_CHECKS.get(rule?.["pattern"]);
    if (named !== undefined) return named;
  }
  throw new Error(`there is no check for such a text: ${JSON.stringify([rule, ...others])}`);
}

export function shapeOf(schema: z.core.$ZodType): Readonly<Record<string, z.core.$ZodType>> {
  return definitionOf(schema)["shape"] as Readonly<Record<string, z.core.$ZodType>>;
}

/** The options of a union within a union. */
export function flattened(schema: z.core.$ZodType): readonly z.core.$ZodType[] {
  const { type, options } = definitionOf(schema);
  return type === "union" ? (options as readonly z.core.$ZodType[]).flatMap(flattened) : [schema];
}

/** The constant `type` of an object. */
export function typeOf(schema: z.core.$ZodType): string | undefined {
  if (definitionOf(schema).type !== "object") return undefined;
  const type = shapeOf(schema)["type"];
  if (type === undefined || definitionOf(type).type !== "literal") return undefined;
  return String((definitionOf(type)["values"] as readonly unknown[])[0]);
}

/** Whether an object must have no `type`. */
function isUntyped(schema: z.core.$ZodType): boolean {
  if (definitionOf(schema).type !== "object") return false;
  const type = shapeOf(schema)["type"];
  if (type === undefined || definitionOf(type).type !== "optional") return false;
  return definitionOf(definitionOf(type)["innerType"] as z.core.$ZodType).type === "undefined";
}

function metaOf(schema: z.core.$ZodType): Readonly<Record<string, unknown>> {
  return { ...z.globalRegistry.get(schema) };
}

/** Whether a schema refuses a NUL. Throws if a function checks anything else. */
function isNulFree(schema: z.core.$ZodType): boolean {
  const { type, checks } = definitionOf(schema);
  if (type === "custom" || LIMITED.has(schema)) return false;
  if (!ownChecks(checks).some(({ check }) => check === "custom")) return false;
  if (metaOf(schema)["if"] === NUL_FREE.if) return true;
  throw new Error("there is no check for a refinement");
}

type OwnCheck = Readonly<Record<string, unknown>>;

function ownChecks(checks: unknown): readonly OwnCheck[] {
  const all = (checks ?? []) as readonly z.core.$ZodCheck[];
  return all.map((check) => ({ ...check._zod.def }));
}

export function keyOf(name: string): string {
  return /^[a-z_]\w*$/i.test(name) ? name : JSON.stringify(name);
}
