/** Lines that no client should send: the agent answers with the error that the protocol names, and goes on. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { tmpdir } from "node:os";
import { AcpAgent } from "../../testing/drivers/acp-agent.ts";

const agent = new AcpAgent({ args: ["--max-line-bytes=1000000"] });
const dir = tmpdir();
let sessionId = "";

beforeAll(async () => {
  await agent.initialize();
  sessionId = await agent.open(dir);
});
afterAll(() => agent.end());

/** The deepest value that is still refused, without its end. */
const deep = (levels: number) => `${"[".repeat(levels)}${"]".repeat(levels)}`;

const LINES: readonly (readonly [name: string, line: string, id: unknown, code: number])[] = [
  ["no JSON", "hello", null, -32700],
  ["a list", '[{"jsonrpc":"2.0","id":1,"method":"initialize"}]', null, -32600],
  ["a number", "7", null, -32600],
  ["no jsonrpc, whose id is kept", '{"id":"a","method":"session/list"}', "a", -32600],
  ["an id that is an object", '{"jsonrpc":"2.0","id":{},"method":"session/list"}', null, -32600],
  ["a method that is a number", '{"jsonrpc":"2.0","id":"b","method":7}', "b", -32600],
  ["neither request nor answer", '{"jsonrpc":"2.0","id":"c"}', "c", -32600],
  [
    "3,000 levels",
    `{"jsonrpc":"2.0","id":"d","method":"session/new","params":${deep(3000)}}`,
    "d",
    -32600,
  ],
  [
    "a line that is too long",
    `{"jsonrpc":"2.0","id":"e","method":"x","params":{"text":"${"x".repeat(1_000_001)}"}}`,
    "e",
    -32600,
  ],
  ["an unknown method", '{"jsonrpc":"2.0","id":"f","method":"session/nothing"}', "f", -32601],
  ["a name of every object", '{"jsonrpc":"2.0","id":"g","method":"constructor"}', "g", -32601],
  ["a second initialize", '{"jsonrpc":"2.0","id":"h","method":"initialize"}', "h", -32600],
];

test.each([...LINES])("%s is answered with its error", async (_name, line, id, code) => {
  agent.sendRaw(`${line}\n`);
  const frame = await agent.next(({ error }) => error !== undefined);
  expect(frame).toMatchObject({ id, error: { code } });
});

const SERVER = { name: "a", command: "true", args: [], env: [] };
const NO_ID = "00000000-0000-4000-8000-000000000000";

const REQUESTS: readonly (readonly [name: string, method: string, params: object, code: number])[] =
  [
    ["a relative folder", "session/new", { cwd: "here", mcpServers: [] }, -32602],
    ["no list of servers", "session/new", { cwd: dir }, -32602],
    ["ill-typed servers", "session/new", { cwd: dir, mcpServers: [{ name: "a" }] }, -32602],
    ["two servers of one name", "session/new", { cwd: dir, mcpServers: [SERVER, SERVER] }, -32602],
    [
      "a resume with two servers of one name",
      "session/resume",
      { sessionId: NO_ID, cwd: dir, mcpServers: [SERVER, { ...SERVER, command: "false" }] },
      -32602,
    ],
    [
      "a relative further folder",
      "session/new",
      { cwd: dir, mcpServers: [], additionalDirectories: ["x"] },
      -32602,
    ],
    ["an unknown session", "session/prompt", { sessionId: "no", prompt: [text("x")] }, -32002],
    ["a folder that is not there", "session/new", { cwd: `${dir}/no`, mcpServers: [] }, -32602],
    ["a file for a folder", "session/new", { cwd: import.meta.path, mcpServers: [] }, -32602],
    ["a load without a folder", "session/load", { mcpServers: [] }, -32602],
    ["a resume in a relative folder", "session/resume", { cwd: "x" }, -32602],
    ["a fork in a folder that is not there", "session/fork", { cwd: `${dir}/no` }, -32602],
    ["an unknown cursor", "session/list", { cursor: "x" }, -32602],
    ["a list of a relative folder", "session/list", { cwd: "x" }, -32602],
    ["a login that is no terminal's", "authenticate", { methodId: "x" }, -32602],
    ["an empty prompt", "session/prompt", { prompt: [] }, -32602],
    ["a prompt without text", "session/prompt", { prompt: [text("")] }, -32602],
    ["a text that is a number", "session/prompt", { prompt: [text(7)] }, -32602],
    ["an unknown block", "session/prompt", { prompt: [{ type: "smell" }] }, -32602],
    [
      "audio",
      "session/prompt",
      { prompt: [{ type: "audio", data: "", mimeType: "audio/wav" }] },
      -32602,
    ],
    ["a PNG that is text", "session/prompt", { prompt: [image("image/png", "aGVsbG8=")] }, -32602],
    ["a BMP", "session/prompt", { prompt: [image("image/bmp", "Qk0=")] }, -32602],
    ["wrong base64", "session/prompt", { prompt: [image("image/png", "***")] }, -32602],
    ["an unknown mode", "session/set_mode", { modeId: "reckless" }, -32602],
    ["an unknown option", "session/set_config_option", { configId: "x", value: "y" }, -32602],
    ["an unknown value", "session/set_config_option", { configId: "mode", value: "y" }, -32602],
    [
      "a switch for a choice",
      "session/set_config_option",
      { configId: "mode", value: true },
      -32602,
    ],
    ...foreignSessions("../../etc"),
    ...foreignSessions(NO_ID),
  ];

/** Each method that names a session, with the id of none. */
function foreignSessions(sessionId: string) {
  const prompt = [text("x")];
  const calls: readonly (readonly [method: string, params: object])[] = [
    ...["load", "resume", "fork"].map((name) => [`session/${name}`, { cwd: dir }] as const),
    ...["close", "delete"].map((name) => [`session/${name}`, {}] as const),
    ["session/prompt", { prompt }],
    ["_session/steering", { prompt }],
    ["session/set_mode", { modeId: "plan" }],
    ["session/set_config_option", { configId: "mode", value: "plan" }],
  ];
  return calls.map(
    ([method, params]) =>
      [`${method} of ${sessionId}`, method, { ...params, sessionId }, -32002] as const,
  );
}

function text(content: unknown) {
  return { type: "text", text: content };
}

function image(mimeType: string, data: string) {
  return { type: "image", mimeType, data };
}

test.each([...REQUESTS])("%s is refused", async (_name, method, params, code) => {
  expect(await agent.ask(method, { sessionId, ...params })).toMatchObject({ error: { code } });
});

test("after all of this the session answers a prompt", async () => {
  expect(await agent.prompt(sessionId, "hello")).toMatchObject({
    result: { stopReason: "end_turn" },
  });
});

test("requests before initialize are refused, and version 99 is answered with 1", async () => {
  const other = new AcpAgent();
  expect(await other.ask("session/list", {})).toMatchObject({ error: { code: -32600 } });
  const unknown = await other.ask("initialize", { protocolVersion: "x" });
  expect(unknown).toMatchObject({ result: { protocolVersion: 1 } });
  expect(await other.end()).toBe(0);
});

test("1,000 levels of JSON are accepted", async () => {
  const _meta = { deep: JSON.parse(deep(990)) };
  expect(await agent.ask("session/list", { cwd: dir, _meta })).toHaveProperty("result");
});
