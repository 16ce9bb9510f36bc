/** The requests that are let in, over real sockets: each way in, with each fault that a request may have. */
import { afterAll, describe, expect, test } from "bun:test";
import { createHmac } from "node:crypto";
import { endHosts, startHost } from "../../../testing/drivers/host-process.ts";
import { SECURITY_HEADERS } from "../headers.ts";
import { proofKeyOf, proofOf } from "../host-proof.ts";
import { checkGuardRow, GUARD_ROWS } from "./support/guard-table.ts";
import { type RawAnswer, requestText, sendRaw } from "./support/raw-http.ts";
import { Visit } from "./support/visit.ts";

const host = await startHost();
const visit = await Visit.open(host);
/** A host whose browsers sign in at 127.0.0.1. */
const loopbackVisit = await Visit.open(await startHost({ args: ["--no-own-name"] }));
/** A host that is called by the address of a proxy. */
const publicVisit = await Visit.open(
  await startHost({ args: ["--public-url=https://box.example"] }),
);
afterAll(endHosts);

const refusalIn = ({ status, body }: RawAnswer) => [status, JSON.parse(body).code];

for (const row of GUARD_ROWS)
  describe(`a request over HTTP, SSE or a WebSocket with ${row.fault} gets the answer that is designed`, () => {
    test("by a name of its own", () => checkGuardRow(visit, row));
    test("by 127.0.0.1", () => checkGuardRow(loopbackVisit, row));
    test("by a public address", () => checkGuardRow(publicVisit, row));
  });

test("a code signs a browser in once, by a cookie that scripts of pages cannot read and other sites do not send", async () => {
  const code = visit.freshCode();
  const first = await visit.get(`/?code=${code}`, { "Sec-Fetch-Site": "none" });
  expect(first.status).toBe(303);
  expect(first.headers.get("location")).toBe("/");
  const [pair = "", ...rest] = first.headers.get("set-cookie")?.split("; ") ?? [];
  expect(pair).toStartWith(`tugtalk_${host.port}=`);
  expect(pair).not.toContain(host.token);
  expect(rest).toEqual(["HttpOnly", "SameSite=Strict", "Path=/"]);
  expect((await visit.get("/", { Cookie: pair })).status).toBe(200);
  expect((await visit.get(`/?code=${code}`)).status).toBe(401);
});

test("a link that is opened by 127.0.0.1 signs nobody in, and its code still works by its name", async () => {
  const code = visit.freshCode();
  const Host = `127.0.0.1:${host.port}`;
  const refused = await visit.get(`/?code=${code}`, { Host });
  expect({ status: refused.status, cookie: refused.headers.get("set-cookie") }).toEqual({
    status: 401,
    cookie: undefined,
  });
  expect((await visit.get(`/?code=${code}`)).status).toBe(303);
});

test("anybody may have the host prove that it knows its token, which the answer does not have", async () => {
  const nonce = "n".repeat(22);
  const { status, body } = await visit.get(`/api/proof?nonce=${nonce}`);
  expect(status).toBe(200);
  const { token, port } = host;
  expect(JSON.parse(body)).toEqual({ proof: proofOf(proofKeyOf({ token, address: port }), nonce) });
  expect(body).not.toContain(token);
  for (const bad of ["", "n".repeat(21), "n".repeat(65), "n".repeat(21).concat("%00")])
    expect((await visit.get(`/api/proof?nonce=${bad}`)).status).toBe(400);
  expect((await visit.get("/api/proof")).status).toBe(401);
  // A signed-in browser gets the key with the page.
  const page = await visit.get("/", visit.byCookie());
  const [, key = ""] = /name="tugtalk-proof" content="([\w-]{43})"/.exec(page.body) ?? [];
  expect(createHmac("sha256", key).update(nonce).digest("base64url")).toBe(JSON.parse(body).proof);
  expect((await visit.get(`/api/proof?nonce=${nonce}`, { Host: "evil.example" })).status).toBe(403);
});

test("a browser that is signed in and opens its link again is led to the page, without a cookie", async () => {
  const { status, headers } = await visit.get(`/?code=${visit.usedCode}`, { Cookie: visit.cookie });
  expect({ status, location: headers.get("location") }).toEqual({ status: 303, location: "/" });
  expect(headers.has("set-cookie")).toBe(false);
});

test("a link with a code that another site leads to is refused, and its code still works when it is pasted", async () => {
  const code = visit.freshCode();
  const led = { "Sec-Fetch-Site": "cross-site", Accept: "text/html" };
  const refused = await visit.get(`/?code=${code}`, led);
  expect(refused.status).toBe(403);
  expect(refused.body).toContain("paste it into the address bar");
  expect((await visit.get(`/?code=${code}`, { "Sec-Fetch-Site": "none" })).status).toBe(303);
});

