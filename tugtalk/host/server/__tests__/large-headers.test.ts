/** Requests with the cookies of other pages of this machine, which browsers send to every port. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { endHosts, startHost, type TestHost } from "../../../testing/drivers/host-process.ts";
import { type RawAnswer, requestText, sendRaw } from "./support/raw-http.ts";

/** What Chromium and Firefox keep for one name: 180 cookies of 4,096 characters. */
const FOREIGN_COOKIES = Array.from({ length: 180 }, (_, index) =>
  `c${index}=`.padEnd(4_096, "x"),
).join("; ");

let host: TestHost;
beforeAll(async () => {
  host = await startHost();
});
afterAll(endHosts);

function get(target: string, headers: Readonly<Record<string, string>>): Promise<RawAnswer> {
  const all = { Host: new URL(host.signInUrl).host, ...headers };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}`);
  return sendRaw(host.port, requestText([`GET ${target} HTTP/1.1`, ...lines]));
}

test("as many cookies of other pages as a browser keeps lock nobody out: not of the link, the page, the commands and the WebSocket", async () => {
  const { search } = new URL(host.signInUrl);
  const signedIn = await get(`/${search}`, { Cookie: FOREIGN_COOKIES });
  expect(signedIn.status).toBe(303);
  const ours = signedIn.headers.get("set-cookie")?.split(";")[0] ?? "";
  const Cookie = `${FOREIGN_COOKIES}; ${ours}`;
  expect((await get("/", { Cookie })).status).toBe(200);
  expect((await get("/api/health", { Cookie })).status).toBe(200);
  const upgrade = {
    Connection: "Upgrade",
    Upgrade: "websocket",
    "Sec-WebSocket-Version": "13",
    "Sec-WebSocket-Key": btoa("a nonce of 16 by"),
    Origin: new URL(host.signInUrl).origin,
  };
  expect((await get("/ws", { ...upgrade, Cookie })).status).toBe(101);
});

test("a head of more than a mebibyte is refused, and the host goes on", async () => {
  const answer = await get("/api/health", { "X-Large": "x".repeat(1024 * 1024) });
  expect(answer.status).toBe(431);
  expect((await host.request("GET", "/api/health")).status).toBe(200);
});
