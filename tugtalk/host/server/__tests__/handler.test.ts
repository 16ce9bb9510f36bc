/** The handler of requests, called as a function: no port, no process. */
import { expect, test } from "bun:test";
import { ApiError } from "../../api/api-error.ts";
import type { CommandAnswer, CommandRunner } from "../../api/command.ts";
import type { Caller } from "../../api/host-session.ts";
import { openJournal } from "../../journal/sqlite-journal.ts";
import { openSessions } from "../../sessions/sessions.ts";
import { type HandlerPorts, openHandler, type Peer } from "../handler.ts";
import { SECURITY_HEADERS } from "../headers.ts";
import { SignIn } from "../sign-in.ts";
import { sitesOf } from "../sites.ts";

const TOKEN = "t".repeat(43);
const ORIGIN = "http://host.example:7717";

const PAGE = {
  version: "v1",
  files: [
    { name: "", contentType: "text/html; charset=utf-8", text: "<!doctype html>" },
    { name: "page-1.js", contentType: "text/javascript; charset=utf-8", text: "export {}" },
  ],
};

type Given = {
  readonly name: string;
  readonly fields: Readonly<Record<string, unknown>>;
  readonly caller: Caller;
};

/** A handler whose commands are noted, and answered with `answer`. */
function open(
  answer: CommandAnswer = { status: 200, body: { status: "ok" } },
  changed: Partial<HandlerPorts> = {},
) {
  const given: Given[] = [];
  const reported: unknown[] = [];
  const journal = openJournal(":memory:");
  const startBridge = () => Promise.reject(new ApiError(503, "no_bridge", "there is no bridge"));
  const runCommand: CommandRunner = async (name, fields, caller) => {
    given.push({ name, fields, caller });
    return answer;
  };
  const handler = openHandler({
    sessions: openSessions({ journal, startBridge }),
    runCommand,
    signIn: new SignIn({ token: TOKEN, codeKey: "key", port: 7717, now: () => 0 }),
    sites: sitesOf({ allowedHosts: ["host.example"], publicUrls: [] }, 7717),
    page: async () => PAGE,
    report: (error) => reported.push(error),
    ...changed,
  });
  const send = async (method: string, path: string, init: Send = {}) => {
    const headers = new Headers({
      host: "host.example:7717",
      authorization: `Bearer ${TOKEN}`,
      ...((init.body ?? init.stream) !== undefined && { "content-type": "application/json" }),
      ...init.headers,
    });
    const body = init.stream ?? (init.body === undefined ? null : JSON.stringify(init.body));
    return handler(new Request(`${ORIGIN}${path}`, { method, headers, body }), {
      ...PEER,
      ...init.peer,
    });
  };
  return { given, reported, send };
}

type Send = {
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  /** The body as it comes. */
  readonly stream?: ReadableStream;
  readonly peer?: Partial<Peer>;
};

const PEER: Peer = {
  upgrade: () => false,
  connections: 1,
};

test("a command is given the fields of its path, its query and its body together", async () => {
  const { given, send } = open();
  await send("PATCH", "/api/sessions/a%2Fb/queue/m?x=1", {
    body: { message: "body" },
    headers: { "x-client-name": "phone" },
  });
  expect(given).toEqual([
    {
      name: "edit_queued",
      fields: { id: "a/b", message_id: "m", x: "1", message: "body" },
      caller: { name: "phone" },
    },
  ]);
});

test.each([
  ["/api/sessions/s/queue/m", { message: "x", id: "s" }, "id"],
  ["/api/sessions/s/queue/m?message=x", { message: "x" }, "message"],
  ["/api/sessions/s/queue/m?x=1&x=2", { message: "x" }, "x"],
])("a field of %s that is given twice is refused by its name", async (path, body, field) => {
  const { given, send } = open();
  const response = await send("PATCH", path, { body });
  expect(response?.status).toBe(400);
  expect(await response?.json()).toMatchObject({ code: "bad_request", field });
  expect(given).toEqual([]);
});

test.each([
  ["/api/events?s=x", "s"],
  ["/api/sessions/s/events?aftr=0", "aftr"],
  ["/ws?token=x", "token"],
])("the stream %s refuses a field that it does not know", async (path, field) => {
  const { send } = open();
  const response = await send("GET", path);
  expect(response?.status).toBe(400);
  expect(await response?.json()).toMatchObject({ code: "bad_request", field });
});

