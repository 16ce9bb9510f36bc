/** The operation of each command: its parameters, its body, its answers and its refusals. Pure. */
import { HOST_ROUTES, type HostRoute } from "../../client/host-routes.ts";
import type { Schema } from "../../schema/json-schema.ts";
import { fieldsOf } from "../../src/base/json.ts";
import { ANSWERS } from "../answers/answers.ts";
import { ALIAS_ROUTES } from "../api/alias-routes.ts";
import type { CommandName } from "../api/command.ts";
import { EXPORT_TYPES } from "../export/export-session.ts";
import { ALIASES } from "../server/run-command.ts";
import { answerKey, type DocumentSchemas } from "./document-schemas.ts";
import type { RefusalStatus } from "./refusals.ts";
import { SUMMARIES } from "./summaries.ts";

export type CommandOperation = HostRoute & {
  readonly operation: Schema;
  readonly refusals: readonly RefusalStatus[];
};

const ROUTES: Readonly<Record<CommandName, HostRoute>> = { ...HOST_ROUTES, ...ALIAS_ROUTES };

/** Commands whose caller other clients see by name. */
const NAMED = ["approve", "answer", "elicitation", "dialog", "submit_answers", "deny_call"];

/** Commands that can name a place and have no session. */
const OF_PLACES = ["create", "history"];

const DESCRIPTIONS: Readonly<Record<string, string>> = {
  200: "Done.",
  201: "The session, whose Claude is started.",
  202: "The message waits.",
};

export function commandOperations(schemas: DocumentSchemas): readonly CommandOperation[] {
  const names = Object.keys(ROUTES) as CommandName[]; // The keys of a table are its names.
  return names.map((name) => {
    const route = ROUTES[name];
    const { parameters, body } = inputOf(route, schemas.fields[name] ?? {});
    const description = otherNames(name);
    const named = NAMED.includes(name) ? [{ $ref: "#/components/parameters/clientName" }] : [];
    const all = [...parameters, ...named];
    const operation = {
      operationId: name,
      summary: SUMMARIES[name],
      ...(description !== undefined && { description }),
      ...(all.length > 0 && { parameters: all }),
      ...(body !== undefined && { requestBody: body }),
      responses: responsesOf(name, schemas),
    };
    return { ...route, operation, refusals: refusalsOf(name, route) };
  });
}

type Input = { readonly parameters: readonly Schema[]; readonly body?: Schema };

/**
 * The fields of a command that are not in its path. A GET or DELETE has them in the query, other methods in
 * the body.
 */
function inputOf({ method, path }: HostRoute, schema: Schema): Input {
  const { properties, required, additionalProperties } = objectOf(schema);
  const inPath = path.split("/").flatMap((part) => (part.startsWith(":") ? [part.slice(1)] : []));
  const fields = Object.entries(properties).filter(([field]) => !inPath.includes(field));
  const isRequired = (field: string) => required.includes(field);
  if (method === "GET" || method === "DELETE") {
    const parameters = fields.map(([field, own]) => ({
      name: field,
      in: "query",
      ...(isRequired(field) && { required: true }),
      schema: own,
    }));
    return { parameters };
  }
  if (fields.length === 0) return { parameters: [] };
  const needed = fields.map(([field]) => field).filter(isRequired);
  const body = {
    type: "object",
    properties: Object.fromEntries(fields),
    ...(needed.length > 0 && { required: needed }),
    additionalProperties,
  };
  return {
    parameters: [],
    body: {
      ...(needed.length > 0 && { required: true }),
      content: { "application/json": { schema: body } },
    },
  };
}

/** One object schema from the parts of an `allOf`, each of which has some of the fields. */
function objectOf(schema: Schema) {
  const { allOf } = schema;
  const parts = Array.isArray(allOf) ? allOf.map(fieldsOf) : [schema];
  return {
    properties: Object.assign({}, ...parts.map(({ properties }) => properties)) as Schema,
    required: parts.flatMap(({ required }) => (Array.isArray(required) ? required : [])),
    additionalProperties: parts.length > 1,
  };
}

function otherNames(name: CommandName): string | undefined {
  const others = Object.entries(ALIASES[name] ?? {});
  if (others.length === 0) return undefined;
  return `Names of fields in other hosts are taken: ${others.map(([other, own]) => `\`${other}\` is \`${own}\``).join(", ")}.`;
}

function responsesOf(name: CommandName, { answers, exported }: DocumentSchemas): Schema {
  const statuses = Object.keys(ANSWERS[name]).map((status) => {
    const schema = answers[answerKey(name, status)] ?? {};
    const content =
      name === "export"
        ? { [EXPORT_TYPES.md]: { schema }, [EXPORT_TYPES.json]: { schema: exported } }
        : { "application/json": { schema } };
    return [status, { description: DESCRIPTIONS[status], content }] as const;
  });
  return Object.fromEntries(statuses);
}

/** The refusals of a command by its subject, beyond those of all commands. */
function refusalsOf(name: CommandName, { method, path }: HostRoute): readonly RefusalStatus[] {
  const isOfSession = path.includes(":id");
  const isChange = method !== "GET" && (isOfSession || name === "create");
  return [
    ...(isOfSession || OF_PLACES.includes(name) ? [404 as const] : []),
    ...(isChange ? [409 as const] : []),
    ...(name === "files" ? [501 as const] : []),
  ];
}
