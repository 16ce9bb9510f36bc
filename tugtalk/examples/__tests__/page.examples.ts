/** The page's server as a browser has it: server-sent events, posted messages, and refused requests. */
import { afterEach, expect, test } from "bun:test";
import { request as httpRequest } from "node:http";
import { join } from "node:path";
import { CHECKED_COMMAND } from "../../testing/drivers/bridge-process.ts";
import { EXAMPLES, type Example, endExamples, startExample } from "./support/example-process.ts";

afterEach(endExamples);

const SERVER = ["node", join(EXAMPLES, "page.mjs")];
const BRIDGE = CHECKED_COMMAND;
const SIMULATOR = [...BRIDGE, "simulate", "--speed=max"];

type Message = Readonly<Record<string, unknown>>;

/** A server with its address, which ends with a slash. */
async function openPage(
  ...scenario: readonly string[]
): Promise<{ readonly server: Example; readonly url: string }> {
  const server = startExample([...SERVER, ...SIMULATOR, ...scenario]);
  await server.output.wait("/\n");
  return { server, url: server.output.text.trim() };
}

/** The messages of a stream of events with the numbers of the events, as an EventSource reads them. */
async function* readEvents(
  url: string,
  headers: Readonly<Record<string, string>> = {},
): AsyncGenerator<{ readonly id: number; readonly message: Message }> {
  const response = await fetch(`${url}events`, { headers });
  expect(response.headers.get("content-type")).toBe("text/event-stream");
  const decoder = new TextDecoder();
  let rest = "";
  for await (const chunk of response.body ?? []) {
    const events = (rest + decoder.decode(chunk, { stream: true })).split("\n\n");
    rest = events.pop() ?? "";
    for (const event of events) {
      const [, id, data = ""] = event.match(/^id: (\d+)\ndata: (.*)$/) ?? [];
      yield { id: Number(id), message: JSON.parse(data) as Message };
    }
  }
}

function post(url: string, body: string, headers: Readonly<Record<string, string>> = {}) {
  return fetch(`${url}send`, { method: "POST", body, headers }).then(({ status }) => status);
}

const say = (url: string, text: string) =>
  post(url, JSON.stringify({ type: "user_message", text }), { origin: new URL(url).origin });

test("the page streams an answer as events, and its answer to a prompt reaches Claude", async () => {
  const { server, url } = await openPage();
  expect(await say(url, "hi")).toBe(204);
  expect(await say(url, "tools")).toBe(204);
  const shown: Message[] = [];
  for await (const { message } of readEvents(url)) {
    shown.push(message);
    const { type, request_id, is_question } = message;
    if (type !== "control_request_forward") continue;
    if (is_question === true) break;
    await post(url, JSON.stringify({ type: "tool_approval", request_id, decision: "allow" }));
  }
  expect(shown.filter(({ status }) => status === "partial").length).toBeGreaterThan(10);
  const outcomes = shown.filter(({ type }) => type === "control_request_resolved");
  expect(outcomes.map(({ outcome }) => outcome)).toEqual(["allow", "allow", "allow"]);
  const answers = server.claudeGot().filter(({ type }) => type === "control_response");
  expect(answers).toHaveLength(3);
  for (const { response } of answers)
    expect(response).toMatchObject({ response: { behavior: "allow" } });
});

test("the server declines a form of an MCP server, which the page does not show", async () => {
  const { server, url } = await openPage("forms");
  await say(url, "hi");
  const types: unknown[] = [];
  for await (const { message } of readEvents(url))
    if (types.push(message["type"]) && message["type"] === "turn_complete") break;
  expect(types).toContain("elicitation_request");
  expect(types).toContain("control_request_resolved");
  expect(server.claudeGot()).toContainEqual(
    expect.objectContaining({
      type: "control_response",
      response: expect.objectContaining({ response: { action: "decline" } }),
    }),
  );
});