test("a change without a body has no fields but those of its path", async () => {
  const { given, send } = open();
  await send("POST", "/api/sessions/s/interrupt");
  await send("DELETE", "/api/sessions/s?keep=1");
  expect(given).toMatchObject([
    { name: "interrupt", fields: { id: "s" } },
    { name: "delete", fields: { id: "s", keep: "1" } },
  ]);
});

test("the status and the body of a command are the answer", async () => {
  const { send } = open({ status: 202, body: { status: "queued", position: 2 } });
  const response = await send("POST", "/api/sessions/s/message", { body: { message: "x" } });
  expect(response?.status).toBe(202);
  expect(await response?.json()).toEqual({ status: "queued", position: 2 });
});

test("whatever a command throws is a 500 with our headers, and reported", async () => {
  const mistake = new Error("a mistake");
  const { send, reported } = open(undefined, { runCommand: () => Promise.reject(mistake) });
  const response = await send("GET", "/api/health");
  expect(response?.status).toBe(500);
  expect(await response?.json()).toMatchObject({ code: "internal_error" });
  for (const [name, value] of Object.entries(SECURITY_HEADERS))
    expect({ name, value: response?.headers.get(name) }).toEqual({ name, value });
  expect(reported).toEqual([mistake]);
});

test("a path with a part that is no URL encoding, or with none where a name is due, is not found", async () => {
  const { send, given } = open();
  for (const path of ["/api/sessions/%zz", "/api/sessions/", "/api/sessions/s/queue//send", "/api"])
    expect({ path, status: (await send("GET", path))?.status }).toEqual({ path, status: 404 });
  expect(given).toEqual([]);
});

test("more requests than a thousand at a time are refused, and so are WebSockets and streams", async () => {
  const { send } = open();
  const peer = { connections: 1_001, upgrade: () => true };
  for (const path of ["/api/health", "/api/events", "/ws"])
    expect({ path, status: (await send("GET", path, { peer }))?.status }).toEqual({
      path,
      status: 429,
    });
  expect((await send("GET", "/api/health", { peer: { connections: 1_000 } }))?.status).toBe(200);
});

test("a connection that becomes a WebSocket gets no answer, and its client keeps its name", async () => {
  const { send } = open();
  const callers: Caller[] = [];
  const upgrade = (caller: Caller) => callers.push(caller) > 0;
  const headers = { upgrade: "websocket", "x-client-name": "tablet" };
  expect(await send("GET", "/ws", { headers, peer: { upgrade } })).toBeUndefined();
  expect(callers).toEqual([{ name: "tablet" }]);
});

test("the path of the WebSocket without an upgrade says so", async () => {
  const { send } = open();
  const response = await send("GET", "/ws");
  expect(response?.status).toBe(426);
});

test("a body whose client goes away is refused, and is no error of the host", async () => {
  const { send, given, reported } = open();
  const stream = new ReadableStream({ pull: (body) => body.error(new Error("gone")) });
  const response = await send("POST", "/api/sessions", { stream });
  expect(response?.status).toBe(400);
  expect([given, reported]).toEqual([[], []]);
});

test("the proof refuses a field that it does not know", async () => {
  const { send } = open();
  const path = `/api/proof?nonce=${"n".repeat(22)}`;
  expect((await send("GET", path))?.status).toBe(200);
  const refused = await send("GET", `${path}&nonc=1`);
  expect(refused?.status).toBe(400);
  expect(await refused?.json()).toMatchObject({ field: "nonc" });
});

test("a GET with a body is refused, since its fields are those of the query", async () => {
  const { send, given } = open();
  const headers = { "content-length": "11", "content-type": "application/json" };
  const refused = await send("GET", "/api/sessions/one/turns", { headers });
  expect(refused?.status).toBe(400);
  expect(await refused?.json()).toMatchObject({ code: "bad_request", field: "body" });
  expect(given).toEqual([]);
});

test("the page is served anew each time, and its files are kept by the browser", async () => {
  const { send } = open();
  const page = await send("GET", "/", { headers: { "accept-encoding": "gzip" } });
  expect(page?.headers.get("cache-control")).toBe("no-store");
  expect(page?.headers.get("content-encoding")).toBe("gzip");
  const asset = await send("GET", "/assets/page-1.js");
  expect(asset?.headers.get("cache-control")).toContain("immutable");
  expect(asset?.headers.get("content-security-policy")).toContain("trusted-types 'none'");
  expect(await asset?.text()).toBe("export {}");
  const missing = await send("GET", "/assets/page-2.js");
  expect(missing?.status).toBe(404);
});
