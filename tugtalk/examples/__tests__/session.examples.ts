/** The client of the reference host as a user has it, and the input that reaches Claude. */
import { afterAll, afterEach, beforeAll, expect, test } from "bun:test";
import { join } from "node:path";
import { askingTurn } from "../../testing/drivers/host-conversations.ts";
import { endHosts, startHost, type TestHost } from "../../testing/drivers/host-process.ts";
import { cutAfter, ProxiedHost } from "../../testing/drivers/proxied-host.ts";
import { into } from "../../testing/drivers/written-conversation.ts";
import { EXAMPLES, type Example, endExamples, startExample } from "./support/example-process.ts";

let host: TestHost;

beforeAll(async () => {
  host = await startHost();
});

afterEach(endExamples);
afterAll(endHosts);

function startClient(args: readonly string[], url = host.url): Example {
  const env = { TUGTALK_HOST: url, TUGTALK_TOKEN_FILE: join(host.dataDir, "token") };
  return startExample(["python3", join(EXAMPLES, "session.py"), ...args], env);
}

test("the client begins a session, goes on with it, and lists the sessions", async () => {
  const first = startClient(["Hello there"]);
  expect(await first.ended).toBe(0);
  const [id = ""] = first.output.text.split("\n");
  expect(first.output.text).toBe(`${id}\nYou said: Hello there\n`);
  const second = startClient(["Once more", id]);
  expect(await second.ended).toBe(0);
  expect(second.output.text).toBe(`${id}\nYou said: Once more\n`);
  const list = startClient([]);
  expect(await list.ended).toBe(0);
  expect(list.output.text).toContain(`${id}  idle  Hello there\n`);
});

test("a client that finds no token says where it looked and what to do", async () => {
  const client = startExample(["python3", join(EXAMPLES, "session.py")], {
    TUGTALK_TOKEN_FILE: join(host.dataDir, "none"),
  });
  expect(await client.ended).toBe(1);
  expect(client.errors()).toMatch(/^no token: .*none.*TUGTALK_TOKEN_FILE\n$/);
});

test("the client's answers to a permission prompt reach Claude", async () => {
  const conversation = [...askingTurn({ id: "first" }), ...askingTurn({ id: "second" })];
  const session = await host.createSession({ conversation });
  for (const text of ["y", "not this one"]) {
    const client = startClient(["Go", session.id]);
    await client.output.wait("? ");
    client.type(text);
    expect(await client.ended).toBe(0);
    expect(client.output.text).toContain("May Write run? Input: {");
  }
  const answers = session.claudeInput
    .filter(({ type }) => type === "control_response")
    .map(({ response }) => (response as { readonly response: unknown }).response);
  expect(answers.slice(-2)).toMatchObject([
    { behavior: "allow" },
    { behavior: "deny", message: "not this one" },
  ]);
});

test("the client refuses a prompt that nobody is there to answer, and says if another one was quicker", async () => {
  const conversation = [...askingTurn({ id: "first" }), ...askingTurn({ id: "second" })];
  const session = await host.createSession({ conversation });
  const alone = startClient(["Go", session.id]);
  alone.endInput();
  expect(await alone.ended).toBe(0);
  const late = startClient(["Go", session.id]);
  await late.output.wait("? ");
  await session.run("approve", { requestId: "second", decision: "allow" });
  late.type("y");
  expect(await late.ended).toBe(0);
  expect(late.output.text).toMatch(/\[.*already.*\]/);
});

/** The answer takes longer than the four waits of the client before it comes back. */
const PIECES = Array.from({ length: 1_500 }, (_, index) => ` piece ${index}`);

test("the client prints every piece of an answer once, though its connection is cut again and again", async () => {
  const msg = { content: [{ type: "text", text: PIECES.join("") }], pieceChars: 20, delayMs: 2 };
  const session = await host.createSession({
    conversation: [into({ type: "user" }), { dir: "open" }, { dir: "reply", msg }, { dir: "end" }],
    claudeEnv: { TUGTALK_SIM_SPEED: "1" },
  });
  const cuts = { left: 4 };
  const proxy = await ProxiedHost.open(host.port, cutAfter(4_000, cuts));
  try {
    const client = startClient(["Go", session.id], proxy.url);
    expect(await client.ended).toBe(0);
    expect(client.output.text).toBe(`${session.id}\n${PIECES.join("")}\n`);
    expect(cuts.left).toBe(0);
  } finally {
    proxy.close();
  }
});

test("the client says what is wrong with an unknown session, and that no host runs", async () => {
  const unknown = startClient(["Go", "nobody"]);
  expect(await unknown.ended).toBe(1);
  expect(unknown.errors()).toContain("session");
  expect(unknown.errors()).not.toContain("Traceback");
  const nowhere = startClient([], "http://127.0.0.1:1");
  expect(await nowhere.ended).toBe(1);
  expect(nowhere.errors()).toStartWith("no host at http://127.0.0.1:1: ");
});
