/** The OpenAPI document of the host: its content, and the check of answers against it. */
import { afterAll, expect, test } from "bun:test";
import { Ajv2020 } from "ajv/dist/2020.js";
import { document, section } from "../../../__tests__/support/markdown.ts";
import { HOST_ROUTES } from "../../../client/host-routes.ts";
import { type Fields, fieldsOf } from "../../../src/base/json.ts";
import { checkAnswer, checkSocketAnswer } from "../../../testing/drivers/answer-check.ts";
import { endHosts, startHost } from "../../../testing/drivers/host-process.ts";
import { ALIAS_ROUTES } from "../../api/alias-routes.ts";
import { PROOF_PATH } from "../../server/host-proof.ts";
import { OTHER_ROUTES } from "../../server/other-routes.ts";
import { READY_PATH } from "../../server/ready.ts";
import { openApiDocument, openApiText } from "../document.ts";
import { REFUSALS } from "../refusals.ts";

afterAll(endHosts);

const DOCUMENT = openApiDocument();

type Operation = Fields & { readonly operationId: string };

/** Each operation as `GET /api/sessions/:id`, with its definition. */
function operations(): ReadonlyMap<string, Operation> {
  const found = Object.entries(fieldsOf(DOCUMENT["paths"])).flatMap(([path, item]) =>
    Object.entries(fieldsOf(item))
      .filter(([method]) => method !== "parameters")
      .map(([method, operation]): [string, Operation] => {
        const { operationId, ...fields } = fieldsOf(operation);
        const route = `${method.toUpperCase()} ${path.replace(/\{(\w+)\}/g, ":$1")}`;
        return [route, { ...fields, operationId: String(operationId) }];
      }),
  );
  return new Map(found);
}

test("each command and each other route of the host is an operation of its name, and nothing else is", () => {
  const ready = { method: "GET", path: READY_PATH };
  const proof = { method: "GET", path: PROOF_PATH };
  const routes = { ...HOST_ROUTES, ...ALIAS_ROUTES, ...OTHER_ROUTES, ready, proof };
  const expected = Object.entries(routes).map(([name, { method, path }]) => [
    `${method} ${path}`,
    name,
  ]);
  const found = [...operations()].map(([route, { operationId }]) => [route, operationId]);
  expect(found.sort()).toEqual(expected.sort());
});

test("each part of a path is a parameter of it, and each reference leads to something", () => {
  for (const [path, item] of Object.entries(fieldsOf(DOCUMENT["paths"]))) {
    const { parameters = [] } = fieldsOf(item);
    const named = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
    expect(parameters).toEqual(named.map((name) => ({ $ref: `#/components/parameters/${name}` })));
  }
  const references = [...JSON.stringify(DOCUMENT).matchAll(/"\$ref":"#\/([^"]+)"/g)];
  const lost = references.filter(([, path = ""]) => {
    const found = path.split("/").reduce<unknown>((value, key) => fieldsOf(value)[key], DOCUMENT);
    return found === undefined;
  });
  expect(references.length).toBeGreaterThan(150);
  expect(lost).toEqual([]);
});

test("each definition that the document has is used, and each schema in it compiles", () => {
  const { schemas } = fieldsOf(DOCUMENT["components"]);
  const text = JSON.stringify(DOCUMENT);
  const names = Object.keys(fieldsOf(schemas));
  expect(names.filter((name) => !text.includes(`/schemas/${name}"`))).toEqual([]);
  const ajv = new Ajv2020({ strict: true, strictTypes: false, strictRequired: false });
  ajv.addVocabulary(["openapi", "info", "servers", "security", "paths", "components"]);
  ajv.addFormat("uuid", true);
  ajv.addSchema({ $id: "host", ...DOCUMENT });
  for (const name of names)
    expect(ajv.getSchema(`host#/components/schemas/${name}`)).toBeFunction();
});

test("the statuses and codes of refusals are those of the table of HOST.md", () => {
  const rows = section(document("tugtalk/HOST.md"), "## Errors").matchAll(/^\| `(\w+)` \| (\d+)/gm);
  const documented = [...rows].map(([, code, status]) => `${status} ${code}`);
  const known = Object.entries(REFUSALS).flatMap(([status, { codes }]) =>
    codes.map((code) => `${status} ${code}`),
  );
  expect(known.sort()).toEqual(documented.sort());
});

