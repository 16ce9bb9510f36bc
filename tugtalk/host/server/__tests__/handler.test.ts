/** The handler of requests, called as a function: no port, no process. */
import { expect, test } from "bun:test";
import { readAnswer } from "../../../testing/drivers/http-answer.ts";
import { ApiError } from "../../api/api-error.ts";
import type { CommandAnswer, CommandRunner } from "../../api/command.ts";
import type { Caller } from "../../api/host-session.ts";
import { openJournal } from "../../journal/sqlite-journal.ts";
import { openSessions } from "../../sessions/sessions.ts";
import { OpenStreams } from "../../stream/open-streams.ts";
import { OwnDoor } from "../door.ts";
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

/** A handler that records its commands and answers them with `answer`. */
async function open(
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
    sessions: await openSessions({ journal, startBridge }),
    runCommand,
    signIn: new SignIn(new OwnDoor({ token: TOKEN, codeKey: "key", now: () => 0 }), 7717),
    sites: sitesOf({ allowedHosts: ["host.example"], publicUrls: [] }, 7717),
    page: async () => PAGE,
    isReady: () => true,
    metrics: () => "tugtalk_ready 1\n",
    openApi: async () => '{"openapi":"3.1.1"}',
    streams: new OpenStreams(),
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
    const request = new Request(`${ORIGIN}${path}`, { method, headers, body });
    const peer: Peer = { upgrade: () => false, connections: 1, ...init.peer };
    const response = await handler(request, peer);
    return response && (await readAnswer(response));
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

test("a command is given the fields of its path, its query and its body together", async () => {
  const { given, send } = await open();
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

const QUEUED = "/api/sessions/s/queue/m";
const WITH_BODY = { "content-length": "11", "content-type": "application/json" };

test.each<[method: string, path: string, init: Send, field: string]>([
  ["PATCH", QUEUED, { body: { message: "x", id: "s" } }, "id"],
  ["PATCH", `${QUEUED}?message=x`, { body: { message: "x" } }, "message"],
  ["PATCH", `${QUEUED}?x=1&x=2`, { body: { message: "x" } }, "x"],
  ["GET", "/api/events?s=x", {}, "s"],
  ["GET", "/api/sessions/s/events?aftr=0", {}, "aftr"],
  ["GET", "/ws?token=x", {}, "token"],
  ["GET", `/api/proof?nonce=${"n".repeat(22)}&nonc=1`, {}, "nonc"],
  ["GET", "/api/sessions/one/turns", { headers: WITH_BODY }, "body"],
])(
  "%s %s with a field twice, or one that it does not take, is refused by its name",
  async (method, path, init, field) => {
    const { given, send } = await open();
    const refusal = { status: 400, body: { code: "bad_request", field } };
    expect(await send(method, path, init)).toMatchObject(refusal);
    expect(given).toEqual([]);
  },
);

test("a change without a body has no fields but those of its path", async () => {
  const { given, send } = await open();
  await send("POST", "/api/sessions/s/interrupt");
  await send("DELETE", "/api/sessions/s?keep=1");
  expect(given).toMatchObject([
    { name: "interrupt", fields: { id: "s" } },
    { name: "delete", fields: { id: "s", keep: "1" } },
  ]);
});

test("the status and the body of a command are the answer", async () => {
  const answer = { status: 202, body: { status: "queued", position: 2 } };
  const { send } = await open(answer);
  const sent = await send("POST", "/api/sessions/s/message", { body: { message: "x" } });
  expect(sent).toMatchObject(answer);
});

test("whatever a command throws is a 500 with our headers, and reported", async () => {
  const mistake = new Error("a mistake");
  const { send, reported } = await open(undefined, { runCommand: () => Promise.reject(mistake) });
  const answer = await send("GET", "/api/health");
  expect(answer).toMatchObject({ status: 500, body: { code: "internal_error" } });
  for (const [name, value] of Object.entries(SECURITY_HEADERS))
    expect({ name, value: answer?.headers.get(name) }).toEqual({ name, value });
  expect(reported).toEqual([mistake]);
});

test("a path with a part that is no URL encoding, or with none where a name is due, is not found", async () => {
  const { send, given } = await open();
  for (const path of ["/api/sessions/%zz", "/api/sessions/", "/api/sessions/s/queue//send", "/api"])
    expect({ path, status: (await send("GET", path))?.status }).toEqual({ path, status: 404 });
  expect(given).toEqual([]);
});

test("more requests than a thousand at a time are refused, and so are WebSockets and streams", async () => {
  const { send } = await open();
  const statusOf = async (path: string, connections: number) =>
    (await send("GET", path, { peer: { connections, upgrade: () => true } }))?.status;
  for (const path of ["/api/health", "/api/events", "/ws"])
    expect({ path, status: await statusOf(path, 1_001) }).toEqual({ path, status: 429 });
  expect(await statusOf("/api/health", 1_000)).toBe(200);
});

test("a connection that becomes a WebSocket gets no answer, and its client keeps its name; one that does not gets an error", async () => {
  const { send } = await open();
  const callers: Caller[] = [];
  const upgrade = (caller: Caller) => callers.push(caller) > 0;
  const headers = { upgrade: "websocket", "x-client-name": "tablet" };
  expect(await send("GET", "/ws", { headers, peer: { upgrade } })).toBeUndefined();
  expect(callers).toEqual([{ name: "tablet" }]);
  expect((await send("GET", "/ws"))?.status).toBe(426);
});

test("a body whose client goes away is refused, and is no error of the host", async () => {
  const { send, given, reported } = await open();
  const stream = new ReadableStream({ pull: (body) => body.error(new Error("gone")) });
  expect((await send("POST", "/api/sessions", { stream }))?.status).toBe(400);
  expect([given, reported]).toEqual([[], []]);
});

test("the page is served anew each time, and its files are kept by the browser", async () => {
  const { send } = await open();
  const page = await send("GET", "/", { headers: { "accept-encoding": "gzip" } });
  expect(page?.headers.get("cache-control")).toBe("no-store");
  expect(page?.headers.get("content-encoding")).toBe("gzip");
  const asset = await send("GET", "/assets/page-1.js");
  expect(asset?.headers.get("cache-control")).toContain("immutable");
  expect(asset?.headers.get("content-security-policy")).toContain("trusted-types 'none'");
  expect(asset?.body).toEqual({ text: "export {}" });
  expect((await send("GET", "/assets/page-2.js"))?.status).toBe(404);
});

test("anybody, by any name, learns whether the host is ready, by the status alone", async () => {
  for (const [isReady, status] of [
    [true, 200],
    [false, 503],
  ] as const) {
    const { send } = await open(undefined, { isReady: () => isReady });
    for (const path of ["/api/ready", "/api/ready?from=balancer"]) {
      const headers = { host: "10.0.0.7", authorization: "", "sec-fetch-site": "cross-site" };
      const answer = await send("GET", path, { headers });
      expect({ status: answer?.status, body: answer?.body }).toEqual({
        status,
        body: { text: "" },
      });
    }
    expect(await send("HEAD", "/api/ready")).toMatchObject({ status });
  }
});

test("only that path is for anybody, and only to be read", async () => {
  const { send } = await open();
  const headers = { host: "10.0.0.7" };
  for (const path of ["/api/ready/", "/api/ready/x", "/x?/api/ready", "/metrics", "/api/health"])
    expect({ path, status: (await send("GET", path, { headers }))?.status }).toEqual({
      path,
      status: 403,
    });
  expect((await send("POST", "/api/ready", { headers }))?.status).toBe(403);
  expect((await send("POST", "/api/ready"))?.status).toBe(404);
});

test("the metrics are a text of Prometheus for who has the token", async () => {
  const { send } = await open();
  const answer = await send("GET", "/metrics");
  expect(answer?.headers.get("content-type")).toBe("text/plain; version=0.0.4; charset=utf-8");
  expect(answer?.body).toEqual({ text: "tugtalk_ready 1\n" });
  const refused = await send("GET", "/metrics", { headers: { authorization: "Bearer x" } });
  expect(refused?.status).toBe(401);
  expect((await send("GET", "/metrics?x=1"))?.status).toBe(400);
});
