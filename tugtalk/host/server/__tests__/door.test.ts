/** Who is let in, over real sockets: each way in, with each fault that a request may have. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import {
  endHosts,
  startHost,
  type TestHost,
  type TestHostSession,
} from "../../../testing/drivers/host-process.ts";
import { hostsOf } from "../door.ts";
import { SECURITY_HEADERS } from "../headers.ts";
import { newCode } from "../sign-in.ts";
import { type RawAnswer, requestText, sendRaw } from "./support/raw-http.ts";

let host: TestHost;
let session: TestHostSession;
let cookie = "";
let usedCode = "";

beforeAll(async () => {
  host = await startHost();
  session = await host.createSession();
  usedCode = new URL(host.signInUrl).searchParams.get("code") ?? "";
  const { headers } = await get(`/?code=${usedCode}`);
  cookie = headers.get("set-cookie")?.split(";")[0] ?? "";
});
afterAll(endHosts);

/** Headers besides those of the way in; null leaves one of those out. */
type Headers = Readonly<Record<string, string | null>>;

async function send(first: string, headers: Headers, body = ""): Promise<RawAnswer> {
  const all = { Host: `127.0.0.1:${host.port}`, ...headers };
  const lines = Object.entries(all).flatMap(([name, value]) =>
    value === null ? [] : [`${name}: ${value}`],
  );
  return sendRaw(host.port, requestText([`${first} HTTP/1.1`, ...lines], body));
}

function get(path: string, headers: Headers = {}): Promise<RawAnswer> {
  return send(`GET ${path}`, headers);
}

function codeOf({ body }: RawAnswer): string {
  return String(JSON.parse(body).code);
}

const BODY = JSON.stringify({ title: "A title" });

/** Each way in: its request, and the status where nothing is wrong with it. */
const WAYS = {
  HTTP: {
    good: 200,
    send: (headers: Headers, query: string) => {
      const length = { "Content-Type": "application/json", "Content-Length": `${BODY.length}` };
      return send(`PATCH /api/sessions/${session.id}${query}`, { ...length, ...headers }, BODY);
    },
  },
  SSE: {
    good: 200,
    send: (headers: Headers, query: string) =>
      get(`/api/sessions/${session.id}/events${query}`, headers),
  },
  WebSocket: {
    good: 101,
    send: (headers: Headers, query: string) =>
      get(`/ws${query}`, {
        Connection: "Upgrade",
        Upgrade: "websocket",
        "Sec-WebSocket-Version": "13",
        "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==",
        ...headers,
      }),
  },
} as const;

type Way = keyof typeof WAYS;

/** A fault, the headers that make it, and what each way in answers: a status, or `good`. */
type Row = {
  readonly fault: string;
  readonly headers: () => Headers;
  readonly query?: () => string;
  readonly answers: Readonly<Record<Way, number | "good">>;
};

function all(answer: number | "good"): Row["answers"] {
  return { HTTP: answer, SSE: answer, WebSocket: answer };
}

const ours = () => `http://127.0.0.1:${host.port}`;
const byToken = () => ({ Authorization: host.authorization.authorization });
const byCookie = () => ({ Cookie: cookie, Origin: ours() });

const ROWS: readonly Row[] = [
  { fault: "nothing, with the token", headers: byToken, answers: all("good") },
  { fault: "nothing, with the cookie", headers: byCookie, answers: all("good") },
  {
    fault: "nothing, by the name localhost",
    headers: () => ({ ...byToken(), Host: `LOCALHOST:${host.port}` }),
    answers: all("good"),
  },
  {
    fault: "a foreign Origin, with the token",
    headers: () => ({ ...byToken(), Origin: "https://evil.example" }),
    answers: all(403),
  },
  {
    fault: "a foreign Origin, with the cookie",
    headers: () => ({ ...byCookie(), Origin: "http://evil.example" }),
    answers: all(403),
  },
  {
    fault: "the Origin of another port of this machine",
    headers: () => ({ ...byCookie(), Origin: "http://127.0.0.1:1" }),
    answers: all(403),
  },
  {
    fault: "the Origin null",
    headers: () => ({ ...byCookie(), Origin: "null" }),
    answers: all(403),
  },
  {
    fault: "no Origin, with the cookie",
    headers: () => ({ Cookie: cookie }),
    answers: { HTTP: 403, SSE: "good", WebSocket: 403 },
  },
  {
    fault: "a foreign Host",
    headers: () => ({ ...byToken(), Host: `evil.example:${host.port}` }),
    answers: all(403),
  },
  {
    fault: "our Host without our port",
    headers: () => ({ ...byToken(), Host: "127.0.0.1" }),
    answers: all(403),
  },
  {
    fault: "another port of this machine as the site",
    headers: () => ({ Cookie: cookie, "Sec-Fetch-Site": "same-site" }),
    answers: all(403),
  },
  {
    fault: "another site",
    headers: () => ({ ...byCookie(), "Sec-Fetch-Site": "cross-site" }),
    answers: all(403),
  },
  { fault: "no token", headers: () => ({}), answers: all(401) },
  {
    fault: "a wrong token",
    headers: () => ({ Authorization: `Bearer ${"x".repeat(43)}` }),
    answers: all(401),
  },
  {
    fault: "a wrong token beside the cookie",
    headers: () => ({ ...byCookie(), Authorization: "Bearer x" }),
    answers: all(401),
  },
  {
    fault: "a wrong cookie",
    headers: () => ({ ...byCookie(), Cookie: `${cookie}x` }),
    answers: all(401),
  },
  {
    fault: "the cookie of another port",
    headers: () => ({ ...byCookie(), Cookie: cookie.replace(/^tugtalk_\d+/, "tugtalk_1") }),
    answers: all(401),
  },
  {
    fault: "the token in the address",
    headers: () => ({}),
    query: () => `?token=${host.token}`,
    answers: all(401),
  },
  {
    fault: "a used code",
    headers: () => ({}),
    query: () => `?code=${usedCode}`,
    answers: all(401),
  },
  {
    fault: "a code that nobody has used, where no code is taken",
    headers: () => ({}),
    query: () => `?code=${freshCode()}`,
    answers: all(401),
  },
  {
    fault: "a text/plain body",
    headers: () => ({ ...byToken(), "Content-Type": "text/plain" }),
    answers: { HTTP: 415, SSE: "good", WebSocket: "good" },
  },
];

