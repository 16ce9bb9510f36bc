/** Commands on the WebSocket over a real connection: the commands that run, and the refusals. */
import { afterAll, beforeAll, beforeEach, expect, test } from "bun:test";
import { HOST_ROUTES } from "../../../client/host-routes.ts";
import { SocketClient } from "../../../testing/drivers/host-clients.ts";
import type { CommandAnswer, CommandRunner } from "../../api/command.ts";
import { endStreams, type StreamServer, startStreamServer } from "./support/stream-server.ts";

/** The executed commands, and their answers, which a test may delay. */
const ran: Parameters<CommandRunner>[] = [];
let answer: (name: string) => CommandAnswer | Promise<CommandAnswer>;
const run: CommandRunner = async (name, fields, caller) => {
  ran.push([name, fields, caller]);
  return await answer(name);
};

let server: StreamServer;
let client: SocketClient;

beforeAll(() => {
  server = startStreamServer({ run });
});

beforeEach(async () => {
  ran.length = 0;
  answer = () => ({ status: 200, body: {} });
  client = await SocketClient.open(`${server.url}/ws`, {});
});

afterAll(endStreams);

test("every route is a command by its name", async () => {
  for (const name of Object.keys(HOST_ROUTES)) {
    expect(await client.run(name)).toMatchObject({ ok: true });
  }
  expect(ran.map(([name]) => name) as string[]).toEqual(Object.keys(HOST_ROUTES));
});

test("s is the session of a command, and the other fields are those of the route", async () => {
  await client.run("message", { s: "one", message: "Hello", client_msg_id: "c1" });
  expect(ran).toEqual([["message", { id: "one", message: "Hello", client_msg_id: "c1" }, {}]]);
});

test("the answer has the fields of the body, and a session's id as s", async () => {
  answer = () => ({ status: 201, body: { id: "session-1", title: "New" } });
  expect(await client.run("create", { dir: "/work" })).toEqual({
    id: "command-0",
    ok: true,
    s: "session-1",
    title: "New",
  });
});

test("a refusal has the status that it has over HTTP, its message, its code and its further fields", async () => {
  answer = () => ({ status: 409, body: { error: "taken", code: "already_resolved", by: "phone" } });
  expect(await client.run("approve", { s: "one" })).toEqual({
    id: "command-0",
    ok: false,
    status: 409,
    error: "taken",
    code: "already_resolved",
    by: "phone",
  });
});

test("hello gives the client the name by which it acts", async () => {
  expect(await client.run("hello", { name: "phone" })).toMatchObject({ ok: true });
  await client.run("interrupt", { s: "one" });
  expect(ran).toEqual([["interrupt", { id: "one" }, { name: "phone" }]]);
});

const command = (cmd: string, fields: object) => JSON.stringify({ id: 7, cmd, ...fields });

test.each<[what: string, text: string | Uint8Array<ArrayBuffer>, id: 7 | null, refusal: object]>([
  ["bad JSON", "{", null, { code: "bad_json" }],
  ["no object", "[1]", null, { code: "bad_request" }],
  ["no id", '{"cmd":"health"}', null, { code: "bad_request" }],
  ["an id of another type", '{"id":{},"cmd":"health"}', null, { code: "bad_request" }],
  [
    "a binary frame that is no UTF-8",
    Buffer.from('{"id":7,"cmd":"hello","name":"\xff"}', "latin1"),
    null,
    { code: "bad_json" },
  ],
  ["no cmd", '{"id":7}', 7, { code: "bad_request" }],
  ["an unknown cmd", command("dance", {}), 7, { code: "unknown_command" }],
  ["a cmd from the prototype", command("toString", {}), 7, { code: "unknown_command" }],
  ["hello without a name", command("hello", { name: " " }), 7, { field: "name" }],
  ["hello with more than a name", command("hello", { name: "a", nam: "x" }), 7, { field: "nam" }],
  ["subscribe without a session", command("subscribe", {}), 7, { field: "s" }],
  ["a bad cursor", command("subscribe", { s: "one", after: "x" }), 7, { field: "after" }],
  [
    "a cursor for all sessions, which have none",
    command("subscribe", { s: "*", after: { epoch: 1, seq: 1 } }),
    7,
    { field: "after" },
  ],
  ["a misspelt field", command("subscribe", { s: "*", aftr: 0 }), 7, { field: "aftr" }],
  ["unsubscribe with more than s", command("unsubscribe", { s: "*", x: 1 }), 7, { field: "x" }],
  [
    "a field with the name of the prototype",
    '{"id":7,"cmd":"sessions","__proto__":{}}',
    7,
    { code: "bad_request", field: "__proto__" },
  ],
])("%s is answered, and the connection stays", async (_, text, id, refusal) => {
  client.sendRaw(text);
  expect(await client.nextRefusal()).toMatchObject({ id, ok: false, ...refusal });
  expect(await client.run("health")).toMatchObject({ ok: true });
});

test("a command of more than 1 MiB in UTF-8 is refused, but a message may be larger", async () => {
  const text = "x".repeat(1024 * 1024);
  for (const title of [text, "é".repeat(512 * 1024)])
    expect(await client.run("update", { s: "one", title })).toMatchObject({
      ok: false,
      code: "too_large",
    });
  expect(await client.run("message", { s: "one", message: text })).toMatchObject({ ok: true });
});

test("a command that is nested too deep is refused", async () => {
  const deep = `${"[".repeat(2000)}${"]".repeat(2000)}`;
  client.sendRaw(`{"id":"deep","cmd":"control","s":"one","subtype":"x","value":${deep}}`);
  expect(await client.nextRefusal()).toMatchObject({ id: "deep", status: 400, code: "bad_json" });
  expect(ran).toEqual([]);
});

test("commands start in the order in which they come, and a slow one does not hold up the others", async () => {
  const slow = Promise.withResolvers<CommandAnswer>();
  answer = (name) => (name === "interrupt" ? slow.promise : { status: 200, body: {} });
  const first = client.run("interrupt", { s: "one" });
  expect(await client.run("message", { s: "one", message: "Hello" })).toMatchObject({ ok: true });
  slow.resolve({ status: 200, body: { status: "ok" } });
  expect(await first).toMatchObject({ ok: true, status: "ok" });
  expect(ran.map(([name]) => name)).toEqual(["interrupt", "message"]);
});

test("a client has at most 64 commands under way", async () => {
  const slow = Promise.withResolvers<CommandAnswer>();
  answer = () => slow.promise;
  const commands = Array.from({ length: 64 }, () => client.run("interrupt"));
  expect(await client.run("interrupt")).toMatchObject({ ok: false, code: "too_many" });
  slow.resolve({ status: 200, body: {} });
  const answers = await Promise.all(commands);
  expect(answers.filter(({ ok }) => ok).length).toBe(64);
  expect(await client.run("interrupt")).toMatchObject({ ok: true });
});
