/** `tugtalk schema` and `schema.json`: valid, up to date, and with the verdicts of the parser. */
import { describe, expect, test } from "bun:test";
import { Ajv2020 } from "ajv/dist/2020.js";
import SCHEMA from "../../schema.json";
import { isJsonObject, parseJson } from "../../src/base/json.ts";
import { INBOUND_TYPES } from "../../src/edge/plain-checks.generated.ts";
import { CONTROL_SUBTYPES } from "../../src/messages/control-subtypes.ts";
import { PermissionMode } from "../../src/messages/protocol-init.ts";
import { InboundMessage, OutboundMessage } from "../../src/types.ts";
import { KIND_FIXTURES } from "../../testing/captures/kind-fixtures.ts";
import { emittedFor } from "../../testing/captures/kind-session.ts";
import { BAD_LINES, EXAMPLES } from "../../testing/drivers/bad-host-lines.ts";
import { runCommand } from "../../testing/drivers/ended-command.ts";
import { checkOutbound, schemaFault } from "../../testing/drivers/schema-check.ts";
import { schemaText } from "../schema.ts";

const CLI = `${import.meta.dir}/../../cli.ts`;
const COMMITTED = `${import.meta.dir}/../../schema.json`;

type Node = Readonly<Record<string, unknown>>;

const DEFINITIONS: Readonly<Record<string, Node>> = SCHEMA.$defs as never;

/** Every object in a JSON value, with its path. */
function nodesIn(value: unknown, path = ""): readonly (readonly [path: string, node: Node])[] {
  if (Array.isArray(value)) return value.flatMap((inner, at) => nodesIn(inner, `${path}/${at}`));
  if (!isJsonObject(value)) return [];
  const inner = Object.entries(value).flatMap(([key, child]) => nodesIn(child, `${path}/${key}`));
  return [[path, value], ...inner];
}

test("schema.json is what tugtalk schema prints; `bun tugtalk/cli.ts schema > tugtalk/schema.json` renews it", async () => {
  expect(schemaText() === (await Bun.file(COMMITTED).text())).toBe(true);
});

test("tugtalk schema prints the schema, and needs no Claude", async () => {
  const { code, out } = await runCommand([process.execPath, CLI, "schema"], { env: {} });
  expect(code).toBe(0);
  expect(JSON.parse(out)).toEqual(SCHEMA as never);
});

test("tugtalk schema ends well when its reader has seen enough", async () => {
  const child = Bun.spawn([process.execPath, CLI, "schema"], { stdio: ["ignore", "pipe", "pipe"] });
  await child.stdout.cancel();
  expect([await new Response(child.stderr).text(), await child.exited]).toEqual(["", 0]);
});

test("tugtalk schema with an argument names it, prints its usage, and ends with 2", async () => {
  const { code, out, err } = await runCommand([process.execPath, CLI, "schema", "--json"]);
  expect(err).toStartWith("tugtalk schema takes no arguments, got --json\n\nusage: tugtalk schema");
  expect({ code, out }).toEqual({ code: 2, out: "" });
});

test("schema.json is valid by the meta-schema of JSON Schema 2020-12", async () => {
  const ajv = new Ajv2020({ validateFormats: false });
  expect([await ajv.validateSchema(SCHEMA), ajv.errors]).toEqual([true, null]);
});

test("the whole document accepts a message of either side, and nothing else", () => {
  const validate = new Ajv2020({ validateFormats: false, strictTypes: false }).compile(SCHEMA);
  expect(validate({ type: "interrupt" })).toBe(true);
  expect(
    validate({ type: "model_changed", ipc_version: 2, seq: 1, model: null, source: "host" }),
  ).toBe(true);
  expect(validate({ type: "model_changed" })).toBe(false);
  expect(validate({})).toBe(false);
});

test("every definition and every field has a description", () => {
  const fields = nodesIn(DEFINITIONS).flatMap(([path, { properties }]) =>
    isJsonObject(properties) && !path.endsWith("/not")
      ? Object.entries(properties).map(([name, field]) => [`${path}/${name}`, field] as const)
      : [],
  );
  const described = (node: unknown): boolean =>
    isJsonObject(node) &&
    (typeof node["description"] === "string" || typeof node["$ref"] === "string");
  const without = [...Object.entries(DEFINITIONS), ...fields].filter(
    ([, node]) => !described(node),
  );
  expect(without.map(([name]) => name)).toEqual([]);
  expect(fields.length).toBeGreaterThan(500);
});

test("every reference leads to a definition", () => {
  const references = nodesIn(SCHEMA).flatMap(([, { $ref }]) => ($ref === undefined ? [] : [$ref]));
  const targetOf = (reference: unknown): unknown =>
    `${reference}`
      .split("/")
      .slice(1)
      .reduce<unknown>((node, key) => (isJsonObject(node) ? node[key] : undefined), SCHEMA);
  const lost = references.filter((reference) => targetOf(reference) === undefined);
  expect(references.length).toBeGreaterThan(100);
  expect(lost).toEqual([]);
});

/** The constant `type` of each message in a union. */
function typesIn(union: string): unknown[] {
  const { oneOf = [] } = DEFINITIONS[union] as { oneOf?: { $ref: string }[] };
  return oneOf.map(({ $ref }) => {
    const definition = DEFINITIONS[$ref.replace("#/$defs/", "")];
    const { type } = (definition?.["properties"] ?? {}) as Record<string, Node>;
    return type?.["const"] ?? typesIn($ref.replace("#/$defs/", ""))[0];
  });
}

