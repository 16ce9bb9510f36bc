/** The JSON Schemas of the fields and the answers of all commands, with the definitions that they share. */
import { z } from "zod";
import { type Definitions, open, represent, type Schema } from "../../schema/json-schema.ts";
import { fieldsOf } from "../../src/base/json.ts";
import { ANSWERS, Exported } from "../answers/answers.ts";
import { COMMAND_FIELDS } from "../fields/command-fields.ts";
import { ALIAS_COMMANDS } from "../fields/prompt-fields.ts";
import { MAX_SHUTDOWN_GRACE_MS, OF_PROGRAMS } from "../fields/session-fields.ts";

/** Answers of an open document may have further fields and values, as a later host sends. */
export type Openness = "open" | "closed";

export type DocumentSchemas = {
  /** By the name of the command. */
  readonly fields: Definitions;
  /** By the name of the command and the status. */
  readonly answers: Definitions;
  readonly exported: Schema;
  readonly definitions: Definitions;
};

type Converted = { readonly schemas: Definitions; readonly definitions: Definitions };

export function documentSchemas(openness: Openness): DocumentSchemas {
  const fields = convert({ ...COMMAND_FIELDS, ...ALIAS_COMMANDS }, "input", simplify);
  const answers = convert({ ...answerShape(), Exported }, "output", (jsonSchema) => {
    if (openness === "open") open(jsonSchema);
    simplify(jsonSchema);
  });
  const definitions = { ...fields.definitions, ...answers.definitions };
  return {
    fields: fields.schemas,
    answers: answers.schemas,
    exported: answers.schemas["Exported"] ?? {},
    definitions: { ...definitions, SessionOptions: sessionOptions(definitions) },
  };
}

/** The key of an answer. */
export function answerKey(command: string, status: string): string {
  return `${command} ${status}`;
}

function answerShape(): Readonly<Record<string, z.ZodType>> {
  const answers = Object.entries(ANSWERS).flatMap(([name, byStatus]) =>
    Object.entries(byStatus).map(([status, schema]) => [answerKey(name, status), schema]),
  );
  return Object.fromEntries(answers);
}

function convert(
  shape: Readonly<Record<string, z.ZodType>>,
  io: "input" | "output",
  change: (jsonSchema: Schema) => void,
): Converted {
  const { properties, $defs } = z.toJSONSchema(z.object(shape), {
    io,
    unrepresentable: "any",
    override: (at) => {
      represent(at);
      change(at.jsonSchema);
    },
  });
  return { schemas: properties as Definitions, definitions: $defs as Definitions };
}

/** Drops keywords that generators of types do not know, and those that hold for any JSON number or key. */
function simplify(jsonSchema: Schema): void {
  // The keywords of texts without NUL, as in options of a session.
  for (const name of ["if", "else", "propertyNames"]) delete jsonSchema[name];
  if (jsonSchema["format"] === "uuid") delete jsonSchema["pattern"];
  if (jsonSchema["minimum"] === Number.MIN_SAFE_INTEGER) delete jsonSchema["minimum"];
  if (jsonSchema["maximum"] === Number.MAX_SAFE_INTEGER) delete jsonSchema["maximum"];
}

/** The session options that a client of the host can give. */
function sessionOptions({ SessionOptions = {} }: Definitions): Schema {
  const ofPrograms: readonly string[] = OF_PROGRAMS;
  const { shutdown_grace_ms, ...properties } = fieldsOf(SessionOptions["properties"]);
  const kept = Object.entries(properties).filter(([name]) => !ofPrograms.includes(name));
  const grace = { ...fieldsOf(shutdown_grace_ms), maximum: MAX_SHUTDOWN_GRACE_MS };
  return {
    ...SessionOptions,
    properties: { ...Object.fromEntries(kept), shutdown_grace_ms: grace },
  };
}
