/**
 * The OpenAPI 3.1 document of the host, made from the tables of commands and routes and from the schemas of
 * fields and answers. It needs no running host.
 */
import packageJson from "../../../package.json" with { type: "json" };
import type { Definitions, Schema } from "../../schema/json-schema.ts";
import { fieldsOf } from "../../src/base/json.ts";
import { type CommandOperation, commandOperations } from "./command-operations.ts";
import { documentSchemas, type Openness } from "./document-schemas.ts";
import { OTHER_OPERATIONS, type OtherOperation } from "./other-operations.ts";
import { REFUSALS, type RefusalStatus } from "./refusals.ts";

const DESCRIPTION =
  "The reference host of tugtalk, which runs sessions of Claude Code; HOST.md says more. Times are milliseconds since 1970, costs US dollars. A field that a command does not know is refused, and an answer may have further ones. `stageId` is another name of the id of a session.";

export function openApiDocument(openness: Openness = "open"): Schema {
  const schemas = documentSchemas(openness);
  const commands = commandOperations(schemas);
  const others = Object.entries(OTHER_OPERATIONS).map(([operationId, other]) => ({
    ...other,
    operation: { operationId, ...other.operation },
  }));
  const paths = pathsOf([...commands, ...others]);
  const components = {
    securitySchemes: SECURITY_SCHEMES,
    parameters: PARAMETERS,
    responses: {
      ...Object.fromEntries(statuses().map((status) => [status, refusalOf(status)])),
      Refusal: REFUSAL,
    },
  };
  const shared = { ...schemas.definitions, Error: ERROR };
  const used = usedIn({ paths, components }, shared);
  return inPlace({
    openapi: "3.1.1",
    info: { title: "tugtalk host", version: packageJson.version, description: DESCRIPTION },
    servers: [{ url: "/" }],
    security: [{ token: [] }, { cookie: [] }],
    paths,
    components: { ...components, schemas: used },
  });
}

/** The text that is served and packed. */
export function openApiText(): string {
  return JSON.stringify(openApiDocument());
}

const SECURITY_SCHEMES = {
  token: { type: "http", scheme: "bearer", description: "The text of the file `<data>/token`." },
  cookie: {
    type: "apiKey",
    in: "cookie",
    name: "tugtalk_7717",
    description:
      "Of a browser that was signed in by a link; the name ends in the port of the host. A change needs `Origin` too.",
  },
};

const inPath = (name: string, description: string) => ({
  name,
  in: "path",
  required: true,
  description,
  schema: { type: "string" },
});

/** Each field of a path, by its name. */
const PARAMETERS: Readonly<Record<string, Schema>> = {
  id: inPath("id", "The session."),
  message_id: inPath("message_id", "The message."),
  task_id: inPath("task_id", "The task."),
  name: inPath("name", "As the page names it."),
  clientName: {
    name: "x-client-name",
    in: "header",
    description: "The name of the client, which others see.",
    schema: { type: "string" },
  },
};

const ERROR = {
  description: "A refusal; some codes have further fields.",
  type: "object",
  properties: {
    error: { type: "string", description: "For people." },
    code: { type: "string", description: "For programs." },
    field: { type: "string", description: "The field that is wrong." },
    session: { type: "string", description: "Of `in_use`: the session that has the conversation." },
  },
  required: ["error", "code"],
};

/** The answer for every status that an operation does not name. */
const REFUSAL = {
  description:
    "A refusal that says nothing of the operation itself. The responses under `components` have the codes of each status.",
  content: { "application/json": { schema: { $ref: "#/components/schemas/Error" } } },
};

function statuses(): readonly RefusalStatus[] {
  return Object.keys(REFUSALS).map(Number) as RefusalStatus[]; // The keys of a table are its names.
}

/** Codes are examples: a later host has others, and some come from the bridge. */
function refusalOf(status: RefusalStatus): Schema {
  const { description, codes } = REFUSALS[status];
  const code = { anyOf: [{ type: "string", enum: codes }, { type: "string" }] };
  const schema = { allOf: [{ $ref: "#/components/schemas/Error" }, { properties: { code } }] };
  return { description, content: { "application/json": { schema } } };
}

type Operations = readonly (CommandOperation | OtherOperation)[];

function pathsOf(operations: Operations): Schema {
  const paths: Record<string, Schema> = {};
  for (const { method, path, operation, refusals } of operations) {
    const named = [...path.matchAll(/:(\w+)/g)].map(([, name]) => name);
    const parameters = named.map((name) => ({ $ref: `#/components/parameters/${name}` }));
    const refused = refusals?.map((status) => [status, responseReference(status)]) ?? [];
    const responses = {
      ...fieldsOf(operation["responses"]),
      ...Object.fromEntries(refused),
      ...(refusals !== undefined && { default: responseReference("Refusal") }),
    };
    const key = path.replace(/:(\w+)/g, "{$1}");
    const item = paths[key] ?? (parameters.length > 0 ? { parameters } : {});
    paths[key] = { ...item, [method.toLowerCase()]: { ...operation, responses } };
  }
  return paths;
}

function responseReference(name: RefusalStatus | "Refusal"): Schema {
  return { $ref: `#/components/responses/${name}` };
}

/** The definitions that a value refers to, directly or through another definition. */
function usedIn(value: unknown, definitions: Definitions): Definitions {
  const used: Definitions = {};
  const add = (inner: unknown) => {
    for (const [, name = ""] of JSON.stringify(inner).matchAll(/"#\/[\w$/]+\/([A-Z]\w+)"/g)) {
      const definition = definitions[name];
      if (definition === undefined || name in used) continue;
      used[name] = definition;
      add(definition);
    }
  };
  add(value);
  return used;
}

/** Makes references lead to the place of definitions in an OpenAPI document. */
function inPlace(document: Schema): Schema {
  return JSON.parse(JSON.stringify(document).replaceAll('"#/$defs/', '"#/components/schemas/'));
}