test("each inbound and each outbound type has one definition", () => {
  const [own, notifications] = OutboundMessage.options;
  const outbound = [...own.options, ...notifications.options].map(({ shape }) => shape.type.value);
  expect(typesIn("InboundMessage")).toEqual([...INBOUND_TYPES]);
  expect(typesIn("OutboundMessage").sort()).toEqual([...new Set(outbound)].sort());
});

test("each control request has a definition with its arguments", () => {
  const { oneOf } = SCHEMA.$defs.ControlMessage;
  const subtypes = oneOf.map(({ $ref }) => {
    const { properties } = DEFINITIONS[$ref.replace("#/$defs/", "")] as { properties: Node };
    const { type: _type, id: _id, channel: _channel, subtype, ...fields } = properties;
    return [(subtype as Node)["const"], Object.keys(fields)];
  });
  expect(subtypes).toEqual(
    Object.entries(CONTROL_SUBTYPES).map(([name, { fields }]) => [name, Object.keys(fields.shape)]),
  );
});

test("outbound enumerations are open: the known values are listed, and any text is valid", () => {
  const used = new Set(["OutboundMessage"]);
  // In an open value the known ones come first.
  for (const name of used)
    for (const [path, { $ref }] of nodesIn(DEFINITIONS[name]))
      if (typeof $ref === "string" && !path.endsWith("/anyOf/0"))
        used.add($ref.replace("#/$defs/", ""));
  const closed = [...used].flatMap((name) =>
    nodesIn(DEFINITIONS[name], name).filter(
      ([path, node]) =>
        (node["enum"] !== undefined && !path.endsWith("/anyOf/0")) ||
        node["additionalProperties"] === false,
    ),
  );
  expect(closed.map(([path]) => path)).toEqual([]);
  expect(SCHEMA.$defs.ErrorCode.anyOf[0]?.enum).toContain("queue_full");
  expect(SCHEMA.$defs.ErrorCode.anyOf[1]).toEqual({ type: "string" });
});

/** Host messages that the parser accepts, beyond one of each type. */
const ACCEPTED: readonly unknown[] = [
  ...EXAMPLES,
  ...PermissionMode.options.map((mode) => ({ type: "permission_mode", mode })),
  { type: "interrupt", id: "any text", brand_new: 1 },
  { type: "protocol_init", version: 9, session: { mode: "continue", session_id: 7 } },
  { type: "protocol_init", version: 2, options: { env: { A: null, B: "" }, settings: { a: [1] } } },
  { type: "protocol_init", version: 2, options: { mcp_config: "/a/path" } },
  { type: "question_answer", request_id: "r", answers: { a: "b", c: ["d"] } },
  { type: "session_command", command: "fork" },
  {
    type: "tool_approval",
    request_id: "r",
    decision: "allow",
    updatedPermissions: [{ type: "brand_new", x: 1 }],
  },
  ...Object.keys(CONTROL_SUBTYPES).map((subtype) => ({ type: "control", subtype, ...ARGUMENTS() })),
];

/** A value for each argument of the control requests. */
function ARGUMENTS(): Node {
  return {
    settings: {},
    authorizationCode: "c",
    state: "s",
    query: "",
    description: "d",
    task_id: "t",
    tool: "mcp__a__b",
    serverName: "s",
    callbackUrl: "u",
    uri: "u",
    servers: { a: {} },
    enabled: true,
    path: "p",
    directory: "d",
    title: "t",
    user_message_id: "m",
    mtime: 1.5,
    color: "red",
    has_subscribers: null,
    mode: null,
    question: "q",
    source: "userSettings",
  };
}

test("the schema accepts the host messages that the parser accepts", () => {
  for (const message of ACCEPTED) {
    expect(InboundMessage.safeParse(message).error?.message).toBeUndefined();
    expect(schemaFault("InboundMessage", message)).toBeUndefined();
  }
});

const REFUSED: readonly unknown[] = [
  ...BAD_LINES.filter(({ name }) => !name.includes("endless nesting")).flatMap(({ line }) =>
    typeof line === "string" ? (parseJson(line) ?? []) : [],
  ),
  { type: "control", subtype: "end_session" },
  { type: "control", subtype: "mcp_toggle", serverName: "", enabled: true },
  { type: "model_change", model: "a\0b" },
  { type: "protocol_init", version: 2, options: { settings: { a: [{ b: "c\0" }] } } },
  { type: "protocol_init", version: 2, options: { env: { "a\0": "b" } } },
  { type: "control", subtype: "apply_flag_settings", settings: { a: "\0" } },
];

test("the schema refuses the host messages that the parser refuses", () => {
  const refused = REFUSED.filter((message) => !InboundMessage.safeParse(message).success);
  expect(refused.length).toBeGreaterThan(200);
  const accepted = refused.filter(
    (message) => schemaFault("InboundMessage", message) === undefined,
  );
  expect(accepted).toEqual([]);
});

describe("the bridge's messages for a captured line are valid by the schema", () => {
  test.each(KIND_FIXTURES.map(({ kind, source, line }) => [kind, source, line] as const))(
    "%s from %s",
    async (_kind, _source, line) => {
      for (const message of await emittedFor(line)) checkOutbound(message);
    },
  );
});
