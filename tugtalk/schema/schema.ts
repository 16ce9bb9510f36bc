/** `tugtalk schema`: prints the JSON Schema of the wire. */
import { refuseArguments } from "../src/base/flags.ts";
import { isJsonObject } from "../src/base/json.ts";
import { schemaDocument } from "./document.ts";

const USAGE = `usage: tugtalk schema

Prints the JSON Schema (2020-12) of every message between a host and tugtalk.
`;

/** Prints the schema. Exit code 2: there are arguments. */
export async function runSchema(args: readonly string[]): Promise<void> {
  if (args.length === 0) await print(schemaText());
  else if (args.length === 1 && (args[0] === "--help" || args[0] === "-h")) await print(USAGE);
  else refuseArguments(`tugtalk schema takes no arguments, got ${args.join(" ")}`, USAGE);
}

/** A reader that ends early, for example `head`, needs no more. */
async function print(text: string): Promise<void> {
  try {
    await Bun.write(Bun.stdout, text);
  } catch (cause) {
    if (!(cause instanceof Error && "code" in cause && cause.code === "EPIPE")) throw cause;
  }
}

/** The text of `schema.json`. */
export function schemaText(): string {
  return `${JSON.stringify(schemaDocument(), describedFirst, 2)}\n`;
}

/** Puts the description of a schema before its other keys. */
function describedFirst(_key: string, value: unknown): unknown {
  return isJsonObject(value) && typeof value["description"] === "string"
    ? { description: value["description"], ...value }
    : value;
}