test("a browser's cookie and a script's token are its security, and only a balancer and a proof need neither", () => {
  expect(DOCUMENT["security"]).toEqual([{ token: [] }, { cookie: [] }]);
  const open = [...operations().values()].filter(({ security }) => security !== undefined);
  expect(open.map(({ operationId }) => operationId)).toEqual(["ready", "proof"]);
});

test("the options of a session are those that a client of the host may give", () => {
  const { SessionOptions } = fieldsOf(fieldsOf(DOCUMENT["components"])["schemas"]);
  const { properties } = fieldsOf(SessionOptions);
  const names = Object.keys(fieldsOf(properties));
  expect(names).toContain("allowed_tools");
  expect(names).not.toContain("host_tools");
  expect(fieldsOf(properties)["shutdown_grace_ms"]).toMatchObject({ maximum: 4_000 });
});

/** Fields with fractions: US dollars, and figures that Claude counts. */
const FRACTIONS =
  /(?:^cost_?usd|^limit_usd|^max_budget_usd|^totalCostUsd|Tokens|^toolUses|^numTurns|^durationMs|^elapsedSeconds|^apiErrorStatus)$/i;

test("each number is a whole one, but money and the figures of Claude", () => {
  const others: string[] = [];
  const look = (name: string, value: unknown): void => {
    if (Array.isArray(value)) for (const one of value) look(name, one);
    const schema = fieldsOf(value);
    if (schema["type"] === "number" && !FRACTIONS.test(name)) others.push(name);
    for (const [key, inner] of Object.entries(schema))
      look(/^(?:anyOf|items|schema|additionalProperties)$/.test(key) ? name : key, inner);
  };
  look("", DOCUMENT);
  expect(others).toEqual([]);
});

test("the host serves it to who is signed in", async () => {
  const host = await startHost();
  const { status, headers, body } = await host.request("GET", "/api/openapi.json");
  expect([status, headers.get("content-type")]).toEqual([200, "application/json"]);
  expect(body).toEqual(JSON.parse(openApiText()));
  const stranger = await fetch(`${host.url}/api/openapi.json`);
  expect(stranger.status).toBe(401);
  const { status: asked } = await host.request("GET", "/api/openapi.json?format=yaml");
  expect(asked).toBe(400);
});

const headers = new Headers({ "content-type": "application/json" });

const WRONG_ANSWERS: readonly (readonly [
  what: string,
  path: string,
  status: number,
  body: Fields,
])[] = [
  ["without a field", "/api/health", 200, { status: "ok", version: "1" }],
  ["of another type", "/api/health", 200, { status: "ok", version: 1, sessions: 1 }],
  ["with a further field", "/api/health", 200, { status: "ok", version: "1", sessions: 1, x: 1 }],
  ["of another status", "/api/health", 201, { status: "ok", version: "1", sessions: 1 }],
  ["with a code of another status", "/api/health", 403, { error: "no", code: "not_json" }],
  ["refused without a code", "/api/health", 401, { error: "no" }],
  ["of a status that is another's", "/api/health", 404, { error: "no", code: "not_found" }],
  ["of a route that is not there", "/api/else", 200, {}],
];

test.each([...WRONG_ANSWERS])("an answer %s is none", (_what, path, status, body) => {
  expect(() => checkAnswer("GET", path, { status, headers, body })).toThrow("OpenAPI");
});

test("an answer of the WebSocket is checked like the answer of the route", () => {
  const health = { status: "ok", version: "1", sessions: 1 };
  checkSocketAnswer("health", { id: 1, ok: true, ...health });
  expect(() => checkSocketAnswer("health", { id: 1, ok: true, ...health, x: 1 })).toThrow(
    "OpenAPI",
  );
  const refusal = { id: 1, ok: false, status: 404, error: "no", code: "not_json" };
  expect(() => checkSocketAnswer("session", refusal)).toThrow("OpenAPI");
});