function freshCode(): string {
  const { code_key } = JSON.parse(readFileSync(join(host.dataDir, "host.json"), "utf8"));
  return newCode(code_key, Date.now());
}

for (const { fault, headers, query = () => "", answers } of ROWS)
  test(`a request over HTTP, SSE or a WebSocket with ${fault} gets the answer that is designed`, async () => {
    for (const [name, { good, send: sendWay }] of Object.entries(WAYS)) {
      const { status } = await sendWay(headers(), query());
      const expected = answers[name as Way];
      expect({ name, status }).toEqual({ name, status: expected === "good" ? good : expected });
    }
  });

test("a code signs a browser in once, by a cookie that scripts of pages cannot read and other sites do not send", async () => {
  const code = freshCode();
  const first = await get(`/?code=${code}`, { "Sec-Fetch-Site": "none" });
  expect(first.status).toBe(303);
  expect(first.headers.get("location")).toBe("/");
  const [pair = "", ...rest] = first.headers.get("set-cookie")?.split("; ") ?? [];
  expect(pair).toStartWith(`tugtalk_${host.port}=`);
  expect(pair).not.toContain(host.token);
  expect(rest).toEqual(["HttpOnly", "SameSite=Strict", "Path=/"]);
  expect((await get("/", { Cookie: pair })).status).toBe(200);
  expect((await get(`/?code=${code}`)).status).toBe(401);
});

test("a browser that is signed in and opens its link again is led to the page, without a cookie", async () => {
  const { status, headers } = await get(`/?code=${usedCode}`, { Cookie: cookie });
  expect({ status, location: headers.get("location") }).toEqual({ status: 303, location: "/" });
  expect(headers.has("set-cookie")).toBe(false);
});

test("a link with a code that another site leads to is refused, and its code still works when it is pasted", async () => {
  const code = freshCode();
  const led = { "Sec-Fetch-Site": "cross-site", Accept: "text/html" };
  const refused = await get(`/?code=${code}`, led);
  expect(refused.status).toBe(403);
  expect(refused.body).toContain("paste it into the address bar");
  expect((await get(`/?code=${code}`, { "Sec-Fetch-Site": "none" })).status).toBe(303);
});

test("a browser that is not signed in is shown the way to a new link", async () => {
  const { status, headers, body } = await get("/", { Accept: "text/html,*/*;q=0.8" });
  expect(status).toBe(401);
  expect(headers.get("content-type")).toStartWith("text/html");
  // Else a browser asks for one, and reports that there is none.
  expect(body).toContain('<link rel="icon" href="data:,">');
  expect(body).toContain("tugtalk host url");
});

test("pages may load nothing but our own files, and no other page may frame or submit to ours", () => {
  expect(SECURITY_HEADERS).toMatchObject({
    "content-security-policy":
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; connect-src 'self'; font-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'",
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
  });
});

test("every answer has the headers of security and none of CORS", async () => {
  const answers = [
    await get("/", byToken()),
    await get("/api/health", byToken()),
    await get(`/api/sessions/${session.id}/events`, byToken()),
    await get("/api/sessions/none/events", byToken()),
    await get("/nothing", byToken()),
    await send("PUT /api/health", byToken()),
    await get("/"),
    await get("/", { Host: "evil.example" }),
    await get(`/?code=${freshCode()}`),
    await send("OPTIONS /api/health", { ...byToken(), Origin: ours() }),
  ];
  expect(answers.map(({ status }) => status)).toEqual([
    200, 200, 200, 404, 404, 405, 401, 403, 303, 405,
  ]);
  for (const { headers } of answers) {
    for (const [name, value] of Object.entries(SECURITY_HEADERS))
      expect({ name, value: headers.get(name) }).toEqual({ name, value });
    expect([...headers.keys()].filter((name) => name.startsWith("access-control"))).toEqual([]);
  }
});