test("a browser that is not signed in is shown the way to a new link", async () => {
  const { status, headers, body } = await visit.get("/", { Accept: "text/html,*/*;q=0.8" });
  expect(status).toBe(401);
  expect(headers.get("content-type")).toStartWith("text/html");
  // Without this link a browser asks for an icon, and reports that there is none.
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
    await visit.get("/", visit.byToken()),
    await visit.get("/api/health", visit.byToken()),
    await visit.get(`/api/sessions/${visit.session.id}/events`, visit.byToken()),
    await visit.get("/api/sessions/none/events", visit.byToken()),
    await visit.get("/nothing", visit.byToken()),
    await visit.send("PUT /api/health", visit.byToken()),
    await visit.get("/"),
    await visit.get("/", { Host: "evil.example" }),
    await visit.get(`/?code=${visit.freshCode()}`),
    await visit.send("OPTIONS /api/health", { ...visit.byToken(), Origin: visit.origin }),
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
  const { status, headers, body } = await visit.send("PUT /api/sessions", visit.byToken());
  expect(status).toBe(405);
  expect(headers.get("allow")).toBe("GET, POST");
  expect(JSON.parse(body)).toEqual({ error: "use GET, POST", code: "wrong_method" });
});

test("a Host that is sent twice, and HTTP/1.0 without one, are refused, and the host goes on", async () => {
  const twice = ["GET / HTTP/1.1", `Host: 127.0.0.1:${host.port}`, "Host: evil.example"];
  for (const lines of [twice, ["GET / HTTP/1.0"]])
    expect(refusalIn(await sendRaw(host.port, requestText(lines)))).toEqual([403, "foreign_host"]);
  expect((await visit.get("/api/health", visit.byToken())).status).toBe(200);
});

test("the authority of an absolute target counts for nothing beside the Host", async () => {
  const target = `http://127.0.0.1:${host.port}/api/health`;
  expect(
    (await visit.send(`GET ${target}`, { ...visit.byToken(), Host: "evil.example" })).status,
  ).toBe(403);
  expect((await visit.send("GET http://evil.example/api/health", {})).status).toBe(401);
});

test("a target that is no URL is refused, and is no failure of the host", async () => {
  const answer = await visit.send("CONNECT 127.0.0.1:22", {});
  expect(refusalIn(answer)).toEqual([404, "not_found"]);
  expect(answer.headers.has("content-security-policy")).toBe(true);
});

test("a body is refused with our headers from one byte beyond the limit of its route on", async () => {
  const path = `/api/sessions/${visit.session.id}`;
  const json = { ...visit.byToken(), "Content-Type": "application/json" };
  const tooLong = { ...json, "Content-Length": `${1024 * 1024 + 1}` };
  const declared = await visit.send(`PATCH ${path}`, tooLong);
  expect(refusalIn(declared)).toEqual([413, "too_large"]);
  expect(declared.headers.has("content-security-policy")).toBe(true);
  const message = { ...json, "Content-Length": `${63 * 1024 * 1024 + 1}` };
  expect((await visit.send(`POST ${path}/message`, message)).status).toBe(413);
  const chunk = "x".repeat(1024 * 1024 + 1);
  const chunked = { ...json, "Transfer-Encoding": "chunked" };
  const body = `${chunk.length.toString(16)}\r\n${chunk}\r\n0\r\n\r\n`;
  expect((await visit.send(`PATCH ${path}`, chunked, body)).status).toBe(413);
});

test("a body that is not UTF-8 is refused: the replacement of a byte would be longer", async () => {
  const body = new Blob([`{"title":"`, new Uint8Array([0xff]), `"}`]);
  const headers = { ...visit.byToken(), "Content-Type": "application/json" };
  const answer = await fetch(`${host.url}/api/sessions/${visit.session.id}`, {
    method: "PATCH",
    headers,
    body,
  });
  expect(answer.status).toBe(400);
  expect(await answer.json()).toMatchObject({ code: "bad_json" });
});

test("a body that is no JSON, no object or too deep is refused", async () => {
  const path = `PATCH /api/sessions/${visit.session.id}`;
  const deep = `{"title":${"[".repeat(5000)}${"]".repeat(5000)}}`;
  for (const body of ["{", "[]", "null", '"text"', deep]) {
    const json = { "Content-Type": "application/json", "Content-Length": `${body.length}` };
    const answer = await visit.send(path, { ...visit.byToken(), ...json }, body);
    const beginning = body.slice(0, 20);
    expect([beginning, ...refusalIn(answer)]).toEqual([beginning, 400, "bad_json"]);
  }
});

/** The most cookies that Chromium and Firefox keep for one name: 180 of 4,096 characters. */
const FOREIGN_COOKIES = Array.from({ length: 180 }, (_, index) =>
  `c${index}=`.padEnd(4_096, "x"),
).join("; ");

test("as many cookies of other pages as a browser keeps lock nobody out: not of the link, the page, the commands and the WebSocket", async () => {
  const link = await visit.get(`/?code=${visit.freshCode()}`, { Cookie: FOREIGN_COOKIES });
  expect(link.status).toBe(303);
  const Cookie = `${FOREIGN_COOKIES}; ${visit.cookie}`;
  expect((await visit.get("/", { Cookie })).status).toBe(200);
  await checkGuardRow(visit, {
    fault: "nothing, with many cookies",
    headers: () => ({ ...visit.byCookie(), Cookie }),
    answers: { HTTP: "good", SSE: "good", WebSocket: "good" },
  });
});

test("a head of more than a mebibyte is refused, and the host goes on", async () => {
  const large = { "X-Large": "x".repeat(1024 * 1024) };
  expect((await visit.get("/api/health", large)).status).toBe(431);
  expect((await visit.get("/api/health", visit.byToken())).status).toBe(200);
});
