/** A tool of the host: its declaration to Claude, and the function that runs when Claude calls it. */
import type { JsonSchema, ValueOf } from "./json-schema.ts";

/** A schema of zod, or of another library that follows the same two standards. */
type StandardSchema<Value = unknown> = {
  readonly "~standard": {
    readonly types?: { readonly output: Value } | undefined;
    readonly validate: (value: unknown) => Validated<Value> | Promise<Validated<Value>>;
    readonly jsonSchema: {
      readonly input: (options: { readonly target: "draft-2020-12" }) => Record<string, unknown>;
    };
  };
};

type Validated<Value> =
  | { readonly value: Value; readonly issues?: undefined }
  | { readonly issues: readonly Issue[] };

type Issue = {
  readonly message: string;
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined;
};

/** The result of a tool: a text, blocks, or nothing. */
export type ToolResult = string | readonly ToolBlock[] | undefined;

export type ToolBlock =
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "image"; readonly data: string; readonly mimeType: string };

/** The facts about a call. */
export type ToolCall = {
  /** Aborted when Claude does not await the result any more: the turn was interrupted, or Claude ended. */
  readonly signal: AbortSignal;
  readonly tool_use_id?: string | undefined;
  /** Absent for work in the background. */
  readonly turn_id?: string | undefined;
  /** The call of the agent that uses the tool. */
  readonly parent_tool_use_id?: string | undefined;
};

/** The input is the output of a schema of zod. A JSON Schema checks nothing. */
type InputOf<Schema> = Schema extends StandardSchema<infer Value> ? Value : ValueOf<Schema>;

export type ToolDefinition<Schema> = {
  /** The purpose of the tool and when to use it, for the model. */
  readonly description: string;
  /** A schema of zod (4.2 or later), or a JSON Schema. */
  readonly input: Schema;
  /** Hints of MCP. With `readOnlyHint: true` calls may run at the same time. */
  readonly annotations?: Readonly<Record<string, unknown>> | undefined;
  /** `ask`, the default: a `control_request_forward` comes before each call. */
  readonly permission?: "ask" | "allow" | undefined;
  /** The longest time of a call. Default: no limit. */
  readonly timeout_ms?: number | undefined;
  /** True: Claude looks the tool up on demand. */
  readonly deferred?: boolean | undefined;
  /** Runs a call. The message of an error that it throws is the text of a failed call. */
  readonly run: (input: InputOf<Schema>, call: ToolCall) => ToolResult | Promise<ToolResult>;
};

/** A tool. `spawnTugtalk` gets it under its name. */
export type Tool = {
  readonly declaration: Readonly<Record<string, unknown>>;
  readonly run: (input: unknown, call: ToolCall) => Promise<ToolResult>;
};

/** Defines a tool; the schema gives the type of its input. */
export function tool<const Schema extends StandardSchema | JsonSchema>(
  definition: ToolDefinition<Schema>,
): Tool {
  const { input: schema, run, ...declared } = definition;
  return {
    declaration: { ...declared, input_schema: jsonSchemaOf(schema) },
    // The schema gives the type of the input, which no type can connect with the check.
    run: async (input, call) => run((await checked(schema, input)) as InputOf<Schema>, call),
  };
}

function jsonSchemaOf(schema: StandardSchema | JsonSchema): Readonly<Record<string, unknown>> {
  return isStandard(schema)
    ? schema["~standard"].jsonSchema.input({ target: "draft-2020-12" })
    : schema;
}

async function checked(schema: StandardSchema | JsonSchema, input: unknown): Promise<unknown> {
  if (!isStandard(schema)) return input;
  const result = await schema["~standard"].validate(input);
  if (result.issues === undefined) return result.value;
  throw new Error(`the input does not fit: ${result.issues.map(textOf).join("; ")}`);
}

function isStandard(schema: StandardSchema | JsonSchema): schema is StandardSchema {
  return "~standard" in schema;
}

function textOf({ message, path = [] }: Issue): string {
  const keys = path.map((part) => String(typeof part === "object" ? part.key : part));
  return keys.length === 0 ? message : `${keys.join(".")}: ${message}`;
}