test("a page that connects again gets the messages that it missed, and none twice", async () => {
  const { url } = await openPage();
  await say(url, "hi");
  const first: number[] = [];
  for await (const { id } of readEvents(url)) if (first.push(id) === 5) break;
  expect(first).toEqual([1, 2, 3, 4, 5]);
  for await (const { id, message } of readEvents(url, { "last-event-id": "5" })) {
    expect(id).toBe(6);
    expect(message).toMatchObject({ seq: 6 });
    break;
  }
});

test("the page has at most 40 lines, is served under its secret path only, and loads nothing from elsewhere", async () => {
  const { url } = await openPage();
  const page = await fetch(url);
  expect(page.headers.get("content-type")).toBe("text/html; charset=utf-8");
  const html = await page.text();
  expect(html.trimEnd().split("\n").length).toBeLessThanOrEqual(40);
  expect(html).toContain('new EventSource("events")');
  expect(html).not.toMatch(/https?:|src=|innerHTML|\son\w+=/);
  const { origin } = new URL(url);
  for (const path of ["/", "/events", "/send", "/00000000-0000-4000-8000-000000000000/"]) {
    const { status } = await fetch(origin + path);
    expect({ path, status }).toEqual({ path, status: 404 });
  }
});

test("requests from another page or under another name are refused before they reach the bridge", async () => {
  const { server, url } = await openPage();
  const message = JSON.stringify({ type: "user_message", text: "from elsewhere" });
  expect(await post(url, message, { origin: "http://evil.example" })).toBe(403);
  expect(await post(url, message, { origin: "null" })).toBe(403);
  expect(await statusUnderName(url, "evil.example")).toBe(403);
  expect(await statusUnderName(url, new URL(url).host)).toBe(200);
  await say(url, "from here");
  for await (const { message: shown } of readEvents(url)) {
    if (shown["type"] !== "user_text") continue;
    expect(shown).toMatchObject({ text: "from here" });
    break;
  }
  expect(JSON.stringify(server.claudeGot())).not.toContain("from elsewhere");
});

/** The status of the page for a browser that knows the server by another name. */
function statusUnderName(url: string, host: string): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const request = httpRequest(url, { headers: { host } }, (response) => {
      response.resume();
      resolve(response.statusCode);
    });
    request.on("error", reject);
    request.end();
  });
}

test("the server listens on 127.0.0.1 only", async () => {
  const { url } = await openPage();
  // A server on all addresses of the machine would answer here too.
  const elsewhere = url.replace("127.0.0.1", "127.0.0.2");
  const outcome = await fetch(elsewhere).catch(({ code }: { readonly code: string }) => code);
  expect(outcome).toBe("ECONNREFUSED");
});

test("a body that is no message is refused, and one in several lines is one message", async () => {
  const { url } = await openPage();
  expect(await post(url, "not JSON")).toBe(400);
  expect(await post(url, '{\n"type": "user_message",\n"text": "hi"\n}')).toBe(204);
  for await (const { message } of readEvents(url)) {
    expect(message["type"]).not.toBe("error");
    if (message["type"] === "user_text") break;
  }
});

for (const signal of ["SIGINT", "SIGTERM"] as const) {
  test(`${signal} ends the server, the bridge and Claude, also with a page open`, async () => {
    const { server, url } = await openPage();
    await say(url, "hi");
    let last: Message = {};
    for await (const { message } of readEvents(url)) {
      last = message;
      if (message["type"] === "turn_started") server.kill(signal);
    }
    expect(last).toMatchObject({ type: "session_state", state: "exited" });
    expect(await server.ended).toBe(0);
    expect(await server.left()).toEqual([]);
  });
}

test("a server that is killed leaves neither the bridge nor Claude", async () => {
  const { server, url } = await openPage();
  await say(url, "hi");
  for await (const { message } of readEvents(url)) if (message["type"] === "turn_complete") break;
  expect(server.processes().length).toBeGreaterThanOrEqual(3);
  server.kill("SIGKILL");
  expect(await server.left()).toEqual([]);
});