test("a method that a path does not have is refused with those that it has", async () => {
  const { status, headers, body } = await send("PUT /api/sessions", byToken());
  expect(status).toBe(405);
  expect(headers.get("allow")).toBe("GET, POST");
  expect(JSON.parse(body)).toEqual({ error: "use GET, POST", code: "wrong_method" });
});

test("on port 80 our names count without a port too, as browsers send them, and on no other", () => {
  expect([...hostsOf(["Box.example"], 80)]).toContain("box.example");
  expect([...hostsOf(["box.example"], 8080)]).not.toContain("box.example");
  for (const port of [80, 8080])
    expect([...hostsOf(["box.example"], port)]).toEqual(
      expect.arrayContaining([`127.0.0.1:${port}`, `[::1]:${port}`, `box.example:${port}`]),
    );
});

test("a Host that is sent twice is refused", async () => {
  const first = `GET /api/health HTTP/1.1\r\nHost: 127.0.0.1:${host.port}`;
  const answer = await sendRaw(host.port, requestText([first, "Host: evil.example"]));
  expect({ status: answer.status, code: codeOf(answer) }).toEqual({
    status: 403,
    code: "foreign_host",
  });
});

test("HTTP/1.0 without a Host is refused, and the host goes on", async () => {
  const answer = await sendRaw(host.port, requestText(["GET / HTTP/1.0"]));
  expect({ status: answer.status, code: codeOf(answer) }).toEqual({
    status: 403,
    code: "foreign_host",
  });
  expect((await get("/api/health", byToken())).status).toBe(200);
});

test("the authority of an absolute target counts for nothing beside the Host", async () => {
  const target = `http://127.0.0.1:${host.port}/api/health`;
  expect((await send(`GET ${target}`, { ...byToken(), Host: "evil.example" })).status).toBe(403);
  expect((await send("GET http://evil.example/api/health", {})).status).toBe(401);
});

test("a target that is no URL is refused, and is no failure of the host", async () => {
  const answer = await send("CONNECT 127.0.0.1:22", {});
  expect({ status: answer.status, code: codeOf(answer) }).toEqual({
    status: 404,
    code: "not_found",
  });
  expect(answer.headers.has("content-security-policy")).toBe(true);
});

test("a header of 100 kB is refused, and the host goes on", async () => {
  const { status } = await get("/api/health", { ...byToken(), "X-Long": "x".repeat(100_000) });
  expect(status).toBe(431);
  expect((await get("/api/health", byToken())).status).toBe(200);
});

test("a body is refused with our headers from one byte beyond the limit of its route on", async () => {
  const path = `/api/sessions/${session.id}`;
  const json = { ...byToken(), "Content-Type": "application/json" };
  const tooLong = { ...json, "Content-Length": `${1024 * 1024 + 1}` };
  const declared = await send(`PATCH ${path}`, tooLong);
  expect({ status: declared.status, code: codeOf(declared) }).toEqual({
    status: 413,
    code: "too_large",
  });
  expect(declared.headers.has("content-security-policy")).toBe(true);
  const message = { ...json, "Content-Length": `${63 * 1024 * 1024 + 1}` };
  expect((await send(`POST ${path}/message`, message)).status).toBe(413);
  const chunk = "x".repeat(1024 * 1024 + 1);
  const chunked = { ...json, "Transfer-Encoding": "chunked" };
  const body = `${chunk.length.toString(16)}\r\n${chunk}\r\n0\r\n\r\n`;
  expect((await send(`PATCH ${path}`, chunked, body)).status).toBe(413);
});

test("a body that is not UTF-8 is refused: what would replace a byte is longer", async () => {
  const body = new Blob([`{"title":"`, new Uint8Array([0xff]), `"}`]);
  const headers = { ...byToken(), "Content-Type": "application/json" };
  const answer = await fetch(`${host.url}/api/sessions/${session.id}`, {
    method: "PATCH",
    headers,
    body,
  });
  expect(answer.status).toBe(400);
  expect(await answer.json()).toMatchObject({ code: "bad_json" });
});

test("a body that is no JSON, no object or too deep is refused", async () => {
  const path = `PATCH /api/sessions/${session.id}`;
  const deep = `{"title":${"[".repeat(5000)}${"]".repeat(5000)}}`;
  for (const body of ["{", "[]", "null", '"text"', deep]) {
    const json = { "Content-Type": "application/json", "Content-Length": `${body.length}` };
    const answer = await send(path, { ...byToken(), ...json }, body);
    expect({ body: body.slice(0, 20), status: answer.status }).toEqual({
      body: body.slice(0, 20),
      status: 400,
    });
    expect(codeOf(answer)).toBe("bad_json");
  }
});
